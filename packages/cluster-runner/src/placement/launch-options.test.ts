/** launch.json as it is written, and which options still hold elsewhere. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder } from "../../testing/run-cli.js";
import { launchers } from "../launchers/launchers.js";
import {
	type LaunchOptions,
	launchedWhere,
	readLaunchOptions,
	resumedOptions,
	writeLaunchOptions,
} from "./launch-options.js";

const options: LaunchOptions = {
	...{ where: "ssh", nodes: 2, ranksPerNode: 4, seconds: 7200, memory: 2 ** 32, restarts: 3, checkpoint: 0 },
	...{ capsule: false, listen: "10.0.0.0/8", wait: 5, metrics: ":9464", pass: ["-p2222"] },
	hosts: [{ name: "me@fe80::1", slots: 4 }, { name: "b" }],
	options: { "remote-node": "/opt/node", program: "~/stickslip" },
};

describe("what a run was launched with", () => {
	it("is read as it was written", () => {
		const folder = testFolder();
		expect([readLaunchOptions(folder, launchers), launchedWhere(folder)]).toEqual([undefined, undefined]);
		writeLaunchOptions(folder, options);
		expect([readLaunchOptions(folder, launchers), launchedWhere(folder)]).toEqual([options, "ssh"]);
	});

	it.each<[string, object, string]>([
		["a place that is none", { where: "moon" }, "where: is not one of local, ssh"],
		["a host that is an option", { hosts: [{ name: "-oProxyCommand=x" }] }, "hosts: is not a list of hosts"],
		["no nodes", { nodes: 0 }, "nodes: is not an integer from 1 to 1024"],
		["a word that is none", { pass: [1] }, "pass: is not a list of words"],
		["a field too many", { gift: 1 }, "gift: "],
		["an option too many", { options: { colour: "red" } }, "options.colour: "],
		["an option that is none", { options: { mpi: true } }, "options.mpi: is not a word"],
		["a field too few", { options: undefined }, "options: is missing"],
	])("is refused with %s", (_, changes, problem) => {
		const file = join(testFolder(), "launch.json");
		writeFileSync(file, JSON.stringify({ ...options, ...changes }));
		expect(() => readLaunchOptions(join(file, ".."), launchers)).toThrow(`${file}: ${problem}`);
	});

	it("goes on elsewhere without what is not taken there", () => {
		const { pass: _pass, hosts: _hosts, options: _options, ...common } = options;
		expect(resumedOptions(options, { where: "local", nodes: 1, options: {} }, launchers)).toEqual({
			...{ ...common, where: "local", nodes: 1, options: {} },
		});
		expect(resumedOptions(options, { where: "mpirun", options: { mpi: "mpich" } }, launchers)).toEqual({
			...{ ...common, where: "mpirun", hosts: options.hosts, options: { mpi: "mpich" } },
		});
	});

	it("has other nodes with other hosts", () => {
		const now = resumedOptions(
			options,
			{ where: "ssh", hosts: [{ name: "c" }], options: { program: "/opt" } },
			launchers,
		);
		const { nodes: _nodes, ...others } = options;
		expect(now).toEqual({
			...others,
			hosts: [{ name: "c" }],
			options: { "remote-node": "/opt/node", program: "/opt" },
		});
	});
});
