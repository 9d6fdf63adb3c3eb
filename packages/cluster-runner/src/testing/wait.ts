/** Waiting in tests: for a condition, and never without a limit. */

/** Limit of waits, which only guards against hanging: a slow machine is no failure. Below the 120 s after which a rank gives up a silent hub. */
export const WATCHDOG_SECONDS = 100;

export const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** Throws when it does not hold in time; `what` says what was waited for. */
export async function until(
	what: string,
	holds: () => boolean | Promise<boolean>,
	{ seconds = WATCHDOG_SECONDS, every = 0.02 }: { readonly seconds?: number; readonly every?: number } = {},
): Promise<void> {
	const end = performance.now() + 1000 * seconds;
	while (!(await holds())) {
		if (performance.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
		await pause(every);
	}
}
