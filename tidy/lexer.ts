/**
 * Splits a script into code and comments, each of the same length and lines as the source with the other part blanked, so
 * that an index or a line number means the same in all three. Knows strings, templates and regular expressions well enough
 * not to take a // inside one for a comment; it is no parser.
 */
export interface Split {
	/** The source with comments blanked. */
	readonly code: string;
	/** The comments, without their marks, and everything else blanked. */
	readonly comments: string;
	/** The code with the contents of strings, templates and regular expressions blanked too. */
	readonly bare: string;
	/** Indices of the comments, with their marks. */
	readonly spans: readonly Span[];
}

export interface Span {
	readonly from: number;
	readonly to: number;
}

type Kind = "code" | "comment" | "mark" | "literal";

/** After these a slash begins a regular expression; after a name, a number or a closing bracket it divides. */
const beforeRegex = /(?:^|[=(,:;!&|?{}[+\-*%<>~^]|\b(?:return|typeof|case|in|of|throw|await))\s*$/;

export function split(source: string): Split {
	const kinds = new Array<Kind>(source.length).fill("code");
	const mark = (from: number, to: number, kind: Kind) => kinds.fill(kind, from, Math.min(to, source.length));
	// Each open ${ } of a template, by how many braces are open inside it.
	const templates: number[] = [];
	const spans: Span[] = [];
	let i = source.startsWith("#!") ? source.indexOf("\n") : 0;
	while (i >= 0 && i < source.length) {
		const two = source.slice(i, i + 2);
		const one = source.charAt(i);
		let end = i + 1;
		if (two === "//" || two === "/*") {
			end = commentEnd(source, i);
			spans.push({ from: i, to: end });
			mark(i, end, "comment");
			mark(i, i + 2, "mark");
			if (two === "/*") mark(end - 2, end, "mark");
		} else if (one === '"' || one === "'") {
			end = quoted(source, i);
			mark(i + 1, end - 1, "literal");
		} else if (one === "/" && beforeRegex.test(source.slice(Math.max(0, i - 20), i))) {
			end = regexEnd(source, i);
			mark(i + 1, end - 1, "literal");
		} else if (one === "`" || (one === "}" && templates.at(-1) === 0)) {
			if (one === "}") templates.pop();
			end = templateEnd(source, i);
			mark(i + 1, end - 1, "literal");
			if (source.charAt(end - 1) === "{") templates.push(0);
		} else if (templates.length > 0 && (one === "{" || one === "}")) {
			templates.push((templates.pop() ?? 0) + (one === "{" ? 1 : -1));
		}
		i = end;
	}
	return {
		code: keep(source, kinds, ["code", "literal"]),
		comments: keep(source, kinds, ["comment"]),
		bare: keep(source, kinds, ["code"]),
		spans,
	};
}

function keep(source: string, kinds: readonly Kind[], wanted: readonly Kind[]): string {
	let kept = "";
	for (let i = 0; i < source.length; i++) {
		const one = source.charAt(i);
		kept += one === "\n" || wanted.includes(kinds[i] ?? "code") ? one : " ";
	}
	return kept;
}

function commentEnd(source: string, start: number): number {
	const line = source.charAt(start + 1) === "/";
	const end = source.indexOf(line ? "\n" : "*/", start + 2);
	if (end === -1) return source.length;
	return line ? end : end + 2;
}

function quoted(source: string, start: number): number {
	const quote = source.charAt(start);
	let i = start + 1;
	while (i < source.length && source.charAt(i) !== quote && source.charAt(i) !== "\n") {
		i += source.charAt(i) === "\\" ? 2 : 1;
	}
	return i + 1;
}

function regexEnd(source: string, start: number): number {
	let inClass = false;
	let i = start + 1;
	for (; i < source.length && source.charAt(i) !== "\n"; i++) {
		const one = source.charAt(i);
		if (one === "\\") i += 1;
		else if (one === "[") inClass = true;
		else if (one === "]") inClass = false;
		else if (one === "/" && !inClass) return i + 1;
	}
	// No end on this line: it was a division after all.
	return start + 1;
}

/** To just after the closing backquote, or after the `{` that opens an expression. */
function templateEnd(source: string, start: number): number {
	let i = start + 1;
	while (i < source.length) {
		const one = source.charAt(i);
		if (one === "`") return i + 1;
		if (one === "$" && source.charAt(i + 1) === "{") return i + 2;
		i += one === "\\" ? 2 : 1;
	}
	return source.length;
}
