import { configDefaults, defineConfig } from "vitest/config";

/**
 * These start ranks of MPI, which spin on the cores that they are bound to: one at a time, after the others. Those wait for a third of the
 * time: three at a time.
 */
const alone = ["packages/comm/src/mpi/*.test.ts", "packages/cluster-runner/src/cli-{faults,ranks}-mpi.test.ts"];

/** These start no processes and leave nothing behind in their modules: many files share one process, which loads them once. */
const pure = ["packages/{core,partition,client,mechanics}/src/**/*.test.ts", "tidy/**/*.test.ts"];

/** These start ranks and processes, but leave nothing behind either: a process for each file took a third of a second of processor time. */
const shared = ["packages/cluster-runner/src/*/**/*.test.ts"];

/** These replace modules, which works only where no earlier file has loaded what imports them: a process each. */
const mocking = ["packages/*/src/**/*.mock.test.ts"];

/** Minutes each: `npm test -- --thorough` runs them. */
const long = process.env.STICKSLIP_THOROUGH === "1" ? [] : ["**/*.thorough.test.ts"];

export default defineConfig({
	test: {
		reporters: [
			"default",
			["./scripts/lib/skips.mjs", { file: "out/vitest-summary.json" }],
			"./scripts/lib/slowest.mjs",
			"./scripts/lib/exits.mjs",
		],
		globalSetup: "./scripts/lib/bundle.mjs",
		// Set while threads run, a flag of V8 may crash the process: V8 reads its flags without locks.
		execArgv: ["--expose-gc"],
		// What tsc has made already is loaded by Node itself: through vitest's own transformation each file of tests took three times as long to load.
		server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
		// These guard against hanging and nothing else: on a machine that others use, the slowest tests take minutes.
		testTimeout: 300_000,
		hookTimeout: 300_000,
		expect: { poll: { timeout: 100_000 } },
		projects: [
			{
				extends: true,
				test: {
					name: "pure",
					include: pure,
					exclude: [...configDefaults.exclude, ...mocking, ...long],
					isolate: false,
					maxWorkers: 3,
					sequence: { groupOrder: 0 },
				},
			},
			{
				extends: true,
				test: {
					name: "shared",
					include: shared,
					exclude: [...configDefaults.exclude, ...mocking, ...long],
					isolate: false,
					maxWorkers: 3,
					sequence: { groupOrder: 0 },
				},
			},
			{
				extends: true,
				test: {
					name: "together",
					include: [
						"packages/*/src/**/*.test.ts",
						"bench/src/**/*.test.ts",
						"clients/**/*.test.ts",
						"deploy/**/*.test.ts",
					],
					exclude: [...configDefaults.exclude, ...pure, ...shared, ...mocking, ...alone, ...long],
					maxWorkers: 3,
					sequence: { groupOrder: 0 },
				},
			},
			{
				extends: true,
				test: { name: "mocking", include: mocking, maxWorkers: 3, sequence: { groupOrder: 0 } },
			},
			{
				extends: true,
				test: { name: "alone", include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
			},
		],
	},
});
