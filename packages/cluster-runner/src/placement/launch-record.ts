/** The options that a run was launched with, kept in its folder: `resume` uses them again, except for those that it is given itself. */

import { join } from "node:path";
import { Given } from "../cli/given.js";
import { type Fields, readFields } from "../records/check.js";
import { FILES } from "../records/files.js";
import { launchSpecs, WHERES, type Where } from "./specs.js";

export interface LaunchRecord {
	readonly where: Where;
	/** Values by option; none for a switch. */
	readonly options: Readonly<Record<string, readonly string[]>>;
	/** Unknown options, which are passed on. */
	readonly unknown: readonly string[];
}

/** Options of a single launch, which are not recorded. */
const notRecorded = new Set(["dry-run", "detach", "inside", "runs"]);

export function launchRecord(given: Given, where: Where, hosts: string | undefined): LaunchRecord {
	const options: Record<string, readonly string[]> = {};
	for (const { name, value } of launchSpecs) {
		if (notRecorded.has(name)) continue;
		if (value === undefined ? given.flag(name) : given.texts(name).length > 0) options[name] = given.texts(name);
	}
	// The file of hosts may have changed by then.
	if (hosts !== undefined) {
		delete options.hosts;
		options.host = [hosts];
	}
	return { where, options, unknown: given.rest.unknown };
}

export function readLaunchRecord(folder: string): LaunchRecord | undefined {
	const fields = readFields(join(folder, FILES.launch));
	if (fields === undefined) return undefined;
	return {
		where: fields.choice("where", WHERES),
		options: optionsIn(fields.fields("options")),
		unknown: fields.texts("unknown"),
	};
}

function optionsIn(fields: Fields): LaunchRecord["options"] {
	return Object.fromEntries(Object.keys(fields.values).map((name) => [name, fields.texts(name)]));
}

/** The arguments of a launch that would do the same, with those of `resume` instead where it has them. Options that another launcher does not take are left out. */
export function givenForResume(record: LaunchRecord, given: Given): Given {
	const where = given.choice("where", WHERES) ?? record.where;
	const flags = new Set<string>();
	const texts = new Map<string, readonly string[]>();
	const isHostsGiven = given.text("host") !== undefined || given.text("hosts") !== undefined;
	for (const { name, value, of } of launchSpecs) {
		const isGiven = value === undefined ? given.flag(name) : given.texts(name).length > 0;
		const isKept = of === undefined || of.includes(where);
		// The number of nodes follows from the hosts if these are given again.
		const isOutdated = isHostsGiven && (name === "host" || name === "nodes");
		const kept = isOutdated || !isKept ? undefined : record.options[name];
		const values = isGiven ? given.texts(name) : kept;
		if (values === undefined) continue;
		if (value === undefined) flags.add(name);
		else texts.set(name, values);
	}
	const unknown = where === record.where ? record.unknown : [];
	return new Given(given.command, [where], flags, texts, { unknown, line: undefined });
}
