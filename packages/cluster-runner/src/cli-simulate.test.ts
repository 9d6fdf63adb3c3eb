/** `stickslip simulate`: what it prints and leaves, what it refuses, and that a run that was killed or stopped goes on to the same state. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeScene, writeScene } from "@stickslip/mechanics";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { soon } from "../testing/processes.js";
import { type Ended, emptyFolder, type HowToRun, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { readCsv } from "./files/csv-file.js";
import { openRun } from "./files/run-files.js";

const folder = emptyFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (words: readonly string[]): Promise<Ended> => runHere(["simulate", ...words], { cwd: folder });
const runAlone = (words: readonly string[], how: HowToRun): Promise<Ended> =>
	runCli(["simulate", ...words], { cwd: folder, seconds: 60, ...how });

/** Seconds of work: bodies fall, touch and roll. */
const STEPS = 1200;
const LONG = ["drum", "--bodies", "20", "--steps", String(STEPS), "--json"];
const STORED = ["--every", "50", "--output"];
let hash: string;
/** Extremes of the whole run; a run that was interrupted and resumed has the same. */
let extremes: object;
const extremesOf = (out: string): object => {
	const { largestOverlap, largestSpeed } = JSON.parse(out) as Record<string, object>;
	return { largestOverlap, largestSpeed };
};

beforeAll(async () => {
	const { code, out, err } = await run([...LONG, ...STORED, "whole.h5", "--csv", "whole.csv"]);
	expect(code, err).toBe(0);
	hash = (JSON.parse(out) as { hash: string }).hash;
	extremes = extremesOf(out);
	expect(extremes).toMatchObject({
		largestSpeed: { ids: [expect.any(Number)] },
		largestOverlap: { time: expect.any(Number) },
	});
});

/** The columns of a table that are the same on every machine. */
function exactColumns(path: string): number[] {
	const { columns, values } = readCsv(path);
	return Array.from(values.filter((_, at) => !columns[at % columns.length]!.endsWith("Seconds")));
}

