/**
 * The contact problem of a step as one rank has it, on rank 0 of several: for files that others solve. Each rank sends the rows of its own contacts, whose
 * columns are named by bodies and feature, and rank 0 numbers them in canonical order.
 */
import { assembleRigid, type BlockMatrix, PARAMETERS, type Problem } from "@stickslip/core";
import { moveRecords, type Outbox } from "@stickslip/core/parallel";
import type { StepProblem } from "./contact-solver.js";
import type { Domain } from "./domain.js";

export interface WholeProblem {
	readonly problem: Problem;
	readonly start: Float64Array | undefined;
}

/** The ids of two bodies, the feature, and 1 for the moment of a contact that rolls. */
const KEY = 4;
/** The key, q, mu, the law and its parameters, the point, the start, and how many blocks follow. */
const LAW = KEY + 3 + 1;
const POINT = LAW + 1 + PARAMETERS;
const HEAD = POINT + 3 + 3 + 1;
/** The key of a column, and its block. */
const BLOCK = KEY + 9;

/** Collective. Undefined on other ranks than 0. */
export function wholeProblem(step: StepProblem, domain: Domain): WholeProblem | undefined {
	const { communicator } = domain;
	if (communicator.size === 1) return step;
	const { rigid } = step.problem;
	const W = rigid === undefined ? step.problem.W! : assembleRigid(rigid);
	const records: Float64Array[] = [];
	let next = 0;
	const produce = (outbox: Outbox): boolean => {
		for (; next < step.contacts.count && !outbox.isFull; next += 1) {
			if (step.owner.rank[next] === communicator.rank) writeContact(step, W, domain, next, outbox);
		}
		return next < step.contacts.count;
	};
	moveRecords(communicator, produce, (numbers) => {
		for (let at = 0; at < numbers.length; ) {
			const end = at + HEAD + BLOCK * numbers[at + HEAD - 1]!;
			records.push(numbers.slice(at, end));
			at = end;
		}
	});
	return communicator.rank === 0 ? joined(step, records.sort(byKey)) : undefined;
}

function writeContact(
	{ problem, contacts, start }: StepProblem,
	W: BlockMatrix,
	domain: Domain,
	a: number,
	to: Outbox,
) {
	const { id } = domain.bodies;
	const [from, end] = [W.rowStart[a]!, W.rowStart[a + 1]!];
	const record = to.record(0, HEAD + BLOCK * (end - from));
	let at = 0;
	const put = (numbers: ArrayLike<number>, offset: number, count: number) => {
		for (let k = 0; k < count; k += 1) record[at + k] = numbers[offset + k]!;
		at += count;
	};
	const putKey = (contact: number) => {
		const [first, second] = [id[contacts.body[2 * contact]!]!, id[contacts.body[2 * contact + 1]!]!];
		put([first, second, contacts.feature[contact]!, contacts.isMoment[contact] ?? 0], 0, KEY);
	};
	putKey(a);
	put(problem.q, 3 * a, 3);
	put(problem.mu, a, 1);
	put(problem.laws?.law ?? NO_LAW, problem.laws === undefined ? 0 : a, 1);
	put(problem.laws?.parameters ?? NO_LAW, problem.laws === undefined ? 0 : PARAMETERS * a, PARAMETERS);
	put(contacts.point, 3 * a, 3);
	put(start ?? NO_START, start === undefined ? 0 : 3 * a, 3);
	put([end - from], 0, 1);
	for (let k = from; k < end; k += 1) {
		putKey(W.column[k]!);
		put(W.values, 9 * k, 9);
	}
}

const NO_START = [0, 0, 0];
const NO_LAW = new Float64Array(PARAMETERS);

function byKey(one: Float64Array, other: Float64Array): number {
	for (let k = 0; k < KEY; k += 1) if (one[k] !== other[k]) return one[k]! - other[k]!;
	return 0;
}

function keyOf(numbers: Float64Array, at: number): string {
	return numbers.subarray(at, at + KEY).join(" ");
}

function joined(
	{ problem: { name, laws: hasLaws }, start: hasStart }: StepProblem,
	records: readonly Float64Array[],
): WholeProblem {
	const contacts = records.length;
	const number = new Map(records.map((record, a) => [keyOf(record, 0), a]));
	const blocks = records.reduce((sum, record) => sum + record[HEAD - 1]!, 0);
	const W = {
		rows: contacts,
		rowStart: new Int32Array(contacts + 1),
		column: new Int32Array(blocks),
		values: new Float64Array(9 * blocks),
	};
	const [q, mu] = [new Float64Array(3 * contacts), new Float64Array(contacts)];
	const [point, start] = [new Float64Array(3 * contacts), new Float64Array(3 * contacts)];
	const laws = { law: new Uint8Array(contacts), parameters: new Float64Array(PARAMETERS * contacts) };
	let k = 0;
	for (const [a, record] of records.entries()) {
		q.set(record.subarray(KEY, KEY + 3), 3 * a);
		mu[a] = record[KEY + 3]!;
		laws.law[a] = record[LAW]!;
		laws.parameters.set(record.subarray(LAW + 1, POINT), PARAMETERS * a);
		point.set(record.subarray(POINT, POINT + 3), 3 * a);
		start.set(record.subarray(POINT + 3, POINT + 6), 3 * a);
		// Columns ascend as they did where the row was made: numbers there and here follow the same order.
		for (let at = HEAD; at < record.length; at += BLOCK) {
			W.column[k] = number.get(keyOf(record, at))!;
			W.values.set(record.subarray(at + KEY, at + BLOCK), 9 * k);
			k += 1;
		}
		W.rowStart[a + 1] = k;
	}
	const problem = { name, contacts, q, mu, ...(hasLaws && { laws }), W, geometry: { point } };
	return { problem, start: hasStart && start };
}
