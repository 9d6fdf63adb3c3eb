/** Run files: what is written is read back by this program, h5py and ParaView; a file whose writer was killed is complete up to its last step. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError, Random } from "@stickslip/core";
import { describeScene, type RunExtremes, RunPart, RunWriter, SUPERBLOCK_BYTES } from "@stickslip/mechanics";
import { File, ready } from "h5wasm/node";
import { afterAll, expect, test } from "vitest";
import { madeUpBodies, madeUpContacts, madeUpModel } from "../testing/bodies.js";
import { findPython, noPython } from "../testing/lacking.js";
import { loadAppender, openRun, writeXdmf } from "./run-files.js";
import { partPath, xdmfPath } from "./run-names.js";
import { XdmfFile } from "./xdmf-file.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-run-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SCENE = JSON.stringify({ ...describeScene("stack", { bodies: 2 }), name: "made up – not ASCII" });
const model = madeUpModel();

/** Steps `from` to `to`; every third has no contact, and bodies are added with step 2. */
async function write(
	path: string,
	rank: number,
	ranks: number,
	from: number,
	to: number,
	keepsOpen = false,
	extremes?: RunExtremes,
) {
	const all = 6;
	const module = await loadAppender();
	const options = {
		rank,
		ranks,
		version: "0",
		scene: SCENE,
		statistics: ["step", "energy"],
		hasRates: false,
		hasMoments: true,
	};
	const share = all / ranks;
	const bodies = (step: number) => madeUpBodies(1 + rank * share, share - (step < 2 ? 1 : 0), all, step);
	const writer = RunWriter.open(module, path, from > 0, options, model, bodies(from));
	for (let step = from; step < to; step += 1) {
		writer.addStatistics(Float64Array.of(step, 10 * step));
		const { contacts, impulses } = madeUpContacts(rank === 0 && step % 3 !== 0 ? 2 : 0);
		writer.add({ step, time: step / 4, duration: 0.25, bodies: bodies(step), contacts, impulses });
		if (!keepsOpen) writer.release();
	}
	if (!keepsOpen) writer.end(extremes);
}

test("a run of one rank is read back, after it was opened again as well", async () => {
	const path = join(folder, "one.h5");
	await write(path, 0, 1, 0, 3);
	await write(path, 0, 1, 3, 5);
	const run = await openRun(path);
	expect(run.steps).toEqual([0, 1, 2, 3, 4]);
	expect(run.scene).toEqual(JSON.parse(SCENE));
	expect(run.shapes.map(({ kind }) => kind)).toEqual(["plane", "ellipsoid", "ellipsoid", "box"]);
	expect(run.timeOf(3)).toBe(0.75);
	expect([1, 2].map((step) => run.bodies(step).count)).toEqual([6, 7]);
	const bodies = run.bodies(4);
	expect([...bodies.position.subarray(3, 9)]).toEqual([4, 0, 6, 8, 0, 6]);
	const contacts = run.contacts(4);
	expect([...contacts.body]).toEqual([0, 1, 0, 1]);
	expect([...contacts.force.subarray(0, 3)]).toEqual([4, 0, 8]);
	expect([...contacts.moment!]).toEqual([0, 1, 2, 0, 1, 2]);
	expect(run.contacts(3).count).toBe(0);
	const { columns, values } = run.statistics();
	expect(columns).toEqual(["step", "energy"]);
	expect([...values]).toEqual([0, 0, 1, 10, 2, 20, 3, 30, 4, 40]);
	run.close();
});

test("the parts of two ranks are one run; a step that one of them lacks is not there; another number of ranks goes on", async () => {
	const path = join(folder, "two.h5");
	await write(path, 0, 2, 0, 4);
	await write(partPath(path, 1), 1, 2, 0, 3);
	const run = await openRun(path);
	expect(run.steps).toEqual([0, 1, 2]);
	expect([...run.bodies(2).id]).toEqual([0, 1, 2, 3, 4, 5, 6]);
	run.close();
	await write(path, 0, 1, 3, 5);
	const longer = await openRun(path);
	expect(longer.steps).toEqual([0, 1, 2, 3, 4]);
	expect(longer.bodies(4).count).toBe(7);
	longer.close();
});

