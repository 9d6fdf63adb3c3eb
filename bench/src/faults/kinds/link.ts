/** The line to a host is dead for so long that it is noticed, and no longer than a run has to bear. */
import { pause } from "../../testing.js";
import type { FaultKind } from "../kind.js";

const CUT_SECONDS = 3;

export const link: FaultKind = {
	ways: ["ssh", "openmpi", "mpich", "slurm"],
	open: () => ({
		async strike({ cluster, random }) {
			const host = cluster.nodes[random.below(cluster.nodes.length)]!;
			host.cut();
			await pause(CUT_SECONDS);
			host.restore();
			return host.name;
		},
	}),
};
