/** How a message shows a value that is not what it should be: in a few words, however large it is. */

const TEXT_MAX = 60;

/** Numbers and short texts as they are; of all else, what kind it is. */
export function shown(value: unknown): string {
	if (typeof value === "string") return value.length <= TEXT_MAX ? value : "a long text";
	if (typeof value === "function") return "a function";
	if (typeof value !== "object" || value === null) return String(value);
	if (Array.isArray(value)) return "an array";
	const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
	if (kind.length > TEXT_MAX) return "an object";
	return `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind === "Object" ? "object" : kind}`;
}
