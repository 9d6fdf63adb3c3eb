/**
 * Methods that keep U fresh and declare what they are between two iterations, numbers in `numbers` and vectors in `vectors`: saving and going on
 * is written once, here.
 */
import type { Vector } from "../kernels/arena.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import { Sums } from "../sums/sums.js";
import type { System } from "../system/system.js";
import type { Method, MethodState } from "./method.js";

export abstract class DeclaredMethod<Numbers extends Record<string, number>> implements Method {
	readonly name: string;
	exhausted = false;
	readonly remedies: readonly string[] = [];
	readonly velocityFresh = true;
	/** Unknown to the method: U is fresh, so the run measures every iteration and asks for no estimate. */
	readonly error = Number.POSITIVE_INFINITY;
	products = 0;
	protected readonly system: System;
	protected readonly sums: Sums;
	/** What counts between two iterations, besides R and what follows from it. */
	protected readonly numbers: Numbers;
	protected readonly vectors: Readonly<Record<string, Vector>>;

	/** `width` sums are taken at once, at most. */
	constructor(
		name: string,
		system: System,
		numbers: Numbers,
		vectors: Readonly<Record<string, Vector>>,
		width: number,
	) {
		this.name = name;
		this.system = system;
		this.sums = new Sums(system.arena, system.reducer, width);
		this.numbers = numbers;
		this.vectors = vectors;
	}

	get state(): MethodState {
		return { scalars: { name: this.name, ...this.numbers }, vectors: this.vectors };
	}

	start(): void {
		this.begin();
		this.refresh();
	}

	resume(from: SavedRecord, vectors: SavedSpace): void {
		from.word("name", [this.name]);
		const numbers: Record<string, number> = this.numbers;
		for (const name of Object.keys(numbers)) numbers[name] = from.number(name);
		for (const [name, { values }] of Object.entries(this.vectors)) vectors.vector(name, 3, values);
		this.refresh();
	}

	abstract iterate(): void;

	/** Numbers and vectors of a method that begins at R. */
	protected abstract begin(): void;

	/** What follows from R, U first. */
	protected refresh(): void {
		this.system.velocity(this.system.r, this.system.u);
	}

	/** U = W R + q, counted. */
	protected product(): void {
		const { r, u } = this.system;
		this.system.velocity(r, u);
		this.products += 1;
	}

	/** f = F(U), of the system's U or another. */
	protected law(f: Vector, u: Vector = this.system.u): void {
		this.system.cones.velocity(u, f);
	}

	/** r = proj_K(x - rho f). */
	protected project(x: Vector, rho: number, f: Vector, r: Vector): void {
		const { arena, length } = this.system;
		arena.kernels.copy(x.at, r.at, length);
		this.system.addProjected(-rho, f, r);
	}

	protected copy(from: Vector, to: Vector): void {
		this.system.arena.kernels.copy(from.at, to.at, this.system.length);
	}

	/** z = x - y. */
	protected subtract(x: Vector, y: Vector, z: Vector): void {
		this.system.arena.kernels.subtract(x.at, y.at, z.at, this.system.length);
	}

	/** Adds x . y to the sums of the next reduction. */
	protected addDot(x: Vector, y: Vector): void {
		this.sums.dots(x.at, 0, 0, 0, y.at, this.system.length);
	}
}
