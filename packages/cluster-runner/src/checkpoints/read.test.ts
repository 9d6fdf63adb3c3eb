/** Reading checkpoints: all that can be wrong with one is noticed, and the one before it is used. */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "@stickslip/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { spoilBytes } from "../../testing/spoil.js";
import {
	change,
	checkpointsIn,
	forge,
	memoryLog,
	open,
	Playground,
	stateAt,
	writeCheckpoints,
} from "../testing/checkpoints.js";
import { nameOf } from "./folder.js";
import { MANIFEST, manifestText, parseManifest } from "./manifest.js";

const play = new Playground();
afterAll(() => play.remove());

const sound = play.folder();
const [before, newest] = [nameOf(20), nameOf(30)];

beforeAll(() => writeCheckpoints(sound, [10, 20, 30], 3));

/** The iteration that is resumed after the newest checkpoint was changed, and why that one was not used. */
async function after(harm: (folder: string) => void): Promise<{ iteration: number | undefined; reasons: unknown[] }> {
	const folder = play.copy(sound);
	harm(join(folder, newest));
	const log = memoryLog();
	const checkpointer = await open(folder, { log });
	const { from } = checkpointer;
	await checkpointer.close();
	rmSync(folder, { recursive: true });
	if (from) expect(from).toEqual(stateAt(from.iteration));
	const damaged = log.lines.filter(({ event }) => event === "checkpoint-damaged");
	return { iteration: from?.iteration, reasons: damaged.map(({ facts }) => facts.reason) };
}

describe("a checkpoint that is sound", () => {
	it("is read as it was written, whatever its parts; the last two are kept", async () => {
		expect(checkpointsIn(sound)).toEqual([before, newest]);
		expect(await after(() => {})).toEqual({ iteration: 30, reasons: [] });
		const odd = (await open(play.copy(sound))).from?.scalars.odd;
		expect(Array.isArray(odd) && Object.is(odd[3], -0) && Object.is(odd[4], 0)).toBe(true);
	});

	it("is found among files that have nothing to do with it", async () => {
		const folder = play.copy(sound);
		writeFileSync(join(folder, "notes.txt"), "mine");
		writeFileSync(join(folder, newest, ".nfs0001"), "");
		mkdirSync(join(folder, "99"));
		expect((await open(folder)).from?.iteration).toBe(30);
	});
});

