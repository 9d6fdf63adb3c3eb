/** What `study calibrate` and `study predict` are asked for. */
import { MEASURES, type MeasureName } from "@stickslip/core";
import { type Arguments, asNumber } from "../cli/arguments.js";
import { variantsOf } from "./method-variants.js";
import type { MethodVariant } from "./study-request.js";

export const CALIBRATED_TRANSPORTS = ["threads", "zeromq", "zeromq-tcp", "openmpi", "mpich"] as const;
export const WORKS = ["shares", "machine"] as const;

const NONE = "none";
const RANKS_MAX = 4096;
const CONTACTS_MAX = 10_000_000;
const REPEATS_MAX = 1000;
const ITERATIONS_MAX = 1e6;

export interface CalibrateRequest {
	/** A file, and whether what it has of others stays. */
	readonly output: string;
	readonly adds: boolean;
	readonly methods: readonly string[];
	readonly transports: readonly string[];
	/** Of the pile that work is measured on. */
	readonly contacts: number;
	readonly repeats: number;
	/** For each measurement of a transport, and milliseconds of a window of it. */
	readonly seconds: number;
	readonly windowMs: number;
}

export interface PredictRequest {
	/** An FCLIB file; undefined for a generated graph of tiles. */
	readonly file: string | undefined;
	/** Contacts of each rank of such a graph. */
	readonly tiles: number | undefined;
	readonly machine: string;
	readonly variants: readonly MethodVariant[];
	readonly ranks: readonly number[];
	/** By name; undefined for this machine. */
	readonly network: string | undefined;
	readonly transport: string;
	readonly work: (typeof WORKS)[number];
	readonly ranksPerHost: number | undefined;
	/** Of a line between hosts that is like this machine's but for this: seconds that it adds, and bytes a second at most. */
	readonly delay: number | undefined;
	readonly bandwidth: number;
	/** Seconds that a message takes a core at either end, beyond those of one on this machine. */
	readonly overhead: number;
	/** That all hosts on such a line share; undefined where each rank has its own. */
	readonly cores: number | undefined;
	readonly measure: MeasureName;
	readonly tolerance: number;
	readonly maxIterations: number;
	readonly repeats: number;
	readonly jitter: number;
	readonly seed: number;
	readonly json: boolean;
}

export function parseCalibrate(args: Arguments): CalibrateRequest {
	const [, extra] = args.operands;
	if (extra !== undefined)
		args.refuse(extra, "unknown argument", "calibrate measures this machine, with a pile of its own");
	const output = args.text("output") ?? args.refuse("--output", "is missing", "add --output FILE");
	const methods = args.text("methods") ?? "gauss-seidel,pqn-diagonal,pqn";
	return {
		output,
		adds: args.flag("add"),
		methods: methods === NONE ? [] : variantsOf(args.command, methods).map(({ method }) => method),
		transports: words(args, "transports", CALIBRATED_TRANSPORTS, CALIBRATED_TRANSPORTS),
		contacts: args.integer("contacts", 1000, CONTACTS_MAX) ?? 60_000,
		repeats: args.integer("repeat", 1, REPEATS_MAX) ?? 5,
		seconds: args.seconds("time-limit", "above 0", 0.3) ?? 0.3,
		windowMs: 10,
	};
}

export function parsePredict(args: Arguments): PredictRequest {
	const [, file, extra] = args.operands;
	if (extra !== undefined) args.refuse(extra, "unknown argument", "predict one problem at a time");
	const tiles = args.integer("tiles", 64, CONTACTS_MAX);
	if (file === undefined && tiles === undefined)
		args.refuse("FILE", "is missing", "name an FCLIB file, or add --tiles N");
	if (file !== undefined && tiles !== undefined)
		args.refuse("--tiles", "is of a graph without a file", "leave out one of the two");
	const network = args.text("network");
	const delayMs = args.real("delay", "from 0");
	const gigabits = args.real("bandwidth", "above 0");
	const isOnLine = delayMs !== undefined || gigabits !== undefined;
	if (network !== undefined && isOnLine) {
		args.refuse("--network", "has a latency and a bandwidth of its own", "leave out --delay and --bandwidth");
	}
	const overheadUs = args.real("overhead", "from 0");
	if (overheadUs !== undefined && !isOnLine)
		args.refuse("--overhead", "is of a line that is given", "add --delay or --bandwidth");
	const cores = args.integer("cores", 1, RANKS_MAX);
	if (cores !== undefined && !isOnLine)
		args.refuse("--cores", "are of hosts on a line that is given", "add --delay or --bandwidth");
	const isAlone = network === undefined && !isOnLine;
	const transport = args.choice("transport", CALIBRATED_TRANSPORTS) ?? (isAlone ? "threads" : "openmpi");
	if (transport === "threads" && !isAlone) args.refuse("--transport", "threads are of one host", "name another one");
	return {
		file,
		tiles,
		machine:
			args.text("machine") ??
			args.refuse("--machine", "is missing", "measure one: stickslip study calibrate --output FILE"),
		variants: variantsOf(args.command, args.text("methods") ?? "gauss-seidel,pqn-diagonal"),
		ranks: ranksIn(args),
		network,
		transport,
		work: args.choice("work", WORKS) ?? (tiles === undefined ? "shares" : "machine"),
		ranksPerHost: args.integer("ranks-per-host", 1, RANKS_MAX),
		delay: isOnLine ? (delayMs ?? 0) / 1000 : undefined,
		bandwidth: gigabits === undefined ? Number.POSITIVE_INFINITY : (gigabits * 1e9) / 8,
		overhead: (overheadUs ?? 0) / 1e6,
		cores,
		measure: args.choice("measure", MEASURES) ?? "energy",
		tolerance: args.real("tolerance", "above 0") ?? 1e-3,
		maxIterations: args.integer("max-iterations", 1, ITERATIONS_MAX) ?? 1000,
		repeats: args.integer("repeat", 1, REPEATS_MAX) ?? 3,
		jitter: args.real("jitter", "from 0") ?? 0.01,
		seed: args.integer("seed", 0, Number.MAX_SAFE_INTEGER) ?? 1,
		json: args.flag("json"),
	};
}

function ranksIn(args: Arguments): number[] {
	const texts = (args.text("ranks") ?? "1,2").split(",");
	const values = texts.map((each) => {
		const value = asNumber(each.trim());
		if (value !== undefined && Number.isInteger(value) && value >= 1 && value <= RANKS_MAX) return value;
		return args.refuse("--ranks", `"${each}" is not an integer from 1 to ${RANKS_MAX}`, "write e.g. 1,36,720");
	});
	return [...new Set(values)];
}

function words(args: Arguments, name: string, known: readonly string[], all: readonly string[]): string[] {
	const text = args.text(name);
	if (text === undefined) return [...all];
	if (text === NONE) return [];
	const chosen = text.split(",").map((each) => each.trim());
	const unknown = chosen.find((each) => !known.includes(each));
	if (unknown !== undefined) args.refuse(`--${name}`, `there is no "${unknown}"`, `choose among ${known.join(", ")}`);
	return [...new Set(chosen)];
}
