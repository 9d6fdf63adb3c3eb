/**
 * The bootstrap of a process of a run: its parameters in the environment, or, if others could read that, as a line of JSON on its
 * standard input, which then stays open as long as the run needs the process.
 */
import type { Readable } from "node:stream";
import { launched } from "@stickslip/comm";
import { record, text } from "@stickslip/core/schema";

export interface Bootstrap {
	readonly hub: string;
	readonly secret: Uint8Array;
	/** Its number among the processes. */
	readonly process: number;
	/** Process id of the hub, if it is on this machine. */
	readonly hubPid: number | undefined;
	/** The value of --listen, if given. */
	readonly listen: string | undefined;
	/** The folder for ranks' sockets, where all ranks are on this machine. */
	readonly sockets: string | undefined;
	/** Whether it gets a scheduler's SIGTERM too (STICKSLIP_ORDERLY): then it requests an orderly stop from the hub. */
	readonly isScheduled: boolean;
	/** Reached through ssh: its own traffic with other hosts is then to be encrypted, whatever the hub's address looks like. */
	readonly isTunnelled: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined if the program was started by hand. */
export function bootstrapOf(env: Environment, isTunnelled: boolean): Bootstrap | undefined {
	const { STICKSLIP_HUB: hub, STICKSLIP_KEY: secret, STICKSLIP_HUB_PID: pid, STICKSLIP_LISTEN: listen } = env;
	const { STICKSLIP_SOCKETS: sockets = "" } = env;
	const isHere = /^\d+$/.test(pid ?? "") && sockets !== "";
	const process = numberOf(env);
	if (hub === undefined || !/^[0-9a-f]{64}$/.test(secret ?? "") || process === undefined) return undefined;
	return {
		hub,
		secret: Buffer.from(secret ?? "", "hex"),
		process,
		hubPid: /^\d+$/.test(pid ?? "") ? Number(pid) : undefined,
		listen: listen === "" ? undefined : listen,
		sockets: isHere ? sockets : undefined,
		isScheduled: env.STICKSLIP_ORDERLY === "1",
		isTunnelled,
	};
}

const SLURM = "SLURM_PROCID";

/** Its number, the name of the variable with it, or the rank set by the launcher. */
function numberOf(env: Environment): number | undefined {
	const { STICKSLIP_PROCESS: own = "" } = env;
	const text = own === SLURM ? env[SLURM] : own;
	if (text === "") return launched(env)?.rank;
	return /^\d+$/.test(text ?? "") ? Number(text) : undefined;
}

const LINE_MAX = 100_000;
const isBootstrap = record({
	STICKSLIP_HUB: text(LINE_MAX),
	STICKSLIP_HUB_PID: text(LINE_MAX),
	STICKSLIP_KEY: text(LINE_MAX),
	STICKSLIP_PROCESS: text(LINE_MAX),
});

/** The first line, as variables; undefined if there is none, or it is not valid. `ended` is called at the end of the input. */
export async function readBootstrap(input: Readable, ended: () => void): Promise<Environment | undefined> {
	let received = "";
	const line = new Promise<string>((resolve) => {
		input.on("data", (part: Buffer) => {
			if (received.length > LINE_MAX) return;
			received += part.toString();
			if (received.includes("\n")) resolve(received.slice(0, received.indexOf("\n")));
		});
		const onEnd = () => {
			resolve("");
			ended();
		};
		input.on("end", onEnd);
		input.on("error", onEnd);
	});
	try {
		const { STICKSLIP_LISTEN: listen, ...variables } = JSON.parse(await line);
		if (!isBootstrap(variables) || (listen !== undefined && typeof listen !== "string")) return undefined;
		return { ...variables, STICKSLIP_LISTEN: listen };
	} catch {
		// Not JSON: the sender is another program.
		return undefined;
	}
}
