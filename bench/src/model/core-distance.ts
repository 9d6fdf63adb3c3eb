/**
 * How far the first two cores are from each other: nanoseconds of a word there and back. A virtual machine's cores are moved about by its host, between
 * cores that share a cache and cores that do not, and whatever ranks tell each other takes several times as long then.
 */
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { cores, pin } from "@stickslip/comm";

const ROUNDS = 2000;
const WINDOWS = 30;
/** Words of 4 bytes, so that the two that are written lie in cache lines of their own. */
const WORDS = 64;
const [THERE, BACK] = [0, 32] as const;

interface Player {
	readonly words: Int32Array;
	readonly core: number;
	readonly isFirst: boolean;
}

/** Undefined where there is one core. */
export async function coreRoundTrip(): Promise<number | undefined> {
	const [one, two] = cores();
	if (one === undefined || two === undefined) return undefined;
	const words = new Int32Array(new SharedArrayBuffer(4 * WORDS));
	const players = [one, two].map((core, i) => {
		const player: Player = { words, core, isFirst: i === 0 };
		return new Worker(new URL(import.meta.url), { workerData: player });
	});
	const [milliseconds] = (await once(players[0]!, "message")) as [number];
	await Promise.all(players.map((player) => player.terminate()));
	return 1e6 * milliseconds;
}

/** Milliseconds of a round, of the fastest window. */
function play({ words, isFirst }: Player): number {
	const [own, other] = isFirst ? [THERE, BACK] : [BACK, THERE];
	let least = Number.POSITIVE_INFINITY;
	let round = 0;
	for (let window = 0; window < WINDOWS; window += 1) {
		const begun = performance.now();
		for (let end = round + ROUNDS; round < end; ) {
			round += 1;
			if (isFirst) Atomics.store(words, own, round);
			while (Atomics.load(words, other) !== round);
			if (!isFirst) Atomics.store(words, own, round);
		}
		least = Math.min(least, (performance.now() - begun) / ROUNDS);
	}
	return least;
}

if (!isMainThread) {
	const player = workerData as Player;
	pin(player.core);
	const least = play(player);
	if (player.isFirst) parentPort?.postMessage(least);
}
