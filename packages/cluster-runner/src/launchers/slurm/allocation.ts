/** The allocation of this process, from the environment that Slurm sets. */

export interface Allocation {
	readonly job: string;
	readonly nodes: number;
	/** Cores that each node has for a process; undefined if Slurm does not say. */
	readonly coresPerNode: number | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined outside of any allocation. */
export function allocation(env: Environment = process.env): Allocation | undefined {
	const { SLURM_JOB_ID: job } = env;
	const nodes = positive(env.SLURM_JOB_NUM_NODES ?? env.SLURM_NNODES);
	if (job === undefined || job === "" || nodes === undefined) return undefined;
	const perTask = positive(env.SLURM_CPUS_PER_TASK);
	return { job, nodes, coresPerNode: perTask ?? leastCores(env.SLURM_JOB_CPUS_PER_NODE) };
}

/** "8(x3),4": three nodes of 8 and one of 4; the smallest number fits on all. */
export function leastCores(text: string | undefined): number | undefined {
	if (text === undefined || !/^\d+(\(x\d+\))?(,\d+(\(x\d+\))?)*$/.test(text)) return undefined;
	return positive(String(Math.min(...text.split(",").map((part) => Number.parseInt(part, 10)))));
}

function positive(text: string | undefined): number | undefined {
	const value = text !== undefined && /^\d+$/.test(text) ? Number(text) : 0;
	return value > 0 ? value : undefined;
}
