/** Files of runs, capsules and checkpoints over spoilt input, for the bench of mutations. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError, type Random } from "@stickslip/core";
import { parseCapsule } from "../src/capsule/read.js";
import { Damage } from "../src/checkpoints/damage.js";
import { parseManifest } from "../src/checkpoints/manifest.js";
import { readPart } from "../src/checkpoints/part.js";
import { readNewest } from "../src/checkpoints/read.js";
import { keptIdentity, writeCheckpoints } from "../src/testing/checkpoints.js";
import { goodCapsule } from "./capsule.js";
import { spoilBytes, spoilJson, spoilText } from "./spoil.js";
import { RUN_FILES, readWholeRun, wholeRun } from "./whole-run.js";

export type Outcome = "read" | "refused";

export async function fileReaders(folder: string) {
	const at = (name: string) => {
		mkdirSync(join(folder, name), { recursive: true });
		return join(folder, name);
	};
	const run = await wholeRun(at("runs"));
	const texts = RUN_FILES.map((name) => readFileSync(join(run, name), "utf8"));
	const capsule = JSON.stringify(goodCapsule, undefined, "\t");
	const kept = at("checkpoints");
	await writeCheckpoints(kept, [10, 20], 2);
	const newest = join(kept, readdirSync(kept).sort().at(-1) ?? "");
	const manifest = readFileSync(join(newest, "manifest.json"), "utf8");
	const part = readFileSync(join(newest, "part-0000"));
	const forged = join(folder, "part");
	return {
		run(random: Random): Outcome {
			const chosen = random.below(RUN_FILES.length);
			const [path, text] = [join(run, RUN_FILES[chosen] ?? ""), texts[chosen] ?? ""];
			if (random.below(20) === 0) rmSync(path);
			else writeFileSync(path, spoilJson(text, random), "latin1");
			try {
				return outcomeOf(InputError, () => readWholeRun(run));
			} finally {
				writeFileSync(path, text);
			}
		},
		capsule(random: Random): Outcome {
			const text = random.below(2) === 0 ? spoilText(capsule, random) : spoilJson(capsule, random);
			return outcomeOf(InputError, () => parseCapsule(text, "x.json"));
		},
		manifest(random: Random): Outcome {
			const text = random.below(2) === 0 ? spoilJson(manifest, random) : spoilText(manifest, random);
			return outcomeOf(Damage, () => parseManifest(text));
		},
		/** With valid checksums and lengths, as an attacker would make them. */
		async part(random: Random): Promise<Outcome> {
			const body = part.subarray(0, -32);
			const from = random.below(2) === 0 ? body.subarray(0, 300) : body;
			const spoilt = Buffer.concat([spoilBytes(Buffer.from(from), random), body.subarray(from.length)]);
			const sum = createHash("sha256").update(spoilt).digest();
			const whole = Buffer.concat([spoilt, sum]);
			writeFileSync(forged, whole);
			const seal = { bytes: whole.length, sha256: sum.toString("hex") };
			return await outcomeLater(Damage, readPart(forged, seal));
		},
		/** Whole folders of them: damage is reported, and the checkpoint before is used. */
		async checkpoint(random: Random): Promise<Outcome> {
			const name = random.below(3) === 0 ? "manifest.json" : `part-000${random.below(2)}`;
			const path = join(newest, name);
			const before = readFileSync(path);
			if (random.below(8) > 0) writeFileSync(path, spoilBytes(Buffer.from(before), random));
			try {
				let isDamaged = false;
				const found = await readNewest(kept, keptIdentity, () => {
					isDamaged = true;
				});
				if (found?.state.iteration !== (isDamaged ? 10 : 20)) throw new Error("a state that was not written");
				return isDamaged ? "refused" : "read";
			} finally {
				writeFileSync(path, before);
			}
		},
	};
}

type Refusal = typeof InputError | typeof Damage;

function outcomeOf(refusal: Refusal, read: () => unknown): Outcome {
	try {
		read();
		return "read";
	} catch (error) {
		return refused(refusal, error);
	}
}

async function outcomeLater(refusal: Refusal, read: Promise<unknown>): Promise<Outcome> {
	try {
		await read;
		return "read";
	} catch (error) {
		return refused(refusal, error);
	}
}

function refused(refusal: Refusal, error: unknown): Outcome {
	if (!(error instanceof refusal)) throw error;
	if (error.message.includes("\n")) throw new Error("a refusal of several lines", { cause: error });
	return "refused";
}
