/** A cluster that serves many rounds: made anew after one that did not hold, and where it does not come to rest. */
import { Cluster, openSmallDisk } from "../testing.js";
import type { Disks } from "./kind.js";
import { NODES } from "./round.js";

const SETTLE_SECONDS = 40;
/** More than a run with its checkpoints takes, and more than an answer does. */
const DISK_BYTES = { runs: 24 * 2 ** 20, answers: 16 * 2 ** 20 } as const;

/** A cluster with its disks. Servers of its nodes see only what was mounted before they began, so disks are there from the beginning. */
export interface Site {
	readonly cluster: Cluster;
	readonly disks: Disks;
}

export class Hosts {
	#site: Site | undefined;

	take(): Site {
		this.#site ??= siteOf(new Cluster(NODES));
		return this.#site;
	}

	/** `isSound`: nothing of the round is left on it. */
	async giveBack(isSound: boolean): Promise<void> {
		if (!isSound) return await this.close();
		try {
			await this.#site?.cluster.settle(SETTLE_SECONDS);
		} catch {
			// Slurm has lost a node for longer than that; another one is made in a moment.
			await this.close();
		}
	}

	async close(): Promise<void> {
		const site = this.#site;
		this.#site = undefined;
		await site?.cluster.close();
	}
}

function siteOf(cluster: Cluster): Site {
	const { runs, answers } = DISK_BYTES;
	return { cluster, disks: { runs: openSmallDisk(cluster.bed, runs), answers: openSmallDisk(cluster.bed, answers) } };
}
