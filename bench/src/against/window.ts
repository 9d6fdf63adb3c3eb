/** Short windows of one side: as many calls as fill one, and the milliseconds of one call. */

export type Clock = () => number;

/** Milliseconds of processorClock time of this process: what other programs do in the meantime is not in it. */
export const processorClock: Clock = () => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
};

/** Milliseconds of time: for what waits for other threads and processes. */
export const wallClock: Clock = () => performance.now();

const WINDOW_MS = 40;
/** Calls before the first window, so that compiled code is what is measured. */
const WARM_UP_MS = 300;

/** The number of calls is chosen at the first window, after a warm-up. */
export function windowOf(body: () => unknown, clock: Clock, windowMs = WINDOW_MS): () => Promise<number> {
	let count = 0;
	const run = async (times: number): Promise<number> => {
		const started = clock();
		for (let k = 0; k < times; k += 1) {
			const result = body();
			// Awaited only where it has to be: a turn of the event loop costs more than a small product.
			if (result instanceof Promise) await result;
		}
		return clock() - started;
	};
	return async () => {
		if (count === 0) {
			let [calls, spent] = [0, 0];
			for (let times = 1; calls === 0 || spent < (windowMs > 0 ? WARM_UP_MS : 0); times *= 2) {
				spent += await run(times);
				calls += times;
			}
			count = Math.max(1, Math.round((windowMs * calls) / Math.max(spent, 1e-3)));
		}
		return (await run(count)) / count;
	};
}
