/** A request to launch a run: the options of `stickslip launch` as checked values. What a value means to a scheduler is decided in that launcher's file. */
import { resolve } from "node:path";
import { withoutUndefined } from "../base/without-undefined.js";
import type { Arguments } from "../cli/arguments.js";
import { edits, nearest } from "../cli/nearest.js";
import { type Host, hostsIn, readHosts } from "../placement/hosts.js";
import { type LaunchOptions, RESTARTS_MAX, resumedOptions } from "../placement/launch-options.js";
import type { Placement } from "../placement/placement.js";
import { memoryOf, timeOf } from "../placement/quantities.js";
import { type LauncherSpec, type LauncherSpecs, launcherOptions, launchSpecs } from "../placement/specs.js";
import { checkListen } from "../protocol/listen-address.js";
import { RANKS_MAX } from "../protocol/messages.js";
import { METRICS_VARIABLE } from "../records/files.js";
import type { CommandLine } from "../requests/command-line.js";
import { type Run, runsFolder } from "../runs/folder.js";
import { launchable } from "./launchable.js";

/** With the defaults of options that were not given. */
export type LaunchRequest = CommandLine & LaunchDetails;

interface LaunchDetails extends LaunchOptions {
	readonly restarts: number;
	readonly checkpoint: number;
	readonly capsule: boolean;
	readonly jobset: boolean;
	readonly pass: readonly string[];
	/** The folder of all runs. */
	readonly runs: string;
	readonly dryRun: boolean;
	readonly detach: boolean;
	/** This process is the run's own batch job. */
	readonly inside: boolean;
	/** What was given, for `resume`. */
	readonly given: LaunchOptions;
	/** The run to resume; absent for a new one. */
	readonly run?: Run;
	/** Present for a run that is resumed. */
	readonly resumption?: Resumption;
	/** Of a new run. Default: made of the time and the problem. */
	readonly id?: string;
	/** For errors that only one launcher can detect. */
	refuse(place: string, problem: string, remedy: string): never;
}

export interface Resumption {
	/** Placement before; undefined where no launcher recorded one. */
	readonly previous: Placement | undefined;
	/** The command says where the run continues. */
	readonly isRequested: boolean;
}

export const CHECKPOINT_SECONDS = 60;

/** A run that is resumed, its command, how it was launched, and the placement that followed. */
export interface ResumedRun {
	readonly run: Run;
	readonly launched: CommandLine;
	readonly before: LaunchOptions;
	readonly placement: Placement | undefined;
}

/** `launchers` are those that it may name, by name. */
export function launchRequest<Name extends string>(
	args: Arguments,
	launchers: Readonly<Record<Name, LauncherSpec>>,
	resumed?: ResumedRun,
): LaunchRequest & { readonly where: Name } {
	const names = Object.keys(launchers) as Name[];
	const where =
		resumed === undefined
			? whereOf(args, launchers, names)
			: (args.choice("where", names) ?? asBefore(args, names, resumed.before));
	refuseForeignOptions(args, where, launchers);
	const now = { ...optionsIn(args, launchers), where };
	const options = resumed === undefined ? now : resumedOptions(resumed.before, now, launchers);
	const kept = resumed === undefined ? {} : keptSize(args, where, resumed);
	const { nodes = 1, ranksPerNode = 1, listen, metrics = metricsHere(args) } = { ...kept, ...options };
	if (nodes * ranksPerNode > RANKS_MAX) {
		args.refuse("--nodes", `${nodes} nodes of ${ranksPerNode} ranks are more than ${RANKS_MAX} ranks`, "give fewer");
	}
	if (listen !== undefined) checkListen(listen, args.command);
	return {
		...{ restarts: 0, checkpoint: CHECKPOINT_SECONDS, capsule: true, jobset: false, pass: [] },
		...kept,
		...options,
		where,
		...(metrics !== undefined && { metrics }),
		...(resumed?.launched ?? launchable(args.rest.line)),
		runs: runsFolder(args.text("runs")),
		dryRun: args.flag("dry-run"),
		detach: args.flag("detach"),
		inside: args.flag("inside"),
		given: options,
		...(resumed !== undefined && { run: resumed.run }),
		...(resumed !== undefined && {
			resumption: { previous: resumed.placement, isRequested: namesPlacement(args) },
		}),
		refuse: (place, problem, remedy) => args.refuse(place, problem, remedy),
	};
}

function optionsIn(args: Arguments, launchers: LauncherSpecs): Omit<LaunchOptions, "where"> {
	const pass = [...args.texts("pass"), ...args.rest.unknown];
	return {
		...withoutUndefined({
			nodes: args.integer("nodes", 1, RANKS_MAX, 2),
			ranksPerNode: args.integer("ranks-per-node", 1, RANKS_MAX, 4),
			seconds: timeOf(args, "time"),
			memory: memoryOf(args, "memory"),
			restarts: args.integer("restarts", 0, RESTARTS_MAX, 3),
			checkpoint: args.real("checkpoint", "from 0", CHECKPOINT_SECONDS),
			capsule: args.flag("no-capsule") ? false : undefined,
			listen: args.text("listen"),
			wait: args.seconds("wait", "above 0", 60),
			metrics: checkedMetrics(args, args.text("metrics")),
			pass: pass.length > 0 ? pass : undefined,
			hosts: hostsOf(args),
			jobset: args.flag("jobset") || undefined,
		}),
		options: withoutUndefined(Object.fromEntries(launcherOptions(launchers).map((name) => [name, args.text(name)]))),
	};
}

