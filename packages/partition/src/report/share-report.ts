/** The partition that a solve would use, as a report and as a picture: balance and cut of contacts, and the halo as it is cut. */
import { InputError, type Problem } from "@stickslip/core";
import type { Graph } from "../graph/graph.js";
import type { Owners } from "../partition/owners.js";
import type { Partition } from "../partition/partition.js";
import type { Shares } from "../shares/shares.js";
import { pictureOf } from "./picture.js";
import { type PartitionReport, type RankPart, reportOf } from "./report.js";

const REACTION_BYTES = 3 * 8;

function contactsOf({ owner, partition }: Owners, { vertices }: Graph): Partition {
	return { ...partition, owner: owner.subarray(0, vertices) };
}

function ownersOf({ owners }: Shares): Owners {
	if (owners !== undefined) return owners;
	throw new InputError("options", "ranks", "one rank owns everything", "ask for two or more");
}

/** Ghosts and neighbours are those of the exchange itself. */
export function describeShares(shares: Shares): PartitionReport {
	const owners = ownersOf(shares);
	const contacts = owners.contacts();
	const report = reportOf(contacts, contactsOf(owners, contacts));
	const ranks = report.ranks.map((part): RankPart => {
		const { ids, ghosts, halo } = shares.outline(part.rank);
		return {
			...part,
			own: ids.length,
			ghosts: ghosts.length,
			sent: halo.send.length,
			haloBytes: REACTION_BYTES * ghosts.length,
			neighbours: halo.sources.length,
		};
	});
	const ghosts = ranks.reduce((sum, part) => sum + part.ghosts, 0);
	return { ...report, ranks, ghostShare: ghosts / owners.owner.length };
}

/** An SVG. */
export function pictureOfShares(shares: Shares, problem: Problem): string {
	const owners = ownersOf(shares);
	const points = problem.geometry?.point;
	const contacts = owners.contacts();
	return pictureOf(contacts, contactsOf(owners, contacts), {
		title: `${problem.name}: ${problem.contacts} contacts on ${shares.ranks} ranks`,
		...(points ? { points } : {}),
	});
}
