/** Siconos with Bullet, in a process of its own: run-siconos.py. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BodyStates, type Engine, engineBodies, makeStates } from "./engine.js";

const PYTHON = "/usr/bin/python3";
/** Found from dist/, where this file runs, and from src/ alike. */
const script = fileURLToPath(new URL("../../../src/mechanics/engines/run-siconos.py", import.meta.url));
const SECONDS_MAX = 3600;
/** Of the smallest edge or diameter. */
const MARGIN = 0.01;
const THRESHOLD = 1e-3;

/** The reason why it is not here. */
export function lackOfSiconos(): string | undefined {
	if (!existsSync(PYTHON)) return `there is no ${PYTHON}`;
	const tried = spawnSync(PYTHON, ["-c", "from siconos.mechanics.collision.bullet import SiconosBulletOptions"]);
	return tried.status === 0 ? undefined : "Siconos' mechanics is not installed; on Debian: apt install python3-siconos";
}

/** A line of what is told: of a step, or of all bodies. */
type Told = StepTold | { readonly state: readonly (readonly number[])[] };
type StepTold = { readonly seconds: number; readonly clock: number; readonly failed: boolean };

export function siconos(tolerance: number, iterations = 10_000): Engine {
	return {
		name: "siconos",
		async run({ description, steps, every, limit }) {
			const { gravity, step, contact } = description;
			const { obstacles, bodies: all } = engineBodies(description);
			// Angular velocities are in the axes of the body there.
			const bodies = all.map((body) => ({ ...body, spin: toBody(body.orientation, body.spin) }));
			const { friction, restitution = 0 } = contact;
			const size = Math.min(...bodies.flatMap(({ parts }) => parts.map(sizeOf)));
			const detection = { margin: MARGIN * size, threshold: THRESHOLD * size };
			const law = { friction, restitution, tolerance, iterations };
			const scene = { obstacles, bodies, gravity, step, steps, every, limit, ...detection, ...law };
			const told = await pythonAnswer(JSON.stringify(scene));
			const done = told.filter((each): each is StepTold => "seconds" in each);
			return {
				seconds: done.map(({ seconds }) => seconds),
				clock: done.map(({ clock }) => clock),
				states: told.flatMap((each) => ("state" in each ? [statesOf(each.state)] : [])),
				failedSteps: done.filter(({ failed }) => failed).length,
			};
		},
	};
}

function sizeOf(part: ReturnType<typeof engineBodies>["bodies"][number]["parts"][number]): number {
	if (part.kind === "sphere") return 2 * part.radius;
	return part.kind === "box" ? Math.min(...part.size) : Number.POSITIVE_INFINITY;
}

function statesOf(rows: readonly (readonly number[])[]): BodyStates {
	const states = makeStates(rows.length);
	for (const [i, row] of rows.entries()) {
		states.position.set(row.slice(0, 3), 3 * i);
		states.orientation.set(row.slice(3, 7), 4 * i);
		states.velocity.set(row.slice(7, 10), 3 * i);
		states.spin.set(toWorld(row.slice(3, 7), row.slice(10, 13)), 3 * i);
	}
	return states;
}

function toBody([w, x, y, z]: readonly [number, number, number, number], spin: readonly number[]): number[] {
	return toWorld([w, -x, -y, -z], spin);
}

/** Turned by a quaternion. */
function toWorld(orientation: readonly number[], spin: readonly number[]): number[] {
	const [w = 1, x = 0, y = 0, z = 0] = orientation;
	const [a = 0, b = 0, c = 0] = spin;
	const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)] as const;
	return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
}

/** One thread each side: the BLAS below Siconos would start more. A process that the kernel ends at its limit has told what it has done. */
async function pythonAnswer(input: string): Promise<Told[]> {
	const env = { ...process.env, OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" };
	const child = spawn(PYTHON, [script], { env, stdio: ["pipe", "pipe", "pipe"], timeout: 1000 * SECONDS_MAX });
	const parts: Buffer[] = [];
	let err = "";
	child.stdout.on("data", (part: Buffer) => parts.push(part));
	child.stderr.on("data", (part: Buffer) => {
		err = (err + part.toString()).slice(-2000);
	});
	child.stdin.end(input);
	const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) =>
		child.on("close", (...ended) => resolve(ended)).on("error", reject),
	);
	if (code !== 0 && signal !== "SIGXCPU") {
		throw new Error(`Siconos ended with ${signal ?? code}: ${err.split("\n").slice(-6).join("; ")}`);
	}
	// What follows the last line break was not told to its end.
	const lines = Buffer.concat(parts).toString().split("\n").slice(0, -1);
	return lines.map((line) => JSON.parse(line) as Told);
}
