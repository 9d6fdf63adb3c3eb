/** What is measured of states, the same for all engines: our shapes and our detection on their numbers. */
import {
	ContactDetector,
	ContactList,
	kineticEnergy,
	potentialEnergy,
	type SceneDescription,
	type Vector,
} from "@stickslip/mechanics";
import type { BodyStates } from "./engine.js";
import { uncheckedScene } from "./unchecked.js";

/** Gaps up to this share of the smallest body's reach are contacts. */
const NEAR = 0.01;

export interface StateMeasures {
	readonly contacts: number;
	readonly deepest: number;
	readonly meanDepth: number;
	/** Kinetic and potential. */
	readonly energy: number;
	readonly kinetic: number;
}

/** The scene with its bodies in these states, and obstacles turned for so many seconds. */
export function withStates(description: SceneDescription, states: BodyStates, time = 0): SceneDescription {
	const three = (values: Float64Array, i: number) => [...values.subarray(3 * i, 3 * i + 3)] as [number, number, number];
	return {
		...description,
		obstacles: description.obstacles.map((each) => {
			const [piece] = each.motion ?? [];
			return piece === undefined || time === 0 ? each : { ...each, orientation: turned(piece.spin ?? [0, 0, 0], time) };
		}),
		bodies: description.bodies.map((body, i) => ({
			...body,
			position: three(states.position, i),
			orientation: [...states.orientation.subarray(4 * i, 4 * i + 4)] as [number, number, number, number],
			velocity: three(states.velocity, i),
			spin: three(states.spin, i),
		})),
	};
}

/** By a constant angular velocity from no rotation. */
function turned(spin: readonly [number, number, number], time: number): [number, number, number, number] {
	const rate = Math.sqrt(spin[0] ** 2 + spin[1] ** 2 + spin[2] ** 2);
	const share = rate === 0 ? 0 : Math.sin((rate * time) / 2) / rate;
	return [Math.cos((rate * time) / 2), share * spin[0], share * spin[1], share * spin[2]];
}

export function measureStates(description: SceneDescription, states: BodyStates, time: number): StateMeasures {
	const { model, bodies } = uncheckedScene(withStates(description, states, time));
	const contacts = new ContactList();
	const smallest = Math.min(...model.shapes.flatMap(({ mass, reach }) => (mass === undefined ? [] : [reach])));
	new ContactDetector(model).detect(bodies, NEAR * smallest, contacts);
	const { count, gap } = contacts;
	let [deepest, sum] = [0, 0];
	for (let a = 0; a < count; a += 1) {
		deepest = Math.max(deepest, -gap[a]!);
		sum += Math.max(0, -gap[a]!);
	}
	let [kinetic, potential] = [0, 0];
	for (let i = bodies.obstacles; i < bodies.count; i += 1) {
		kinetic += kineticEnergy(bodies, i);
		potential += potentialEnergy(model, bodies, i);
	}
	return { contacts: count, deepest, meanDepth: count > 0 ? sum / count : 0, energy: kinetic + potential, kinetic };
}

/** Farthest that any body's centre came from where it was at the beginning. */
export function farthest(states: readonly BodyStates[]): number {
	const [first, last] = [states[0]!.position, states.at(-1)!.position];
	let most = 0;
	for (let k = 0; k < first.length; k += 3) {
		const by = [0, 1, 2].map((d) => last[k + d]! - first[k + d]!);
		most = Math.max(most, Math.sqrt(by.reduce((sum, each) => sum + each * each, 0)));
	}
	return most;
}

/** Of centres, along a direction. */
function heights({ position }: BodyStates, up: Vector): number[] {
	return Array.from({ length: position.length / 3 }, (_, i) => {
		return up[0] * position[3 * i]! + up[1] * position[3 * i + 1]! + up[2] * position[3 * i + 2]!;
	});
}

/** How far any body's centre was ever above its highest place. */
export function lift(states: readonly BodyStates[], up: Vector, highest: readonly number[]): number {
	let most = 0;
	for (const each of states) {
		for (const [i, height] of heights(each, up).entries()) most = Math.max(most, height - highest[i]!);
	}
	return most;
}

/** The most that energy ever rose above the least before. */
export function energyGain(energies: readonly number[]): number {
	let [least, gain] = [Number.POSITIVE_INFINITY, 0];
	for (const energy of energies) {
		gain = Math.max(gain, energy - least);
		least = Math.min(least, energy);
	}
	return gain;
}

/** The most that energy ever was from what it was at the beginning. */
export function energyDrift(energies: readonly number[]): number {
	return Math.max(...energies.map((energy) => Math.abs(energy - energies[0]!)));
}
