/** What a rank solves of a step: outline and rows of its own contacts, cut from the part of the whole that it knows as any rank's are cut from the whole. */
import type { Problem, RigidContacts } from "@stickslip/core";
import {
	checkDiagonal,
	gather,
	lawsAt,
	operatorOfBodies,
	type PatternCache,
	type Plan,
	type RigidRows,
	rigidDiagonal,
	rigidRows,
	type Share,
	type ShareOutline,
	type ShareRows,
	type SweepPlan,
	shareOf,
	wholeOutline,
} from "@stickslip/core/parallel";
import { cutterOf, MatrixFreeCutter, outlineOf } from "@stickslip/partition";
import { ascendingNumbers } from "../base/ascending-numbers.js";
import { ReusedArray } from "../base/reused-array.js";
import type { StepProblem } from "./contact-solver.js";
import type { Domain } from "./domain.js";
import type { LocalContacts } from "./local-contacts.js";
import { localBodies, localContacts, localRows, numbersById, placesByNumber } from "./local-problem.js";

const NO_NUMBERS = new Float64Array(0);

export interface RankShare {
	readonly share: Share;
	/** Of the share's contacts by place, their numbers in the step's list. */
	readonly own: Int32Array;
}

/** Of a rank that is alone, what follows from its contacts and is the same as long as they are: rows of W, the sweep, and, from the second step on, the pattern as it is stored. */
interface KeptParts {
	rows?: RigidRows;
	sweep?: SweepPlan;
	stored?: PatternCache;
}

/** Numbers of own contacts: a share is used up before the next one is made. */
type ShareRoom = Readonly<Record<"q" | "mu" | "start" | "diagonal", ReusedArray<Float64Array>>>;

