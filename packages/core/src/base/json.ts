/**
 * JSON that people write: errors say line and column, a key that is given twice is an error that says both places, and comments and trailing commas
 * are allowed where the caller wants them (JSONC). Otherwise the grammar is that of RFC 8259.
 */
import { InputError } from "./errors.js";

export interface JsonOptions {
	/** Allows comments, of lines and of blocks, and a comma after the last element. */
	readonly comments?: boolean;
	readonly remedy?: string;
}

/** The value of a JSON text; `source` is what messages call it. Throws an InputError. */
export function parseJson(text: string, source: string, options: JsonOptions = {}): unknown {
	return new Parser(text, source, options).parse();
}

/**
 * "line 3, column 5" by path, such as bodies[0].mass, of the values at some paths of a text that was parsed before. Where there is no such value, it is
 * the place of the innermost value around it that exists, and none if that is the whole.
 */
export function placesInJson(text: string, paths: Iterable<string>): Map<string, string> {
	const all = [...paths];
	const wanted = new Set(all.flatMap(outwards));
	const found = new Map<string, number>();
	const visit: Visit = (path, at) => {
		if (wanted.has(path)) found.set(path, at);
		return wanted.has(path);
	};
	new Parser(text, "", { comments: true }, visit).parse();
	const lines = new Lines(text);
	const places = new Map<string, string>();
	for (const path of all) {
		const nearest = outwards(path).find((outer) => found.has(outer));
		if (nearest) places.set(path, lines.place(found.get(nearest)!));
	}
	return places;
}

/** The path, that of the value around it, and so on up to the whole. */
function outwards(path: string): string[] {
	const paths = [path];
	for (let at = path.length - 1; at > 0; at -= 1) {
		if (path[at] === "." || path[at] === "[") paths.push(path.slice(0, at));
	}
	return path === "" ? paths : [...paths, ""];
}

/** Returns whether places inside the value are wanted, too. */
type Visit = (path: string, at: number) => boolean;

const REMEDY = "write JSON: numbers without units, names in double quotes";
/** Far deeper than any file that is read here; recursion stays far from the end of the stack. */
const DEPTH_MAX = 200;
const SHOWN_MAX = 20;
const BYTE_ORDER_MARK = "\uFEFF";
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[ !#-[\]-\uffff]*/y;
const BLANK = /[ \t\r\n]*/y;
const WORD = /[\p{L}\p{N}_$.+-]+/uy;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
	["true", true],
	["false", false],
	["null", null],
]);
const ESCAPES: Readonly<Record<string, string>> = {
	'"': '"',
	"\\": "\\",
	"/": "/",
	b: "\b",
	f: "\f",
	n: "\n",
	r: "\r",
	t: "\t",
};

class Parser {
	readonly #text: string;
	readonly #source: string;
	readonly #comments: boolean;
	readonly #remedy: string;
	readonly #visit: Visit | undefined;
	#at = 0;

	constructor(text: string, source: string, { comments = false, remedy = REMEDY }: JsonOptions, visit?: Visit) {
		this.#text = text;
		this.#source = source;
		this.#comments = comments;
		this.#remedy = remedy;
		this.#visit = visit;
	}

