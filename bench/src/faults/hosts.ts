/** A cluster that serves many rounds: made anew after one that did not hold, and where it does not come to rest. */
import { Cluster } from "@stickslip/cluster-runner/testing";
import { NODES } from "./round.js";

const SETTLE_SECONDS = 40;

export class Hosts {
	#cluster: Cluster | undefined;

	take(): Cluster {
		this.#cluster ??= new Cluster(NODES);
		return this.#cluster;
	}

	/** `isSound`: nothing of the round is left on it. */
	async giveBack(isSound: boolean): Promise<void> {
		if (!isSound) return await this.close();
		try {
			await this.#cluster?.settle(SETTLE_SECONDS);
		} catch {
			// Slurm has lost a node for longer than that; another one is made in a moment.
			await this.close();
		}
	}

	async close(): Promise<void> {
		const cluster = this.#cluster;
		this.#cluster = undefined;
		await cluster?.close();
	}
}
