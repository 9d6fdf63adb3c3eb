/** The names of the files in a run's folder. */
export const FILES = {
	/** The facts of the run: written once. */
	run: "run.json",
	/** The request, and how it runs if no launcher decides that. */
	request: "request.json",
	/** Its placement; absent for a run on this machine only. */
	placement: "placement.json",
	/** Its state: replaced again and again. */
	state: "state.json",
	/** The latest progress of the current problem. */
	progress: "progress.json",
	/** One report per finished problem. */
	reports: "report.jsonl",
	logs: "logs",
	checkpoints: "checkpoints",
	capsule: "capsule",
	/** A request to stop. */
	stop: "stop",
	/** The run's secret; gone when it has ended. */
	key: "key",
	/** What came through standard input, kept so that the run can be resumed. */
	input: "stdin.hdf5",
	/** What was launched: written once. */
	launch: "launch.json",
	/** Paths of the outputs that the run has begun: it may replace them. */
	outputs: "outputs.json",
	/** Addresses and clients of a service, while it listens. */
	service: "service.json",
} as const;

/** In the folder of a run by Slurm: the batch script, and what the line says on standard output and error. */
export const SLURM_FILES = { script: "slurm.sh", out: "out.log", err: "err.log" } as const;

/** The prefix of a supervisor's claim to the run (records/claim.ts). */
export const CLAIM_PREFIX = "supervisor-";

/** The folder of all runs, where --runs does not say. */
export const RUNS_VARIABLE = "STICKSLIP_RUNS";
/** The folder of the run that a process belongs to. */
export const RUN_VARIABLE = "STICKSLIP_RUN";
/** How often the line of a run will be started again after a loss; absent where nobody does. */
export const RESTARTS_VARIABLE = "STICKSLIP_RESTARTS";
/** HOST:PORT to serve a run's metrics at. */
export const METRICS_VARIABLE = "STICKSLIP_METRICS";
