/** Collective: a problem whose parts are on the ranks is shared out, solved, and answered part by part. Nobody ever has the whole. */
import type { ProblemPart } from "@stickslip/core";
import {
	type Communicator,
	moveRecords,
	type Outbox,
	type PartOfReport,
	type RankResult,
	runShare,
	type Share,
	shareOf,
	type Watch,
} from "@stickslip/core/parallel";
import { letGo } from "../base/let-go.js";
import { AgreedRefusal, together } from "./agreement.js";
import { hashInParts, moveAnswers, type PartAnswer } from "./answers.js";
import type { OwnContacts } from "./arrivals.js";
import { ArrivingContacts, writeContact } from "./bodies.js";
import { ArrivingMatrix, writeRow } from "./rows.js";
import { type Assignment, contactsOf, type HeldPart, type SolveOfParts, surveyParts } from "./survey.js";

/** What a rank has of the answer: that of its parts, and the hash of the whole reaction. */
export interface SolvedParts extends PartOfReport {
	readonly answers: readonly PartAnswer[];
	readonly hash: string;
}

/** Bad input, which all ranks report alike. */
export interface Refused {
	readonly refusal: readonly string[];
}

/** A part of the problem, with its number. */
export interface NumberedPart {
	readonly index: number;
	readonly part: ProblemPart;
}

/**
 * Collective. Empties the list of this rank's parts: their arrays are released as soon as their owners have the contacts. A part that a function makes is
 * made here, where bad input is refused by all ranks.
 */
export function* solveParts(
	given: NumberedPart[] | (() => NumberedPart),
	wanted: SolveOfParts,
	communicator: Communicator,
	watch: Watch,
): Generator<void, SolvedParts | Refused, void> {
	let held: HeldPart[];
	let shared: { share: Share | undefined; readonly own: OwnContacts };
	try {
		held = holdParts(communicator, given);
		shared = shareOut(communicator, held, wanted);
	} catch (error) {
		if (error instanceof AgreedRefusal) return { refusal: error.fields };
		throw error;
	}
	const { own, share } = shared;
	const { contacts } = share!;
	const result: RankResult = yield* runShare(share!, wanted.options, communicator, watch);
	const answers = moveAnswers(communicator, held, own, result);
	const hash = hashInParts(communicator, contacts, held, answers);
	return { answers, hash, rank: result.rank, report: result.report };
}

/** Collective. */
function holdParts(communicator: Communicator, given: NumberedPart[] | (() => NumberedPart)): HeldPart[] {
	const parts = typeof given === "function" ? [together(communicator, given)] : given.splice(0);
	return parts.map(({ index, part }) => ({ index, ids: part?.ids, part }));
}

/** Of what is large in parts. */
function bytesOf(held: readonly HeldPart[]): number {
	return held.reduce((sum, { part }) => sum + (part?.W?.values ?? part?.rigid?.frame ?? NO_NUMBERS).byteLength, 0);
}

const NO_NUMBERS = new Float64Array(0);

/** Collective. */
function shareOut(communicator: Communicator, held: readonly HeldPart[], wanted: SolveOfParts) {
	const { outline, rowStart, destinations, ...has } = surveyParts(communicator, held, wanted);
	const arriving = rowStart ? new ArrivingMatrix(outline, rowStart, has) : new ArrivingContacts(outline, has);
	moveRecords(communicator, produceRows(held, destinations), (records, from) => arriving.take(records, from));
	const bytes = bytesOf(held);
	for (const each of held) each.part = undefined;
	letGo(bytes);
	const rows = together(communicator, () => arriving.rows());
	return { share: shareOf(outline, rows), own: arriving.own };
}

/** Sends every contact of the parts to its owner, and to the ranks that have it as a ghost. */
function produceRows(held: readonly HeldPart[], destinations: Assignment["destinations"]) {
	const written = recordsOf(held, destinations);
	let next = written.next();
	return (outbox: Outbox): boolean => {
		for (; next.done !== true && !outbox.isFull; next = written.next()) {
			const { contact, to } = next.value;
			if (contact.part.W) writeRow(outbox, to, contact);
			else writeContact(outbox, to, contact);
		}
		return next.done !== true;
	};
}

function* recordsOf(held: readonly HeldPart[], destinations: Assignment["destinations"]) {
	const byIndex = new Map(destinations.map((each) => [each.index, each]));
	for (const contact of contactsOf(held)) {
		yield { contact, to: byIndex.get(contact.index)!.owner[contact.i]! };
	}
	for (const { index, part } of held) {
		const { copied, copiedTo } = byIndex.get(index)!;
		for (let k = 0; k < copied.length; k += 1) {
			yield { contact: { part: part!, index, i: copied[k]! }, to: copiedTo[k]! };
		}
	}
	return undefined;
}
