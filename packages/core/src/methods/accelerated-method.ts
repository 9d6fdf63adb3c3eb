/**
 * Methods that are a map, R = g(Y) from Y and U(Y) alone, accelerated by Anderson mixing where there is a window:
 *
 *     Y = mix of the last points (Y = R where there is nothing to mix),  U(Y) by the same weights: W is linear, no product
 *     R = g(Y),  U(R): what the map costs without a window
 *
 * A step R - Y that is too long is taken back, and mixing that only cycles is given up (mixing-watch.ts). Y need not be in K, R is.
 */
import type { Vector } from "../kernels/arena.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import { Anderson, andersonVectors, carriedVectors } from "./anderson.js";
import { DeclaredMethod } from "./declared-method.js";
import type { MethodState } from "./method.js";
import { MixingWatch, type WatchNumbers } from "./mixing-watch.js";

interface Acceleration {
	readonly anderson: Anderson;
	readonly y: Vector;
	readonly uY: Vector;
	readonly watch: MixingWatch;
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
		this.#acceleration = { anderson, y: system.room(), uY: system.room(), watch: new MixingWatch() };
	}

	/** R = g(y), where u is U(y), and U(R); y and u are the system's own where nothing is mixed. */
	protected abstract map(y: Vector, u: Vector): void;

	/** Whether iterations are mixed: a map that changes from one to the next is no map. */
	protected get isMixing(): boolean {
		return this.#acceleration?.watch.mixes === true;
	}

	override get state(): MethodState {
		const { scalars, vectors } = super.state;
		const acceleration = this.#acceleration;
		if (acceleration === undefined) return { scalars, vectors };
		const { watch, anderson } = acceleration;
		const window = anderson.state;
		return {
			scalars: { ...scalars, ...watch.numbers, remedies: [...this.remedies], window: window.scalars },
			vectors: { ...vectors, ...window.vectors },
		};
	}

	override start(): void {
		this.remedies.length = 0;
		this.#acceleration?.anderson.clear();
		this.#acceleration?.watch.start();
		super.start();
	}

	override resume(from: SavedRecord, vectors: SavedSpace): void {
		super.resume(from, vectors);
		const acceleration = this.#acceleration;
		if (acceleration === undefined) return;
		const { r, u } = this.system;
		const { watch, anderson } = acceleration;
		for (const name of Object.keys(watch.numbers) as (keyof WatchNumbers)[]) watch.numbers[name] = from.number(name);
		this.remedies.splice(0, this.remedies.length, ...from.texts("remedies"));
		anderson.clear();
		const window = from.record("window");
		anderson.resume(window, vectors, r, u);
		window.end();
	}

	iterate(): void {
		const { r, u } = this.system;
		const acceleration = this.#acceleration;
		if (acceleration === undefined || !acceleration.watch.mixes) {
			this.map(r, u);
			return;
		}
		const { anderson, y, uY, watch } = acceleration;
		this.copy(r, y);
		this.copy(u, uY);
		anderson.mix(y, uY);
		const isMixed = anderson.mixes;
		this.map(y, uY);
		const square = anderson.offer(y, r);
		if (isMixed && watch.isTooLong(square)) {
			anderson.reject(r, u);
			return;
		}
		anderson.accept(r, u);
		const remedy = watch.note(square);
		if (remedy === undefined) return;
		anderson.clear();
		this.remedies.push(remedy);
	}
}