describe("a simulation", () => {
	it("leaves a run file with every so many-th step, statistics of each step, a page and pictures", async () => {
		const names = { output: "short.h5", csv: "short.csv", report: "short.html", picture: "short.svg" };
		const files = Object.entries(names).flatMap(([option, name]) => [`--${option}`, name]);
		const { code, out, err } = await run(["stack", "--steps", "25", "--every", "10", ...files]);
		expect([code, err]).toEqual([0, ""]);
		expect(linesOf(out)[0]).toMatch(/^stack: \d+ steps done$/);
		const stored = await openRun(join(folder, "short.h5"));
		expect(stored.steps).toEqual([0, 10, 20, 25]);
		expect(stored.statistics().values.length).toBe(25 * stored.statistics().columns.length);
		expect(stored.contacts(25).count).toBeGreaterThan(0);
		stored.close();
		const { columns, values } = readCsv(join(folder, "short.csv"));
		expect([values.length, values.at(-columns.length)]).toEqual([25 * columns.length, 25]);
		expect(readFileSync(join(folder, "short.html"), "utf8").match(/<svg/g)!.length).toBeGreaterThan(6);
		expect(readFileSync(join(folder, "short.xdmf"), "utf8").match(/<Grid Name="surfaces">/g)).toHaveLength(4);
		const described = await runHere(["info", "short.h5"], { cwd: folder });
		for (const line of [
			/^short.h5$/m,
			/scene +stack, steps of/,
			/stored +4 steps, from step 0 to step 25/,
			/end +complete/,
			/statistics +of 25 steps$/m,
			/contacts +\d+ in/,
		])
			expect(described.out).toMatch(line);
		const picture = ["picture", "short.h5", "--output", "again.svg", "--step", "25"];
		expect((await runHere(picture, { cwd: folder })).code).toBe(0);
		expect(readFileSync(join(folder, "again.svg"), "utf8")).toBe(readFileSync(join(folder, "short.svg"), "utf8"));
		const refused = await runHere([...picture.slice(0, -1), "24"], { cwd: folder });
		expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("the nearest that is stored is 25")]);
	});

	it("says what its step was too long for, and has no more to say when that is followed", async () => {
		const words = ["pile", "--set", "bodies=15", "--until", "0.3", "--json", "--report", "long.html", "--step"];
		const { code, out, err } = await run([...words, "0.01"]);
		expect(code, err).toBe(0);
		const { warnings } = JSON.parse(out) as { warnings: { path: string; remedy: string }[] };
		expect(warnings.map(({ path }) => path)).toEqual(["bodies[8]"]);
		expect(linesOf(err)).toEqual([expect.stringContaining("bodies[8]")]);
		const page = readFileSync(join(folder, "long.html"), "utf8");
		for (const setting of ["velocity-impulse", "0.01 s", "energy 1e-2", "friction 0.5", "seed 1", "bodies[8]"])
			expect(page).toContain(setting);
		const followed = await run([...words, /at most ([\d.]+)/.exec(warnings[0]!.remedy)![1]!]);
		expect([followed.code, followed.err, JSON.parse(followed.out)]).toMatchObject([0, "", { warnings: [] }]);
		expect(readFileSync(join(folder, "long.html"), "utf8")).not.toContain("Warnings");
	});

	it("of a scene file is that of its name, on any number of ranks", async () => {
		writeFileSync(join(folder, "scene.json"), writeScene(describeScene("drum", { bodies: 20 })));
		const { code, err } = await run(["scene.json", "--steps", "300", "--ranks", "2", ...STORED, "parts.h5"]);
		expect(code, err).toBe(0);
		const [parts, whole] = [await openRun(join(folder, "parts.h5")), await openRun(join(folder, "whole.h5"))];
		expect(parts.parts.map(({ rank }) => rank)).toEqual([0, 1]);
		expect(parts.steps).toEqual(whole.steps.filter((step) => step <= 300));
		for (const step of [0, 250, 300]) {
			expect(parts.bodies(step)).toEqual(whole.bodies(step));
			expect(parts.contacts(step)).toEqual(whole.contacts(step));
		}
		parts.close();
		whole.close();
		const described = await runHere(["info", "--json", "parts.h5"], { cwd: folder });
		const expected = { ranks: 2, complete: true, stored: { count: 7, first: 0, last: 300 }, bodies: { rigid: 16 } };
		expect(JSON.parse(described.out)).toMatchObject(expected);
		const refused = await runHere(["info", "parts.rank-0001.h5"], { cwd: folder });
		expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("is the part of rank 1")]);
	});

	it("with a step that cannot be solved keeps the problems as capsules, and stops or goes on as it was told", async () => {
		const words = ["stack", "--bodies", "2", "--steps", "3", "--tolerance", "1e-300", "--json"];
		const failed = await run([...words, "--capsule", "capsules"]);
		expect(failed.code, failed.err).toBe(1);
		expect(JSON.parse(failed.out)).toMatchObject({
			status: "failed",
			reason: expect.stringContaining("was not solved"),
		});
		const [name] = readdirSync(join(folder, "capsules")).filter((each) => each.endsWith(".json"));
		const again = await runHere(["solve", join("capsules", name!), "--json", "--max-iterations", "50"], {
			cwd: folder,
		});
		expect([again.code, JSON.parse(again.out)]).toMatchObject([1, { contacts: expect.any(Number) }]);
		const continued = await run([...words, "--on-failure", "continue"]);
		expect([continued.code, JSON.parse(continued.out)]).toMatchObject([
			0,
			{ status: "done", failedSteps: 3, steps: 3 },
		]);
	});

	it("writes hard problems, which solve solves", async () => {
		const words = ["pile", "--bodies", "10", "--steps", "60", "--dump-problems", "hard", "--hard-iterations", "1"];
		expect((await run([...words, "--dump-folder", "hard"])).code).toBe(0);
		const names = readdirSync(join(folder, "hard")).sort();
		expect(names.length).toBeGreaterThan(0);
		const solved = await runHere(["solve", join("hard", names.at(-1)!), "--start", "guess", "--json"], { cwd: folder });
		expect((JSON.parse(solved.out) as { status: string }).status).toBe("solved");
	});
});

