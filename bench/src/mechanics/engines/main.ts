/** The same scenes by our engine and by those of others: time per step, and what is wrong with where bodies are. */
import type { Bench } from "../../bench.js";
import { recordCsv } from "../../record.js";
import type { Engine, EngineRun, EngineScene } from "./engine.js";
import { jolt } from "./jolt.js";
import { energyGain, farthest, lift, measureStates } from "./measures.js";
import { mujoco } from "./mujoco.js";
import { ours } from "./ours.js";
import { rapier } from "./rapier.js";
import { engineScenes, type SceneSizes } from "./scenes.js";
import { lackOfSiconos, siconos } from "./siconos.js";

const TOLERANCE = 1e-4;
const LARGE: SceneSizes = { spheres: 1000, boxes: 1000, creep: 60, steps: 1000 };
const SMALL: SceneSizes = { spheres: 60, boxes: 30, creep: 1, steps: 100 };

export type EngineRow = {
	readonly scene: string;
	readonly engine: string;
	readonly steps: number;
	/** Milliseconds per step: of the second half, and the fastest. */
	readonly ms: string;
	readonly fastest: string;
	/** Of the last state. */
	readonly contacts: number;
	/** Over all states, relative to the smallest body. */
	readonly deepest: string;
	readonly meanDepth: string;
	/** Millimetres that the body which went farthest went: on the slope all of it is creep. */
	readonly moved: string;
	/** Millimetres that bodies rise above where they were. */
	readonly lift: string;
	/** Of energy, in parts of what the bodies' weight gives over the smallest of them. */
	readonly energyGain: string;
	readonly failed: string;
};

export function rowOf(scene: EngineScene, engine: string, run: EngineRun): EngineRow {
	const { description, name, steps } = scene;
	const half = run.seconds.slice(run.seconds.length >> 1);
	const measured = run.states.map((states, k) =>
		measureStates(description, states, k * scene.every * description.step),
	);
	const size = smallest(description);
	const weight = weightOf(description);
	const number = (value: number) => value.toPrecision(3);
	return {
		...{ scene: name, engine, steps },
		ms: number((1000 * half.reduce((sum, each) => sum + each, 0)) / half.length),
		fastest: number(1000 * Math.min(...half)),
		contacts: measured.at(-1)!.contacts,
		deepest: number(Math.max(...measured.slice(1).map(({ deepest }) => deepest)) / size),
		meanDepth: number(measured.at(-1)!.meanDepth / size),
		moved: number(1000 * farthest(run.states)),
		lift: number(1000 * lift(run.states)),
		energyGain: number(energyGain(measured.map(({ energy }) => energy)) / (weight * size)),
		failed: run.failedSteps === undefined ? "" : String(run.failedSteps),
	};
}

/** Least diameter or edge. */
function smallest({ bodies, shapes }: EngineScene["description"]): number {
	const sizes = [...new Set(bodies.map(({ shape }) => shape))].map((name) => {
		const shape = shapes[name]!;
		return shape.kind === "sphere" ? 2 * shape.radius : shape.kind === "box" ? Math.min(...shape.size) : Number.NaN;
	});
	return Math.min(...sizes);
}

/** Of all bodies, newtons. */
function weightOf({ bodies, shapes, materials, gravity }: EngineScene["description"]): number {
	const g = Math.sqrt(gravity.reduce((sum, each) => sum + each * each, 0));
	const mass = bodies.reduce((sum, { shape: name, material }) => {
		const shape = shapes[name]!;
		const volume =
			shape.kind === "sphere"
				? (4 / 3) * Math.PI * shape.radius ** 3
				: shape.kind === "box"
					? shape.size[0] * shape.size[1] * shape.size[2]
					: Number.NaN;
		return sum + volume * materials[material]!.density;
	}, 0);
	return g * mass;
}

async function compareEngines(
	sizes: SceneSizes,
	isWanted: (scene: string, engine: string) => boolean,
	print: (line: string) => void,
): Promise<EngineRow[]> {
	const lack = lackOfSiconos();
	if (lack !== undefined) print(`without siconos: ${lack}`);
	const engines: Engine[] = [
		ours(TOLERANCE),
		...(lack === undefined ? [siconos(TOLERANCE)] : []),
		rapier,
		jolt,
		mujoco,
	];
	const rows: EngineRow[] = [];
	for (const scene of engineScenes(sizes)) {
		for (const engine of engines) {
			if (!isWanted(scene.name, engine.name)) continue;
			try {
				const row = rowOf(scene, engine.name, await engine.run(scene));
				rows.push(row);
				print(Object.values(row).join("  "));
			} catch (error) {
				print(`${scene.name}  ${engine.name}: ${error instanceof Error ? error.message : error}`);
			}
		}
	}
	return rows;
}

export const engines: Bench = {
	name: "engines",
	what: "scenes by our engine and by Siconos, Rapier, Jolt and MuJoCo: time per step and physical errors; [--small] [--scene WORD] [--engine NAME]",
	async run(args) {
		const wordAfter = (flag: string) => (args.includes(flag) ? (args[args.indexOf(flag) + 1] ?? "") : "");
		const [scene, engine] = [wordAfter("--scene"), wordAfter("--engine")];
		const isSmall = args.includes("--small");
		console.log("scene  engine  steps  ms  fastest  contacts  deepest  meanDepth  moved  lift  energyGain  failed");
		const isWanted = (one: string, other: string) => one.includes(scene) && other.includes(engine);
		const rows = await compareEngines(isSmall ? SMALL : LARGE, isWanted, (line) => console.log(line));
		if (scene === "" && engine === "" && rows.length > 0) {
			console.log(recordCsv(isSmall ? "engines-small" : "engines", rows));
		}
		return undefined;
	},
};
