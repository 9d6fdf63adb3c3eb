/** The text that a Prometheus server reads (exposition format, version 0.0.4). Times are seconds, sizes are bytes, and counters only grow. */

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
	readonly labels?: Labels;
	readonly value: number;
	/** Of the name, for the samples of a histogram. */
	readonly suffix?: string;
}

export interface Metric {
	readonly name: string;
	readonly type: "gauge" | "counter" | "histogram";
	readonly help: string;
	readonly samples: readonly Sample[];
}

/** All samples of one metric stand together, as the format asks for. */
export function expositionText(all: readonly Metric[]): string {
	const names = [...new Set(all.map(({ name }) => name))];
	const blocks = names.map((name) => {
		const same = all.filter((metric) => metric.name === name);
		const [{ help, type } = { help: "", type: "gauge" }] = same;
		const samples = same.flatMap((metric) => metric.samples.map((sample) => sampleLine(name, sample)));
		return [`# HELP ${name} ${escapedHelp(help)}`, `# TYPE ${name} ${type}`, ...samples];
	});
	return `${blocks.flat().join("\n")}\n`;
}

export function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
	return { name: `stickslip_${name}`, type: "gauge", help, samples };
}

export function counter(name: string, help: string, samples: readonly Sample[]): Metric {
	return { name: `stickslip_${name}`, type: "counter", help, samples };
}

/** How many values there were up to each bound, and their sum. */
export class Histogram {
	readonly #bounds: readonly number[];
	readonly #counts: number[];
	#sum = 0;
	#count = 0;

	constructor(bounds: readonly number[]) {
		this.#bounds = bounds;
		this.#counts = bounds.map(() => 0);
	}

	add(value: number): void {
		this.#sum += value;
		this.#count += 1;
		for (const [k, bound] of this.#bounds.entries()) if (value <= bound) this.#counts[k]! += 1;
	}

	metric(name: string, help: string): Metric {
		const bucket = (le: string, value: number) => ({ suffix: "_bucket", labels: { le }, value });
		const samples: Sample[] = this.#bounds.map((bound, k) => bucket(String(bound), this.#counts[k]!));
		samples.push(bucket("+Inf", this.#count), { suffix: "_sum", value: this.#sum });
		return {
			name: `stickslip_${name}`,
			type: "histogram",
			help,
			samples: [...samples, { suffix: "_count", value: this.#count }],
		};
	}
}

/** No sample where there is no value. */
export function only(value: number | undefined): Sample[] {
	return value === undefined ? [] : [{ value }];
}

function sampleLine(name: string, { labels = {}, value, suffix = "" }: Sample): string {
	const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapedLabel(text)}"`);
	return `${name}${suffix}{${pairs.join(",")}} ${valueText(value)}`;
}

function valueText(value: number): string {
	if (Number.isNaN(value)) return "NaN";
	if (Number.isFinite(value)) return String(value);
	return value > 0 ? "+Inf" : "-Inf";
}

/** Names come from files: of all control characters only a line break can be escaped. */
function escapedLabel(text: string): string {
	const plain = text.replaceAll(/[^\P{Cc}\n]/gu, " ");
	return plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function escapedHelp(text: string): string {
	return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
