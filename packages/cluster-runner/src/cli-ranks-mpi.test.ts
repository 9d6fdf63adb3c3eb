/** `solve` on ranks of MPI: the answer of one, bit for bit, with as many exchanges, and nothing left in memory that is shared. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { skipWithout } from "../testing/endless-runs.js";
import { watchSharedMemory } from "../testing/processes.js";
import { emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { isThorough } from "../testing/thorough.js";

const folder = emptyFolder();
const problems = ["spheres", "planks", "one"].map((name) => join(folder, `${name}.hdf5`));
let alone: readonly object[];

/** What is the same on any ranks, of all problems. */
async function solved(words: readonly string[], temporary = folder): Promise<readonly object[]> {
	const how = { env: { TMPDIR: temporary } };
	const { code, out, err } = await runCli(["solve", ...problems, "--json", "--history", ...words], how);
	expect([err.replace(/^stickslip: \d+ ranks share .*\n/, ""), code]).toEqual(["", 0]);
	return linesOf(out).map((line) => {
		const { hash, status, exchanges, reductions, history, ranks, transport, perRank } = JSON.parse(line);
		const each = perRank?.map((rank: { exchanges: number }) => rank.exchanges === exchanges) ?? [];
		return { same: { hash, status, exchanges, reductions, history }, how: { ranks, transport, each } };
	});
}

beforeAll(async () => {
	const [spheres, planks, one] = problems as [string, string, string];
	await runCli(["generate", "spheres", "--contacts", "120", "--output", spheres]);
	await runCli(["generate", "planks", "--contacts", "80", "--form", "local", "--output", planks]);
	await runCli(["generate", "spheres", "--contacts", "1", "--output", one]);
	alone = await solved(["--ranks", "1"]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.for([[3, "mpi"], [4, "threads+mpi"], ...(isThorough ? ([[2, "mpi"]] as const) : [])] as const)(
	"the answer is the same on %i ranks over %s",
	async ([ranks, transport], context) => {
		skipWithout(transport, context);
		const leftovers = watchSharedMemory();
		const temporary = testFolder();
		const many = await solved(["--ranks", String(ranks), "--transport", transport], temporary);
		const how = { ranks, transport, each: Array(ranks).fill(true) };
		expect(many).toEqual(alone.map((one) => ({ ...one, how })));
		expect([await leftovers(), readdirSync(temporary)]).toEqual([[], []]);
	},
);
