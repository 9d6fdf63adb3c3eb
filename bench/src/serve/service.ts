/** A service as a process of its own, and what it uses of the system. */
import { join } from "node:path";
import { program } from "../launch/subject.js";
import { type Bed, type Running, until } from "../testing.js";
import { family, type ResourceUse, resourceUse } from "../warm/resource-use.js";

export interface ServiceProcess {
	readonly running: Running;
	readonly zeromq: string;
	readonly websocket: string;
	/** Connection files by name. */
	readonly clients: Readonly<Record<string, string>>;
	/** Its process and those of its ranks. */
	pids(): number[];
	use(): ResourceUse;
}

const READY_SECONDS = 60;

export async function startServiceProcess(
	bed: Bed,
	names: readonly string[],
	more: readonly string[],
): Promise<ServiceProcess> {
	const places = ["--listen", "tcp://127.0.0.1:0", "--websocket", "127.0.0.1:0", "--keys", join(bed.folder, "keys")];
	const words = ["serve", "--json", ...places, ...names.flatMap((name) => ["--client", name]), ...more];
	const running = bed.start(process.execPath, [program, ...words]);
	const isOver = () => running.child.exitCode !== null;
	await until("the service is up", () => running.out().includes("\n") || isOver(), { seconds: READY_SECONDS });
	if (isOver()) throw new Error(`the service has ended: ${running.err().trim()}`);
	const { zeromq, websocket, clients } = JSON.parse(running.out());
	const pids = () => family(running.pid);
	return { running, zeromq, websocket, clients, pids, use: () => resourceUse(running.pid) };
}