test("surfaces are stored once, and again where bodies come: what steps add does not depend on them", async () => {
	const path = join(folder, "once.h5");
	await write(path, 0, 1, 0, 6);
	const part = new RunPart(await loadAppender(), path);
	const surfaces = [...part.steps.values()].map(({ rows }) => rows.surface);
	// Five bodies at first, six from step 2 on: balls and ellipsoids have 162 corners, boxes 8 and planes 4.
	const [fewer, all] = [4 + 2 * 162 + 162 + 8 + 8, 4 + 2 * 162 + 2 * 162 + 8 + 8];
	expect([...surfaces]).toEqual([[0, fewer], [0, fewer], ...Array.from({ length: 4 }, () => [fewer, all])]);
	expect(part.length("/surface/place")).toBe(fewer + all);
	part.close();
});

test("extremes of a run that is over are attributes, and those of its extension take their place", async () => {
	const path = join(folder, "extremes.h5");
	const speed = { value: 3, time: 0.5, bodies: [4] };
	const attributesOf = async () => {
		await ready;
		const file = new File(path, "r");
		const found = Object.entries(file.attrs).map(([name, { value }]) => [name, value]);
		file.close();
		return Object.fromEntries(found) as Record<string, unknown>;
	};
	await write(path, 0, 1, 0, 3, false, { speed });
	expect(await attributesOf()).toEqual({
		...{ largestOverlap: 0, largestSpeed: 3, largestSpeedTime: 0.5, largestSpeedBody: 4 },
	});
	const overlap = { value: 1e-3, time: 1, bodies: [0, 4] };
	await write(path, 0, 1, 3, 5, false, { speed: { ...speed, value: 5 }, overlap });
	expect(await attributesOf()).toEqual({
		...{ largestSpeed: 5, largestSpeedTime: 0.5, largestSpeedBody: 4 },
		...{ largestOverlap: 1e-3, largestOverlapTime: 1, largestOverlapBodies: Int32Array.of(0, 4) },
	});
	const run = await openRun(path);
	expect(run.steps).toEqual([0, 1, 2, 3, 4]);
	run.close();
});

test("a file that was left open by a killed process has every step before", async () => {
	const path = join(folder, "killed.h5");
	await write(path, 0, 1, 0, 3, true);
	const copy = join(folder, "copy.h5");
	writeFileSync(copy, readFileSync(path));
	// No mark of a writer, which other programs would refuse.
	expect(readFileSync(copy)[11]).toBe(0);
	const run = await openRun(copy);
	expect(run.steps).toEqual([0, 1, 2]);
	run.close();
	// Earlier versions have left the mark.
	const marked = readFileSync(path);
	marked[11] = 5;
	writeFileSync(copy, marked);
	(await openRun(copy)).close();
	const closed = join(folder, "closed.h5");
	await write(closed, 0, 1, 0, 3);
	expect(readFileSync(copy).subarray(0, 12)).toEqual(readFileSync(closed).subarray(0, 12));
	expect(readFileSync(copy).length).toBeGreaterThan(SUPERBLOCK_BYTES);
});

test("a file with flipped bits is read or refused, and never takes memory that it does not have", async () => {
	const path = join(folder, "whole.h5");
	await write(path, 0, 1, 0, 4);
	const bytes = readFileSync(path);
	const random = new Random(11);
	// Where the blocks of HDF5's own data begin.
	const blocks = [...bytes.toString("latin1").matchAll(/OHDR|EAHD|EAIB|EADB|FRHP|FHDB|BTHD|BTLF|HDF/g)].map(
		({ index }) => index,
	);
	let refused = 0;
	for (let round = 0; round < 60; round += 1) {
		const damaged = Buffer.from(bytes);
		for (let flip = 0; flip < 8; flip += 1) {
			const near = blocks[random.below(blocks.length)]! + random.below(64);
			const at = Math.min(damaged.length - 1, round % 2 === 0 ? near : random.below(damaged.length));
			damaged[at] = damaged[at]! ^ (1 << random.below(8));
		}
		const copy = join(folder, "flipped.h5");
		writeFileSync(copy, damaged);
		try {
			const run = await openRun(copy);
			for (const step of run.steps) expect(run.bodies(step).count).toBeGreaterThan(0);
			run.close();
		} catch (error) {
			expect(error).toBeInstanceOf(InputError);
			refused += 1;
		}
	}
	expect(refused).toBeGreaterThan(2);
});

