/** What all ranks of a run have to agree on, as one number: a rank that has something else would wait for messages that never come. */
import { createHash } from "node:crypto";
import { version } from "@stickslip/core";
import type { RunOptions, Share } from "@stickslip/core/parallel";

/** SHA-256 as hexadecimal; the same for the share of every rank. `iteration` is that of the state that is gone on from. */
export function runDigest(share: Share, options: RunOptions, transport: string, iteration = -1): string {
	const { name, ranks, contacts, blocks, equalityRows, operator, operatorReason, coupling, colours, order, sweep } =
		share;
	const whole = [
		name,
		ranks,
		contacts,
		blocks,
		equalityRows,
		operator.kind,
		operatorReason,
		coupling,
		colours,
		order,
		sweep.steps,
	];
	return createHash("sha256")
		.update(JSON.stringify([version, transport, iteration, ...whole, sorted(options)]))
		.digest("hex");
}

/** Options by name, since they may have been given in any order; those that are not given do not count. */
function sorted(options: object): unknown[] {
	const entries = Object.entries(options).filter(([, value]) => value !== undefined);
	return entries
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, value]) => [name, typeof value === "object" && value !== null ? sorted(value) : value]);
}
