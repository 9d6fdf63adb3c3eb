/** The courses of the relay, found by trying them on real problems: docs/decisions/0002-the-relay.md has what else was tried. */
import type { Course, Leg } from "./relay.js";

const mixed = (patience: number): Leg => ({ kind: "mixed", patience });
const plain = (patience: number, relax = 1): Leg => ({ kind: "plain", patience, relax });
const newton = (damping: number, m: number, epsilon: number, patience: number): Leg => ({
	kind: "newton",
	patience,
	settings: { damping, m, epsilon },
});

const alternating: readonly Leg[] = [
	newton(0.3, 20, 0.25, 8),
	mixed(30),
	newton(0.3, 100, 0.001, 6),
	mixed(60),
	newton(0.03, 100, 0.01, 10),
	plain(100, 1.3),
];

/** Where sixty sweeps leave a large error, friction makes the map non-monotone: mixing overshoots there, and Newton mostly. */
const hard: readonly Leg[] = [
	plain(200, 1.2),
	newton(0.3, 100, 0.001, 3),
	plain(1000, 1.2),
	newton(0.3, 100, 0.001, 3),
	plain(1000),
	mixed(60),
];

/** Where mixing and Newton cycle near the end, unmixed sweeps still creep on. */
const last = plain(20000, 1.3);

/** auto: sweeps first, then by what they left. */
export const sweepsFirst: Course = { legs: [mixed(30), ...alternating], again: 1, hard, last };

/** pqn: the paper's method first; sweeps are its fall-back. */
export const newtonFirst: Course = { legs: alternating, again: 0, last };

/** Without rows to sweep over: other settings are all there is to change. */
export const newtonOnly: Course = {
	legs: [newton(0.3, 20, 0.25, 10), newton(0.3, 100, 0.001, 6), newton(0.03, 60, 0.01, 12), newton(1, 20, 0.25, 40)],
	again: 0,
};
