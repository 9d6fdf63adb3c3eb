/**
 * Anderson mixing that is not trusted blindly: a mixed step that is too long is taken back, and mixing that only cycles is given up. gauss-seidel has
 * the same rules.
 */
import type { Vector } from "../kernels/arena.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import { Anderson, andersonVectors, carriedVectors } from "./anderson.js";
import type { MethodState } from "./method.js";

/** A mixed step may be this much longer than the one before it. */
const GROWTH_MAX = 1.2;
/** Steps after which mixing is given up where it has not brought their length below this share of the least. */
const PATIENCE = 100;
const GAIN = 0.9;

export class Mixing {
	/** A sentence for the report where mixing was given up. */
	readonly remedies: string[] = [];
	readonly #anderson: Anderson;
	/** The last square, the least length to fall below, steps since it was, and whether it still mixes (1). */
	readonly #numbers = { lastSquare: 0, mark: 0, since: 0, mixes: 1 };

	/** `carries`: whether what belongs to a point, such as its U, is mixed with it. */
	constructor(system: System, window: number, carries: boolean) {
		const carried = carries ? system.vectors(carriedVectors(window)) : [];
		this.#anderson = new Anderson(system, window, system.vectors(andersonVectors(window)), carried);
	}

	get mixes(): boolean {
		return this.#numbers.mixes === 1;
	}

	start(): void {
		const { POSITIVE_INFINITY } = Number;
		Object.assign(this.#numbers, { lastSquare: POSITIVE_INFINITY, mark: POSITIVE_INFINITY, since: 0, mixes: 1 });
		this.#anderson.clear();
		this.remedies.length = 0;
	}

	/** The next step is another map's. */
	forget(): void {
		this.#anderson.clear();
		this.#numbers.lastSquare = Number.POSITIVE_INFINITY;
	}

	/** Mixes the point taken last, and what belongs to it, with those before. */
	mix(r: Vector, u?: Vector): void {
		if (this.mixes) this.#anderson.mix(r, u);
	}

	/** Takes in g = g(y) with its u, while it mixes; false where `back`, with u, went back to the last plain point instead. */
	take(y: Vector, g: Vector, u?: Vector, back: Vector = g): boolean {
		const anderson = this.#anderson;
		if (!this.mixes) return true;
		const isMixed = anderson.mixes;
		const square = anderson.offer(y, g);
		if (isMixed && !(square <= GROWTH_MAX * GROWTH_MAX * this.#numbers.lastSquare)) {
			anderson.reject(back, u);
			this.#numbers.lastSquare = Number.POSITIVE_INFINITY;
			return false;
		}
		anderson.accept(g, u);
		this.#note(square);
		return true;
	}

	#note(square: number): void {
		const numbers = this.#numbers;
		numbers.lastSquare = square;
		numbers.since += 1;
		const length = Math.sqrt(square);
		if (length <= GAIN * numbers.mark) {
			numbers.mark = length;
			numbers.since = 0;
		}
		if (numbers.since < PATIENCE) return;
		numbers.mixes = 0;
		this.#anderson.clear();
		this.remedies.push(`${PATIENCE} iterations without a shorter step: Anderson acceleration switched off`);
	}

	get state(): MethodState {
		const { scalars, vectors } = this.#anderson.state;
		return { scalars: { ...this.#numbers, remedies: [...this.remedies], window: scalars }, vectors };
	}

	/** g is the point taken last, u what belongs to it. */
	resume(from: SavedRecord, vectors: SavedSpace, g: Vector, u?: Vector): void {
		const numbers: Record<string, number> = this.#numbers;
		for (const name of Object.keys(numbers)) numbers[name] = from.number(name);
		this.remedies.splice(0, this.remedies.length, ...from.texts("remedies"));
		this.#anderson.clear();
		const window = from.record("window");
		this.#anderson.resume(window, vectors, g, u);
		window.end();
	}
}
