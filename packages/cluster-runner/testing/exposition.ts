/** Reads the text exposition format of Prometheus as strictly as its rules are written, so that a test fails where a server would stumble. */

export interface Sample {
	readonly name: string;
	readonly type: string;
	readonly labels: Readonly<Record<string, string>>;
	readonly value: number;
}

const labelShape = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/;

/** Throws an Error that names the line where the text breaks a rule. */
export function parseExposition(text: string): Sample[] {
	const rows = text.split("\n");
	if (rows.pop() !== "") throw new Error("the last line has no end");
	const types = new Map<string, string>();
	const helps = new Set<string>();
	const seen = new Set<string>();
	let block = "";
	const samples: Sample[] = [];
	for (const row of rows) {
		const fail = (problem: string): never => {
			throw new Error(`${problem}: ${row}`);
		};
		const [, help] = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (?:[^\\]|\\[\\n])*$/.exec(row) ?? [];
		const [, typed, type] = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|untyped)$/.exec(row) ?? [];
		if (help !== undefined) {
			if (helps.has(help)) fail("a second HELP");
			helps.add(help);
		} else if (typed !== undefined && type !== undefined) {
			if (types.has(typed)) fail("a second TYPE");
			types.set(typed, type);
			block = typed;
		} else {
			const [, name = "", inside = "", number = ""] =
				/^([a-zA-Z_:][\w:]*)\{(.*)\} (\S+)$/.exec(row) ?? fail("no sample");
			if (name !== block || !helps.has(name)) fail("a sample outside of its block");
			if (seen.has(`${name}{${inside}}`)) fail("a sample twice");
			seen.add(`${name}{${inside}}`);
			if (types.get(name) === "counter" && !name.endsWith("_total")) fail("a counter without _total");
			samples.push({
				name,
				type: types.get(name) ?? "",
				labels: labelsOf(inside, fail),
				value: numberOf(number, fail),
			});
		}
	}
	return samples;
}

function labelsOf(inside: string, fail: (problem: string) => never): Record<string, string> {
	const labels: Record<string, string> = {};
	for (let rest = inside; rest !== ""; ) {
		const [all = "", name = "", value = ""] = labelShape.exec(rest) ?? fail("no label");
		if (name in labels) fail("a label twice");
		labels[name] = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
		rest = rest.slice(all.length);
	}
	return labels;
}

function numberOf(text: string, fail: (problem: string) => never): number {
	if (text === "NaN") return Number.NaN;
	if (/^[+-]Inf$/.test(text)) return text.startsWith("+") ? Infinity : -Infinity;
	return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) ? Number(text) : fail("no number");
}