describe("a run", () => {
	it("that is killed has every stored step in its file, and resumed on another number of ranks it ends in the same state", async () => {
		const runs = testFolder();
		const env = { STICKSLIP_RUNS: runs };
		const words = [...LONG, ...STORED, "killed.h5", "--checkpoint", "0.2"];
		const checkpoints = () => existingFolder(runs, "checkpoints/0").filter((name) => /^\d+$/.test(name));
		const ended = await runAlone(words, {
			env,
			started: (child) => void soon(() => checkpoints().length > 0).then(() => child.kill("SIGKILL")),
		});
		expect(ended.signal).toBe("SIGKILL");
		const stored = await openRun(join(folder, "killed.h5"));
		const whole = await openRun(join(folder, "whole.h5"));
		const last = stored.steps.at(-1)!;
		expect(stored.steps).toEqual(whole.steps.filter((step) => step <= last));
		expect(stored.bodies(last)).toEqual(whole.bodies(last));
		stored.close();
		const described = await runCli(["info", "--json", "killed.h5"], { cwd: folder, env });
		const facts = { complete: false, steps: STEPS, stored: { last }, run: { status: "lost" } };
		expect(JSON.parse(described.out)).toMatchObject(facts);
		expect((JSON.parse(described.out) as { run: object }).run).toHaveProperty("checkpoint");
		const resumed = await runCli(["resume", "--ranks", "2"], { cwd: folder, env });
		expect([resumed.code, (JSON.parse(resumed.out) as { hash: string }).hash], resumed.err).toEqual([0, hash]);
		expect(extremesOf(resumed.out)).toEqual(extremes);
		const again = await openRun(join(folder, "killed.h5"));
		expect(again.steps).toEqual(whole.steps);
		expect(again.contacts(STEPS)).toEqual(whole.contacts(STEPS));
		again.close();
		whole.close();
		const statistics = join(runs, existingFolder(runs, "")[0]!, "statistics.csv");
		expect(exactColumns(statistics)).toEqual(exactColumns(join(folder, "whole.csv")));
		const [status, listed] = await Promise.all(["status", "runs"].map((name) => runHere([name, "--runs", runs])));
		expect(status!.out).toMatch(/drum: done, 1,200 steps, /);
		expect(listed!.out).toMatch(/done +drum +1,200 steps /);
	});

	it("that gets Ctrl-C ends with a checkpoint, and goes on with another number of ranks", async () => {
		const runs = testFolder();
		const env = { STICKSLIP_RUNS: runs };
		const stopped = await runAlone([...LONG, "--checkpoint", "0", "--ranks", "2"], {
			env,
			started: (child) => void soon(() => progressOf(runs).includes('"step":')).then(() => child.kill("SIGINT")),
		});
		expect(stopped.code, stopped.err).toBe(75);
		expect(stopped.err).toMatch(/stopped at step \d+ of 1,?200, with a checkpoint/);
		const resumed = await runCli(["resume", "--ranks", "1"], { cwd: folder, env });
		expect([resumed.code, (JSON.parse(resumed.out) as { hash: string }).hash], resumed.err).toEqual([0, hash]);
		expect(extremesOf(resumed.out)).toEqual(extremes);
	});

	it("is launched", async () => {
		const runs = testFolder();
		const line = ["stack", "--steps", "25", "--json", ...STORED];
		const { hash } = JSON.parse((await run([...line, "here.h5"])).out) as { hash: string };
		const words = ["launch", "local", "--ranks-per-node", "1", "--", "simulate", ...line, "launched.h5"];
		const { code, out, err } = await runCli(words, { cwd: folder, env: { STICKSLIP_RUNS: runs } });
		expect([code, (JSON.parse(out) as { hash: string }).hash], err).toEqual([0, hash]);
	});
});

/** Of the one run there is. */
function existingFolder(runs: string, path: string): string[] {
	const all = existsSync(runs) ? readdirSync(runs).filter((name) => !name.startsWith(".")) : [];
	if (path === "") return all;
	const place = join(runs, all[0] ?? "", path);
	return all.length > 0 && existsSync(place) ? readdirSync(place) : [];
}

function progressOf(runs: string): string {
	const path = join(runs, existingFolder(runs, "")[0] ?? "", "progress.json");
	return existsSync(path) ? readFileSync(path, "utf8") : "";
}

it.each([
	[["dum"], "there is no scene"],
	[["drum", "--bodies", "-3"], "simulate: --bodies: -3 is out of range"],
	[["drum", "--set", "colour=red"], "simulate: --set colour: unknown option"],
	[["drum", "--until", "1", "--steps", "5"], "cannot be combined with --until"],
	[["drum", "--every", "5"], "needs --output"],
	[["drum", "--picture", "a.svg"], "needs --output"],
	[["drum", "--output", "no/such/place/a.h5"], "no/such/place does not exist"],
	[["nothing.json"], "nothing.json: "],
	[["wrong.json"], "wrong.json: gravity: is missing"],
	[["drum", "--output", "-"], "standard output takes the summary; name a file"],
	[
		["drum", "--output", "a.h5", "--picture", "a.png"],
		"a.png is not the name of an SVG file; give a name that ends in .svg",
	],
	[["drum", "--csv", "a", "--report", "./a"], "--report: ./a is that of --csv too"],
	[["drum", "--output", "a.h5", "--csv", "a.xdmf"], "--csv: a.xdmf is that of --output too"],
	[["drum", "--method-set", "colour=1"], "solver.set.colour: is not an option of auto"],
	[["impact", "--bodies", "10"], "give more bodies, a wider box or a smaller ball"],
	[["drum", "--dump-problems", "all"], "give every or hard"],
])("%s is refused", async (words, message) => {
	writeFileSync(join(folder, "wrong.json"), '{ "version": 1, "name": "wrong" }');
	const { code, out, err } = await run(words);
	expect([code, out]).toEqual([2, ""]);
	expect(err).toContain(message);
});

it("writes a scene to begin with, which it simulates; run files are no scenes", async () => {
	const written = await run(["stack", "--bodies", "2", "--steps", "5", "--write-scene", "two.json"]);
	expect([written.code, written.out.trim()]).toEqual([0, "two.json: stack, 3 bodies with obstacles, 5 steps"]);
	const simulated = await run(["two.json", "--output", "two.h5"]);
	expect(linesOf(simulated.out)[0]).toMatch(/^stack: \d+ steps done$/);
	const refused = await run(["two.h5"]);
	expect([refused.code, refused.err]).toEqual([
		2,
		expect.stringContaining("is the run file of a simulation; name a scene"),
	]);
});

it("without a scene lists scenes and options, and prints the schema of files", async () => {
	const [listed, schema] = await Promise.all([run([]), run(["--schema"])]);
	expect(listed!.out).toMatch(/^drum: /);
	expect((JSON.parse(schema!.out) as { type: string }).type).toBe("object");
});
