/** Options of `generate`: plain data, checked once here. */
import { InputError } from "../base/errors.js";
import { checkSeed } from "../base/random.js";
import { type LawChoice, parseLaws } from "../problem/law-text.js";
import type { Motion } from "./motion.js";
import type { Size } from "./pile.js";

export interface GenerateOptions {
	/** How many contacts, 1 to 10 million: met within 10 % from 100 on. Default 1,000. */
	readonly contacts?: number | undefined;
	/** How many bodies instead, 1 to 10 million: met exactly. */
	readonly bodies?: number | undefined;
	/** An integer from 0 to 2^53 - 1. Default 1. */
	readonly seed?: number | undefined;
	/** Friction coefficient of all contacts, or the two ends of the range that each is drawn from. Default 0.3 to 0.6. */
	readonly mu?: number | readonly [number, number] | undefined;
	/** Length of the time step in s: gravity acts that long. Default 0.005. */
	readonly step?: number | undefined;
	/** Velocities at the start are random up to this, per axis, in m/s. Default 0.05. */
	readonly speed?: number | undefined;
	/** What rests on each body that carries no other, in multiples of its own weight. Default 0. */
	readonly load?: number | undefined;
	/** Some bodies are so many times as dense; > 0. Default 1, `spheres-heavy` 8. */
	readonly heavy?: number | undefined;
	/** The probability that a body is one of those, 0 to 1. Default 0, `spheres-heavy` 0.25. */
	readonly heavyShare?: number | undefined;
	/** How many bodies deep, up to 1,000; 0 for a heap about as high as half its width. Default 0, `spheres-layers` 4. */
	readonly layers?: number | undefined;
	/** Law of the contacts, as `cohesive:cohesion=0.01`; several joined by +: each contact has one of them at random. Default coulomb. */
	readonly law?: string | undefined;
}

/** All options with their values; of `contacts` and `bodies` the one that was not asked for is infinite. */
export interface ResolvedOptions extends Size, Motion {
	readonly seed: number;
	readonly mu: readonly [number, number];
	readonly heavy: number;
	readonly heavyShare: number;
	readonly layers: number;
	readonly laws: readonly LawChoice[];
}

export const generalDefaults = {
	contacts: 1000,
	seed: 1,
	mu: [0.3, 0.6],
	step: 0.005,
	speed: 0.05,
	load: 0,
	heavy: 1,
	heavyShare: 0,
	layers: 0,
} as const satisfies GenerateOptions;

const countMax = 10_000_000;
const names = new Set([...Object.keys(generalDefaults), "bodies", "law"]);

export function resolveOptions(given: GenerateOptions, defaults: GenerateOptions): ResolvedOptions {
	for (const name of Object.keys(given)) {
		if (!names.has(name)) throw refusal(name, "unknown option", `choose among ${[...names].join(", ")}`);
	}
	if (given.contacts !== undefined && given.bodies !== undefined) {
		throw refusal("bodies", "cannot be combined with contacts", "give one of the two");
	}
	const value = <Name extends keyof typeof generalDefaults>(name: Name) =>
		given[name] ?? defaults[name] ?? generalDefaults[name];
	const { bodies } = given;
	const contacts = value("contacts");
	const seed = value("seed");
	if (bodies !== undefined) checkInteger("bodies", bodies, 1, countMax);
	checkInteger("contacts", contacts, 1, countMax);
	checkSeed(seed, "generate");
	const number = (name: "step" | "speed" | "load" | "heavy" | "heavyShare", min: number, max: number): number => {
		const asked: unknown = value(name);
		checkNumber(name, asked, min, max);
		return asked;
	};
	const layers = value("layers");
	checkInteger("layers", layers, 0, 1000);
	return {
		contacts: bodies === undefined ? contacts : Infinity,
		bodies: bodies ?? Infinity,
		seed,
		mu: frictionRange(value("mu")),
		step: number("step", 0, 1e3),
		speed: number("speed", 0, 1e3),
		load: number("load", 0, 1e6),
		heavy: number("heavy", 1e-6, 1e6),
		heavyShare: number("heavyShare", 0, 1),
		layers,
		laws: parseLaws(given.law ?? "coulomb", "generate"),
	};
}

function frictionRange(mu: unknown): [number, number] {
	const ends: unknown[] = Array.isArray(mu) ? mu : [mu, mu];
	if (ends.length !== 2) throw refusal("mu", "not one value or two", "give a number or [from, to]");
	const [from, to] = ends;
	checkNumber("mu", from, 0, 1e6);
	checkNumber("mu", to, 0, 1e6);
	if (from > to) throw refusal("mu", `the range from ${from} to ${to} is empty`, "give the smaller number first");
	return [from, to];
}

function checkNumber(name: string, value: unknown, min: number, max: number): asserts value is number {
	if (typeof value === "number" && value >= min && value <= max) return;
	throw refusal(name, `${String(value)} is out of range`, `give a number from ${min} to ${max}`);
}

function checkInteger(name: string, value: unknown, min: number, max: number): asserts value is number {
	if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return;
	throw refusal(name, `${String(value)} is out of range`, `give an integer from ${min} to ${max}`);
}

function refusal(name: string, problem: string, remedy: string): InputError {
	return new InputError("generate", name, problem, remedy);
}
