/** The same scenes by our engine and by those of others: time per step, and what is wrong with where bodies are. */
import type { Bench } from "../../bench.js";
import { mergeCsv, readCsv } from "../../record.js";
import type { Engine, EngineScene } from "./engine.js";
import { jolt } from "./jolt.js";
import { mujoco } from "./mujoco.js";
import { ours } from "./ours.js";
import { rapier } from "./rapier.js";
import { type EngineRow, lostRow, rowOf } from "./rows.js";
import { engineScenes, type SceneSizes } from "./scenes.js";
import { lackOfSiconos, siconos } from "./siconos.js";
import { verdict } from "./verdict.js";

const FILE = "engines";
const TOLERANCE = 1e-4;
const LARGE: SceneSizes = { spheres: 1000, boxes: 1000, fall: 0.8, creep: 60, steps: 500, limit: 60 };
const SMALL: SceneSizes = { spheres: 60, boxes: 30, fall: 0.3, creep: 1, steps: 100, limit: 5 };

async function runEngine(scene: EngineScene, engine: Engine): Promise<EngineRow> {
	return engine.run(scene).then(
		(run) => rowOf(scene, engine.name, run),
		(error) => lostRow(scene, engine.name, `failed: ${error instanceof Error ? error.message : error}`),
	);
}

export const engines: Bench = {
	name: "engines",
	what: "scenes by our engine and by Siconos, Rapier, Jolt and MuJoCo: time per step and physical errors; [--small] [--scene WORD] [--engine WORD] [--limit SECONDS]",
	async run(args) {
		const wordAfter = (flag: string) => (args.includes(flag) ? (args[args.indexOf(flag) + 1] ?? "") : "");
		const [wantedScene, wantedEngine] = [wordAfter("--scene"), wordAfter("--engine")];
		const isSmall = args.includes("--small");
		const sizes = isSmall ? SMALL : LARGE;
		const limit = Number(wordAfter("--limit") || sizes.limit);
		const lack = lackOfSiconos();
		if (lack !== undefined) console.log(`without siconos: ${lack}`);
		const all = [ours(TOLERANCE), ...(lack === undefined ? [siconos(TOLERANCE)] : []), rapier, jolt, mujoco];
		const chosen = all.filter(({ name }) => name.includes(wantedEngine));
		console.log(
			"scene  engine  steps  wanted  ms  clock  contacts  deepest  depth  creep  lift  energy  failed  ended",
		);
		const rows: EngineRow[] = [];
		for (const { name, make } of engineScenes({ ...sizes, limit })) {
			if (!name.includes(wantedScene)) continue;
			const scene = make();
			for (const engine of chosen) {
				const row = await runEngine(scene, engine);
				rows.push(row);
				console.log(Object.values(row).join("  "));
				// Recorded one by one, so that nothing is lost where a later one is interrupted.
				if (!isSmall) mergeCsv(FILE, ["scene", "engine"], [row]);
			}
		}
		for (const line of verdict(isSmall ? rows : readCsv<keyof EngineRow>(FILE))) console.log(line);
		return undefined;
	},
};
