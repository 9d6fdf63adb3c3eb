/**
 * One hash of every method and every law for every number of ranks and every transport, with the same counters on every rank, and those that the
 * method says. Ranks stay up: each number of them on each transport solves all cases one after another, cut for all ranks however small.
 */
import { openSession } from "@stickslip/cluster-runner";
import { InputError, type Report, type Session } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { type RankPlacement, rankPlacements, withLibrary } from "./hashes.js";
import { type MethodCase, methodCases } from "./method-cases.js";

const PILES_OF_SAMPLE = 1;

export type MethodHashRow = {
	readonly method: string;
	readonly law: string;
	readonly problem: string;
	readonly iterations: number;
	readonly products: number;
	readonly exchanges: number;
	readonly reductions: number;
	readonly hash: string;
	/** Transports with their numbers of ranks that gave something else; nothing where all are the same. */
	readonly different: string;
	readonly refused: string;
	readonly miscounted: string;
};

/** Solves all cases on ranks that stay up; returns for each what was different. */
export async function differences(session: Session, cases: readonly MethodCase[]): Promise<(string | undefined)[]> {
	const found: (string | undefined)[] = [];
	for (const { problem, options, expected } of cases) found.push(await difference(session, problem, options, expected));
	return found;
}

async function difference(
	session: Session,
	problem: MethodCase["problem"],
	options: MethodCase["options"],
	expected: MethodCase["expected"],
): Promise<string | undefined> {
	try {
		const { report } = await session.solve(problem, options);
		if ("refused" in expected) return "not refused";
		return isSame(expected, report) ? undefined : "another hash or other counts";
	} catch (error) {
		if (error instanceof InputError && "refused" in expected) return undefined;
		return error instanceof Error ? error.message : String(error);
	}
}

/** Whether another run went the same way to the same answer, on every rank. */
function isSame(one: Report, other: Report): boolean {
	const { hash, iterations, products, exchanges, reductions } = one;
	return (
		other.hash === hash &&
		other.iterations === iterations &&
		other.products === products &&
		other.perRank.every((rank) => rank.exchanges === exchanges && rank.reductions === reductions)
	);
}

/** All cases on all numbers of ranks of all transports. */
async function methodHashes(
	cases: readonly MethodCase[],
	all: readonly RankPlacement[],
	print: (line: string) => void,
): Promise<MethodHashRow[]> {
	const different = cases.map((): string[] => []);
	for (const { name, transport, ranks, processes, library } of all) {
		for (const count of ranks) {
			const began = performance.now();
			await withLibrary(library, async () => {
				const session = await openSession({ ranks: count, transport, cutFrom: 0, ...(processes && { processes }) });
				try {
					for (const [index, what] of (await differences(session, cases)).entries()) {
						if (what === undefined) continue;
						different[index]!.push(`${name} ${count}: ${what}`);
						const { method, law, name: problem } = cases[index]!;
						print(`${method}, ${law}, ${problem}: DIFFERENT on ${name} with ${count} ranks: ${what}`);
					}
				} finally {
					await session.close();
				}
			});
			print(`${name}, ${count} ranks: ${cases.length} cases in ${((performance.now() - began) / 1000).toFixed(0)} s`);
		}
	}
	return cases.map((each, index) => rowOf(each, different[index]!));
}

function rowOf({ method, law, name, expected, miscounted }: MethodCase, different: readonly string[]): MethodHashRow {
	const isRefused = "refused" in expected;
	const nothing = { iterations: 0, products: 0, exchanges: 0, reductions: 0, hash: "" };
	const { iterations, products, exchanges, reductions, hash } = isRefused ? nothing : expected;
	return {
		method,
		law,
		problem: name,
		iterations,
		products,
		exchanges,
		reductions,
		hash: hash.slice(0, 16),
		different: different.join("; "),
		refused: isRefused ? expected.refused : "",
		miscounted: miscounted ?? "",
	};
}

function line({ method, law, problem, hash, refused, miscounted, different }: MethodHashRow): string {
	const what = `${method.padEnd(22)} ${law.padEnd(13)} ${problem.padEnd(14)}`;
	if (refused !== "") return `${what} refused: ${refused}${different && ` DIFFERENT: ${different}`}`;
	const counted = miscounted === "" ? "" : `; MISCOUNTED: ${miscounted}`;
	return `${what} ${hash} ${different === "" ? "the same" : `DIFFERENT: ${different}`}${counted}`;
}

export const methodHashesBench: Bench = {
	name: "method-hashes",
	what: "one hash and the counts that are told, of every method and law on 1 to 8 ranks of every transport   [sample]",
	async run(args) {
		const isSample = args.includes("sample");
		const all = rankPlacements(console.log);
		const cases = methodCases(isSample ? PILES_OF_SAMPLE : undefined);
		const asked = isSample
			? all.map((way) => ({ ...way, ranks: way.ranks.filter((count) => count <= 4).slice(-1) }))
			: all;
		const rows = await methodHashes(cases, asked, console.log);
		for (const row of rows) console.log(line(row));
		const wrong = rows.filter(({ different, miscounted }) => different !== "" || miscounted !== "").length;
		const refused = rows.filter((row) => row.refused !== "").length;
		console.log(
			`${rows.length - wrong} of ${rows.length} cases with one hash and the counts that are told (${refused} refused alike)`,
		);
		if (!isSample) console.log(`recorded in ${recordCsv("method-hashes", rows)}`);
		return wrong === 0 ? 0 : 1;
	},
};
