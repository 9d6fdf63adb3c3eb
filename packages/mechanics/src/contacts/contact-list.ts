/** Contacts in arrays that grow. */
import { PARAMETERS, ROLLING, writeFrame } from "@stickslip/core";
import { grown } from "../base/grow.js";
import type { Contacts } from "./contacts.js";

export class ContactList implements Contacts {
	count = 0;
	body = new Int32Array(0);
	feature = new Int32Array(0);
	point = new Float64Array(0);
	frame = new Float64Array(0);
	arm = new Float64Array(0);
	gap = new Float64Array(0);
	friction = new Float64Array(0);
	restitution = new Float64Array(0);
	laws: Int32Array = new Int32Array(0);
	law = new Uint8Array(0);
	parameters = new Float64Array(0);
	isMoment = new Uint8Array(0);

	/** So many contacts, and a moment for each where they may have some. */
	reserve(contacts: number): void {
		const rolls = this.laws.includes(ROLLING);
		const count = rolls ? 2 * contacts : contacts;
		if (rolls) this.isMoment = grown(this.isMoment, count);
		if (this.laws.length > 0) {
			this.law = grown(this.law, count);
			this.parameters = grown(this.parameters, PARAMETERS * this.law.length);
		}
		if (this.gap.length >= count) return;
		this.gap = grown(this.gap, count);
		const room = this.gap.length;
		this.body = grown(this.body, 2 * room);
		this.feature = grown(this.feature, room);
		this.point = grown(this.point, 3 * room);
		this.frame = grown(this.frame, 9 * room);
		this.arm = grown(this.arm, 6 * room);
		this.friction = grown(this.friction, room);
		this.restitution = grown(this.restitution, room);
	}

	/** Adds the moment of contact `force`, the last one. */
	addMoment(force: number): void {
		const at = this.count;
		this.count += 1;
		this.isMoment[at] = 1;
		this.law[at] = ROLLING;
		this.parameters.fill(0, PARAMETERS * at, PARAMETERS * (at + 1));
		this.feature[at] = this.feature[force]!;
		this.gap[at] = this.gap[force]!;
		this.friction[at] = this.restitution[at] = 0;
		for (const [values, width] of [
			[this.body, 2],
			[this.point, 3],
			[this.frame, 9],
			[this.arm, 6],
		] as const)
			values.copyWithin(width * at, width * force, width * (force + 1));
	}

	/** Becomes a copy of the forces of another list whose laws are not among these codes, without friction, laws and moments. */
	copyForces(from: Contacts, without: readonly number[]): void {
		this.reserve(from.count);
		const haveMoments = from.isMoment.length > 0;
		let count = 0;
		for (let a = 0; a < from.count; a += 1) {
			if (haveMoments && from.isMoment[a] === 1) continue;
			if (from.laws.length > 0 && without.includes(from.law[a]!)) continue;
			this.feature[count] = from.feature[a]!;
			this.gap[count] = from.gap[a]!;
			this.friction[count] = 0;
			this.restitution[count] = from.restitution[a]!;
			for (const [to, values, width] of [
				[this.body, from.body, 2],
				[this.point, from.point, 3],
				[this.frame, from.frame, 9],
				[this.arm, from.arm, 6],
			] as const)
				for (let k = 0; k < width; k += 1) to[width * count + k] = values[width * a + k]!;
			count += 1;
		}
		this.count = count;
	}

	/** The normal N at contact `at`, and the axes across it. */
	setNormal(at: number, x: number, y: number, z: number): void {
		writeFrame(this.frame, 9 * at, x, y, z);
	}
}