/** Options that change the size of a run. */
const SIZE_OPTIONS = ["nodes", "ranks-per-node", "host", "hosts"] as const;

function namesSize(args: Arguments): boolean {
	return SIZE_OPTIONS.some((name) => args.text(name) !== undefined);
}

/** True if this command says where a run continues. */
export function namesPlacement(args: Arguments): boolean {
	return args.text("where") !== undefined || namesSize(args);
}

/** Nodes and ranks that a run had by default, where nothing else is requested; a run on hosts tries all of them again. */
function keptSize(
	args: Arguments,
	where: string,
	{ before, placement }: ResumedRun,
): Pick<LaunchOptions, "nodes" | "ranksPerNode"> {
	if (placement === undefined || placement.where !== where || namesSize(args)) return {};
	const { nodes, ranksPerNode } = placement;
	return before.hosts === undefined ? { nodes, ranksPerNode } : { ranksPerNode };
}

function asBefore<Name extends string>(args: Arguments, names: readonly Name[], { where }: LaunchOptions): Name {
	const found = names.find((name) => name === where);
	return found ?? args.refuse("--where", "is missing", `choose among ${names.join(", ")}`);
}

function whereOf<Name extends string>(args: Arguments, launchers: LauncherSpecs, names: readonly Name[]): Name {
	const [name, extra] = args.operands;
	const choices = names.join(", ");
	if (name === undefined) return args.refuse("WHERE", "is missing", `choose among ${choices}`);
	const where = names.find((candidate) => candidate === name);
	// "--nodez 2" is an unknown option and an unexpected argument: the option is reported first.
	refuseTypos(args, where, launchers);
	if (where === undefined) {
		const meant = nearest(name, names);
		const remedy = meant === undefined ? `choose among ${choices}` : `did you mean ${meant}?`;
		return args.refuse(name, "is not a valid WHERE", remedy);
	}
	if (extra === undefined) return where;
	const { line, joined } = args.rest;
	const words = joined === undefined ? "" : `write ${joined}, or `;
	const remedy = line === undefined ? "put -- before the command" : `${words}put the command after --`;
	return args.refuse(extra, "unknown argument before --", remedy);
}

/** Options of another launcher. */
function refuseForeignOptions(args: Arguments, where: string, launchers: LauncherSpecs): void {
	for (const { name, value, of } of launchSpecs(launchers)) {
		const isGiven = value === undefined ? args.flag(name) : args.texts(name).length > 0;
		if (!isGiven || of === undefined || of.includes(where)) continue;
		args.refuse(`--${name}`, `is for ${of.join(", ")} and not for ${where}`, "leave it out");
	}
}

/** Unknown options that resemble a known one; all of them for a launcher that passes none on. */
function refuseTypos(args: Arguments, where: string | undefined, launchers: LauncherSpecs): void {
	const specs = launchSpecs(launchers).filter(
		({ of }) => of === undefined || where === undefined || of.includes(where),
	);
	const names = specs.map(({ name }) => name);
	const other = where === undefined ? "others" : launchers[where]?.tool;
	for (const word of args.rest.unknown) {
		const name = word.replace(/^-+/, "").replace(/=.*/s, "");
		if (other === undefined) {
			const meant = nearest(name, names);
			const help = "stickslip launch --help lists all";
			args.refuse(word, "unknown option", meant === undefined ? help : `did you mean --${meant}? (${help})`);
		}
		const meant = word.startsWith("--") ? names.find((candidate) => resembles(name, candidate)) : undefined;
		if (meant === undefined) continue;
		args.refuse(
			word,
			`is an unknown option that resembles --${meant}`,
			`write that, or --pass=${word} to pass it to ${other}`,
		);
	}
}

/** One typing error in a short name, two in a longer one. */
function resembles(name: string, known: string): boolean {
	return edits(name, known) <= (known.length < 8 ? 1 : 2);
}

function hostsOf(args: Arguments): Host[] | undefined {
	const list = args.text("host");
	const file = args.text("hosts");
	if (list !== undefined && file !== undefined)
		args.refuse("--host", "cannot be combined with --hosts", "give one of them");
	if (list !== undefined) return hostsIn(list);
	return file === undefined ? undefined : readHosts(resolve(file));
}

/** From the environment, as the run itself does. */
function metricsHere(args: Arguments): string | undefined {
	return checkedMetrics(args, process.env[METRICS_VARIABLE]);
}

function checkedMetrics(args: Arguments, text: string | undefined): string | undefined {
	if (text === undefined || /^[^\s:]*:\d{1,5}$|^\[[\da-f:]+\]:\d{1,5}$/i.test(text)) return text;
	return args.refuse("--metrics", `"${text}" is not HOST:PORT`, "write e.g. --metrics 127.0.0.1:9464");
}
