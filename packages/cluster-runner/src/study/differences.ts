/** What differs between samples that a study compares: versions, machines, clocks, loads and answers. */
import { count, three } from "../base/format.js";
import { FAILED, type Sample } from "./sample.js";

/** Clocks within this ratio count as one. */
export const CLOCKS_MAX = 1.15;
/** Cores that others may keep busy before it is told. */
export const OTHERS_MAX = 0.1;

/** In words; none where nothing differs. `isSameAnswer`: the answers of all of them should have one hash. */
export function differencesOf(all: readonly Sample[], isSameAnswer = false): string[] {
	const samples = all.filter(({ status }) => status !== FAILED);
	if (samples.length === 0) return [];
	const distinct = (of: (sample: Sample) => string) => [...new Set(samples.map(of))];
	const named: readonly (readonly [string, readonly string[]])[] = [
		["versions", distinct(({ made }) => made.version)],
		["versions of Node.js", distinct(({ made }) => made.node)],
		["machines", distinct(({ made }) => `${made.processor}, ${made.cores} cores, ${made.platform} (${made.host})`)],
	];
	const remarks = named
		.filter(([, values]) => values.length > 1)
		.map(([name, values]) => `measured with different ${name}: ${values.join("; ")}`);
	const probes = samples.map(({ made }) => made.probe);
	const [slow, fast] = [Math.max(...probes), Math.min(...probes)];
	if (slow > CLOCKS_MAX * fast)
		remarks.push(`the clock of the machine changed: a fixed loop took ${three(fast)} to ${three(slow)} ms`);
	const disturbed = samples.filter(({ made }) => (made.others ?? 0) > OTHERS_MAX);
	if (disturbed.length > 0) {
		const most = Math.max(...disturbed.map(({ made }) => made.others!));
		const part = `${count(disturbed.length)} of ${count(samples.length)} samples`;
		remarks.push(`other programs kept up to ${three(most)} cores busy during ${part}`);
	}
	const hashes = distinct(({ hash }) => hash);
	if (isSameAnswer && hashes.length > 1)
		remarks.push(`the answers differ: ${count(hashes.length)} hashes where there should be one`);
	return remarks;
}
