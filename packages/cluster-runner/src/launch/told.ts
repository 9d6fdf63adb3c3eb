/** What a run was launched with, kept in its folder: `resume` goes on with the same, but for what it is told otherwise. */
import { join } from "node:path";
import { Given } from "../line/given.js";
import { type Fields, readFields } from "../runs/check.js";
import { launchSpecs, WHERES, type Where } from "./specs.js";

export const LAUNCH_FILE = "launch.json";

export interface Told {
	readonly where: Where;
	/** Values by option; none for a switch. */
	readonly options: Readonly<Record<string, readonly string[]>>;
	/** Words for others that stood by themselves. */
	readonly unknown: readonly string[];
}

/** Of options that only say how to launch, nothing is kept. */
const passing = new Set(["dry-run", "detach", "inside", "runs"]);

export function toldBy(given: Given, where: Where, hosts: string | undefined): Told {
	const options: Record<string, readonly string[]> = {};
	for (const { name, value } of launchSpecs) {
		if (passing.has(name)) continue;
		if (value === undefined ? given.flag(name) : given.texts(name).length > 0) options[name] = given.texts(name);
	}
	// The file of hosts may be another one by then.
	if (hosts !== undefined) {
		delete options.hosts;
		options.host = [hosts];
	}
	return { where, options, unknown: given.rest.unknown };
}

export function readTold(folder: string): Told | undefined {
	const fields = readFields(join(folder, LAUNCH_FILE));
	if (fields === undefined) return undefined;
	return {
		where: fields.choice("where", WHERES),
		options: optionsIn(fields.fields("options")),
		unknown: fields.texts("unknown"),
	};
}

function optionsIn(fields: Fields): Told["options"] {
	return Object.fromEntries(Object.keys(fields.values).map((name) => [name, fields.texts(name)]));
}

/** The line of a launch that would launch the same, with what `resume` says instead. Options that another WHERE does not take are left out. */
export function givenAgain(told: Told, resume: Given, line: readonly string[]): Given {
	const where = resume.choice("where", WHERES) ?? told.where;
	const flags = new Set<string>();
	const texts = new Map<string, readonly string[]>();
	const isHostsGiven = resume.text("host") !== undefined || resume.text("hosts") !== undefined;
	for (const { name, value, of } of launchSpecs) {
		const isGiven = value === undefined ? resume.flag(name) : resume.texts(name).length > 0;
		const isKept = of === undefined || of.includes(where);
		// As many nodes as there are hosts, where these are named anew.
		const isOutdated = isHostsGiven && (name === "host" || name === "nodes");
		const kept = isOutdated || !isKept ? undefined : told.options[name];
		const values = isGiven ? resume.texts(name) : kept;
		if (values === undefined) continue;
		if (value === undefined) flags.add(name);
		else texts.set(name, values);
	}
	const unknown = where === told.where ? told.unknown : [];
	return new Given(resume.command, [where], flags, texts, { unknown, line });
}
