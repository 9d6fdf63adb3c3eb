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
}

const proximal = (patience: number): Phase => ({ kind: "proximal", patience });
const newton = (damping: number, m: number, epsilon: number, patience: number): Phase => ({
	kind: "newton",
	patience,
	settings: { damping, m, epsilon },
});

const active: Phase = { kind: "active", patience: 6 };
const interior: Phase = { kind: "interior", patience: 8 };

/** auto: factors, and tight solves without them, finish what sweeps only creep on, on small problems mostly. */
export const sweepsFirst: Schedule = {
	phases: [proximal(300), active, interior, newton(0.03, 100, 0.01, 10)],
	again: 0,
};

/** The same without phases of these kinds; the first phase stays. */
export function without({ phases: [first, ...others], again }: Schedule, kinds: readonly Phase["kind"][]): Schedule {
	return { phases: [first, ...others.filter(({ kind }) => !kinds.includes(kind))], again };
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
export function withPatience({ phases, again }: Schedule, patience: number): Schedule {
	const patient = (phase: Phase): Phase => (phase.kind === "newton" ? { ...phase, patience } : phase);
	const [first, ...others] = phases;
	return { phases: [patient(first), ...others.map(patient)], again };
}
