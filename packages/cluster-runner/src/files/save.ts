/** Writes answers and generated problems as FCLIB files, completely or not at all. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import {
	assembleRigid,
	condense,
	type GeneratedProblem,
	type Problem,
	rigidToGlobal,
	type Solution,
} from "@stickslip/core";
import { fclibSolution, infoText, type WriteOptions, writeFclibSteps } from "@stickslip/core/fclib";
import { loadHdf5 } from "../base/hdf5.js";
import type { Loaded } from "./load.js";
import { withTemporaryFolder } from "./temporary.js";
import { writeWholeBy } from "./write.js";

/** The whole problem, in the form it came in, with the answer as its solution. */
export async function save(path: string, { problem, info }: Loaded, solution: Solution): Promise<void> {
	await writeProblem(path, problem, { info, solution: fclibSolution(problem, solution) }, true);
}

/** A slow disk or a large problem takes minutes: signals are heard between the steps. `isNamed`: the user named this very file. */
export async function writeProblem(
	path: string,
	problem: Problem,
	options: WriteOptions,
	isNamed = false,
): Promise<void> {
	const module = await loadHdf5();
	const fill = async (temporary: string) => {
		for (const _ of writeFclibSteps(module, temporary, problem, options)) await new Promise(setImmediate);
	};
	await writeWholeBy(path, (_, temporary) => fill(temporary), { followsLinks: isNamed });
}

export type Form = "global" | "local";

/** The problem with everything that its form needs: W, or M, H, f and w. */
function inForm(problem: GeneratedProblem | Problem, form: Form): Problem {
	// Contacts that roll have their global form already.
	if (!("freeVelocity" in problem)) return form === "local" ? condense(problem) : problem;
	const { rigid, q, freeVelocity } = problem;
	return form === "local"
		? { ...problem, W: assembleRigid(rigid) }
		: { ...problem, global: rigidToGlobal(rigid, q, freeVelocity) };
}

/** `origin`, how the problem was made, becomes part of the file's description. */
export async function saveGenerated(
	path: string,
	problem: GeneratedProblem | Problem,
	form: Form,
	origin = "stickslip generate",
): Promise<void> {
	const whole = inForm(problem, form);
	const info = {
		title: infoText(problem.name),
		description: infoText(`made by ${origin}; a time step of rigid bodies, impulses in Ns, velocities in m/s`),
	};
	await writeProblem(path, whole, { form, info }, true);
}

/** The same file as a stream. It is not an error if its reader goes away. */
export async function pipeGenerated(
	stream: NodeJS.WritableStream,
	problem: GeneratedProblem | Problem,
	form: Form,
	origin: string,
): Promise<void> {
	await withTemporaryFolder(async (folder) => {
		const path = join(folder, "generated.hdf5");
		await saveGenerated(path, problem, form, origin);
		try {
			await pipeline(createReadStream(path), stream, { end: false });
		} catch (error) {
			if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
		}
	});
}
