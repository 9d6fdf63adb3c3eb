/**
 * Where the time of a solve goes, in a process of its own: kernels are put into functions that time them, set-up tells its phases, and what is left is
 * TypeScript's. A look at the clock costs some 50 ns, so that whole solves are timed in another process, as they are. Times are the processor's, so that a busy machine
 * changes little.
 */
import { generate, makeProduct, type Report, solve } from "@stickslip/core";
import { SETUP_PHASES, type SetupPhase, watchSetup } from "@stickslip/core/parallel";

export interface ProfiledProblem {
	readonly kind: "planks" | "spheres";
	readonly contacts: number;
	readonly tolerance: number;
	/** Solves go on for so long; one at least. */
	readonly seconds: number;
}

/** Of a solve, in microseconds by the clock: means, so that whatever interrupts it falls on all parts alike. */
export interface Profile {
	readonly total: number;
	/** Its processor time: the least of some batches. */
	readonly processor: number;
	readonly setup: Readonly<Record<SetupPhase, number>>;
	/** By name, after set-up. */
	readonly kernels: Readonly<Record<string, number>>;
	/** How often kernels went over all contacts in a sweep. */
	readonly sweeps: number;
}

export interface SolveFacts {
	readonly contacts: number;
	readonly iterations: number;
	readonly products: number;
	readonly status: string;
	readonly operator: string;
	/** Of the operator, and how many blocks W has. */
	readonly bytes: number;
	readonly blocks: number;
	/** Processor time of a solve, the least of some batches. */
	readonly processor: number;
}

/** Solves are counted and timed together until they take so long: processor time is known to a tenth of a millisecond at best. */
const BATCH_MS = 30;

/** Of so few, what is told is what comes of the kernels that solve them. */
const VERY_FEW = 32;

type Kernel = (...numbers: number[]) => number | undefined;

/** What is under way: kernels' times are kept from the end of set-up on. */
const now = { isOn: false, times: new Map<string, number>(), swept: 0, places: 0 };

/** From now on, instances of WebAssembly have exports that are timed. */
function timeKernels(): void {
	const Instance = WebAssembly.Instance;
	class Timed {
		readonly exports: WebAssembly.Exports;

		constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
			const { exports } = new Instance(module, imports);
			const timed = Object.entries(exports).map(([name, kernel]) => [
				name,
				typeof kernel === "function" ? timedKernel(name, kernel as Kernel) : kernel,
			]);
			this.exports = Object.fromEntries(timed);
		}
	}
	WebAssembly.Instance = Timed;
}

/** The first two numbers of a sweep's kernel, or those behind a law's, are the places that it goes from and to. */
const SWEEPS: Readonly<Record<string, number>> = { sellSweep: 0, rigidSweep: 0, lawSellSweep: 1, lawRigidSweep: 1 };

function timedKernel(name: string, kernel: Kernel): Kernel {
	const range = SWEEPS[name];
	return (...numbers) => {
		// A few contacts are set up and solved by kernels alone.
		if (!now.isOn && !name.startsWith("tiny")) return kernel(...numbers);
		if (range !== undefined) {
			now.swept += numbers[range + 1]! - numbers[range]!;
			now.places = Math.max(now.places, numbers[range + 1]!);
		}
		const started = performance.now();
		const result = kernel(...numbers);
		now.times.set(name, (now.times.get(name) ?? 0) + 1000 * (performance.now() - started));
		return result;
	};
}

/** Set-up's microseconds by phase, of all solves so far. */
function watchPhases(): { readonly setup: Record<SetupPhase, number>; begin(): void } {
	const setup = Object.fromEntries([...SETUP_PHASES, "done"].map((phase) => [phase, 0])) as Record<SetupPhase, number>;
	let [phase, since]: [SetupPhase, number] = ["done", 0];
	watchSetup((next) => {
		const time = performance.now();
		if (phase !== "done") setup[phase] += 1000 * (time - since);
		[phase, since] = [next, time];
		now.isOn = next === "done";
	});
	const begin = () => {
		phase = "done";
		now.isOn = false;
	};
	return { setup, begin };
}

/** Solves go on for some seconds, in batches; microseconds of processor time and how many solves there were. */
function repeat(seconds: number, work: () => void): { readonly processor: number; readonly solves: number } {
	const until = performance.now() + 1000 * seconds;
	let least = Number.POSITIVE_INFINITY;
	let solves = 0;
	do {
		const before = process.cpuUsage();
		const end = performance.now() + BATCH_MS;
		let count = 0;
		do {
			work();
			count += 1;
		} while (performance.now() < end);
		const { user, system } = process.cpuUsage(before);
		least = Math.min(least, (user + system) / count);
		solves += count;
	} while (performance.now() < until);
	return { processor: least, solves };
}

export function profileOf({ kind, contacts, tolerance, seconds }: ProfiledProblem): Profile {
	timeKernels();
	const problem = generate(kind, { contacts, seed: 3 });
	const phases = watchPhases();
	let total = 0;
	// A few thousand contacts are solved in one call otherwise, of which nothing can be told apart.
	const set = problem.contacts > VERY_FEW ? { products: 1e9 } : {};
	const { processor, solves } = repeat(seconds, () => {
		const started = performance.now();
		phases.begin();
		solve(problem, { tolerance, set });
		total += 1000 * (performance.now() - started);
	});
	const mean = <Name extends string>(times: Iterable<[Name, number]>) =>
		Object.fromEntries([...times].map(([name, time]) => [name, time / solves])) as Record<Name, number>;
	return {
		total: total / solves,
		processor,
		setup: mean(Object.entries(phases.setup) as [SetupPhase, number][]),
		kernels: mean(now.times),
		sweeps: now.places > 0 ? now.swept / now.places / solves : 0,
	};
}

export function factsOf({ kind, contacts, tolerance, seconds }: ProfiledProblem): SolveFacts {
	const problem = generate(kind, { contacts, seed: 3 });
	let report: Report | undefined;
	const { processor } = repeat(seconds, () => {
		({ report } = solve(problem, { tolerance }));
	});
	const { iterations, products, status, operator } = report!;
	const { bytes } = makeProduct(problem, { operator: operator.split(" ")[0] as "assembled" | "matrix-free" });
	const blocks = blocksOf(problem);
	return { contacts: problem.contacts, iterations, products, status, operator, bytes, blocks, processor };
}

/** Contacts that share a body, by how many there are at each. */
function blocksOf({ contacts, rigid }: ReturnType<typeof generate>): number {
	const count = new Int32Array(rigid.inverseMass.length);
	for (const body of rigid.body) if (body >= 0) count[body]! += 1;
	return count.reduce((blocks, at) => blocks + at * (at - 1), contacts);
}
