/** The programs that ranks can run, by name; each is loaded by those that run it. */
import type { Program } from "./program.js";

type Loaded = Promise<{ readonly default: Program<unknown, unknown> }>;

const programs: Readonly<Record<string, () => Promise<unknown>>> = {
	solve: () => import("./solve.js"),
	session: () => import("./session.js"),
	simulate: () => import("./simulate.js"),
	"measure-lines": () => import("./measure-lines.js"),
};

/** The young generation of programs that leave garbage in every step: with 16 MB two ranks of a large drum wait for each other's collections. */
export const youngGenerationMegabytes: Readonly<Record<string, number>> = { simulate: 64 };

/** Before the URL of a module that makes each rank's part of a problem (own-parts.ts). */
export const PARTS_OF = "parts:";

/** A name of the table, or the URL of a module: of a program that is not part of this package. */
export async function loadProgram(name: string): Promise<Program<unknown, unknown>> {
	if (name.startsWith(PARTS_OF)) {
		const [{ ownPartsProgram }, module] = await Promise.all([
			import("./own-parts.js"),
			import(name.slice(PARTS_OF.length)) as Promise<unknown>,
		]);
		return ownPartsProgram(name, module);
	}
	const load = Object.hasOwn(programs, name) ? programs[name] : undefined;
	if (load === undefined && !name.startsWith("file:")) throw new Error(`there is no program "${name}"`);
	const module = (await (load?.() ?? import(name))) as Awaited<Loaded>;
	return module.default;
}
