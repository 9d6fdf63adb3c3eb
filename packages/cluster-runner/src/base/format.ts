/** Numbers and names formatted for people. */

/** 1,213 */
export function count(value: number): string {
	return value.toFixed(0).replace(/(?<=\d)(?=(\d{3})+$)/g, ",");
}

/** "1 contact", "2 contacts". */
export function counted(value: number, one: string, many = `${one}s`): string {
	return `${count(value)} ${value === 1 ? one : many}`;
}

/** An error or a tolerance: 8.1e-7. */
export function small(value: number): string {
	if (value === 0 || !Number.isFinite(value)) return String(value);
	return value.toExponential(1).replace(".0e", "e").replace("e+", "e");
}

/** A tolerance as it was given: 1e-6, 2.5e-7. */
export function exact(value: number): string {
	return value.toExponential().replace("e+", "e");
}

/** Three digits: 0.0123, 1.23, 12.3, 123. */
export function three(value: number): string {
	if (value === 0 || !Number.isFinite(value)) return String(value);
	const size = Math.abs(value);
	if (size >= 1e6 || size < 1e-3) return small(value);
	return size >= 100 ? count(value) : value.toPrecision(3);
}

/** The mark of an axis, which is a round number: 0.2, 50, 12,500, 5e-5. */
export function mark(value: number): string {
	const text = three(value);
	return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, "") : text;
}

/** 12 ms, 1.23 s, 2 min 5 s, 3 h 20 min. */
export function duration(seconds: number): string {
	if (seconds < 1) return `${three(seconds * 1000)} ms`;
	if (seconds < 120) return `${three(seconds)} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 120) return `${minutes} min ${Math.floor(seconds - 60 * minutes)} s`;
	return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Age in one whole unit: 12 s, 2 min, 3 h, 5 days. */
export function age(seconds: number): string {
	const whole = Math.max(0, Math.round(seconds));
	if (whole < 60) return `${whole} s`;
	const minutes = Math.round(whole / 60);
	if (minutes < 60) return `${minutes} min`;
	const hours = Math.round(whole / 3600);
	return hours < 48 ? `${hours} h` : `${Math.round(whole / 86_400)} days`;
}

export function bytes(value: number): string {
	const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
	const step = value < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10));
	return `${three(value / 1024 ** step)} ${units[step] ?? ""}`;
}

/** Text as one line that no name from a file can break or colour: control characters become spaces. */
export function oneLine(text: string): string {
	return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}

/** What reports and messages call an input. */
export function shown(input: string): string {
	return input === "-" ? "standard input" : input;
}
