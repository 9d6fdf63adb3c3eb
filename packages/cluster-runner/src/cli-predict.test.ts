/** `stickslip study calibrate` and `predict`: constants of this machine, a forecast with them, and what is refused. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import type { LineCosts } from "./model/line-costs.js";
import type { Machine } from "./model/machine.js";

const folder = emptyFolder();
const pile = join(folder, "pile.hdf5");
const calibrated = join(folder, "calibrated.json");
/** With given constants in place of the measured ones. */
const machine = join(folder, "machine.json");
const quick = ["--methods", "pqn-diagonal", "--repeat", "1"];
const predict = ["study", "predict", pile, "--machine", machine, "--transport", "openmpi", ...quick];

beforeAll(async () => {
	await runHere(["generate", "spheres", "--contacts", "300", "--output", pile]);
	const line = ["--methods", "pqn-diagonal", "--transports", "threads", "--contacts", "1000", "--repeat", "1"];
	const { code } = await runHere(["study", "calibrate", "--output", calibrated, ...line, "--time-limit", "0.01"]);
	expect(code).toBe(0);
	const given = withGivenConstants(JSON.parse(readFileSync(calibrated, "utf8")));
	writeFileSync(machine, JSON.stringify(given, undefined, "\t"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Forecasts are compared with each other: on a busy machine, those with measured constants differ by chance. */
function withGivenConstants(measured: Machine): Machine {
	const end = { exchange: 1e-6, messages: [{ numbers: 3, seconds: 5e-7 }], less: 0 };
	const line: LineCosts = {
		...{ begin: end, finish: end, within: { latency: 1e-6, perByte: 1e-10 }, waking: [] },
		reduction: { name: "meeting", step: 1e-6, number: 1e-9 },
		crowded: { wake: 1e-5, turn: 1e-6 },
	};
	const openmpi: LineCosts = { ...line, reduction: { ...line.reduction, name: "doubling" } };
	const work = measured.work.map((table) => ({
		...table,
		points: table.points.map((point) => ({ ...point, product: 5e-8 * point.contacts, local: 1e-7 * point.contacts })),
	}));
	return { ...measured, cores: 8, work, together: [], lines: { threads: line, openmpi } };
}

const rowsOf = (text: string) =>
	text
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as Record<string, number>);

describe("study calibrate", () => {
	it("keeps what it measured with the machine that it measured", () => {
		const { kind, cores, lines, work } = JSON.parse(readFileSync(calibrated, "utf8"));
		expect(kind).toBe("machine");
		expect(cores).toBeGreaterThan(0);
		expect(Object.keys(lines)).toEqual(["threads"]);
		expect(lines.threads.reduction).toMatchObject({ name: "meeting" });
		expect(work).toHaveLength(1);
		for (const { product, sweep, local } of work[0].points) {
			expect(product).toBeGreaterThan(0);
			expect(local).toBeGreaterThan(0);
			expect(sweep).toBe(0);
		}
	});
});

describe("study predict", () => {
	it("says what so many ranks take, and where it goes", async () => {
		const { code, out } = await runHere([...predict, "--ranks", "1,2,8", "--network", "omnipath-2017", "--json"]);
		expect(code).toBe(0);
		const rows = rowsOf(out);
		expect(rows.map(({ ranks }) => ranks)).toEqual([1, 2, 8]);
		expect(rows[0]).toMatchObject({ parallel: expect.closeTo(1, 6), messages: 0, contactsMean: 300 });
		for (const { parallel, loadBalance, serialisation, transfer, seconds } of rows) {
			expect(seconds).toBeGreaterThan(0);
			expect(loadBalance! * serialisation! * transfer!).toBeCloseTo(parallel!, 10);
			expect(parallel).toBeLessThanOrEqual(1 + 1e-9);
		}
		expect(new Set(rows.map(({ iterations }) => iterations)).size).toBe(1);
	});

	it("has more ranks wait longer, with given work", async () => {
		const given = ["--network", "omnipath-2017", "--json", "--work", "machine", "--jitter", "0"];
		const { out } = await runHere([...predict, "--ranks", "2,8", ...given]);
		const [two, eight] = rowsOf(out);
		expect(eight!.parallel).toBeLessThan(two!.parallel!);
		expect(two!.parallel).toBeLessThan(1);
	});

	it("takes a line between hosts for as slow as it is", async () => {
		const seconds = async (...line: string[]) => {
			const { out } = await runHere([
				...predict,
				"--ranks",
				"2",
				"--json",
				"--work",
				"machine",
				"--jitter",
				"0",
				...line,
			]);
			return rowsOf(out)[0]!;
		};
		const [near, far] = [await seconds("--delay", "0"), await seconds("--delay", "2")];
		// Each iteration waits for one exchange and one reduction, whose ways are 2 ms longer.
		expect(far.seconds! - near.seconds!).toBeGreaterThan(0.0039 * far.iterations!);
		expect((await seconds("--bandwidth", "0.001")).seconds).toBeGreaterThan(near.seconds!);
	});

	it("prints a table of a generated graph of tiles, by the constants of the machine", async () => {
		const line = ["--tiles", "100000", "--ranks", "1,64", "--network", "infiniband-hdr-2019"];
		const { code, out } = await runHere([...predict.filter((word) => word !== pile), ...line]);
		expect(code).toBe(0);
		expect(out).toMatch(/^pqn-diagonal +64 +100,000 +20 /m);
	});

	it.each([
		[["--ranks", "0"], '--ranks: "0"'],
		[["--network", "token-ring"], 'there is no "token-ring"'],
		[["--transport", "mpich"], "mpich: was not measured"],
		[["--work", "machine", "--methods", "jacobi"], "jacobi: was not measured"],
		[["--machine", pile], "is not JSON"],
		[["--transport", "threads", "--delay", "1"], "threads are of one host"],
		[["--network", "omnipath-2017", "--delay", "1"], "has a latency and a bandwidth of its own"],
		[["--tiles", "1000"], "is of a graph without a file"],
	])("refuses %j", async (more, message) => {
		const replaced = new Set(more.filter((word) => word.startsWith("--")));
		const kept = predict.filter((word, i) => !replaced.has(word) && !replaced.has(predict[i - 1] ?? ""));
		const { code, err } = await runHere([...kept, ...more]);
		expect(code).toBe(2);
		expect(err).toContain(message);
	});

	it("refuses a method that exchanges more than its halo", async () => {
		const line = predict.map((word) => (word === "pqn-diagonal" ? "newton:linear=krylov" : word));
		const { code, err } = await runHere([...line, "--ranks", "2"]);
		expect(code).toBe(2);
		expect(err).toContain("exchanges more than its halo");
	});

	it("says which constant of a file is none", async () => {
		const damaged = join(folder, "damaged.json");
		writeFileSync(damaged, readFileSync(machine, "utf8").replace(/"latency": [^,]*/, '"latency": "fast"'));
		const { code, err } = await runHere(predict.map((word) => (word === machine ? damaged : word)));
		expect(code).toBe(2);
		expect(err).toMatch(/lines/);
	});
});
