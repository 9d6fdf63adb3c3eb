/** A rank among others: its communicator, and its part of a problem that is cut for all of them. */
import { Control, Patience, ThreadsCommunicator } from "@stickslip/comm/browser";
import type { Progress } from "@stickslip/core";
import {
	buffersOf,
	type Communicator,
	RankError,
	type RankResult,
	runShare,
	shareOf,
	toTheEnd,
	type Watch,
} from "@stickslip/core/parallel";
import { messageOf } from "../messages/errors.js";
import type { PartMessage, PartResult, Team } from "../messages/messages.js";
import { send } from "./scope.js";

export interface Member {
	readonly rank: number;
	readonly ranks: number;
	/** Of rank 0 to all others, by rank, beginning with rank 1. */
	readonly ports: readonly MessagePort[];
	/** Collective: every rank has its part. Ends all ranks where this one fails. */
	runPart(part: PartMessage, onProgress?: (progress: Progress) => void): RankResult;
	/** Ends all ranks in the name of this one. */
	fail(error: unknown): void;
}

/** Makes the communicator. Every rank but rank 0 runs parts as they arrive from there. */
export function joinTeam(
	rank: number,
	{ ranks, control: buffer, shared, spins, patienceSeconds, ports }: Team,
): Member {
	const control = new Control(buffer);
	const patience = new Patience({ control, seconds: patienceSeconds, spins });
	const communicator = new ThreadsCommunicator({ shared, rank, control, patience });
	const fail = (error: unknown) => {
		if (!(error instanceof RankError)) control.abort(rank, `failed: ${messageOf(error)}`);
		const failure = control.failure() ?? { rank, reason: `failed: ${messageOf(error)}` };
		send({ kind: "failure", ...failure });
	};
	const member: Member = {
		rank,
		ranks,
		ports,
		fail,
		runPart: (part, onProgress) => runPart(part, communicator, control, onProgress),
	};
	const [toFirst] = ports;
	if (rank > 0 && toFirst) {
		toFirst.onmessage = ({ data }: MessageEvent<PartMessage>) => {
			try {
				const result: PartResult = member.runPart(data);
				toFirst.postMessage(result, buffersOf(result));
			} catch (error) {
				fail(error);
			}
		};
	}
	return member;
}

function runPart(
	{ outline, rows, options }: PartMessage,
	communicator: Communicator,
	control: Control,
	progress?: (progress: Progress) => void,
): RankResult {
	const watch: Watch = {
		get request() {
			return control.stop;
		},
		...(progress && { progress }),
	};
	return toTheEnd(runShare(shareOf(outline, rows), options, communicator, watch));
}
