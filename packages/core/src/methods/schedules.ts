/** The courses of the relay, found by trying them on real problems: docs/decisions/0010-proximal-sweeps.md has what else was tried. */
import type { PqnSettings } from "./pqn.js";

export type FactorKind = "active" | "interior";

export interface SweepPhase {
	readonly kind: "proximal";
	readonly patience: number;
}

export interface NewtonPhase {
	readonly kind: "newton";
	readonly patience: number;
	/** All that phases differ in. */
	readonly settings: Pick<PqnSettings, "damping" | "m" | "epsilon">;
}

/** Newton on the active contacts, or interior points, which are tried once. */
export interface FactorPhase {
	readonly kind: FactorKind;
	readonly patience: number;
}

export type Phase = SweepPhase | NewtonPhase | FactorPhase;

/** The phases in turn; after the last it goes on at `again`, with more patience. */
export interface Schedule {
	readonly phases: readonly [Phase, ...Phase[]];
	readonly again: number;
	/** On many contacts quasi-Newton phases wait until as much work was done as they are expected to cost. */
	readonly newtonWaits?: boolean;
}

const proximal = (patience: number): Phase => ({ kind: "proximal", patience });
const newton = (damping: number, m: number, epsilon: number, patience: number): Phase => ({
	kind: "newton",
	patience,
	settings: { damping, m, epsilon },
});

const active: Phase = { kind: "active", patience: 6 };
const interior: Phase = { kind: "interior", patience: 8 };

/**
 * auto: factors, and tight solves without them, finish what sweeps only creep on, on small problems mostly. On more contacts than
 * factors are for, tight solves wait until sweeps have done as much work: on piles of 5,000 to 100,000 spheres they took four fifths of the time and gained nothing.
 */
export const sweepsFirst: Schedule = {
	phases: [proximal(300), active, interior, newton(0.03, 100, 0.01, 10)],
	again: 0,
	newtonWaits: true,
};

/** A product of GMRES among some ten blocks a row, with the sums that make it orthogonal to `m` other vectors, in sweeps. */
const SWEEPS_PER_VECTOR = 0.05;

/** What a quasi-Newton phase is expected to cost, in sweeps: m vectors in each of its iterations. */
export function newtonWork({ patience, settings: { m } }: NewtonPhase): number {
	return patience * m * (1 + SWEEPS_PER_VECTOR * m);
}

/** The same without phases of these kinds; the first phase stays. */
export function without(schedule: Schedule, kinds: readonly Phase["kind"][]): Schedule {
	const [first, ...others] = schedule.phases;
	return { ...schedule, phases: [first, ...others.filter(({ kind }) => !kinds.includes(kind))] };
}

/** pqn: the paper's method first; sweeps are its fall-back, in turn with tighter solves. */
export const newtonFirst: Schedule = {
	phases: [newton(0.3, 20, 0.25, 8), proximal(300), newton(0.03, 100, 0.01, 10)],
	again: 1,
};

/** Without rows to sweep over: other settings are all there is to change. */
export const newtonOnly: Schedule = {
	phases: [newton(0.3, 20, 0.25, 10), newton(0.3, 100, 0.001, 6), newton(0.03, 60, 0.01, 12), newton(1, 20, 0.25, 40)],
	again: 0,
};

/** The same with this patience of all quasi-Newton phases. */
export function withPatience(schedule: Schedule, patience: number): Schedule {
	const patient = (phase: Phase): Phase => (phase.kind === "newton" ? { ...phase, patience } : phase);
	const [first, ...others] = schedule.phases;
	return { ...schedule, phases: [patient(first), ...others.map(patient)] };
}
