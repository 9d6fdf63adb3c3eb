/**
 * Where the time of a solve goes, from 5 contacts to 100,000, by phase and kernel, and how near its sweeps come to what the machine gives to WebAssembly: numbers streamed
 * through as much memory, and operations on registers. `npm run docs:performance` makes docs/performance.md of it.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Bench } from "../bench.js";
import { mergeCsv } from "../record.js";
import { FLOPS_PER_TURN, makeRooflineKernels } from "./loops.js";
import type { Profile, ProfiledProblem, SolveFacts } from "./profile.js";

const SIZES = [5, 300, 3000, 100_000];
const TOLERANCES = { planks: 1e-4, spheres: 1e-3 } as const;
const SECONDS = 3;

/** Seconds for either loop. */
const LOOP_SECONDS = 0.5;
const LOOP_TURNS = 20_000;
const TRIAD_BYTES_MIN = 3 * 2 ** 15;

/** What a sweep reads of a contact besides the operator: R, q, its diagonal block and mu. */
const SWEEP_BYTES = 8 * (3 + 3 + 9 + 1);
/** Multiplications and additions of a block of W. */
const FLOPS_OF_BLOCK = 18;
/** Without W a sweep begins with H^T R of all contacts; then each has its H v and H^T dR, of 36 multiplications and additions for two bodies. */
const PASSES_WITHOUT_W = 2;
const FLOPS_WITHOUT_W = 3 * 2 * 36;

const GROUPS = {
	check: ["validate"],
	order: ["colours", "order", "share"],
	formOperator: ["form", "diagonal", "scale", "fill"],
	memory: ["allocate", "measures"],
} as const;

/** Of kernels after set-up, by what their names begin or end with. */
const KERNELS: Readonly<Record<string, RegExp>> = {
	sweeps: /Sweeps?$|^(gatherImpulses|setInMotion)$/,
	products: /^(sellApply|contactVelocities)$/,
	setUpOfFew: /^(tinySetUp|tinyBodies)$/,
	measuring: /[eE]nergy|[nN]atural|[mM]erit|Measures|^deposit|[tT]erms$/,
	mixing:
		/^(differences|addCombination|subtract|axpby|copy|multiply|fill|dots?|addDots|depositDots|.*[pP]roject.*|anchorFree|.*[sS]quares?|.*Bins?.*)$/,
};

function least(seconds: number, work: () => void): number {
	const until = performance.now() + 1000 * seconds;
	let best = Number.POSITIVE_INFINITY;
	while (performance.now() < until) {
		const started = performance.now();
		work();
		best = Math.min(best, performance.now() - started);
	}
	return best / 1000;
}

/** 1e9 operations a second. */
export function peakOf(seconds = LOOP_SECONDS): number {
	const { compute } = makeRooflineKernels(65536);
	return (FLOPS_PER_TURN * LOOP_TURNS) / least(seconds, () => compute(LOOP_TURNS)) / 1e9;
}

/** 1e9 bytes a second through so much memory, what is written counted once. */
export function streamOf(bytes: number, seconds = LOOP_SECONDS): number {
	const each = 64 * Math.ceil(Math.max(bytes, TRIAD_BYTES_MIN) / 3 / 64);
	const { triad } = makeRooflineKernels(3 * each);
	const times = Math.max(1, Math.ceil(1e6 / each));
	const time = least(seconds, () => {
		for (let i = 0; i < times; i += 1) triad(0, each, 2 * each, each);
	});
	return (3 * each * times) / time / 1e9;
}

export function runInNewProcess(what: "facts" | "profile", subject: ProfiledProblem): unknown {
	const file = fileURLToPath(new URL("../../dist/performance/child.js", import.meta.url));
	return JSON.parse(execFileSync(process.execPath, [file, what, JSON.stringify(subject)], { encoding: "utf8" }));
}

export type PerformanceRow = Readonly<Record<string, string | number>>;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const rounded = (value: number): number => Number(value.toPrecision(3));

export function rowOf(
	{ kind, tolerance }: ProfiledProblem,
	facts: SolveFacts,
	profile: Profile,
	{ peak, stream }: { readonly peak: number; readonly stream: (bytes: number) => number },
): PerformanceRow {
	const { contacts, bytes, blocks, operator } = facts;
	const isFree = operator.startsWith("matrix-free");
	const setup = Object.entries(GROUPS).map(
		([name, phases]) => [name, sum(phases.map((phase) => profile.setup[phase]))] as const,
	);
	const named = Object.entries(profile.kernels);
	const kernels = Object.entries(KERNELS).map(
		([name, pattern]) => [name, sum(named.filter(([kernel]) => pattern.test(kernel)).map(([, time]) => time))] as const,
	);
	const other = sum(named.map(([, time]) => time)) - sum(kernels.map(([, time]) => time));
	const script = profile.total - sum(setup.map(([, time]) => time)) - sum(named.map(([, time]) => time));
	const parts = [...setup, ...kernels, ["otherKernels", other] as const, ["script", script] as const];
	const sweeping = (Object.fromEntries(kernels).sweeps! * profile.processor) / profile.total;
	const streamed = (isFree ? PASSES_WITHOUT_W : 1) * bytes + SWEEP_BYTES * contacts;
	const flops = isFree ? FLOPS_WITHOUT_W * contacts : FLOPS_OF_BLOCK * blocks;
	const isSwept = profile.sweeps > 0;
	const rate = (of: number) => (isSwept ? rounded((of * profile.sweeps) / sweeping / 1000) : "");
	return {
		problem: kind,
		contacts,
		tolerance,
		status: facts.status,
		operator: isFree ? "matrix-free" : "assembled",
		iterations: facts.iterations,
		totalUs: rounded(facts.processor),
		profiledUs: rounded(profile.processor),
		...Object.fromEntries(parts.map(([name, time]) => [`${name}Share`, Number((time / profile.total).toFixed(3))])),
		sweeps: rounded(profile.sweeps),
		nsPerSweepAndContact: isSwept ? rounded((1000 * sweeping) / profile.sweeps / contacts) : "",
		bytesPerContact: Math.round(streamed / contacts),
		gbps: rate(streamed),
		streamGbps: isSwept ? rounded(stream(streamed)) : "",
		gflops: rate(flops),
		peakGflops: isSwept ? rounded(peak) : "",
	};
}

function print(row: PerformanceRow): void {
	console.log(
		Object.entries(row)
			.map(([name, value]) => `${name} ${value}`)
			.join(", "),
	);
}

export const performanceBench: Bench = {
	name: "performance",
	what: "where the time of solves goes, 5 to 100,000 contacts, against what the machine streams and computes   [CONTACTS...]",
	run(args) {
		const sizes = args.length > 0 ? args.map(Number) : SIZES;
		if (!sizes.every((size) => Number.isInteger(size) && size > 0)) {
			console.log("npm run bench -- performance [CONTACTS...]");
			return 2;
		}
		const peak = peakOf();
		let recorded = "";
		for (const kind of ["planks", "spheres"] as const) {
			for (const contacts of sizes) {
				const subject = { kind, contacts, tolerance: TOLERANCES[kind], seconds: SECONDS };
				const facts = runInNewProcess("facts", subject) as SolveFacts;
				const profile = runInNewProcess("profile", subject) as Profile;
				const row = rowOf(subject, facts, profile, { peak, stream: streamOf });
				print(row);
				recorded = mergeCsv("performance", ["problem", "contacts"], [row]);
			}
		}
		console.log(`recorded in ${recorded}`);
		return undefined;
	},
};
