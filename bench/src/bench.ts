/** The interface of a bench, and how benches are found by name and run. */

export interface Bench {
	/** As on the command line, and the name of what it records. */
	readonly name: string;
	/** One line: what is measured, against what. */
	readonly what: string;
	/** Prints its numbers and records them; returns the exit code if it is not 0 (a target that was not reached). */
	run(args: readonly string[]): Promise<number | undefined> | number | undefined;
}

/** Runs the bench that the first argument names. Exit codes as the command line's: 2 for bad use. */
export async function dispatch(
	benches: readonly Bench[],
	args: readonly string[],
	print: (line: string) => void,
): Promise<number> {
	const [first, ...rest] = args;
	// Not a measurement of one thing, but of two revisions.
	const name = first === "--against" ? "against" : first;
	if (name === undefined || name === "--help") {
		print(`npm run bench -- NAME [arguments]\n\n${list(benches)}`);
		return name === undefined ? 2 : 0;
	}
	const bench = benches.find((candidate) => candidate.name === name);
	if (bench === undefined) {
		print(`unknown bench ${name}; choose one of:\n${list(benches)}`);
		return 2;
	}
	return (await bench.run(rest)) ?? 0;
}

function list(benches: readonly Bench[]): string {
	if (benches.length === 0) return "  (none yet)";
	return benches.map(({ name, what }) => `  ${name.padEnd(12)}${what}`).join("\n");
}
