/**
 * A vitest reporter that counts, and that does not let a skipped test pass unseen: each is printed with its reason, and in
 * CI it is a failure, because a test that does not run proves nothing. The one excuse is shared data that is not there, as
 * long as nobody said where it is: then the test's name or reason names STICKSLIP_DATA.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Characters of the reason that is kept of a failed test. */
const REASON_MAX = 300;

/** Whether a skipped test is excused; `told` is its full name and its reason. */
export function excused(told, env) {
	return told.includes("STICKSLIP_DATA") && (env.STICKSLIP_DATA ?? "") === "";
}

/** What counts as a failure of a run, from the tests' states. */
export function tally(tests, env) {
	const skipped = tests.filter((test) => test.state === "skipped");
	const strict = env.CI !== undefined && env.CI !== "" && env.CI !== "false";
	const unexcused = strict ? skipped.filter((test) => !excused(`${test.name} ${test.reason}`, env)) : [];
	const failed = tests.filter((test) => test.state === "failed").length;
	const passed = tests.filter((test) => test.state === "passed").length;
	return { passed, failed: failed + unexcused.length, skipped, unexcused };
}

export default class SkipReporter {
	constructor({ file, env = process.env } = {}) {
		this.file = file;
		this.env = env;
	}

	onTestRunEnd(modules, unhandledErrors = [], reason = "passed") {
		const tests = [];
		let broken = unhandledErrors.length;
		for (const module of modules) {
			// A file that does not load has no tests to fail: it counts as one.
			broken += module.errors().length;
			for (const test of module.children.allTests()) {
				const { state, note = "", errors = [] } = test.result();
				const name = `${module.relativeModuleId} > ${test.fullName}`;
				tests.push({ name, state, reason: state === "failed" ? tail(errors[0]?.message) : note });
			}
			for (const suite of module.children.allSuites()) broken += suite.errors().length;
		}
		const counts = tally(tests, this.env);
		for (const { name, reason } of counts.skipped) console.log(`skipped: ${name}${reason ? ` (${reason})` : ""}`);
		if (counts.unexcused.length > 0) {
			console.log(`${counts.unexcused.length} skipped: in CI that is a failure`);
			process.exitCode = 1;
		}
		if (reason === "interrupted") broken += 1;
		if (this.file === undefined) return;
		mkdirSync(dirname(this.file), { recursive: true });
		const failures = tests.filter(({ state }) => state === "failed");
		const whole = { ...counts, failed: counts.failed + broken, failures };
		writeFileSync(this.file, `${JSON.stringify(whole, null, "\t")}\n`);
	}
}

/** What an assertion expected stands at the end of its message, behind all that a program printed. */
function tail(message = "") {
	const line = message.replaceAll(/\s+/g, " ").trim();
	return line.length <= REASON_MAX ? line : `...${line.slice(-REASON_MAX)}`;
}
