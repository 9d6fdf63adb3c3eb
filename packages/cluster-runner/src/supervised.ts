/** The program of a supervised run: executes the command stored in its folder, and ends when its supervisor has ended. */
import { guardProcess } from "./base/last-resort.js";
import type { StarterOf } from "./runs/launched-placement.js";

guardProcess();
// An orderly exit also ends the ranks that this process has started.
const leave = () => process.exit(3);
process.on("disconnect", leave);
// The supervisor may have been killed while this file was loaded: its end is not reported again.
if (process.connected === false) leave();
// The channel only shows that the supervisor lives; it must not keep this process alive.
process.channel?.unref();
const [, , folder = ""] = process.argv;
const [{ exitWith }, { invocationOfRun, partOfRun }] = await Promise.all([
	import("./exit.js"),
	import("./solve/solve-invocation.js"),
]);
await exitWith(async (terminal) => {
	// Loaded where processes are started: a run of threads needs no launcher.
	const starterOf: StarterOf = async (placement, library) =>
		(await import("./launchers/starter-of.js")).starterOf(placement, library);
	const call = partOfRun(folder, () => invocationOfRun(folder, starterOf));
	if (call.simulate !== undefined) {
		const { loadScene } = await import("./simulate/scene-source.js");
		const { SimulateRun } = await import("./simulate/simulate.js");
		const loading = loadScene(call.simulate);
		const refuse = (error: unknown) =>
			partOfRun(folder, () => {
				throw error;
			});
		const scene = await loading.catch(refuse);
		return await partOfRun(folder, () => new SimulateRun(call, scene, terminal)).run();
	}
	if (call.study !== undefined) {
		const { StudyRun } = await import("./studies/study-run.js");
		return await partOfRun(folder, () => new StudyRun(call, terminal)).run();
	}
	if (call.solve === undefined) {
		const { ServeRun } = await import("./service/serve-run.js");
		return await new ServeRun(call, terminal).run();
	}
	const { SolveRun } = await import("./solve/solve.js");
	return await partOfRun(folder, () => new SolveRun(call, terminal)).run();
});
