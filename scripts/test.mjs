/**
 * `npm test [-- arguments of vitest]`: installs and builds where needed, lints, type-checks, tests. A step that fails does
 * not hide the next one. In CI a skipped test is a failure (scripts/lib/skips.mjs says which are excused).
 *
 * `npm test -- --thorough` repeats what is random, or large, as often as there is time for at night.
 *
 * The counts of all steps go to out/test-summary.json, where .ci/run finds them.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile, main, root, runTool, setup } from "./lib/setup.mjs";

/** Biome colours every character by itself, terminal or not. */
const plain = process.stdout.isTTY ? [] : ["--colors=off"];
const out = join(root, "out");
const summary = join(out, "test-summary.json");
const vitestSummary = join(out, "vitest-summary.json");

main((args) => {
	const isThorough = args.includes("--thorough");
	const words = args.filter((word) => word !== "--thorough");
	mkdirSync(out, { recursive: true });
	rmSync(summary, { force: true });
	rmSync(vitestSummary, { force: true });
	const steps = [
		step("build", () => attempt(setup)),
		step("lint and format", () => runTool("@biomejs/biome/bin/biome", ["ci", "--error-on-warnings", ...plain, "."])),
		step("types of the tests", () => compile("tsconfig.tests.json")),
		step("tests", () =>
			runTool("vitest/vitest.mjs", ["run", ...words], { env: isThorough ? { STICKSLIP_THOROUGH: "1" } : {} }),
		),
	];
	const counts = count(steps);
	writeFileSync(summary, `${JSON.stringify(counts)}\n`);
	console.log(`\n${steps.map(({ name, code }) => `${code === 0 ? "passed" : "FAILED"}  ${name}`).join("\n")}`);
	for (const { name, reason } of counts.failures) console.log(`FAILED  ${name}: ${reason}`);
	console.log(`${counts.passed} passed, ${counts.failed} failed`);
	return counts.failed === 0 ? 0 : 1;
});

function step(name, work) {
	console.log(`\n== ${name}`);
	return { name, code: work() };
}

/** A build that fails is told and counted, and lint and tests still run where there is something to run them with. */
function attempt(work) {
	try {
		work();
		return 0;
	} catch (error) {
		if (!existsSync(join(root, "node_modules", "vitest"))) throw error;
		console.error(error instanceof Error ? error.message : error);
		return 1;
	}
}

/** Tests one by one, other steps as one each; a run of the tests that died before its end is one failure more. */
function count(steps) {
	const none = { passed: 0, failed: 0, failures: [] };
	const tests = existsSync(vitestSummary) ? JSON.parse(readFileSync(vitestSummary, "utf8")) : none;
	for (const { name, code } of steps) {
		if (name !== "tests") tests[code === 0 ? "passed" : "failed"] += 1;
		else if (code !== 0 && tests.failed === 0) tests.failed += 1;
	}
	return { passed: tests.passed, failed: tests.failed, failures: tests.failures };
}
