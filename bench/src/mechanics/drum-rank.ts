/** A rank of the bench of large drums, a thread that stays: it has a simulation on all ranks, and rank 0 another one of its own beside it. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { MessagePort } from "node:worker_threads";
import {
	Control,
	cores,
	Patience,
	pin,
	SelfCommunicator,
	spinsFor,
	ThreadsCommunicator,
	type ThreadsShared,
} from "@stickslip/comm";
import { type RunState, TimedCollectives, toTheEnd } from "@stickslip/core/parallel";
import {
	buildScene,
	type ContactSolver,
	dealState,
	type SceneDescription,
	Simulation,
	TileSolver,
} from "@stickslip/mechanics";

export interface DrumRankTask {
	readonly rank: number;
	readonly ranks: number;
	readonly shared: ThreadsShared;
	readonly control: SharedArrayBuffer;
	readonly port: MessagePort;
}

/** Of which simulation: `own` is that of rank 0 alone. */
export type Side = "own" | "all";

/** What a rank is asked for, by one rank or by all at a time. */
export type DrumCommand =
	| {
			readonly kind: "open";
			readonly side: Side;
			readonly description: SceneDescription;
			readonly state: RunState | undefined;
	  }
	| { readonly kind: "step"; readonly side: Side; readonly steps: number }
	| { readonly kind: "state"; readonly side: Side }
	| { readonly kind: "hash"; readonly side: Side };

/** Seconds of a rank in a step, and what is the same on all ranks. Of the phases, `waitSolve` and `wait` were spent in the communicator: in set-up and solve, and elsewhere. */
export interface RankStep {
	readonly all: number;
	readonly detect: number;
	readonly setup: number;
	readonly solve: number;
	readonly rest: number;
	readonly wait: number;
	readonly waitSolve: number;
	readonly recut: number;
	/** Of the thread, also while it spins; 0 where the system does not tell. */
	readonly cpu: number;
	/** Bodies that the rank owns, and those of others that it has beside them. */
	readonly own: number;
	readonly ghosts: number;
	readonly contacts: number;
	readonly iterations: number;
	readonly retries: number;
	readonly failedSteps: number;
	readonly kinetic: number;
	readonly penetration: number;
}

/** The seconds that this thread has been on a core; 0 where the system does not tell. */
function threadSeconds(): number {
	try {
		return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e9;
	} catch {
		return 0;
	}
}

/** A simulation whose steps are timed. */
class TimedSimulation {
	readonly simulation: Simulation;
	readonly #communicator: TimedCollectives;
	#waitSolve = 0;

	constructor(communicator: TimedCollectives, description: SceneDescription, state: RunState | undefined) {
		const tiles = new TileSolver();
		const rank = this;
		const solver: ContactSolver = {
			*solve(step, options, domain) {
				const before = communicator.seconds;
				const solution = yield* tiles.solve(step, options, domain);
				rank.#waitSolve += communicator.seconds - before;
				return solution;
			},
		};
		this.#communicator = communicator;
		this.simulation = new Simulation(buildScene(description), { communicator, solver, onFailure: "continue" });
		if (state) this.simulation.resume(dealState(state, communicator.rank, communicator.size));
	}

	step(): RankStep {
		const communicator = this.#communicator;
		const { domain } = this.simulation;
		const recut = domain.recutSeconds;
		const waited = communicator.seconds;
		const cpu = threadSeconds();
		const started = performance.now();
		this.#waitSolve = 0;
		const step = toTheEnd(this.simulation.step());
		const all = (performance.now() - started) / 1000;
		const { own, obstacles, count } = this.simulation.bodies;
		const { contacts, iterations, retries, failedSteps, kinetic } = step;
		return {
			all,
			...step.seconds,
			wait: communicator.seconds - waited - this.#waitSolve,
			waitSolve: this.#waitSolve,
			recut: domain.recutSeconds - recut,
			cpu: threadSeconds() - cpu,
			...{ own, ghosts: count - own - obstacles, contacts, iterations, retries, failedSteps, kinetic },
			penetration: step.largestPenetration,
		};
	}
}

export default async function run(task: DrumRankTask): Promise<void> {
	const { rank, ranks, port, shared } = task;
	const control = new Control(task.control);
	const available = cores();
	if (ranks <= available.length) pin(available[rank]!);
	const patience = new Patience({ control, seconds: 600, spins: spinsFor(ranks, available.length) });
	const threads = new ThreadsCommunicator({ shared, rank, control, patience });
	const simulations: Partial<Record<Side, TimedSimulation>> = {};
	const obey = (command: DrumCommand): unknown => {
		const { kind, side } = command;
		if (kind === "open") {
			const communicator = new TimedCollectives(side === "all" ? threads : new SelfCommunicator());
			simulations[side] = new TimedSimulation(communicator, command.description, command.state);
			return undefined;
		}
		const timed = simulations[side]!;
		if (kind === "step") return Array.from({ length: command.steps }, () => timed.step());
		return kind === "state" ? timed.simulation.state() : timed.simulation.hash();
	};
	port.on("message", (command: DrumCommand) => {
		try {
			port.postMessage({ answer: obey(command) });
		} catch (error) {
			control.abort(rank, error instanceof Error ? error.message : String(error));
			port.close();
		}
	});
	await once(port, "close");
	control.check();
	threads.close();
}
