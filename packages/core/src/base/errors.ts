/**
 * Bad input, told in one line: where it was found, what is wrong, and what to do about it.
 * Numerical outcomes are never errors (they are statuses in the report), and programmer errors are assertions.
 */
export class InputError extends Error {
	override readonly name = "InputError";

	constructor(
		/** What was being read: a file's name, or "problem" and "options" for values that came through the library. */
		readonly source: string,
		/** The place inside the source: a dataset's path, an option's name, an index; empty for the source as a whole. */
		readonly place: string,
		/** What is wrong there. */
		readonly problem: string,
		/** What the reader can do. */
		readonly remedy: string,
	) {
		super(`${source}${place === "" ? "" : `: ${place}`}: ${problem}; ${remedy}`);
	}

	/** The same error, told of another source: a reader of bytes does not know the file's name, its caller does. */
	from(source: string): InputError {
		return new InputError(source, this.place, this.problem, this.remedy);
	}
}

const GIB = 2 ** 30;
/** What 32-bit addresses reach. */
const RANK_BYTES = 4 * GIB;

/** Thrown when a problem needs more memory than one rank addresses. */
export class MemoryLimitError extends Error {
	override readonly name = "MemoryLimitError";

	constructor(
		readonly bytesNeeded: number,
		/** Less than a rank addresses where the system did not let it reserve that much. */
		bytesThere = RANK_BYTES,
	) {
		const ranks = Math.ceil(bytesNeeded / (0.9 * RANK_BYTES));
		super(
			bytesThere < RANK_BYTES
				? `needs ${mebibytes(bytesNeeded)} of memory but has ${mebibytes(bytesThere)}, and addresses are limited (ulimit -v); raise the limit, or use more processes`
				: `needs ${(bytesNeeded / GIB).toFixed(1)} GiB but one rank addresses 4 GiB; use at least ${ranks} ranks`,
		);
	}
}

function mebibytes(bytes: number): string {
	return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}

/** A condition that only a mistake in this program can break. */
export function assert(condition: boolean, message: string): asserts condition {
	if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** A rank is gone, late, or threw: all ranks end with this, and it names the one that was the cause. */
export class RankError extends Error {
	override readonly name = "RankError";
	/** The rank that failed; -1 where it cannot be told. */
	readonly rank: number;

	constructor(rank: number, problem: string) {
		super(rank < 0 ? problem : `rank ${rank} ${problem}`);
		this.rank = rank;
	}
}
