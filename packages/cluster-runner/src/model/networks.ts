/**
 * Networks by name, with figures that others have published: none of them was measured by us. Latency is half of a round trip of an empty message between
 * two hosts, as MPI sees it; of it `overhead` is what the sender's core is busy for, and it is busy for as long where the message is received.
 */
import type { LineCost } from "./events.js";
import { type LineCosts, nextMessageSeconds } from "./line-costs.js";

export interface Network {
	readonly name: string;
	/** What the figures are of, and where they stand. */
	readonly source: string;
	/** Cores of a host. */
	readonly cores: number;
	readonly between: LineCost;
	/** Seconds of a core for each message that it sends, or receives. */
	readonly overhead: number;
	/** Seconds between two messages of a host. */
	readonly gap: number;
}

const micro = 1e-6;

export const NETWORKS: readonly Network[] = [
	{
		name: "omnipath-2017",
		source:
			"Intel Omni-Path 100 between hosts of 2 x 18 cores (Xeon E5-2695 v4): bandwidth 12.38 GB/s and 2.9 to 3.3 million messages a second of one pair of ranks, by osu_mbw_mr 5.3 with Open MPI 1.10 at LANL (gist.github.com/hppritcha/8da4436a216c9d96bf10ad9d403da03f, 2016); 160 million messages a second of a host (Dell HPC Omni-Path Fabric: Supported Architecture and Application Study, June 2016). Latency is set to 1.5 us: published values are near 1 us, and a job's switches and ranks of other jobs are not in them",
		cores: 36,
		between: { latency: 1.5 * micro, perByte: 1 / 12.38e9 },
		overhead: 0.34 * micro,
		gap: 1 / 160e6,
	},
	{
		name: "infiniband-edr-2021",
		source:
			"InfiniBand EDR: 0.90 us for an empty message with Open MPI, 11.6 GB/s (gist.github.com/jfgrimm/3af692a5475bdd4ed836b5a18197a209, 2021); overhead as of omnipath-2017; 150 million messages a second of a host",
		cores: 40,
		between: { latency: 0.9 * micro, perByte: 1 / 11.6e9 },
		overhead: 0.34 * micro,
		gap: 1 / 150e6,
	},
	{
		name: "infiniband-hdr-2019",
		source:
			"InfiniBand HDR of Azure HBv2 with 2 x EPYC 7742: 1.61 us with Open MPI by osu_latency 5.6.2, 23.48 GB/s by osu_mbw_mr (techcommunity.microsoft.com, HPC performance and scalability results with Azure HBv2 VMs, 2019); overhead as of omnipath-2017; 200 million messages a second of a host",
		cores: 120,
		between: { latency: 1.61 * micro, perByte: 1 / 23.48e9 },
		overhead: 0.34 * micro,
		gap: 1 / 200e6,
	},
	{
		name: "ethernet-25g-2020",
		source:
			"Ethernet with TCP of Amazon EC2: 20 to 30 us between two hosts, 25.4 Gbit/s of four streams (jiaweizhuang.github.io/blog/mpi-tcp-ec2, 2020); a core is taken to be busy for 5 us for each message, and a host to pass one every 0.5 us",
		cores: 36,
		between: { latency: 25 * micro, perByte: 8 / 25.4e9 },
		overhead: 5 * micro,
		gap: 0.5 * micro,
	},
];

export function networkOf(name: string): Network | undefined {
	return NETWORKS.find((each) => each.name === name);
}

/** A line between hosts that are like this machine, with a rank each. */
export interface NetworkLine {
	/** Seconds that a message takes longer on it than between two ranks here, and bytes a second. */
	readonly delay: number;
	readonly bandwidth: number;
	/** Seconds that it takes a core more, at either end. */
	readonly overhead: number;
}

export function networkOfLine(costs: LineCosts, { delay, bandwidth, overhead: more }: NetworkLine): Network {
	const { latency, perByte } = costs.within;
	const overhead = nextMessageSeconds(costs) + more;
	// Of a network the cores' parts are in its latency.
	const between = { latency: latency + delay + 2 * overhead, perByte: Math.max(perByte, 1 / bandwidth) };
	return { name: "the given line", source: "given on the command line", cores: 1, between, overhead, gap: 0 };
}
