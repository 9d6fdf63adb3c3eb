/** Shared memory for the values of a pattern: threads read them in place, and each solve copies them once instead of three times. */
import type { NewValues } from "@stickslip/core";

export class SharedRoom {
	readonly #rooms = new Map<string, Float64Array>();

	/** The same values, in memory that is overwritten by the next ones. */
	put(values: NewValues): NewValues {
		return this.#putAll("", values as object as Readonly<Record<string, unknown>>) as object as NewValues;
	}

	#putAll(path: string, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
		const shared: Record<string, unknown> = {};
		for (const [name, value] of Object.entries(fields)) {
			if (value instanceof Float64Array) shared[name] = this.#numbers(path + name, value);
			else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)) {
				shared[name] = this.#putAll(`${path}${name}.`, value as Readonly<Record<string, unknown>>);
			} else shared[name] = value;
		}
		return shared;
	}

	#numbers(name: string, values: Float64Array): Float64Array {
		if (values.buffer instanceof SharedArrayBuffer) return values;
		let room = this.#rooms.get(name);
		if (room?.length !== values.length) {
			room = new Float64Array(new SharedArrayBuffer(values.byteLength));
			this.#rooms.set(name, room);
		}
		room.set(values);
		return room;
	}
}
