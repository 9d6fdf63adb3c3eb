/** `stickslip study predict`: what a solve would take on ranks that are not there. */
import { generate, InputError, type Problem } from "@stickslip/core";
import { type Prepared, prepare } from "@stickslip/core/parallel";
import { cutShares, isShareable } from "@stickslip/partition";
import type { ExitCode, Terminal } from "../cli/command.js";
import { load } from "../files/load.js";
import type { PredictRequest } from "../requests/model-request.js";
import type { MethodVariant } from "../requests/study-request.js";
import { type Forecast, forecast } from "./forecast.js";
import type { LineCosts } from "./line-costs.js";
import { type LoadSummary, loadsOf, type RankLoad, summaryOf } from "./loads.js";
import { type Machine, readMachine } from "./machine.js";
import { NETWORKS, type Network, networkOf, networkOfLine } from "./networks.js";
import { clusterPlatform, measuredPlatform, type Platform } from "./platform.js";
import { predictionHead, predictionLine } from "./prediction-table.js";
import { type RecordedSolve, type RepeatLimits, recordShare, recordSolve } from "./record-trace.js";
import { tileLoads } from "./tile-graph.js";
import type { Operation } from "./trace.js";
import { sampledWork, tabledWork, type Work, workOnAllCores } from "./work.js";

/** A row of a prediction. Seconds are of the whole solve. */
export interface Prediction extends Forecast, LoadSummary {
	readonly problem: string;
	readonly contacts: number;
	readonly method: string;
	readonly iterations: number;
	readonly ranks: number;
	readonly network: string;
	readonly transport: string;
	readonly work: string;
	/** What one rank takes for the same, by the same model, over all ranks' time: an efficiency with what caches gain. */
	readonly overOne: number;
}

/** Of a graph of tiles the method's operations are those of a pile of so many contacts, for so many iterations. */
const TILE_PILE = { contacts: 20_000, seed: 11, iterations: 20 } as const;
const TILE_CONTACTS = 512;
/** Layers of contacts at a border that others need. An assumption: a tile at a border couples with the first layer of its neighbour, and with some of the second. */
const TILE_LAYERS = 1.5;
/** More would say nothing new: operations of one iteration are like those of another. */
const EVENTS_MAX = 5_000_000;
/** Shares that are timed. */
const SAMPLES = 7;
/** Of timing the whole solve, and each share, for each of their repetitions at least. */
const RECORD_SECONDS = 0.1;

export async function predict(request: PredictRequest, terminal: Terminal): Promise<ExitCode> {
	const machine = readMachine(request.machine);
	const costs = machine.lines[request.transport];
	if (costs === undefined) {
		const known = Object.keys(machine.lines).join(", ");
		throw new InputError(
			request.machine,
			request.transport,
			"was not measured",
			`use --transport with one of ${known}`,
		);
	}
	const network = networkIn(request, costs);
	if (request.work === "machine") requireTables(request, machine);
	const problem = request.file === undefined ? tilePile() : (await load(request.file)).problem;
	const platformOf = (ranks: number): Platform =>
		network === undefined
			? measuredPlatform(ranks, machine.cores, costs)
			: clusterPlatform(ranks, request.ranksPerHost ?? network.cores, costs, network, request.cores);
	if (!request.json) for (const line of predictionHead(network?.name ?? "this machine")) terminal.out(line);
	for (const variant of request.variants) {
		const study = new PredictedMethod(request, machine, problem, variant);
		for (const ranks of request.ranks) {
			terminal.passing(`${variant.name}, ${ranks} ranks`);
			const row = study.on(ranks, platformOf(ranks), network?.name ?? "this machine");
			terminal.passing("");
			terminal.out(request.json ? JSON.stringify(row) : predictionLine(row));
		}
	}
	return 0;
}

function networkIn(request: PredictRequest, costs: LineCosts): Network | undefined {
	const { network, delay, bandwidth, overhead } = request;
	if (network === undefined) {
		return delay === undefined ? undefined : networkOfLine(costs, { delay, bandwidth, overhead });
	}
	const found = networkOf(network);
	if (found !== undefined) return found;
	const names = NETWORKS.map(({ name }) => name).join(", ");
	throw new InputError(
		"study",
		"--network",
		`there is no "${network}"`,
		`choose among ${names}; without it, this machine`,
	);
}

function requireTables({ variants, machine }: PredictRequest, { work }: Machine): void {
	const lacking = variants.find(({ name }) => !work.some(({ method }) => method === name));
	if (lacking === undefined) return;
	const known = work.map(({ method }) => method).join(", ");
	throw new InputError(
		machine,
		lacking.name,
		"was not measured",
		`choose among ${known}, or calibrate with --methods ${lacking.name}`,
	);
}

function tilePile(): Problem {
	return generate("spheres", { contacts: TILE_PILE.contacts, seed: TILE_PILE.seed });
}

/** One method on one problem: its trace is recorded once, for all numbers of ranks. */
class PredictedMethod {
	readonly #request: PredictRequest;
	readonly #machine: Machine;
	readonly #prepared: Prepared;
	readonly #solve: RecordedSolve;
	readonly #method: string;
	readonly #repeats: RepeatLimits;

