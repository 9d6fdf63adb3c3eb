/** How long a request takes while others send malformed messages, or hold connections that are silent, half open or slow: against quiet times, in turn. */
import { fileURLToPath } from "node:url";
import { type Client, connect } from "@stickslip/client";
import { Bed, pause, type Running, until } from "../testing.js";
import { knownProblems } from "./problems.js";
import { row, type ServeRow } from "./row.js";
import { type ServiceProcess, startServiceProcess } from "./service.js";

export interface StrangersOptions {
	readonly messages: number;
	readonly connections: number;
	readonly contacts: number;
	readonly rounds: number;
	/** Of a quiet and of an attacked time. */
	readonly seconds: number;
	readonly words: readonly string[];
}

const RATIO_MAX = 2;
const script = fileURLToPath(new URL("../../dist/serve/attacker.js", import.meta.url));

export async function strangers(options: StrangersOptions): Promise<ServeRow[]> {
	const bed = new Bed();
	const clients: Client[] = [];
	try {
		const service = await startServiceProcess(bed, ["one", "attacker"], options.words);
		for (const transport of ["zeromq", "websocket"] as const) {
			clients.push(await connect(service.clients.one!, { transport }));
		}
		const rows: ServeRow[] = [];
		for (const kind of ["malformed", "connections"] as const) {
			rows.push(...(await attacked(kind, { ...options, bed, service, clients })));
		}
		return rows;
	} finally {
		for (const client of clients) await client.close();
		await bed.close();
	}
}

interface Scene extends StrangersOptions {
	readonly bed: Bed;
	readonly service: ServiceProcess;
	readonly clients: readonly Client[];
}

async function attacked(kind: "malformed" | "connections", scene: Scene): Promise<ServeRow[]> {
	const { rounds, seconds, clients, contacts, messages, connections } = scene;
	const [known] = knownProblems(1, contacts);
	const ratios: number[] = [];
	const said: string[] = [];
	const all = { quiet: [] as number[], attacked: [] as number[] };
	for (let round = 0; round < rounds; round += 1) {
		const quiet = await times(clients, known!, seconds);
		const attacker = await attack(kind, scene, Math.ceil(messages / rounds), round);
		// Messages come to an end; connections stay until they are told to go.
		const isOver = () => kind === "connections" || attacker.child.exitCode !== null;
		const under = await times(clients, known!, seconds, isOver);
		attacker.child.stdin?.end();
		const { code, out, err } = await attacker.ended;
		if (code !== 0) throw new Error(`the attacker has failed: ${err.trim()}`);
		said.push(out.split("\n")[1] ?? "");
		ratios.push(median(under) / median(quiet));
		all.quiet.push(...quiet);
		all.attacked.push(...under);
	}
	const ratio = median(ratios);
	const what =
		kind === "malformed"
			? `malformed messages, in each of ${rounds} rounds`
			: `${connections} connections at a time, in the last round`;
	return [
		row(kind, what, said.at(-1) ?? ""),
		row(kind, "milliseconds of a request in quiet times, median", median(all.quiet)),
		row(kind, "milliseconds in quiet times, 99 of 100", quantile(all.quiet, 0.99)),
		row(kind, "milliseconds meanwhile, median", median(all.attacked)),
		row(kind, "milliseconds meanwhile, 99 of 100", quantile(all.attacked, 0.99)),
		row(kind, `ratio of medians, least of ${rounds} rounds`, Math.min(...ratios)),
		row(kind, "ratio of medians, most of them", Math.max(...ratios)),
		row(kind, "ratio of medians, median of them", ratio, { text: `at most ${RATIO_MAX}`, isHeld: ratio <= RATIO_MAX }),
	];
}

/** It has begun when it says so; it stops when its standard input ends. */
async function attack(
	kind: string,
	{ bed, service, connections }: Scene,
	messages: number,
	seed: number,
): Promise<Running> {
	const count = kind === "malformed" ? messages : connections;
	const words = [script, kind, service.clients.attacker!, String(count), String(seed)];
	const running = bed.start(process.execPath, words, { input: "open", seconds: 300 });
	await until("the attacker is there", () => running.out() !== "" || running.child.exitCode !== null, { seconds: 60 });
	return running;
}

type Known = ReturnType<typeof knownProblems>[number];

/** Milliseconds of one request after another, over both transports in turn, for so long and until all is over. */
async function times(
	clients: readonly Client[],
	{ problem, hash }: Known,
	seconds: number,
	isOver = () => true,
): Promise<number[]> {
	const found: number[] = [];
	const until = performance.now() + 1000 * seconds;
	const limit = until + 120_000;
	while (performance.now() < limit && (performance.now() < until || !isOver())) {
		for (const client of clients) {
			const began = performance.now();
			const { report } = await client.solve(problem);
			found.push(performance.now() - began);
			if (report.hash !== hash) throw new Error("the service has given another answer");
		}
		await pause(0.002);
	}
	return found;
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

function quantile(values: readonly number[], part: number): number {
	return [...values].sort((one, other) => one - other)[Math.floor(part * values.length)] ?? Number.NaN;
}
