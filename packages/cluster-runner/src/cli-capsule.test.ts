import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rankProcesses, soon } from "../testing/processes.js";
import { type Ended, emptyFolder, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";

const folder = emptyFolder();
const planks = join(folder, "planks.hdf5");
const unsolved = ["--method", "gauss-seidel", "--tolerance", "1e-12", "--max-iterations", "5"];

beforeAll(async () => {
	await runHere(["generate", "planks", "--contacts", "100", "--output", planks]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function reportOf({ out }: Ended): { hash: string; status: string; problem: string; tolerance: number } {
	return JSON.parse(linesOf(out)[0] ?? "");
}

describe("solve --capsule", () => {
	it("waits for nothing that somebody laid in its folder by the name of a capsule", async (context) => {
		const [into, runs] = [testFolder(), testFolder()];
		const pipe = join(into, "planks-iteration-limit.json");
		if (spawnSync("mkfifo", [pipe]).status !== 0) context.skip("this system has no named pipes");
		const words = ["solve", planks, ...unsolved, "--checkpoint", "60", "--runs", runs, "--capsule", into];
		const { code, signal, err } = await runCli(words);
		expect([code, signal], err).toEqual([1, null]);
		expect(readdirSync(into).sort()).toEqual([
			"planks-iteration-limit-2.hdf5",
			"planks-iteration-limit-2.json",
			"planks-iteration-limit.json",
		]);
	});

	it("keeps an unsolved problem, which a replay elsewhere ends in the same bits", async () => {
		const into = join(testFolder(), "failures");
		const failed = await runCli(["solve", planks, ...unsolved, "--ranks", "2", "--json", "--capsule", into]);
		const json = join(into, "planks-iteration-limit.json");
		expect([failed.code, readdirSync(into).sort()]).toEqual([
			1,
			["planks-iteration-limit.hdf5", "planks-iteration-limit.json"],
		]);
		expect(failed.err).toBe(`stickslip: the failure is saved in ${json}; stickslip solve ${json} repeats it\n`);
		expect(JSON.parse(readFileSync(json, "utf8"))).toMatchObject({
			line: ["solve", planks, ...unsolved, "--ranks", "2", "--json", "--capsule", into],
			ran: { ranks: 2, transport: "threads" },
		});

		const elsewhere = join(testFolder(), "moved");
		renameSync(into, elsewhere);
		const moved = join(elsewhere, "planks-iteration-limit.json");
		const again = await runHere(["solve", moved, "--json"]);
		expect(again.code).toBe(1);
		expect(reportOf(again)).toMatchObject({ problem: moved, status: "iteration-limit", tolerance: 1e-12, ranks: 1 });
		expect(reportOf(again).hash).toBe(reportOf(failed).hash);
		expect(linesOf(again.err)).toEqual([
			expect.stringMatching(
				/^stickslip: repeating .*, which ended with status iteration-limit: stopped after 5 iterations/,
			),
			"stickslip: the answer is the same as in the capsule, bit for bit",
		]);
		const longer = await runHere([
			"solve",
			moved,
			"--json",
			"--method",
			"auto",
			"--max-iterations",
			"10000",
			"--tolerance",
			"1e-3",
		]);
		expect([longer.code, reportOf(longer).status]).toEqual([0, "solved"]);
		expect(linesOf(longer.err)[1]).toMatch(/^stickslip: the answer differs from that in the capsule/);
	});

	it("leaves nothing where a problem is solved, and never answers onto a capsule's own problem", async () => {
		const into = join(testFolder(), "failures");
		const solved = await runHere(["solve", planks, "--tolerance", "1e-2", "--capsule", into]);
		expect([solved.code, solved.err, existsSync(into)]).toEqual([0, "", false]);
		await runHere(["solve", planks, ...unsolved, "--capsule", into]);
		const json = join(into, "planks-iteration-limit.json");
		const onto = await runHere(["solve", json, "--output", json.replace("json", "hdf5")]);
		expect([onto.code, onto.err]).toEqual([
			2,
			expect.stringMatching(/^stickslip: solve: --output: .* is the problem of [^\n]*\n$/),
		]);
	});

	it("keeps what a lost rank leaves", async () => {
		const into = join(testFolder(), "failures");
		const mark = `STICKSLIP_TEST=capsule-${process.pid}`;
		const words = [
			"solve",
			planks,
			"--method",
			"gauss-seidel",
			"--tolerance",
			"1e-15",
			"--max-iterations",
			"1000000000",
		];
		const running = runCli([...words, "--ranks", "2", "--transport", "zeromq", "--capsule", into], {
			env: { STICKSLIP_TEST: `capsule-${process.pid}` },
			started: async () => {
				await soon(() => rankProcesses(mark).length === 2);
				const [victim] = rankProcesses(mark);
				if (victim !== undefined) process.kill(victim, "SIGKILL");
			},
		});
		const { code, err } = await running;
		expect([code, rankProcesses(mark)]).toEqual([3, []]);
		const json = JSON.parse(readFileSync(join(into, "planks-failed.json"), "utf8"));
		expect(json).toMatchObject({ status: "failed", ran: { ranks: 2, transport: "zeromq" } });
		expect(linesOf(err)[0]).toContain(json.failure.reason);
		expect(linesOf(err)[1]).toMatch(/planks-failed\.json repeats it$/);
		expect((await runHere(["solve", join(into, "planks-failed.json"), "--max-iterations", "2"])).code).toBe(1);
	});

	it("refuses a folder that is none, and a capsule that is spoilt, in one line", async () => {
		const here = testFolder();
		const file = join(here, "file");
		writeFileSync(file, "");
		const refused = await runHere(["solve", planks, "--capsule", file]);
		expect([refused.code, refused.err]).toEqual([
			2,
			expect.stringMatching(/^stickslip: solve: --capsule: [^\n]* is not a folder; [^\n]*\n$/),
		]);
		const json = join(here, "x.json");
		writeFileSync(json, "{}");
		const spoilt = await runHere(["solve", json]);
		expect([spoilt.code, spoilt.err]).toEqual([
			2,
			expect.stringMatching(/^stickslip: \S*x\.json: stickslip: [^\n]*\n$/),
		]);
		writeFileSync(
			json,
			JSON.stringify({
				stickslip: "capsule",
				format: 1,
				file: "p.hdf5",
				options: { method: "none" },
				status: "stalled",
				reason: "",
			}),
		);
		writeFileSync(join(here, "p.hdf5"), readFileSync(planks));
		const unknown = await runHere(["solve", json, planks, "--max-iterations", "2"]);
		expect([unknown.code, linesOf(unknown.err)[1]]).toEqual([2, expect.stringMatching(/x\.json: method: /)]);
		expect(unknown.out).toContain("planks.hdf5");
	});
});