describe("a damaged checkpoint is told of, and the one before it is used:", () => {
	it.each<[string, (path: string) => void, RegExp]>([
		["no manifest", (path) => rmSync(join(path, MANIFEST)), /^manifest.json is missing$/],
		["an empty manifest", (path) => writeFileSync(join(path, MANIFEST), ""), /^manifest.json is not JSON$/],
		[
			"a manifest that is a list",
			(path) => writeFileSync(join(path, MANIFEST), "[1]"),
			/^manifest.json is not a manifest$/,
		],
		[
			"another number in the manifest",
			(path) => change(join(path, MANIFEST), (bytes) => Buffer.from(bytes.toString().replace('"bytes":', '"bytes":1'))),
			/^manifest.json is not as it was written$/,
		],
		[
			"a manifest without end",
			(path) => writeFileSync(join(path, MANIFEST), Buffer.alloc(5_000_000, 32)),
			/^manifest.json has 5000000 bytes$/,
		],
		[
			"the manifest of another",
			(path) => copyFileSync(join(path, "..", before, MANIFEST), join(path, MANIFEST)),
			/^manifest.json is of iteration 20$/,
		],
		["a part that is missing", (path) => rmSync(join(path, "part-0001")), /^part-0001 is missing$/],
		[
			"a part of another",
			(path) => copyFileSync(join(path, "..", before, "part-0001"), join(path, "part-0001")),
			/^part-0001 has a wrong checksum$/,
		],
		[
			"parts that changed places",
			(path) => {
				renameSync(join(path, "part-0000"), join(path, "other"));
				renameSync(join(path, "part-0001"), join(path, "part-0000"));
				renameSync(join(path, "other"), join(path, "part-0001"));
			},
			/^part-0000 has /,
		],
		[
			"a part that is truncated",
			(path) => change(join(path, "part-0002"), (bytes) => bytes.subarray(0, -1)),
			/^part-0002 has \d+ bytes instead of \d+$/,
		],
		["a part too many", (path) => writeFileSync(join(path, "part-0003"), "?"), /^part-0003 does not belong to it$/],
		[
			"a link in the place of a part",
			(path) => {
				renameSync(join(path, "part-0001"), join(path, "..", "elsewhere"));
				symlinkSync("../elsewhere", join(path, "part-0001"));
			},
			/^part-0001 cannot be read \(ELOOP\)$/,
		],
		[
			"a folder in the place of a part",
			(path) => {
				rmSync(join(path, "part-0001"));
				mkdirSync(join(path, "part-0001"));
			},
			/^part-0001 is not a file$/,
		],
		[
			"a link in the place of its folder",
			(path) => {
				renameSync(path, join(path, "..", "elsewhere"));
				symlinkSync("elsewhere", path);
			},
			/^is not a folder$/,
		],
		["another name", (path) => renameSync(path, join(path, "..", nameOf(31))), /^manifest.json is of iteration 30$/],
		[
			"a forged iteration",
			(path) => {
				forge(path, (manifest) => ({ ...manifest, iteration: 31 }));
				renameSync(path, join(path, "..", nameOf(31)));
			},
			/^part-0000 is of iteration 30$/,
		],
		[
			"the same part twice",
			(path) => {
				copyFileSync(join(path, "part-0000"), join(path, "part-0001"));
				forge(path, ({ parts: [first, , third], ...rest }) => ({
					...rest,
					counts: { blocks: 12, bodies: 5, events: 2 },
					parts: [first, first, third],
				}));
			},
			/^checkpoint: blocks\.ids: 0 is there twice/,
		],
		[
			"a part less",
			(path) => {
				rmSync(join(path, "part-0002"));
				forge(path, ({ parts, ...rest }) => ({
					...rest,
					counts: { blocks: 8, bodies: 4, events: 1 },
					parts: parts.slice(0, 2),
				}));
			},
			/^checkpoint: blocks\.ids: 8 are there instead of 12/,
		],
		[
			"counts that are not those of the part",
			(path) => {
				forge(path, ({ counts, parts: [first, second, third], ...rest }) => ({
					...rest,
					counts,
					parts: [first, { ...second, counts: third!.counts }, { ...third, counts: second!.counts }],
				}));
			},
			/^part-0001 has other counts than manifest.json$/,
		],
		[
			"counts that do not add up",
			(path) => forge(path, ({ counts, ...rest }) => ({ ...rest, counts: { ...counts, bodies: 6 } })),
			/^manifest.json has missing or duplicate parts$/,
		],
		[
			"a space less",
			(path) => {
				forge(path, ({ counts: { events: _events, ...counts }, parts, ...rest }) => ({
					...rest,
					counts,
					parts: parts.map(({ counts: { events: _own, ...own }, ...part }) => ({ ...part, counts: own })),
				}));
			},
			/^part-0000 has other counts than manifest.json$/,
		],
		[
			"a manifest sealed anew in another form",
			(path) => {
				const file = join(path, MANIFEST);
				const manifest = parseManifest(readFileSync(file, "utf8"));
				writeFileSync(file, manifestText({ ...manifest, notes: "mine" } as never));
			},
			/^manifest.json is not a manifest of a checkpoint$/,
		],
		[
			"a part that says it is huge",
			(path) =>
				forge(path, ({ parts: [first, ...rest], ...other }) => ({
					...other,
					parts: [{ ...first, bytes: 2 ** 50 }, ...rest],
				})),
			/^part-0000 has \d+ bytes instead of 1125899906842624$/,
		],
	])("%s", async (_, harm, reason) => {
		expect(await after(harm)).toEqual({ iteration: 20, reasons: [expect.stringMatching(reason)] });
	});

	it("and where none is left the solve begins anew", async () => {
		const harm = (path: string) => {
			rmSync(join(path, MANIFEST));
			rmSync(join(path, "..", before, MANIFEST));
		};
		const { iteration, reasons } = await after(harm);
		expect([iteration, reasons.length]).toEqual([undefined, 2]);
	});
});

describe("the reader, fuzzed", () => {
	const seeds = Number(process.env.STICKSLIP_FUZZ ?? 60);

	it(`gives a state that was written or none at all (${seeds} seeds)`, async () => {
		for (let seed = 0; seed < seeds; seed += 1) {
			const random = new Random(seed);
			const harm = (path: string) => {
				const name = random.below(4) === 0 ? MANIFEST : `part-000${random.below(3)}`;
				change(join(path, name), (bytes) => spoilBytes(bytes, random));
			};
			// Two flips of the same bit leave it as it was.
			const { iteration, reasons } = await after(harm);
			expect([iteration, reasons.length], `seed ${seed}`).toEqual(iteration === 30 ? [30, 0] : [20, 1]);
		}
	});

	it(`ends also where somebody makes all checksums anew (${seeds} seeds)`, async () => {
		const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
		for (let seed = 0; seed < seeds; seed += 1) {
			const random = new Random(1_000_000 + seed);
			const folder = play.copy(sound);
			const path = join(folder, newest);
			const rank = random.below(3);
			let seal = { bytes: 0, sha256: "" };
			change(join(path, `part-000${rank}`), (bytes) => {
				// Mostly the head and its notes, which hold the lengths.
				const body = bytes.subarray(0, -32);
				const from = random.below(2) === 0 ? body.subarray(0, 300) : body;
				const spoilt = Buffer.concat([spoilBytes(Buffer.from(from), random), body.subarray(from.length)]);
				const whole = Buffer.concat([spoilt, sha256(spoilt)]);
				seal = { bytes: whole.length, sha256: whole.subarray(-32).toString("hex") };
				return whole;
			});
			forge(path, (manifest) => ({
				...manifest,
				parts: manifest.parts.map((part, each) => (each === rank ? { ...part, ...seal } : part)),
			}));
			const log = memoryLog();
			const checkpointer = await open(folder, { log });
			expect([20, 30], `seed ${seed}`).toContain(checkpointer.from?.iteration);
			expect(log.lines.length).toBe(checkpointer.from?.iteration === 30 ? 1 : 2);
			await checkpointer.close();
			rmSync(folder, { recursive: true });
		}
	});
});
