/**
 * A vitest reporter that names the exit code and the signal of each process of tests that ends before its time: vitest itself only reports that one
 * exited unexpectedly. A segmentation fault, a kill and an exit have different causes.
 */
import { subscribe } from "node:diagnostics_channel";

/** The program that vitest starts for each process of tests. */
const PROGRAM = /vitest[\\/]dist[\\/]workers[\\/]forks\.js$/;

/** Signals by which vitest itself stops a process of tests. */
const STOPS = [null, "SIGTERM", "SIGKILL"];

/**
 * The report for a process of tests that vitest has not stopped itself; undefined for all others.
 * @param {{ pid?: number, killed: boolean, spawnargs?: string[] }} child
 * @param {number | null} code
 * @param {string | null} signal
 * @param {Iterable<string>} underWay
 */
export function report({ pid, killed, spawnargs = [] }, code, signal, underWay) {
	if (!spawnargs.some((argument) => PROGRAM.test(argument))) return undefined;
	if (killed && STOPS.includes(signal)) return undefined;
	const cause = signal === null ? `exit code ${code}` : `signal ${signal}`;
	return `lost process: ${pid} ended with ${cause} while these files were under way: ${[...underWay].join(" ")}`;
}

export default class ExitReporter {
	#underWay = new Set();

	onInit() {
		subscribe("child_process", ({ process }) => {
			process.once("exit", (code, signal) => {
				const line = report(process, code, signal, this.#underWay);
				if (line !== undefined) console.log(line);
			});
		});
	}

	onTestModuleStart({ relativeModuleId }) {
		this.#underWay.add(relativeModuleId);
	}

	onTestModuleEnd({ relativeModuleId }) {
		this.#underWay.delete(relativeModuleId);
	}
}
