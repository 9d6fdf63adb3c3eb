/** All that is wrong with a scene, each thing at its path in the file. */
import { InputError } from "@stickslip/core";

export interface Mistake {
	/** As in bodies[3].mass; empty for the whole file. */
	readonly path: string;
	/** Line and column in the file, where they are known. */
	readonly at?: string;
	readonly problem: string;
	readonly remedy: string;
}

/** Mistakes that are listed; a wrong generator makes thousands. */
export const MISTAKES_MAX = 100;

/** Everything that is wrong, a line each; `place`, `problem` and `remedy` are those of the first. */
export class SceneError extends InputError {
	readonly mistakes: readonly Mistake[];

	constructor(source: string, mistakes: readonly Mistake[]) {
		const [first] = mistakes;
		super(
			source,
			first === undefined ? "file" : placeOf(first),
			first?.problem ?? "is not a scene",
			first?.remedy ?? "correct it",
		);
		this.mistakes = mistakes;
		const lines = mistakes.slice(0, MISTAKES_MAX).map((each) => mistakeLine(source, each));
		if (mistakes.length > MISTAKES_MAX) lines.push(`${source}: and ${mistakes.length - MISTAKES_MAX} more mistakes`);
		this.message = lines.join("\n");
	}
}

export function mistakeLine(source: string, mistake: Mistake): string {
	return `${source}: ${placeOf(mistake)}: ${mistake.problem}; ${mistake.remedy}`;
}

function placeOf({ path, at }: Mistake): string {
	if (at === undefined) return path || "file";
	return path === "" ? at : `${path} (${at})`;
}

/** Collects what parts of a scene throw. */
export class MistakeList {
	readonly all: Mistake[] = [];

	add(path: string, problem: string, remedy: string): void {
		this.all.push({ path, problem, remedy });
	}

	/** What it returns, or undefined where it refuses its input; `path` is where places are that it names. */
	collect<Value>(make: () => Value, path = ""): Value | undefined {
		try {
			return make();
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			this.add(path === "" ? dotted(error.place) : `${path}.${error.place}`, error.problem, error.remedy);
			return undefined;
		}
	}

	/** Throws if there is any. */
	refuse(source: string): void {
		if (this.all.length > 0) throw new SceneError(source, this.all);
	}
}

/** A path by slashes (/bodies/3/mass) in the form that scene files use. */
function dotted(place: string): string {
	if (!place.startsWith("/")) return place;
	return place
		.slice(1)
		.replaceAll(/\/(\d+)(?=\/|$)/g, "[$1]")
		.replaceAll("/", ".");
}
