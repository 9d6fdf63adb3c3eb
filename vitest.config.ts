import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["packages/*/src/**/*.test.ts", "bench/src/**/*.test.ts", "tidy/**/*.test.ts"],
		reporters: ["default", ["./scripts/lib/skips.mjs", { file: "out/vitest-summary.json" }]],
		testTimeout: 30_000,
		hookTimeout: 60_000,
	},
});
