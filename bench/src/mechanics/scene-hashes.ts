/**
 * The hashes of small scenes after some steps, beside those that are stored: they change where a step gives other bits, and with `--store` the new ones are
 * stored. Two ranks have to have the same.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { simulateScene } from "@stickslip/cluster-runner";
import { describeScene, type GivenOptions } from "@stickslip/mechanics";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";

export interface HashedScene {
	/** As it is stored; without commas. */
	readonly label: string;
	readonly scene: string;
	readonly options: GivenOptions;
	readonly steps: number;
}

export const hashedScenes: readonly HashedScene[] = [
	{ label: "drum", scene: "drum", options: { bodies: 60 }, steps: 600 },
	{ label: "drum of spheres", scene: "drum", options: { bodies: 60, shape: "spheres" }, steps: 600 },
	{ label: "pseudo-rigid drum", scene: "drum", options: { bodies: 60, kind: "pseudo-rigid" }, steps: 600 },
	{ label: "spheres", scene: "spheres", options: { bodies: 200 }, steps: 200 },
	{ label: "hopper", scene: "hopper", options: { bodies: 200 }, steps: 200 },
	{ label: "impact", scene: "impact", options: { bodies: 200 }, steps: 200 },
	{ label: "incline", scene: "incline", options: {}, steps: 300 },
	{ label: "stack", scene: "stack", options: {}, steps: 300 },
	{ label: "roll", scene: "roll", options: {}, steps: 300 },
	{ label: "pile", scene: "pile", options: { bodies: 40 }, steps: 300 },
	{ label: "tower", scene: "tower", options: {}, steps: 200 },
];

const NAME = "scene-hashes";
const stored = fileURLToPath(new URL(`../../results/${NAME}.csv`, import.meta.url));

/** By label; the hash is the last column. */
export function storedHashes(): Map<string, string> {
	if (!existsSync(stored)) return new Map();
	const rows = readFileSync(stored, "utf8").split("\n");
	const cells = rows.filter((row) => /,[0-9a-f]{64}$/.test(row)).map((row) => row.split(","));
	return new Map(cells.map((row) => [row[0]!, row.at(-1)!]));
}

async function run(args: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...args], options: { store: { type: "boolean" } } });
	const known = storedHashes();
	const rows = [];
	let wrong = 0;
	for (const { label, scene, options, steps } of hashedScenes) {
		const description = describeScene(scene, options);
		const how = { steps, onFailure: "continue" } as const;
		const one = await simulateScene(description, { ...how, ranks: 1 });
		const two = await simulateScene(description, { ...how, ranks: 2, domain: { recutsAlways: true } });
		const before = known.get(label);
		const isStored = before === one.hash;
		const verdict = one.hash !== two.hash ? "TWO RANKS DIFFER" : isStored ? "as stored" : before ? "CHANGED" : "new";
		if (one.hash !== two.hash || !(isStored || values.store)) wrong += 1;
		console.log(`${label.padEnd(20)} ${steps} steps ${one.hash.slice(0, 16)} ${verdict}, ${one.failedSteps} failed`);
		const contacts = one.last?.contacts ?? 0;
		rows.push({ scene: label, steps, contacts, failed: one.failedSteps, hash: one.hash });
	}
	if (values.store && wrong === 0) console.log(`stored in ${recordCsv(NAME, rows)}`);
	return wrong === 0 ? 0 : 1;
}

export const sceneHashes: Bench = {
	name: NAME,
	what: "hashes of small scenes of every kind beside those that are stored; --store for new ones",
	run,
};
