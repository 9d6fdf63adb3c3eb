/** The share of a rank that is alone: all of the problem, in the plan's own order, with nobody to exchange with. */

import { assert } from "../base/errors.js";
import { beginPhase } from "../base/setup-phase.js";
import { emptyPlan, emptyPlans } from "../parallel/halo-plans.js";
import {
	type PatternCache,
	type Share,
	type ShareOutline,
	type ShareRows,
	type SweepPlan,
	shareOf,
	type UnreadRows,
} from "../parallel/share.js";
import { isUnformed } from "../problem/assemble-rigid.js";
import { blocksAt } from "../problem/diagonal-blocks.js";
import { type ContactLaws, lawCodes, lawsOf, PARAMETERS } from "../problem/laws.js";
import type { Guess, Problem } from "../problem/problem.js";
import { countContacts } from "../problem/rolling.js";
import { isUnread } from "../problem/unread-matrix.js";
import type { Plan } from "./plan.js";
import { equalityBlocks } from "./square-matrix.js";

/** Numbers by id, three per block, with those of the equality rows behind those of the contacts. */
function byId(problem: Problem, contacts: Float64Array, equalities: Float64Array | undefined): Float64Array {
	if (problem.equalities === undefined) return contacts;
	const all = new Float64Array(3 * (problem.contacts + equalityBlocks(problem.equalities)));
	all.set(contacts);
	if (equalities) all.set(equalities, 3 * problem.contacts);
	return all;
}

/** Numbers of the blocks at some places, `width` of each. */
export function gather(
	values: Float64Array,
	ids: Int32Array,
	width: number,
	taken: Float64Array = new Float64Array(width * ids.length),
): Float64Array {
	if (width === 9) return blocksAt(values, ids, taken);
	if (width % 3 === 0) {
		// Three at a time, as most are.
		for (let at = 0, to = 0; at < ids.length; at += 1) {
			for (let from = width * ids[at]!, end = from + width; from < end; from += 3, to += 3) {
				taken[to] = values[from]!;
				taken[to + 1] = values[from + 1]!;
				taken[to + 2] = values[from + 2]!;
			}
		}
		return taken;
	}
	for (let at = 0, to = 0; at < ids.length; at += 1) {
		for (let from = width * ids[at]!, end = from + width; from < end; from += 1, to += 1) taken[to] = values[from]!;
	}
	return taken;
}

/** What whole shares of one pattern have in common, and room for what they have not: a share is used up before the next one is made. */
export interface SharePattern {
	readonly sweep: SweepPlan;
	readonly kept: PatternCache;
	readonly room: ShareRoom;
}

/** Numbers of blocks by place. */
interface ShareRoom {
	readonly q: Float64Array;
	readonly mu: Float64Array;
	readonly diagonal: Float64Array;
}

/** It refers to nothing else of the plan. */
export function sharePatternOf(plan: Plan): SharePattern {
	const { blocks, problem } = plan;
	const [q, mu, diagonal] = [3 * blocks, problem.contacts, 9 * blocks].map((count) => new Float64Array(count));
	return { sweep: wholeSweep(plan), kept: {}, room: { q: q!, mu: mu!, diagonal: diagonal! } };
}

/** What the outline of any rank says of the whole problem. */
export function wholeFacts({ problem, blocks, operatorReason, couplingText, layout, masses }: Plan) {
	return {
		name: problem.name,
		contacts: problem.contacts,
		counted: countContacts(problem),
		blocks,
		equalityRows: problem.equalities?.count ?? 0,
		operatorReason,
		coupling: couplingText,
		lawsUsed: lawCodes(problem),
		colours: layout.colours,
		order: layout.name,
		...(masses && { masses }),
	};
}

type OwnBlocks = Pick<ShareOutline, "ids" | "ownContacts">;

/** Laws of some contacts. */
export function lawsAt({ law, parameters }: ContactLaws, ids: Int32Array): ContactLaws {
	return { law: Uint8Array.from(ids, (id) => law[id]!), parameters: gather(parameters, ids, PARAMETERS) };
}

/** What rows have of each of a rank's own blocks, whatever W is. */
function blockVectors(
	{ problem }: Plan,
	{ ids, ownContacts }: OwnBlocks,
	start: Guess | undefined,
	room: ShareRoom | undefined,
) {
	const contactIds = ids.subarray(0, ownContacts);
	const laws = lawsOf(problem);
	return {
		q: gather(byId(problem, problem.q, problem.equalities?.s), ids, 3, room?.q),
		mu: gather(problem.mu, contactIds, 1, room?.mu),
		...(laws && { laws: lawsAt(laws, contactIds) }),
		...(start === undefined ? {} : { start: gather(byId(problem, start.r, start.l), ids, 3) }),
	};
}

/** The same with what there is of W, whatever the operator. */
export function blockRows(plan: Plan, own: OwnBlocks, start: Guess | undefined, room?: ShareRoom) {
	assert(!plan.isUnread, "rows that are unread are for the ranks to read");
	const singular = new Set(plan.singular);
	const places: number[] = [];
	if (singular.size > 0) for (const [at, id] of own.ids.entries()) if (singular.has(id)) places.push(at);
	return {
		...blockVectors(plan, own, start, room),
		diagonal: blocksAt(plan.diagonal, own.ids, room?.diagonal),
		singular: Int32Array.from(places),
	};
}

