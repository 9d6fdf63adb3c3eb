/**
 * Where the time of a solve goes, in a process of its own: kernels are put into functions that time them, set-up tells its phases, and what is left is
 * TypeScript's. A look at the clock costs some 50 ns, so that whole solves are timed in another process, as they are.
 */
import { generate, makeProduct, type SolveOptions, solve } from "@stickslip/core";
import { SETUP_PHASES, type SetupPhase, watchSetup } from "@stickslip/core/parallel";

export interface Subject {
	readonly kind: "planks" | "spheres";
	readonly contacts: number;
	readonly tolerance: number;
	/** Solves go on for so long; one at least. */
	readonly seconds: number;
}

/** Of one solve, in microseconds. */
export interface Profile {
	readonly total: number;
	readonly setup: Readonly<Record<SetupPhase, number>>;
	/** By name, after set-up. */
	readonly kernels: Readonly<Record<string, number>>;
	/** How often kernels went over all contacts in a sweep. */
	readonly sweeps: number;
}

export interface Facts {
	readonly contacts: number;
	readonly iterations: number;
	readonly products: number;
	readonly status: string;
	readonly operator: string;
	/** Of the operator, and how many blocks W has. */
	readonly bytes: number;
	readonly blocks: number;
	/** The least of some solves. */
	readonly total: number;
}

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
	WebAssembly.Instance = Timed as unknown as typeof WebAssembly.Instance;
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

function profileOnce(work: () => void): Profile {
	const setup = Object.fromEntries([...SETUP_PHASES, "done"].map((phase) => [phase, 0])) as Record<SetupPhase, number>;
	Object.assign(now, { isOn: false, times: new Map(), swept: 0, places: 0 });
	const started = performance.now();
	let [phase, since]: [SetupPhase, number] = ["validate", started];
	watchSetup((next) => {
		const time = performance.now();
		setup[phase] += 1000 * (time - since);
		[phase, since] = [next, time];
		now.isOn = next === "done";
	});
	work();
	const total = 1000 * (performance.now() - started);
	watchSetup(undefined);
	const sweeps = now.places > 0 ? now.swept / now.places : 0;
	return { total, setup, kernels: Object.fromEntries(now.times), sweeps };
}

function repeat<Result extends { readonly total: number }>(seconds: number, work: () => Result): Result {
	const until = performance.now() + 1000 * seconds;
	let best = work();
	while (performance.now() < until) {
		const next = work();
		if (next.total < best.total) best = next;
	}
	return best;
}

export function profileOf({ kind, contacts, tolerance, seconds }: Subject): Profile {
	timeKernels();
	const problem = generate(kind, { contacts, seed: 3 });
	return repeat(seconds, () => profileOnce(() => solve(problem, { tolerance })));
}

export function factsOf({ kind, contacts, tolerance, seconds }: Subject): Facts {
	const problem = generate(kind, { contacts, seed: 3 });
	const options: SolveOptions = { tolerance };
	const { total, report } = repeat(seconds, () => {
		const started = performance.now();
		const { report } = solve(problem, options);
		return { total: 1000 * (performance.now() - started), report };
	});
	const { iterations, products, status, operator } = report;
	const kindOfOperator = operator.split(" ")[0] as "assembled" | "matrix-free";
	const { bytes } = makeProduct(problem, { operator: kindOfOperator });
	return { contacts: report.contacts, iterations, products, status, operator, bytes, blocks: blocksOf(problem), total };
}

/** Contacts that share a body, by how many there are at each. */
function blocksOf({ contacts, rigid }: ReturnType<typeof generate>): number {
	const count = new Int32Array(rigid.inverseMass.length);
	for (const body of rigid.body) if (body >= 0) count[body]! += 1;
	return count.reduce((blocks, at) => blocks + at * (at - 1), contacts);
}