	constructor(request: PredictRequest, machine: Machine, problem: Problem, { name, method, set }: MethodVariant) {
		this.#request = request;
		this.#machine = machine;
		this.#method = method;
		this.#repeats = { least: request.repeats, seconds: RECORD_SECONDS * request.repeats };
		const { measure, tolerance, maxIterations, tiles } = request;
		const limits =
			tiles === undefined ? { tolerance, maxIterations } : { tolerance: 1e-300, maxIterations: TILE_PILE.iterations };
		this.#prepared = prepare(problem, { method, set, measure, ...limits });
		if (!isShareable(this.#prepared)) {
			const operator = this.#prepared.plan.operator;
			throw new InputError(
				problem.name,
				name,
				`with operator=${operator} is not cut among ranks`,
				"choose another method or order",
			);
		}
		const { trace, ...rest } = recordSolve(this.#prepared, cutShares(this.#prepared, 1), this.#repeats);
		this.#solve = { ...rest, trace: { ...trace, method: name } };
	}

	on(ranks: number, platform: Platform, network: string): Prediction {
		const { tiles, transport, work: source } = this.#request;
		const { trace } = this.#solve;
		const loads = this.#loads(ranks);
		const work = this.#work(ranks, loads);
		const all = ranks > 1 ? workOnAllCores(work, this.#method, this.#machine) : work;
		const { operations, share } = sampleOf(trace.operations, eventsOf(loads));
		const found = forecast({ operations, loads, work: all, platform, jitter: this.#jitter });
		const seconds = found.seconds / share;
		const contacts = tiles === undefined ? trace.contacts : tiles * ranks;
		return {
			problem: tiles === undefined ? trace.problem : "tiles",
			contacts,
			method: trace.method,
			iterations: trace.iterations,
			...{ ranks, network, transport, work: source },
			...found,
			seconds,
			computeSum: found.computeSum / share,
			computeMost: found.computeMost / share,
			messages: found.messages / share,
			bytes: found.bytes / share,
			...summaryOf(loads),
			overOne: this.#alone(tiles === undefined ? 1 : ranks) / ranks / seconds,
		};
	}

	get #jitter() {
		return { mean: this.#request.jitter, seed: this.#request.seed };
	}

	#loads(ranks: number): RankLoad[] {
		const { tiles } = this.#request;
		if (tiles === undefined) return loadsOf(cutShares(this.#prepared, ranks));
		return tileLoads({ ranks, contacts: tiles, tileContacts: TILE_CONTACTS, layers: TILE_LAYERS });
	}

	/** Seconds of one rank that has everything; of a graph of tiles, of as many that have a part each and do not talk. */
	#alone(times: number): number {
		const { tiles } = this.#request;
		const { trace } = this.#solve;
		if (tiles === undefined) return trace.operations.reduce((sum, { seconds }) => sum + seconds, 0);
		const work = tabledWork(trace, this.#machine);
		return times * trace.operations.reduce((sum, _, i) => sum + work.seconds(i, { contacts: tiles, ghosts: 0 }), 0);
	}

	#work(ranks: number, loads: readonly RankLoad[]): Work {
		const { trace } = this.#solve;
		if (this.#request.work === "machine") return tabledWork(trace, this.#machine);
		if (ranks === 1) return sampledWork([{ share: loads[0]!, trace }]);
		const shares = cutShares(this.#prepared, ranks);
		const samples = sampledRanks(loads).flatMap((rank) => {
			const found = recordShare(this.#prepared, shares, rank, this.#solve, this.#repeats);
			return found === undefined ? [] : [{ share: loads[rank]!, trace: found }];
		});
		if (samples.length > 0) return sampledWork(samples, ranks);
		const name = this.#prepared.plan.problem.name;
		throw new InputError(name, trace.method, "does something else on a share than on all", "use --work machine");
	}
}

/** Ranks whose shares are timed: some of all sizes, ghosts included; one of no contacts tells nothing. */
function sampledRanks(loads: readonly RankLoad[]): number[] {
	const size = (rank: number) => loads[rank]!.contacts + loads[rank]!.ghosts;
	const order = [...loads.keys()]
		.filter((rank) => loads[rank]!.contacts > 0)
		.sort((one, other) => size(one) - size(other) || one - other);
	const places = Array.from({ length: SAMPLES }, (_, i) => Math.round((i * (order.length - 1)) / (SAMPLES - 1)));
	return [...new Set(places.map((at) => order[at]!))];
}

/** About how many events an operation has. */
function eventsOf(loads: readonly RankLoad[]): number {
	const messages = loads.reduce(
		(sum, { halo, steps }) =>
			sum + halo.targets.length + steps.reduce((all, { passed }) => all + passed.targets.length, 0),
		0,
	);
	return messages + loads.length * (2 + Math.ceil(Math.log2(loads.length + 1)));
}

/** A stretch in the middle of a trace that is too long, and which share of all work it is. */
function sampleOf(
	operations: readonly Operation[],
	eventsEach: number,
): { operations: readonly Operation[]; share: number } {
	const most = Math.max(50, Math.floor(EVENTS_MAX / eventsEach));
	if (operations.length <= most) return { operations, share: 1 };
	const work = (list: readonly Operation[]) => list.reduce((sum, { seconds }) => sum + seconds, 0);
	const part = operations.slice(0, most);
	return { operations: part, share: work(part) / work(operations) };
}
