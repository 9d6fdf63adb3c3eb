/**
 * Methods that are a map, R = g(Y) from Y and U(Y) alone, accelerated by Anderson mixing where there is a window:
 *
 *     Y = mix of the last points (Y = R where there is nothing to mix),  U(Y) by the same weights: W is linear, no product
 *     R = g(Y),  U(R): what the map costs without a window
 *
 * mixing.ts has the safeguards. Y need not be in K, R is.
 */
import type { Vector } from "../kernels/arena.js";
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import type { System } from "../system/system.js";
import { DeclaredMethod } from "./declared-method.js";
import type { MethodState } from "./method.js";
import { Mixing } from "./mixing.js";

interface Acceleration {
	readonly mixing: Mixing;
	readonly y: Vector;
	readonly uY: Vector;
}

export abstract class AcceleratedMethod<Numbers extends Record<string, number>> extends DeclaredMethod<Numbers> {
	override readonly remedies: readonly string[];
	readonly #acceleration: Acceleration | undefined;

	/** `width` sums are taken at once by the map itself, at most. */
	constructor(name: string, system: System, window: number, numbers: Numbers, width: number) {
		super(name, system, numbers, {}, width);
		if (window > 0) {
			this.#acceleration = { mixing: new Mixing(system, window, true), y: system.room(), uY: system.room() };
		}
		this.remedies = this.#acceleration?.mixing.remedies ?? [];
	}

	/** R = g(y), where u is U(y), and U(R); y and u are the system's own where nothing is mixed. */
	protected abstract map(y: Vector, u: Vector): void;

	/** Whether iterations are mixed: a map that changes from one to the next is no map. */
	protected get isMixing(): boolean {
		return this.#acceleration?.mixing.mixes === true;
	}

	override get state(): MethodState {
		const { scalars, vectors } = super.state;
		const mixing = this.#acceleration?.mixing.state;
		return { scalars: { ...scalars, ...mixing?.scalars }, vectors: { ...vectors, ...mixing?.vectors } };
	}

	override start(): void {
		this.#acceleration?.mixing.start();
		super.start();
	}

	override resume(from: SavedRecord, vectors: SavedSpace): void {
		super.resume(from, vectors);
		const { r, u } = this.system;
		this.#acceleration?.mixing.resume(from, vectors, r, u);
	}

	iterate(): void {
		const { r, u } = this.system;
		if (this.#acceleration === undefined || !this.isMixing) {
			this.map(r, u);
			return;
		}
		const { mixing, y, uY } = this.#acceleration;
		this.copy(r, y);
		this.copy(u, uY);
		mixing.mix(y, uY);
		this.map(y, uY);
		mixing.take(y, r, u);
	}
}
