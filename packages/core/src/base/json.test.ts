import { describe, expect, test } from "vitest";
import { InputError } from "./errors.js";
import { parseJson, placesInJson } from "./json.js";
import { Random } from "./random.js";

/** Place of the mistake; undefined if the text is read. */
function mistakeAt(text: string, comments = false): string | undefined {
	try {
		parseJson(text, "test.json", { comments });
		return undefined;
	} catch (error) {
		if (error instanceof InputError && error.source === "test.json") return error.place;
		throw error;
	}
}

/** Any JSON value, and the text of one with blanks, escapes and numbers in all forms. */
function randomJson(random: Random, depth = 0): string {
	const blank = () => ["", " ", "\n", "\t", "\r\n"][random.below(5)]!;
	const text = () =>
		JSON.stringify(Array.from({ length: random.below(6) }, () => String.fromCharCode(random.below(300))).join(""));
	const number = () =>
		["0", "-0", "12", "-3.25", "1e5", "2E-7", "0.1e+2", "123456789012345678901", "1e-400"][random.below(9)]!;
	const leaves = [text, number, () => "true", () => "false", () => "null", () => '"\\u00e9\\/\\ud83d"'];
	const kind = depth > 4 ? 0 : random.below(3);
	const wrapped = (inner: string) => blank() + inner + blank();
	if (kind === 0) return wrapped(leaves[random.below(leaves.length)]!());
	const elements = Array.from({ length: random.below(5) }, (_, k) =>
		kind === 1 ? randomJson(random, depth + 1) : `${wrapped(`"${k}a"`)}:${randomJson(random, depth + 1)}`,
	).join(",");
	return wrapped(kind === 1 ? `[${elements || blank()}]` : `{${elements || blank()}}`);
}

describe("parseJson", () => {
	test("reads what JSON.parse reads, to the same values", () => {
		for (let seed = 0; seed < 500; seed += 1) {
			const text = randomJson(new Random(seed));
			expect(parseJson(text, "test.json")).toEqual(JSON.parse(text));
			expect(parseJson(text, "test.json", { comments: true })).toEqual(JSON.parse(text));
		}
	});

	test("refuses what JSON.parse refuses: texts with one character changed, added or missing", () => {
		const outcomes = { read: 0, refused: 0 };
		for (let seed = 0; seed < 3000; seed += 1) {
			const random = new Random(seed, 1);
			const text = randomJson(random);
			const at = random.below(text.length + 1);
			const letter = '{}[]:,"\\ \n0-.eEtx\u0001/*'[random.below(21)]!;
			const changed = text.slice(0, at) + ["", letter][random.below(2)]! + text.slice(at + random.below(2));
			let isJson = true;
			try {
				JSON.parse(changed);
			} catch {
				isJson = false;
			}
			const place = mistakeAt(changed);
			// Keys that were made equal are refused, which JSON.parse does not do.
			if (isJson && place !== undefined) expect(() => parseJson(changed, "test.json")).toThrow(/given twice/);
			else expect(place === undefined).toBe(isJson);
			outcomes[isJson ? "read" : "refused"] += 1;
		}
		expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(300);
	});

	test.each([
		["", "line 1, column 1"],
		["{\n  a: 1}", "line 2, column 3"],
		['{"a": 1,\r\n "b" 2}', "line 2, column 6"],
		['{"a": [1, 2,]}', "line 1, column 12"],
		['{"a": 1,}', "line 1, column 8"],
		["[1 2]", "line 1, column 4"],
		["[01]", "line 1, column 2"],
		["[1.]", "line 1, column 2"],
		["[NaN]", "line 1, column 2"],
		["[.5]", "line 1, column 2"],
		['"a\nb"', "line 1, column 1"],
		['["\\x"]', "line 1, column 3"],
		['["\\u12g4"]', "line 1, column 3"],
		["// one\n1", "line 1, column 1"],
		["1 /* one */", "line 1, column 3"],
		["1 1", "line 1, column 3"],
		["[", "line 1, column 2"],
		["'a'", "line 1, column 1"],
		['{"__proto__": 1}', "line 1, column 2"],
		['\uFEFF{"a": }', "line 1, column 7"],
		["\r\r\n\n x", "line 4, column 2"],
	])("%j is wrong at %s", (text, place) => {
		expect(mistakeAt(text)).toBe(place);
	});

	test("a key that is given twice, with both places", () => {
		const text = '{\n\t"step": 1,\n\t"inner": { "a": 1, "b": 2 },\n\t"\\u0073tep": 2\n}';
		expect(mistakeAt(text)).toBe("line 4, column 2");
		expect(() => parseJson(text, "test.json")).toThrow("line 2, column 2");
		expect(mistakeAt('{"a": {"b": 1}, "b": {"a": 1}}')).toBeUndefined();
		expect(mistakeAt('{"constructor": 1, "toString": 2, "toString": 3}')).toBe("line 1, column 35");
	});

	test("comments and trailing commas where they are allowed", () => {
		const text = '// a\n{ /* b\n */ "a": [1, 2, // c\r ], "b": "// no", }\n/**/ // end';
		expect(parseJson(text, "test.json", { comments: true })).toEqual({ a: [1, 2], b: "// no" });
		expect(mistakeAt("[,]", true)).toBe("line 1, column 2");
		expect(mistakeAt("[1,,]", true)).toBe("line 1, column 4");
		expect(mistakeAt("{,}", true)).toBe("line 1, column 2");
		expect(mistakeAt("1 /* 2", true)).toBe("line 1, column 3");
		expect(mistakeAt("1 /", true)).toBe("line 1, column 3");
	});

	test("depth has a bound, far below that of the stack", () => {
		const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
		expect(mistakeAt(deep(200))).toBeUndefined();
		expect(mistakeAt(deep(201))).toBe("line 1, column 201");
		expect(mistakeAt('{"a":'.repeat(100_000))).toBe("line 1, column 1001");
	});

	test("places of values, and of the value around one that is missing", () => {
		const text = '{\n "bodies": [\n  { "mass": 1 },\n  { "mass": "x", "at": [1, 2] }\n ]\n}';
		const places = placesInJson(text, [
			"bodies[1].mass",
			"bodies[1].at[1]",
			"bodies[0].shape",
			"step",
			"",
			"bodies[7]",
		]);
		expect(Object.fromEntries(places)).toEqual({
			"bodies[1].mass": "line 4, column 13",
			"bodies[1].at[1]": "line 4, column 28",
			"bodies[0].shape": "line 3, column 3",
			"bodies[7]": "line 2, column 12",
		});
	});
});
