/** `stickslip study calibrate`: measures the constants of this machine, and keeps them in a file. */
import { existsSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { cores } from "@stickslip/comm";
import { version } from "@stickslip/core";
import { three } from "../base/format.js";
import type { ExitCode, Terminal } from "../cli/command.js";
import { writeWhole } from "../files/write.js";
import type { CalibrateRequest } from "../requests/model-request.js";
import { type LineOptions, lackOf, measureLine } from "./calibrate-lines.js";
import { measureTogether, measureWork } from "./calibrate-work.js";
import { type LineCosts, messageSeconds } from "./line-costs.js";
import type { MeasuredLine } from "./line-fit.js";
import { type Machine, readMachine } from "./machine.js";

const GIB = 2 ** 30;
const MICRO = 1e6;
const NANO = 1e9;

export async function calibrate(request: CalibrateRequest, terminal: Terminal): Promise<ExitCode> {
	const { output, methods, transports, contacts, repeats, seconds, windowMs } = request;
	const count = Math.max(1, cores().length);
	const progress = (what: string) => terminal.passing(what);
	const before = request.adds && existsSync(output) ? readMachine(output) : undefined;
	const lines: Record<string, LineCosts> = { ...before?.lines };
	const measured: Record<string, MeasuredLine> = { ...before?.measured };
	const options: LineOptions = { seconds, windowMs, cores: count };
	for (const name of transports) {
		const lack = lackOf(name);
		if (lack !== undefined) {
			terminal.err(`stickslip: ${name} is left out: ${lack}`);
			continue;
		}
		progress(`transport ${name}`);
		const found = await measureLine(name, options);
		lines[name] = found.costs;
		measured[name] = found.measured;
	}
	const others = <Row extends { readonly method: string }>(rows: readonly Row[] = []) =>
		rows.filter(({ method }) => !methods.includes(method));
	const workOptions = { methods, contacts, repeats: { least: repeats, seconds } };
	const machine: Machine = {
		kind: "machine",
		version,
		date: new Date().toISOString(),
		node: process.versions.node,
		processor: cpus()[0]?.model.trim() ?? "unknown",
		cores: count,
		memoryGiB: Math.round(totalmem() / GIB),
		work: [...others(before?.work), ...measureWork(workOptions, progress)],
		together: [...others(before?.together), ...(count > 1 ? await measureTogether(workOptions, count, progress) : [])],
		lines,
		measured,
	};
	progress("");
	writeWhole(output, `${JSON.stringify(machine, undefined, "\t")}\n`);
	for (const line of describeMachine(machine)) terminal.out(line);
	return 0;
}

/** Of two ranks: what an exchange of one block and a reduction of five numbers take; and nanoseconds of work. */
function describeMachine({ lines, work, together }: Machine): string[] {
	const transports = Object.entries(lines).map(([name, { begin, finish, within, reduction }]) => {
		const ends = begin.exchange + messageSeconds(begin, 1) + finish.exchange + messageSeconds(finish, 1);
		const [core, way] = [three(MICRO * ends), three(MICRO * within.latency)];
		return `${name}: an exchange takes a core ${core} us and is ${way} us on its way; a step of a reduction ${three(MICRO * reduction.step)} us`;
	});
	const tables = work.flatMap(({ method, points }) =>
		points.map((point) => {
			const each = (["product", "sweep", "triangle", "local"] as const)
				.filter((kind) => point[kind] > 0)
				.map((kind) => `${kind} ${three((NANO * point[kind]) / point.contacts)}`);
			return `${method}, ${point.contacts} contacts: ${each.join(", ")} ns per contact`;
		}),
	);
	const ratios = together.map(
		({ method, contacts, ratio }) => `all cores at once, ${method}, ${contacts} contacts each: ${three(ratio)} times`,
	);
	return [...transports, ...tables, ...ratios];
}
