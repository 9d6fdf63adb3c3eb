import { configDefaults, defineConfig } from "vitest/config";

/**
 * These start ranks of MPI, which spin on the cores that they are bound to, many more ranks than there are cores, or allow seconds
 * for what a busy machine takes longer for: one at a time, after the others. Those wait for a third of the time: three at a time.
 */
const alone = ["packages/comm/src/mpi/*.test.ts", "packages/cluster-runner/src/cli-{faults,ranks}.test.ts"];

/** Minutes each: `npm test -- --thorough` runs them. */
const long = process.env.STICKSLIP_THOROUGH === "1" ? [] : ["**/*.thorough.test.ts"];

export default defineConfig({
	test: {
		reporters: ["default", ["./scripts/lib/skips.mjs", { file: "out/vitest-summary.json" }]],
		globalSetup: "./scripts/lib/bundle.mjs",
		testTimeout: 60_000,
		hookTimeout: 60_000,
		projects: [
			{
				extends: true,
				test: {
					name: "together",
					include: [
						"packages/*/src/**/*.test.ts",
						"bench/src/**/*.test.ts",
						"clients/**/*.test.ts",
						"deploy/**/*.test.ts",
						"tidy/**/*.test.ts",
					],
					exclude: [...configDefaults.exclude, ...alone, ...long],
					maxWorkers: 3,
					sequence: { groupOrder: 0 },
				},
			},
			{
				extends: true,
				test: { name: "alone", include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
			},
		],
	},
});
