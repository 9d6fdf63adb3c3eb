/**
 * A network of long lines between hosts: packets arrive some time after they were sent, each way. It shares the machine's cores with the measured processes, so it
 * reports its processor time.
 */
import { fileURLToPath } from "node:url";
import type { Bed } from "./bed.js";
import type { Host } from "./hosts.js";
import { until } from "./wait.js";

const program = fileURLToPath(new URL("../../dist/testing/relay-process.js", import.meta.url));

export interface RelayTask {
	readonly device: string;
	readonly ends: readonly { readonly namespace: string; readonly address: string }[];
	/** Each way. */
	readonly delayMs: number;
	readonly mtu: number;
}

export interface RelayCount {
	readonly packets: number;
	readonly bytes: number;
	/** Lost packets: while the line was cut, and when too many were in transit. */
	readonly lost: number;
	/** Twice the mean delay, without that of the hosts. */
	readonly roundTripMs: number;
	readonly delayMaxMs: number;
	readonly cpuSeconds: number;
}

export interface Relay {
	/** Of the hosts on these lines. */
	readonly addresses: readonly string[];
	/** From now on all packets of all lines are lost. */
	cut(): void;
	restore(): void;
	/** Since its start. */
	count(): Promise<RelayCount>;
}

export interface RelayOptions {
	readonly delayMs: number;
	/** Default 9000 bytes, as clusters have it. */
	readonly mtu?: number;
}

let relays = 0;

/** Beside the network that they may have. */
export async function openRelay(bed: Bed, ends: readonly Host[], options: RelayOptions): Promise<Relay> {
	relays += 1;
	const addresses = ends.map((_, index) => `10.99.${relays}.${index + 1}`);
	const task: RelayTask = {
		device: `line${relays}`,
		ends: ends.map(({ namespace }, index) => ({ namespace, address: addresses[index] ?? "" })),
		delayMs: options.delayMs,
		mtu: options.mtu ?? 9000,
	};
	const running = bed.start(process.execPath, [program, JSON.stringify(task)], { input: "open" });
	const events = async (before: string, what: string): Promise<string> => {
		await until(what, () => {
			if (running.child.exitCode !== null) throw new Error(`the relay ended: ${running.err()}`);
			return running.out().length > before.length && running.out().endsWith("\n");
		});
		return running.out().slice(before.length);
	};
	const say = (word: string) => void running.child.stdin?.write(`${word}\n`);
	await events("", "the relay is open");
	return {
		addresses,
		cut: () => say("cut"),
		restore: () => say("restore"),
		count: async () => {
			const before = running.out();
			say("tell");
			return JSON.parse(await events(before, "the relay tells its numbers"));
		},
	};
}