/** Of a W whose values nobody has read: undefined where they are here. */
export function unreadRows(plan: Plan, own: OwnBlocks, start: Guess | undefined): UnreadRows | undefined {
	if (!plan.isUnread || !isUnread(plan.matrix)) return undefined;
	return { ...blockVectors(plan, own, start, undefined), origin: plan.matrix.origin };
}

/** One run for each step. */
function runsOfSteps(stepStart: Int32Array): Pick<SweepPlan, "start" | "runs"> {
	const steps = stepStart.length - 1;
	const start = new Int32Array(2 * steps + 1);
	const runs = new Int32Array(2 * steps);
	for (let step = 0; step < steps; step += 1) {
		start[2 * step + 1] = start[2 * step + 2] = step + 1;
		runs[2 * step] = stepStart[step]!;
		runs[2 * step + 1] = stepStart[step + 1]!;
	}
	return { start, runs };
}

/** Tiles step by step, those that follow one another as one run. */
function wholeSweep({ layout, operator }: Plan): SweepPlan {
	const { tileStart, tileColour, steps } = layout;
	const width = operator === "matrix-free" ? 6 : 3;
	if (layout.stepStart) return { steps, ...runsOfSteps(layout.stepStart), passed: emptyPlans(steps, width) };
	const tiles = tileColour.length;
	// Runs of each step: counted, then written. Those of a step follow one another in the order of storage.
	const last = new Int32Array(steps).fill(-1);
	const start = new Int32Array(2 * steps + 1);
	for (let t = 0; t < tiles; t += 1) {
		const step = tileColour[t]!;
		if (last[step] !== tileStart[t]) start[2 * step + 1]! += 1;
		last[step] = tileStart[t + 1]!;
	}
	for (let step = 0; step < steps; step += 1) {
		start[2 * step + 1]! += start[2 * step]!;
		start[2 * step + 2] = start[2 * step + 1]!;
	}
	const runs = new Int32Array(2 * start[2 * steps]!);
	const next = new Int32Array(steps);
	for (let step = 0; step < steps; step += 1) next[step] = 2 * start[2 * step]!;
	last.fill(-1);
	for (let t = 0; t < tiles; t += 1) {
		const step = tileColour[t]!;
		let at = next[step]!;
		if (last[step] !== tileStart[t]) {
			runs[at] = tileStart[t]!;
			at += 2;
			next[step] = at;
		}
		runs[at - 1] = tileStart[t + 1]!;
		last[step] = tileStart[t + 1]!;
	}
	return { steps, start, runs, passed: emptyPlans(steps, width) };
}

function operatorOutline({ operator, problem, blocks, layout }: Plan): ShareOutline["operator"] {
	if (operator === "global") return { kind: operator };
	if (operator === "assembled") return { kind: operator, row: layout.order, local: layout.place, interior: blocks };
	const none = new Int32Array(0);
	const isShared = new Uint8Array(problem.rigid?.inverseMass.length ?? 0);
	return { kind: operator, contact: layout.order, sharedPlace: none, sharedContact: none, isShared };
}

function operatorRows({ operator, problem, matrix, lu }: Plan): ShareRows["operator"] {
	if (operator === "matrix-free" && problem.rigid !== undefined) return { kind: operator, rigid: problem.rigid };
	if (matrix !== undefined) return { kind: "assembled", matrix };
	if (problem.global === undefined || lu === undefined) throw new Error("a plan without an operator");
	return { kind: "global", global: problem.global, lu };
}

export function wholeOutline(plan: Plan, sweep: SweepPlan = wholeSweep(plan)): ShareOutline {
	const facts = wholeFacts(plan);
	// Name by name: to add to a copy takes as long as some contacts of a step.
	return {
		name: facts.name,
		contacts: facts.contacts,
		counted: facts.counted,
		blocks: facts.blocks,
		equalityRows: facts.equalityRows,
		operatorReason: facts.operatorReason,
		coupling: facts.coupling,
		lawsUsed: facts.lawsUsed,
		colours: facts.colours,
		order: facts.order,
		rank: 0,
		ranks: 1,
		ids: plan.layout.order,
		ownContacts: plan.problem.contacts,
		// New ones each time: whoever is sent an outline may be given its memory.
		ghosts: new Int32Array(0),
		operator: operatorOutline(plan),
		halo: emptyPlan(3),
		sweep,
		...(facts.masses && { masses: facts.masses }),
	};
}

function wholeRows(plan: Plan, start: Guess | undefined, room?: ShareRoom): ShareRows {
	const own = { ids: plan.layout.order, ownContacts: plan.problem.contacts };
	return { ...blockRows(plan, own, start, room), operator: operatorRows(plan) };
}

/** For a solve in this thread; `known` is of plans with the same layout. */
export function wholeShare(plan: Plan, start?: Guess, known?: SharePattern): Share {
	beginPhase("share");
	const share = shareOf(wholeOutline(plan, known?.sweep), wholeRows(plan, start, known?.room));
	if (known === undefined || share.operator.kind !== "assembled") return share;
	return { ...share, operator: { ...share.operator, kept: known.kept } };
}

/** Rows as plain data, which can travel: W of bodies as these bodies, of which it is formed where it is stored. */
export function plainWholeRows(plan: Plan, start?: Guess): ShareRows {
	const whole = wholeRows(plan, start);
	const { operator } = whole;
	if (operator.kind !== "assembled" || !isUnformed(operator.matrix)) return whole;
	const { rows, rowStart, column, rigid } = operator.matrix;
	return { ...whole, operator: { ...operator, matrix: { rows, rowStart, column, rigid } } };
}
