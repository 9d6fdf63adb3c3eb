/**
 * Signals that ask this process to end: Ctrl-C, what schedulers send, and a closed terminal. A process that supervises a run holds them until it exits, so
 * that no signal between two handlers, or after the last, ends it without its exit code.
 */
import { constants } from "node:os";

const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type SignalHandler = (signal: NodeJS.Signals) => void;

/** All of them are called. */
const handlers = new Set<SignalHandler>();
let isHeld = false;
let isListening = false;
/** A signal that arrived without a handler: the next handler gets it. */
let pending: NodeJS.Signals | undefined;

/** From now on until this process has ended. */
export function holdSignals(): void {
	if (!isHeld) process.on("beforeExit", leave);
	isHeld = true;
	listen();
}

/**
 * When nothing is left to do, Node.js removes its handlers and then cleans up for a while, in which a signal would end this process: so it exits without
 * cleaning up.
 */
function leave(): void {
	process.exit();
}

/** Handles signals until the returned function is called. */
export function handleSignals(handler: SignalHandler): () => void {
	handlers.add(handler);
	listen();
	const signal = pending;
	pending = undefined;
	if (signal !== undefined) handler(signal);
	return () => {
		handlers.delete(handler);
		listen();
	};
}

function listen(): void {
	const isNeeded = isHeld || handlers.size > 0;
	if (isNeeded === isListening) return;
	isListening = isNeeded;
	for (const signal of END_SIGNALS) {
		if (isNeeded) process.on(signal, arrived);
		else process.off(signal, arrived);
	}
}

function arrived(signal: NodeJS.Signals): void {
	for (const handler of [...handlers]) handler(signal);
	if (handlers.size > 0) return;
	// The process is ending, or about to handle signals again; who asks twice does not wait for that. A terminal is closed once, even if it is reported again.
	if (pending !== undefined && signal !== "SIGHUP") process.exit(process.exitCode ?? 128 + constants.signals[signal]);
	pending ??= signal;
}
