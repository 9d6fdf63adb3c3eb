/** Lost hosts are left out of a run, with a fake ssh. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testFolder } from "../../testing/run-cli.js";
import type { Placement } from "../placement/placement.js";
import { leaveOutHosts } from "./survivors.js";

const placement: Placement = {
	where: "ssh",
	nodes: 3,
	ranksPerNode: 2,
	between: "zeromq",
	hosts: ["a", "b", "a"],
	waitSeconds: 60,
};

/** Reaches the hosts named in `alive` only; the words before the last are ssh's. */
function played(alive: string): string {
	const folder = testFolder();
	const ssh = join(folder, "ssh");
	writeFileSync(
		ssh,
		`#!/bin/sh\nfor word; do case "$word" in --) next=1 ;; *) [ -n "$next" ] && { host=$word; next=; } ;; esac; done\ncase " ${alive} " in *" $host "*) exit 0 ;; esac\nexit 255\n`,
	);
	chmodSync(ssh, 0o755);
	vi.stubEnv("STICKSLIP_SSH", ssh);
	mkdirSync(join(folder, "run"));
	return join(folder, "run");
}

beforeEach(() => vi.unstubAllEnvs());
afterEach(() => vi.unstubAllEnvs());

it.for([
	["a b", [], ["a", "b", "a"]],
	["a", ["b"], ["a", "a"]],
	["b", ["a"], ["b"]],
	["none", [], ["a", "b", "a"]],
] as const)("of a, b and a again, with %s alive", async ([alive, gone, left]) => {
	const run = played(alive);
	writeFileSync(join(run, "placement.json"), JSON.stringify(placement));
	expect(await leaveOutHosts(run)).toEqual(gone);
	expect(JSON.parse(readFileSync(join(run, "placement.json"), "utf8"))).toEqual({
		...placement,
		hosts: left,
		nodes: left.length,
	});
});
