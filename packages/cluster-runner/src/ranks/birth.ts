/**
 * What a process of a run is told when it is born: in its environment, or, where others could read that on the way, as a line of JSON on
 * its standard input, which then stays open for as long as the run wants it.
 */
import type { Readable } from "node:stream";
import { launched } from "@stickslip/comm";
import { record, text } from "./schema.js";

export interface Birth {
	readonly hub: string;
	readonly secret: Uint8Array;
	/** Its number among the processes. */
	readonly process: number;
	/** Of the hub, where that is on this machine. */
	readonly hubPid: number | undefined;
	/** What to listen on, where asked for. */
	readonly listen: string | undefined;
	/** The folder for ranks' sockets, where all ranks are on this machine. */
	readonly sockets: string | undefined;
	/** Whether a scheduler's SIGTERM comes to it too (STICKSLIP_ORDERLY): then it asks the hub to end in good order. */
	readonly isScheduled: boolean;
	/** Reached through ssh: its own traffic with other hosts is then to be encrypted, whatever the hub's address looks like. */
	readonly isTunnelled: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined where somebody started the program by hand. */
export function birthOf(env: Environment, isTunnelled: boolean): Birth | undefined {
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

/** A number of its own, the name of the variable that has it, or the launcher's. */
function numberOf(env: Environment): number | undefined {
	const { STICKSLIP_PROCESS: own = "" } = env;
	const text = own === SLURM ? env[SLURM] : own;
	if (text === "") return launched(env)?.rank;
	return /^\d+$/.test(text ?? "") ? Number(text) : undefined;
}

const LINE_MAX = 100_000;
const isTold = record({
	STICKSLIP_HUB: text(LINE_MAX),
	STICKSLIP_HUB_PID: text(LINE_MAX),
	STICKSLIP_KEY: text(LINE_MAX),
	STICKSLIP_PROCESS: text(LINE_MAX),
});

/** The first line, as variables; undefined where there is none, or something else. `ended` is called when no more can come. */
export async function lineOf(input: Readable, ended: () => void): Promise<Environment | undefined> {
	let said = "";
	const line = new Promise<string>((resolve) => {
		input.on("data", (part: Buffer) => {
			if (said.length > LINE_MAX) return;
			said += part.toString();
			if (said.includes("\n")) resolve(said.slice(0, said.indexOf("\n")));
		});
		const over = () => {
			resolve("");
			ended();
		};
		input.on("end", over);
		input.on("error", over);
	});
	try {
		const { STICKSLIP_LISTEN: listen, ...told } = JSON.parse(await line);
		if (!isTold(told) || (listen !== undefined && typeof listen !== "string")) return undefined;
		return { ...told, STICKSLIP_LISTEN: listen };
	} catch {
		// No JSON: nobody who knows this program.
		return undefined;
	}
}