	parse(): unknown {
		// Editors of Windows begin files with a mark of their byte order.
		if (this.#text.startsWith(BYTE_ORDER_MARK)) this.#at = 1;
		this.#skip();
		const value = this.#value(0, this.#visit && "");
		this.#skip();
		if (this.#at < this.#text.length) this.#unexpected("the end of the file");
		return value;
	}

	/** `path` is undefined where no place inside is wanted. */
	#value(depth: number, path: string | undefined): unknown {
		const start = this.#at;
		const inner = path !== undefined && this.#visit!(path, start) ? path : undefined;
		if (depth === DEPTH_MAX) this.#fail(this.#at, `is nested deeper than ${DEPTH_MAX} levels`);
		const first = this.#text[this.#at];
		if (first === "{") return this.#object(depth, inner);
		if (first === "[") return this.#array(depth, inner);
		if (first === '"') return this.#string();
		const number = this.#match(NUMBER);
		if (number !== "" && this.#peek(WORD) === "") return Number(number);
		this.#at = start;
		const word = this.#match(WORD);
		if (WORDS.has(word)) return WORDS.get(word);
		this.#at = start;
		return this.#unexpected("a value");
	}

	#object(depth: number, path: string | undefined): Record<string, unknown> {
		const value: Record<string, unknown> = {};
		const starts = new Map<string, number>();
		this.#elements("}", () => {
			const start = this.#at;
			if (this.#text[start] !== '"') this.#unexpected("a name in double quotes");
			const key = this.#string();
			const other = starts.get(key);
			const shown = JSON.stringify(shortened(key));
			if (other !== undefined) {
				this.#fail(start, `${shown} is given twice, first in ${this.#place(other)}`, "leave one of them out");
			}
			if (key === "__proto__") this.#fail(start, `a field is called ${key}`, "give it another name");
			starts.set(key, start);
			this.#skip();
			if (this.#text[this.#at] !== ":") this.#unexpected(`a colon after ${shown}`);
			this.#at += 1;
			this.#skip();
			value[key] = this.#value(depth + 1, path === undefined ? undefined : path === "" ? key : `${path}.${key}`);
		});
		return value;
	}

	#array(depth: number, path: string | undefined): unknown[] {
		const value: unknown[] = [];
		this.#elements("]", () => {
			value.push(this.#value(depth + 1, path === undefined ? undefined : `${path}[${value.length}]`));
		});
		return value;
	}

	/** Elements with commas between them, up to a bracket. */
	#elements(end: "}" | "]", read: () => void): void {
		this.#at += 1;
		this.#skip();
		for (let count = 0; this.#text[this.#at] !== end; count += 1) {
			if (count > 0) {
				if (this.#text[this.#at] !== ",") this.#unexpected(`a comma or ${end}`);
				const comma = this.#at;
				this.#at += 1;
				this.#skip();
				if (this.#text[this.#at] === end) {
					if (this.#comments) break;
					this.#fail(comma, `has a comma before ${end}`);
				}
			}
			read();
			this.#skip();
		}
		this.#at += 1;
	}

	#string(): string {
		const start = this.#at;
		let value = "";
		this.#at += 1;
		for (;;) {
			value += this.#match(PLAIN);
			const next = this.#text[this.#at];
			if (next === '"') break;
			if (next !== "\\") {
				const isLine = next === undefined || next === "\n" || next === "\r";
				this.#fail(start, isLine ? "is text without its closing quote" : "is text with a control character");
			}
			value += this.#escape();
		}
		this.#at += 1;
		return value;
	}

	#escape(): string {
		const letter = this.#text[this.#at + 1] ?? "";
		const plain = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
		const code = /^u[0-9a-fA-F]{4}/.exec(this.#text.slice(this.#at + 1, this.#at + 6))?.[0];
		if (plain === undefined && code === undefined) {
			this.#fail(this.#at, `has an escape that JSON does not know, ${JSON.stringify(`\\${letter}`)}`);
		}
		this.#at += code === undefined ? 2 : 6;
		return plain ?? String.fromCharCode(Number.parseInt(code!.slice(1), 16));
	}

	/** Blanks, and comments if they are allowed. */
	#skip(): void {
		for (;;) {
			this.#match(BLANK);
			const start = this.#text.slice(this.#at, this.#at + 2);
			if (start !== "//" && start !== "/*") return;
			if (!this.#comments) this.#fail(this.#at, "has a comment", "leave comments out");
			const end = start === "//" ? this.#lineEnd() : this.#text.indexOf("*/", this.#at + 2);
			if (end < 0) this.#fail(this.#at, "is a comment without its end, */");
			this.#at = start === "//" ? end : end + 2;
		}
	}

	#lineEnd(): number {
		const ends = ["\n", "\r"].map((mark) => this.#text.indexOf(mark, this.#at)).filter((at) => at >= 0);
		return Math.min(this.#text.length, ...ends);
	}

	#match(pattern: RegExp): string {
		const found = this.#peek(pattern);
		this.#at += found.length;
		return found;
	}

	#peek(pattern: RegExp): string {
		pattern.lastIndex = this.#at;
		return pattern.exec(this.#text)?.[0] ?? "";
	}

	#unexpected(wanted: string): never {
		const rest = this.#peek(WORD) || String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
		const found = this.#at < this.#text.length ? JSON.stringify(shortened(rest)) : "the end of the file";
		return this.#fail(this.#at, `is not JSON: ${wanted} is expected, not ${found}`);
	}

	#fail(at: number, problem: string, remedy = this.#remedy): never {
		throw new InputError(this.#source, this.#place(at), problem, remedy);
	}

	#place(at: number): string {
		return new Lines(this.#text).place(at);
	}
}

/** Lines of a text by where they begin. */
class Lines {
	readonly #starts: number[];

	constructor(text: string) {
		this.#starts = [text.startsWith(BYTE_ORDER_MARK) ? 1 : 0];
		for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) this.#starts.push(index + end.length);
	}

	place(at: number): string {
		let [low, high] = [0, this.#starts.length];
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if (this.#starts[middle]! <= at) low = middle;
			else high = middle;
		}
		return `line ${low + 1}, column ${at - this.#starts[low]! + 1}`;
	}
}

function shortened(text: string): string {
	return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}...`;
}
