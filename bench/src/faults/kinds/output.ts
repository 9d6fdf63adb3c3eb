/**
 * The folder of --output is taken away, is something else, or takes nothing any more, in the middle of a run; given back in time, or not. The
 * answer is in the file then, or in another whose name was told, or the run can be gone on with.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashIn } from "../../data.js";
import { pause, type SmallDisk } from "../../testing.js";
import { type Act, ANSWER_SECONDS, type FaultKind, type Scene } from "../kind.js";

const WAYS_TO_GO = ["removed", "moved away", "a file", "full"] as const;
const BACK_SECONDS = 1;

export const output: FaultKind = {
	ways: ["local", "ssh", "openmpi", "mpich", "slurm"],
	open: (scene) => new LostOutput(scene),
};

class LostOutput implements Act {
	readonly isLasting = true;
	readonly namedSeconds = ANSWER_SECONDS;
	/** The answer is elsewhere, and the run is kept: `resume` writes it where it was wanted. */
	readonly code = 2;
	readonly named = /^stickslip: .*(answers|answer\.hdf5)/m;
	readonly #disk: SmallDisk;
	readonly #folder: string;
	readonly #how: (typeof WAYS_TO_GO)[number];
	readonly #isGivenBack: boolean;

	constructor({ disks, line, random }: Scene) {
		this.#disk = disks.answers;
		this.#folder = join(this.#disk.folder, "answers");
		this.#how = WAYS_TO_GO[random.below(WAYS_TO_GO.length)]!;
		this.#isGivenBack = random.below(4) === 0;
		mkdirSync(this.#folder);
		line.push("--output", this.#file);
	}

	get #file(): string {
		return join(this.#folder, "answer.hdf5");
	}

	async strike(): Promise<string> {
		if (this.#how === "full") this.#disk.fill();
		else if (this.#how === "moved away") renameSync(this.#folder, `${this.#folder}-away`);
		else rmSync(this.#folder, { recursive: true });
		if (this.#how === "a file") writeFileSync(this.#folder, "in the way\n");
		if (this.#isGivenBack) {
			await pause(BACK_SECONDS);
			this.mend();
		}
		return `the output folder, ${this.#how}${this.#isGivenBack ? ", given back" : ""}`;
	}

	mend(): void {
		this.#disk.free();
		if (this.#how === "moved away" && !existsSync(this.#folder)) renameSync(`${this.#folder}-away`, this.#folder);
		if (this.#how === "a file") rmSync(this.#folder, { force: true, recursive: true });
		mkdirSync(this.#folder, { recursive: true });
	}

	/** Where it was wanted, or where a line says that it is. */
	async check(hash: string, said: string): Promise<readonly string[]> {
		const told = [...said.matchAll(/\/\S+?\.hdf5/g)].map(([path]) => path);
		for (const path of [this.#file, ...told]) if (existsSync(path) && (await hashIn(path)) === hash) return [];
		return [`the answer is in no file: ${said.trim()}`];
	}
}
