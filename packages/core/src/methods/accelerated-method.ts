/**
 * Methods that are a map, R = g(Y) from Y and U(Y) alone, accelerated by Anderson mixing where there is a window:
 *
 *     Y = mix of the last points (Y = R where there is nothing to mix),  U(Y) by the same weights: W is linear, no product
 *     R = g(Y),  U(R): what the map costs without a window
 *     |R - Y| > 1.2 |R_last - Y_last| after a mix: back to the last R, empty the window
 *     |R - Y| has no new least in 100 iterations: mixing only makes them cycle; go on without it
 *
 * The safeguards are those of gauss-seidel. Y need not be in K, R is.
 */
import type { Vector } from "../kernels/arena.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import { Anderson, andersonVectors, carriedVectors } from "./anderson.js";
import { DeclaredMethod } from "./declared-method.js";
import type { MethodState } from "./method.js";

/** A mixed step may be this much longer than the one before it. */
const GROWTH_MAX = 1.2;
/** Iterations after which mixing is given up where it has not brought |R - Y| below this share of its least. */
const MIX_PATIENCE = 100;
const MIX_GAIN = 0.9;

interface Acceleration {
	readonly anderson: Anderson;
	readonly y: Vector;
	readonly uY: Vector;
	/** What counts between two iterations: the last |R - Y|^2, the least to fall below, iterations since, and whether it still mixes. */
	readonly numbers: { lastSquare: number; mark: number; since: number; mixes: number };
}

export abstract class AcceleratedMethod<Numbers extends Record<string, number>> extends DeclaredMethod<Numbers> {
	override readonly remedies: string[] = [];
	readonly #acceleration: Acceleration | undefined;

	/** `width` sums are taken at once by the map itself, at most. */
	constructor(name: string, system: System, window: number, numbers: Numbers, width: number) {
		super(name, system, numbers, {}, width);
		if (window === 0) return;
		const anderson = new Anderson(
			system,
			window,
			system.vectors(andersonVectors(window)),
			system.vectors(carriedVectors(window)),
		);
		const started = { lastSquare: Number.POSITIVE_INFINITY, mark: Number.POSITIVE_INFINITY, since: 0, mixes: 1 };
		this.#acceleration = { anderson, y: system.room(), uY: system.room(), numbers: started };
	}

	/** R = g(y), where u is U(y), and U(R); y and u are the system's own where nothing is mixed. */
	protected abstract map(y: Vector, u: Vector): void;

	/** Whether iterations are mixed: a map that changes from one to the next is no map. */
	protected get isMixing(): boolean {
		return this.#acceleration?.numbers.mixes === 1;
	}

	override get state(): MethodState {
		const { scalars, vectors } = super.state;
		const acceleration = this.#acceleration;
		if (acceleration === undefined) return { scalars, vectors };
		const { numbers, anderson } = acceleration;
		const window = anderson.state;
		return {
			scalars: { ...scalars, ...numbers, remedies: [...this.remedies], window: window.scalars },
			vectors: { ...vectors, ...window.vectors },
		};
	}

	override start(): void {
		this.remedies.length = 0;
		const acceleration = this.#acceleration;
		if (acceleration) {
			acceleration.anderson.clear();
			const [lastSquare, mark] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
			Object.assign(acceleration.numbers, { lastSquare, mark, since: 0, mixes: 1 });
		}
		super.start();
	}

	override resume(from: SavedRecord, vectors: SavedSpace): void {
		super.resume(from, vectors);
		const acceleration = this.#acceleration;
		if (acceleration === undefined) return;
		const { r, u } = this.system;
		const { numbers, anderson } = acceleration;
		for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) numbers[name] = from.number(name);
		this.remedies.splice(0, this.remedies.length, ...from.texts("remedies"));
		anderson.clear();
		const window = from.record("window");
		anderson.resume(window, vectors, r, u);
		window.end();
	}

	iterate(): void {
		const { r, u } = this.system;
		const acceleration = this.#acceleration;
		if (acceleration === undefined || acceleration.numbers.mixes === 0) {
			this.map(r, u);
			return;
		}
		const { anderson, y, uY, numbers } = acceleration;
		this.copy(r, y);
		this.copy(u, uY);
		anderson.mix(y, uY);
		const isMixed = anderson.mixes;
		this.map(y, uY);
		const square = anderson.offer(y, r);
		if (isMixed && anderson.mixes && !(square <= GROWTH_MAX * GROWTH_MAX * numbers.lastSquare)) {
			anderson.reject(r, u);
			numbers.lastSquare = Number.POSITIVE_INFINITY;
			return;
		}
		anderson.accept(r, u);
		numbers.lastSquare = square;
		this.#watch(acceleration);
	}

	#watch({ anderson, numbers }: Acceleration): void {
		numbers.since += 1;
		const size = Math.sqrt(numbers.lastSquare);
		if (size <= MIX_GAIN * numbers.mark) {
			numbers.mark = size;
			numbers.since = 0;
		}
		if (numbers.since < MIX_PATIENCE) return;
		numbers.mixes = 0;
		anderson.clear();
		this.remedies.push(`${MIX_PATIENCE} iterations without a shorter step: Anderson acceleration switched off`);
	}
}