const noH5py = noPython("h5py");
test.skipIf(noH5py !== undefined)(
	`h5py reads what a killed process left open (needs h5py: ${noH5py ?? "there"})`,
	async () => {
		const path = join(folder, "python.h5");
		await write(path, 0, 1, 0, 3, true);
		const copy = join(folder, "python-copy.h5");
		writeFileSync(copy, readFileSync(path));
		const program = `
import h5py, json, sys
f = h5py.File(sys.argv[1], "r")
print(json.dumps([f["steps/time"][:].tolist(), f["contacts/force"][:].tolist(), json.loads(f["scene"][()])["name"], f["bodies/id"].shape, f["statistics/columns"][()].decode()]))`;
		const said = JSON.parse(execFileSync(findPython("h5py")!, ["-c", program, copy], { encoding: "utf8" })) as unknown;
		const force = [4, 0, 8];
		expect(said).toEqual([[0, 0.25, 0.5], [force, force, force, force], "made up – not ASCII", [19], "step,energy"]);
	},
);

const noParaview = noPython("paraview.simple");
test.skipIf(noParaview !== undefined)(
	`ParaView opens the XDMF file: surfaces, centres and forces over time (needs ParaView: ${noParaview ?? "there"})`,
	async () => {
		const path = join(folder, "view.h5");
		for (const rank of [0, 1, 2]) await write(partPath(path, rank), rank, 3, 0, 3);
		const run = await openRun(path);
		writeXdmf(path, run);
		run.close();
		const program = `
import json, sys
from paraview.simple import *
reader = XDMFReader(FileNames=[sys.argv[1]])
reader.UpdatePipelineInformation()
said = []
for time in reader.TimestepValues:
    reader.UpdatePipeline(time)
    data = servermanager.Fetch(reader)
    walk = data.NewIterator(); walk.InitTraversal()
    while not walk.IsDoneWithTraversal():
        block = walk.GetCurrentDataObject()
        name = walk.GetCurrentMetaData().Get(data.NAME())
        data_of = lambda field, point: list(block.GetPointData().GetArray(field).GetTuple(point))
        ends = [0, block.GetNumberOfPoints() - 1]
        fields = [data_of("force", 0), data_of("moment", 1)] if name.startswith("contacts") else [data_of(field, point) for point in ends for field in ["id", "velocity"]]
        said.append([time, name.split("[")[0], block.GetNumberOfPoints(), block.GetNumberOfCells(), list(block.GetBounds()), fields])
        walk.GoToNextItem()
print(json.dumps(said))`;
		const text = execFileSync(findPython("paraview.simple")!, ["-c", program, xdmfPath(path)], { encoding: "utf8" });
		const said = JSON.parse(text.slice(text.indexOf("[["))) as [number, string, number, number, number[], number[][]][];
		expect([...new Set(said.map(([time]) => time))]).toEqual([0, 0.25, 0.5]);
		const last = new Map(said.filter(([time]) => time === 0.5).map((block) => [block[1], block]));
		expect([...last.keys()].sort()).toEqual([
			"centres 0",
			"centres 1",
			"centres 2",
			"contacts 0",
			"surfaces 0",
			"surfaces 1",
			"surfaces 2",
		]);
		expect(last.get("contacts 0")!.slice(2, 4)).toEqual([2, 2]);
		expect(last.get("contacts 0")![5]).toEqual([
			[4, 0, 8],
			[0, 1, 2],
		]);
		expect(last.get("centres 0")![2]).toBe(3);
		// Bodies 5 and 6 stand at x = 20 and 24 and z = 4; body 5 is a cube with edges of 2, and body 6 a ball of radius 1, which comes first.
		expect(last.get("surfaces 2")![5]).toEqual([[6], [0, 0, 1], [5], [0, 0, 1]]);
		const bounds = last.get("surfaces 2")![4];
		for (const [at, bound] of [19, 25, -1, 1, 3, 5].entries()) expect(bounds[at]).toBeCloseTo(bound, 1);
		expect(last.get("surfaces 2")!.slice(2, 4)).toEqual([162 + 8, 320 + 6]);
		// At first it is there alone.
		const first = said.find(([time, name]) => time === 0 && name === "surfaces 2")!;
		expect(first[5]).toEqual([[5], [0, 0, 1], [5], [0, 0, 1]]);
	},
);

