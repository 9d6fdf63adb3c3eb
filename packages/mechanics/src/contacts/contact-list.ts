/** Contacts in arrays that grow. */
import { PARAMETERS, writeFrame } from "@stickslip/core";
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

	reserve(count: number): void {
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

	/** The normal N at contact `at`, and the axes across it. */
	setNormal(at: number, x: number, y: number, z: number): void {
		writeFrame(this.frame, 9 * at, x, y, z);
	}
}