/** Shares of one step after another. */
export class RankShares {
	#known: LocalContacts | undefined;
	#kept: KeptParts = {};
	readonly #room: ShareRoom = {
		q: new ReusedArray(new Float64Array(0)),
		mu: new ReusedArray(new Float64Array(0)),
		start: new ReusedArray(new Float64Array(0)),
		diagonal: new ReusedArray(new Float64Array(0)),
	};

	/** Contacts that are the same object as the last step's are the same. `operator` is given in place of the one that is chosen by the size of W. */
	of(step: StepProblem, known: LocalContacts, domain: Domain, operator?: "assembled"): RankShare {
		if (operator !== undefined) return shareOfRank(step, known, domain, {}, this.#room, operator);
		// A pattern is copied to be kept: where contacts change from step to step, that is in vain.
		if (known === this.#known) this.#kept.stored ??= {};
		else this.#kept = {};
		this.#known = known;
		return shareOfRank(step, known, domain, this.#kept, this.#room);
	}
}

function shareOfRank(
	{ problem, contacts, start }: StepProblem,
	known: LocalContacts,
	{ bodies, communicator }: Domain,
	kept: KeptParts,
	room: ShareRoom,
	wanted?: "assembled",
): RankShare {
	const { rank, size } = communicator;
	const isAlone = size === 1;
	const number = numbersById(bodies);
	const plan = planOf(problem, known, number, kept, wanted);
	const part = isAlone ? whole(plan, problem, known, kept) : cut(plan, problem, known, number, rank, size);
	const { outline, operator } = part;
	const { ids } = outline;
	// Who is alone has all of them, in their order.
	const own = isAlone ? known.contact : taken(known.contact, ids);
	const diagonal = diagonalOf(plan, part, own, room.diagonal.of(9 * own.length));
	const rows: ShareRows = {
		q: gather(problem.q, own, 3, room.q.of(3 * own.length)),
		mu: gather(problem.mu, own, 1, room.mu.of(own.length)),
		...(problem.laws && { laws: lawsAt(problem.laws, own) }),
		diagonal,
		singular: Int32Array.from(
			checkDiagonal(diagonal, problem.name, "W of the contacts", "check masses and inertias", own),
		),
		...(start && { start: gather(start, own, 3, room.start.of(3 * own.length)) }),
		operator,
	};
	const counts = { contacts: known.total, counted: known.counted, blocks: known.total };
	const numbered = isAlone ? {} : { ids: taken(known.place, ids), ghosts: taken(known.place, outline.ghosts) };
	const laws = contacts.laws.length > 0 && { lawsUsed: contacts.laws };
	return { share: withPattern(shareOf({ ...outline, ...counts, ...numbered, ...laws }, rows), kept), own };
}

function withPattern(share: Share, { stored }: KeptParts): Share {
	const { operator } = share;
	return stored && operator.kind === "assembled" ? { ...share, operator: { ...operator, kept: stored } } : share;
}

function taken(values: Int32Array, at: Int32Array): Int32Array {
	const list = new Int32Array(at.length);
	for (let i = 0; i < at.length; i += 1) list[i] = values[at[i]!]!;
	return list;
}

/** The plan of the contacts that are known, whose numbers are their places among these. */
function planOf(
	problem: Problem,
	known: LocalContacts,
	number: Int32Array,
	kept: KeptParts,
	wanted?: "assembled",
): Plan {
	const { contact, graph, tile, total, blocks } = known;
	const contacts = contact.length;
	const { W, rigid } = problem;
	const choice = W
		? { kind: "assembled" as const, why: "W is given" }
		: wanted
			? { kind: wanted, why: "requested" }
			: operatorOfBodies(blocks, total);
	// Where W is not formed only who touches whom is asked of the plan: geometry stays in the step's list.
	const local =
		rigid &&
		(choice.kind === "matrix-free"
			? { ...rigid, body: localBodies(rigid.body, contact, number) }
			: localContacts(rigid, contact, number));
	const order = ascendingNumbers(contacts);
	const matrix = W
		? localRows(W, contact, placesOf(contact, problem.contacts))
		: choice.kind === "assembled"
			? unformed(local!, kept)
			: undefined;
	return {
		problem: { name: problem.name, contacts, q: NO_NUMBERS, mu: NO_NUMBERS, ...(local && { rigid: local }) },
		blocks: contacts,
		operator: choice.kind,
		operatorReason: choice.why,
		coupling: local ? { body: local.body, bodies: number.length } : matrix!,
		couplingText: `${(blocks / total).toFixed(1)} blocks a row`,
		...(matrix && { matrix }),
		diagonal: NO_NUMBERS,
		singular: [],
		isUnread: true,
		layout: {
			order,
			place: order,
			name: "coloured",
			colours: graph.colours,
			tileStart: tileStarts(tile, graph.colour.length),
			tileColour: graph.colour,
			steps: graph.colours,
		},
	};
}

function unformed(rigid: RigidContacts, kept: KeptParts) {
	kept.rows ??= rigidRows(rigid);
	const { rows, rowStart, column } = kept.rows;
	return { rows, rowStart, column, values: NO_NUMBERS, rigid };
}

/** Where each contact of a list is among these, -1 elsewhere. */
function placesOf(contact: Int32Array, count: number): Int32Array {
	const place = new Int32Array(count).fill(-1);
	for (let i = 0; i < contact.length; i += 1) place[contact[i]!] = i;
	return place;
}

function tileStarts(tile: Int32Array, tiles: number): Int32Array {
	const start = new Int32Array(tiles + 1);
	for (let i = 0; i < tile.length; i += 1) start[tile[i]! + 1]! += 1;
	for (let t = 0; t < tiles; t += 1) start[t + 1]! += start[t]!;
	return start;
}

interface RankPart {
	readonly outline: ShareOutline;
	readonly operator: ShareRows["operator"];
}

function whole(plan: Plan, { rigid }: Problem, { contact }: LocalContacts, kept: KeptParts): RankPart {
	const { matrix } = plan;
	const outline = wholeOutline(plan, kept.sweep);
	kept.sweep = outline.sweep;
	if (matrix) return { outline, operator: { kind: "assembled", matrix } };
	return inList(outline, contact, rigid!);
}

function cut(
	plan: Plan,
	{ rigid }: Problem,
	known: LocalContacts,
	number: Int32Array,
	rank: number,
	size: number,
): RankPart {
	const { tile, rank: owner, contact } = known;
	const cutter = cutterOf(plan, { owner, tile }, size);
	const outline = outlineOf(plan, cutter.cut(rank), { tile }, rank, size);
	if (!(cutter instanceof MatrixFreeCutter)) return { outline, operator: cutter.rows(outline) };
	const contacts = taken(contact, joined(outline.ids, outline.ghosts));
	return inList(outline, contacts, withBodies(rigid!, taken(placesByNumber(number), cutter.bodies(rank))));
}

/** Without W: contacts, own ones and then ghosts, have these numbers in the step's list, of which nothing is copied. */
function inList(outline: ShareOutline, contacts: Int32Array, rigid: RigidContacts): RankPart {
	const { operator, ids } = outline;
	if (operator.kind !== "matrix-free") throw new Error("an outline of another operator");
	const contact = contacts.subarray(0, ids.length);
	const sharedContact = taken(contacts, operator.sharedContact);
	return {
		outline: { ...outline, operator: { ...operator, contact, sharedContact } },
		operator: { kind: "matrix-free", rigid },
	};
}

/** The contacts with these bodies alone, which are numbered in this order; any other is like an obstacle. */
function withBodies(rigid: RigidContacts, bodies: Int32Array): RigidContacts {
	const { body, inverseMass, inverseInertia } = rigid;
	const number = new Int32Array(inverseMass.length).fill(-1);
	for (let i = 0; i < bodies.length; i += 1) number[bodies[i]!] = i;
	const numbered = new Int32Array(body.length);
	for (let k = 0; k < body.length; k += 1) numbered[k] = body[k]! < 0 ? -1 : number[body[k]!]!;
	return {
		...rigid,
		body: numbered,
		inverseMass: gather(inverseMass, bodies, 1),
		inverseInertia: gather(inverseInertia, bodies, 6),
	};
}

function joined(one: Int32Array, other: Int32Array): Int32Array {
	const both = new Int32Array(one.length + other.length);
	both.set(one);
	both.set(other, one.length);
	return both;
}

/** Nine numbers per own contact. */
function diagonalOf(
	{ problem, matrix }: Plan,
	{ outline: { ids }, operator }: RankPart,
	own: Int32Array,
	room: Float64Array,
): Float64Array {
	if (operator.kind === "matrix-free") return rigidDiagonal(operator.rigid, "wasm", room, own);
	if (problem.rigid) return rigidDiagonal(problem.rigid, "wasm", room, ids.length < problem.contacts ? ids : undefined);
	const { rowStart, column, values } = matrix!;
	const diagonal = new Float64Array(9 * problem.contacts);
	for (let i = 0; i < problem.contacts; i += 1) {
		let at = rowStart[i]!;
		while (at < rowStart[i + 1]! && column[at] !== i) at += 1;
		if (at === rowStart[i + 1]!) continue;
		for (let k = 0; k < 9; k += 1) diagonal[9 * i + k] = values[9 * at + k]!;
	}
	return gather(diagonal, ids, 9, room);
}