/** Names of the grids around each time in a file, and whether every element has its end. */
function outline(text: string): { isWellFormed: boolean; times: Record<string, number[]> } {
	const open: string[] = [];
	const times: Record<string, number[]> = {};
	let isWellFormed = true;
	for (const [tag, end, name, rest] of text.matchAll(/<(\/?)(\w+)([^<>]*)>/g)) {
		if (name === "Grid" && end === "" && open.length === 2) times[/Name="([^"]*)"/.exec(rest!)![1]!] = [];
		if (name === "Time")
			Object.values(times)
				.at(-1)!
				.push(Number(/Value="([^"]*)"/.exec(rest!)![1]));
		if (tag.endsWith("/>")) continue;
		if (end === "") open.push(name!);
		else if (open.pop() !== name) isWellFormed = false;
	}
	return { isWellFormed: isWellFormed && open.length === 0, times };
}

test("the XDMF file of a run at work is whole after each step, also when it is resumed, and ends as one that is written at once", async () => {
	const path = join(folder, "live.h5");
	await write(path, 0, 1, 0, 200);
	const run = await openRun(path);
	const parts = (step: number) => {
		const { rows, cells, corners } = run.parts[0]!.steps.get(step)!;
		return [{ rank: 0, rows, cells, corners, hasMoments: true }];
	};
	const text = () => readFileSync(xdmfPath(path), "utf8");
	let file = new XdmfFile(path, false);
	const all: number[] = [];
	const withContacts: number[] = [];
	for (let step = 0; step < 200; step += 1) {
		// Its writer was killed.
		if (step === 77) file = new XdmfFile(path, true);
		file.add(step / 4, parts(step));
		all.push(step / 4);
		if (step % 3 !== 0) withContacts.push(step / 4);
		expect(outline(text())).toEqual({
			isWellFormed: true,
			times: { surfaces: all, centres: all, contacts: withContacts },
		});
	}
	file.close();
	const added = text();
	writeXdmf(path, run);
	run.close();
	expect(text()).toBe(added);
});

test.skipIf(noParaview !== undefined)(
	`ParaView has three blocks over time, with the same names (needs ParaView: ${noParaview ?? "there"})`,
	{ timeout: 60_000 },
	async () => {
		const path = join(folder, "blocks.h5");
		await write(path, 0, 1, 0, 5);
		const run = await openRun(path);
		writeXdmf(path, run);
		run.close();
		const program = `
import json, sys
from paraview.simple import *
reader = XDMFReader(FileNames=[sys.argv[1]])
contacts = ExtractBlock(Input=reader, Selectors=["/Root/contacts"])
said = []
for time in reader.TimestepValues:
    reader.UpdatePipeline(time)
    data = servermanager.Fetch(reader)
    names = [data.GetMetaData(block).Get(data.NAME()) for block in range(data.GetNumberOfBlocks())]
    contacts.UpdatePipeline(time)
    said.append([time, names, servermanager.Fetch(contacts).GetNumberOfPoints()])
print(json.dumps(said))`;
		const text = execFileSync(findPython("paraview.simple")!, ["-c", program, xdmfPath(path)], { encoding: "utf8" });
		const names = ["surfaces", "centres", "contacts"];
		expect(JSON.parse(text.slice(text.indexOf("[[")))).toEqual(
			[0, 2, 2, 0, 2].map((contacts, step) => [step / 4, names, contacts]),
		);
	},
);
