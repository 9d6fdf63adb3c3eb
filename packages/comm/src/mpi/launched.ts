/**
 * What mpirun or srun passes to a process through the environment, before MPI is initialised: the library to load, and the rank. A rank
 * must use the library of the launcher that started it: with another one it would be alone in a world of one.
 */

export type MpiKind = "openmpi" | "mpich";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Launched {
	/** Undefined where the launcher serves both, as a PMIx server does. */
	readonly kind: MpiKind | undefined;
	readonly rank: number;
	readonly size: number;
}

/** Rank and size as Open MPI's mpirun, hydra (MPICH and its relatives) and PMIx servers set them; the first that fits counts. */
const launchers: readonly { readonly kind: MpiKind | undefined; readonly rank: string; readonly sizes: string[] }[] = [
	{ kind: "openmpi", rank: "OMPI_COMM_WORLD_RANK", sizes: ["OMPI_COMM_WORLD_SIZE"] },
	{ kind: "mpich", rank: "PMI_RANK", sizes: ["PMI_SIZE"] },
	{ kind: undefined, rank: "PMIX_RANK", sizes: ["PMIX_SIZE", "SLURM_NTASKS"] },
];

/** Undefined where no launcher started this process. */
export function launched(env: Environment = process.env): Launched | undefined {
	for (const { kind, rank, sizes } of launchers) {
		const size = sizes.map((name) => count(env[name])).find((value) => value !== undefined);
		const own = count(env[rank]);
		if (own !== undefined && size !== undefined && own < size) return { kind, rank: own, size };
	}
	return undefined;
}

/** Variables that launchers set: a process that starts an mpirun of its own must not pass them on. */
export function withoutLauncher(env: Environment): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value !== undefined && !/^(OMPI|OPAL|PMIX?|PRTE|HYDI?|MPI)_/.test(name)) kept[name] = value;
		// The administrator's own settings stay.
		else if (value !== undefined && /^(OMPI_MCA_|OMPI_ALLOW|OPAL_PREFIX|MPI_HOME)/.test(name)) kept[name] = value;
	}
	return kept;
}

function count(text: string | undefined): number | undefined {
	return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
