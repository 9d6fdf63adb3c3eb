/** Checks of the messages of a solve on arrival: the part of a rank, and its result. */
import { PARAMETERS, type Problem, type Solution } from "@stickslip/core";
import {
	arePlans,
	type RunOptions,
	type ShareOutline,
	type ShareRows,
	type UnreadRows,
} from "@stickslip/core/parallel";
import {
	anyNumber,
	anyObject,
	array,
	type Check,
	either,
	exactly,
	integer,
	oneOf,
	optional,
	record,
	text,
} from "@stickslip/core/schema";
import { RANKS_MAX } from "../protocol/messages.js";

const LINE_MAX = 100_000;
const count = integer(0);
const line = text(LINE_MAX);

/** The places that each neighbour is sent, and those that it sends: of one plan, or of several joined plans. */
const lists = {
	targets: array(Int32Array),
	sendStart: array(Int32Array),
	send: array(Int32Array),
	sources: array(Int32Array),
	receiveStart: array(Int32Array),
	receive: array(Int32Array),
};
const width = integer(1, 1000);
const halo = record({ width, ...lists });
const plans = record({ width, targetStart: array(Int32Array), sourceStart: array(Int32Array), ...lists });

const isPlainOutline = record({
	name: line,
	rank: integer(0, RANKS_MAX - 1),
	ranks: integer(1, RANKS_MAX),
	contacts: count,
	counted: count,
	blocks: count,
	equalityRows: count,
	ids: array(Int32Array),
	ownContacts: count,
	ghosts: array(Int32Array),
	operator: either(
		record({ kind: exactly("assembled"), row: array(Int32Array), local: array(Int32Array), interior: count }),
		record({
			kind: exactly("matrix-free"),
			contact: array(Int32Array),
			sharedPlace: array(Int32Array),
			sharedContact: array(Int32Array),
			isShared: array(Uint8Array),
		}),
	),
	operatorReason: line,
	coupling: line,
	lawsUsed: array(Int32Array),
	colours: count,
	order: oneOf(["coloured", "shuffled", "file"]),
	masses: optional(record({ mass: anyNumber, coupling: anyNumber, smallest: anyNumber, largest: anyNumber })),
	halo,
	sweep: record({ steps: count, start: array(Int32Array), runs: array(Int32Array), passed: plans }),
});

const laws = optional(record({ law: array(Uint8Array), parameters: array(Float64Array) }));

const isPlainRows = record({
	q: array(Float64Array),
	mu: array(Float64Array),
	laws,
	diagonal: array(Float64Array),
	singular: array(Int32Array),
	start: optional(array(Float64Array)),
	operator: either(
		record({ kind: exactly("assembled"), matrix: anyObject }),
		record({ kind: exactly("matrix-free"), rigid: anyObject }),
	),
});

/** Lengths that follow from one another. */
export const isShareOutline = (value: unknown): value is ShareOutline => {
	if (!isPlainOutline(value)) return false;
	const own = value.ids.length;
	return (
		value.ownContacts <= own &&
		(value.operator.kind !== "assembled" ||
			(value.operator.row.length === own && value.operator.local.length === own + value.ghosts.length)) &&
		value.sweep.start.length === 2 * value.sweep.steps + 1 &&
		arePlans(value.sweep.passed, value.sweep.steps)
	);
};

export const isShareRows = isPlainRows as Check<unknown> as Check<ShareRows>;

export const areUnreadRows: Check<UnreadRows> = record({
	q: array(Float64Array),
	mu: array(Float64Array),
	laws,
	start: optional(array(Float64Array)),
	origin: record({ path: line, bytes: count, modified: anyNumber, beginning: text(64) }),
}) as Check<unknown> as Check<UnreadRows>;

/** Whether rows have the number and the operator of the outline. */
export function areRowsOf({ ids, ownContacts, operator }: ShareOutline, rows: ShareRows | UnreadRows): boolean {
	const own = ids.length;
	return (
		rows.q.length === 3 * own &&
		rows.mu.length === ownContacts &&
		(rows.laws === undefined ||
			(rows.laws.law.length === ownContacts && rows.laws.parameters.length === PARAMETERS * ownContacts)) &&
		(rows.start === undefined || rows.start.length === 3 * own) &&
		("origin" in rows
			? operator.kind === "assembled"
			: rows.diagonal.length === 9 * own && rows.operator.kind === operator.kind)
	);
}

export const isRunOptions = anyObject as Check<RunOptions>;

const isPlainSolution = record({
	reaction: array(Float64Array),
	velocity: array(Float64Array),
	multiplier: array(Float64Array),
	report: anyObject as Check<Solution["report"]>,
});

/** The result of a rank that has solved the problem alone. */
export function isSolution(value: unknown, { contacts }: Pick<Problem, "contacts">): value is Solution {
	return isPlainSolution(value) && value.reaction.length === 3 * contacts && value.velocity.length === 3 * contacts;
}
