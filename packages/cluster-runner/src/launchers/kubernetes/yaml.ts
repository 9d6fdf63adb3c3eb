/**
 * Plain data as YAML that people read and edit: block style, with texts quoted as in JSON wherever YAML could take them for something else. Enough for
 * manifests, which are built as data; nothing here reads YAML.
 */

export type Data = string | number | boolean | readonly Data[] | { readonly [name: string]: Data | undefined };

/** Documents with their separators. */
export function yamlDocuments(documents: readonly Data[]): string {
	return documents.map((document) => `---\n${lines(document).join("\n")}\n`).join("");
}

function lines(data: Data): string[] {
	if (isList(data)) return data.flatMap((item) => indented(lines(item), "- "));
	if (typeof data !== "object") return [scalar(data)];
	return Object.entries(data).flatMap(([name, value]) => {
		if (value === undefined) return [];
		if (typeof value !== "object") return [`${scalar(name)}: ${scalar(value)}`];
		if (isList(value))
			return value.length === 0 ? [`${scalar(name)}: []`] : [`${scalar(name)}:`, ...indented(lines(value), "  ")];
		const inner = lines(value);
		return inner.length === 0 ? [`${scalar(name)}: {}`] : [`${scalar(name)}:`, ...indented(inner, "  ")];
	});
}

function isList(data: Data): data is readonly Data[] {
	return Array.isArray(data);
}

/** The first line after the marker, the others below it. */
function indented(text: readonly string[], mark: string): string[] {
	return text.map((line, index) => (index === 0 ? mark : "  ") + line);
}

/** Words that no YAML reader, of version 1.1 or 1.2, takes for a number, a time, a boolean or a marker. */
function scalar(value: string | number | boolean): string {
	if (typeof value !== "string") return String(value);
	const isPlain = /^[A-Za-z/_][\w./-]*$/.test(value) && !/^(y|n|yes|no|on|off|true|false|null|nan|inf)$/i.test(value);
	return isPlain ? value : JSON.stringify(value);
}
