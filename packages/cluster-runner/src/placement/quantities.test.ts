/** Times, memory, host files and words for shells: what is accepted, what is refused, and what other programs get. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { commandLine } from "../base/quote.js";
import { yamlDocuments } from "../launchers/kubernetes/yaml.js";
import { leastCores } from "../launchers/slurm/allocation.js";
import { toolError } from "../processes/tool.js";
import { hostsIn, readHosts } from "./hosts.js";
import { bytesIn, kubernetesMemory, secondsIn, slurmMemory, slurmTime } from "./quantities.js";

describe("times", () => {
	it.for([
		["90s", 90],
		["30m", 1800],
		["1.5h", 5400],
		["2d", 172_800],
		["01:02:03", 3723],
		["1-12:00:00", 129_600],
	] as const)("%s is %i s", ([text, seconds]) => {
		expect(secondsIn(text)).toBe(seconds);
	});

	it.for(["10", "0s", "2w", "-1h", "1:2", "1:60:00", "400d", "h", "1e3s"])("%s is none", (text) => {
		expect(secondsIn(text)).toBeUndefined();
	});

	it("are told to Slurm so that it reads the same", () => {
		for (const seconds of [1, 59, 60, 3600, 86_399, 86_400, 129_600, 987_654]) {
			expect(secondsIn(slurmTime(seconds)), slurmTime(seconds)).toBe(seconds);
		}
	});
});

describe("amounts of memory", () => {
	it("are binary, whatever the unit is called", () => {
		expect([bytesIn("512M"), bytesIn("4GiB"), bytesIn("1.5gb")]).toEqual([2 ** 29, 2 ** 32, 1.5 * 2 ** 30]);
		expect([bytesIn("4"), bytesIn("1K"), bytesIn("4X"), bytesIn("-1G")]).toEqual([
			undefined,
			undefined,
			undefined,
			undefined,
		]);
	});

	it("are told in the largest unit that loses nothing", () => {
		expect([slurmMemory(2 ** 32), slurmMemory(1.5 * 2 ** 30), kubernetesMemory(2 ** 40)]).toEqual([
			"4G",
			"1536M",
			"1Ti",
		]);
	});
});

describe("hosts", () => {
	const written = (text: string) => {
		const folder = mkdtempSync(join(tmpdir(), "stickslip-hosts-"));
		onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
		writeFileSync(join(folder, "hosts"), text);
		return join(folder, "hosts");
	};

	it("are read as Open MPI's and MPICH's files write them", () => {
		const file = written("# cluster\nn1 slots=4\nn2:8\r\n\nuser@n3.lab max_slots=2 # last\n");
		expect(readHosts(file)).toEqual([
			{ name: "n1", slots: 4 },
			{ name: "n2", slots: 8 },
			{ name: "user@n3.lab", slots: 2 },
		]);
		expect(() =>
			readHosts(written("# 60 bytes of nothing, again and again, beyond any list ....\n".repeat(20_000))),
		).toThrow(/has more than 1048576 bytes; name a file/);
		expect(hostsIn("n1, n2:3")).toEqual([{ name: "n1" }, { name: "n2", slots: 3 }]);
		expect(hostsIn("fd00::1,[fd00::2],[::1]:4,me@[fd00::3]:2")).toEqual([
			{ name: "fd00::1" },
			{ name: "fd00::2" },
			{ name: "::1", slots: 4 },
			{ name: "me@fd00::3", slots: 2 },
		]);
	});

	it.for(["-oProxyCommand=x", "a b", "n1 cores=4", "$(id)", "n1:0", "n1;n2", "[n1]", "[fd00::1]x", "-l@fd00::1", ""])(
		"refuses %j",
		(text) => {
			expect(() => readHosts(written(`${text}\n`))).toThrow(/hosts|slots/);
			expect(() => readHosts(join(tmpdir(), "stickslip-no-such-file"))).toThrow(expect.objectContaining({ place: "" }));
		},
	);
});

it("words survive a shell", () => {
	expect(commandLine(["solve", "a b.hdf5", "it's", "$HOME", "--set=x"])).toBe(
		`solve 'a b.hdf5' 'it'\\''s' '$HOME' --set=x`,
	);
});

it("the fewest cores of an allocation are told by its short form", () => {
	expect([leastCores("8(x3),4"), leastCores("16"), leastCores("2,4(x2)")]).toEqual([4, 16, 2]);
	expect([leastCores(undefined), leastCores("many"), leastCores("0")]).toEqual([undefined, undefined, undefined]);
});

it("a program's toolError is its last line without who says it", () => {
	const answer = { code: 1, out: "", isMissing: false };
	expect(
		toolError({ ...answer, err: "sbatch: error: invalid partition: x\nsbatch: error: Batch job failed\n\n" }),
	).toBe("Batch job failed");
	expect(toolError({ ...answer, err: "allocation failure: no nodes" })).toBe("no nodes");
	expect(toolError({ ...answer, err: "" })).toBe("it ended with code 1");
});

it("YAML quotes what could be taken for something else", () => {
	const data = {
		plain: "a/b-c.d",
		number: "007",
		truth: "no",
		empty: "",
		flag: "--x",
		colon: "a: b",
		count: 3,
		on: true,
		none: [],
		nothing: {},
	};
	expect(yamlDocuments([{ data, list: [{ a: 1, b: "x\ny" }, "z"], left: undefined }])).toBe(`---
data:
  plain: a/b-c.d
  number: "007"
  truth: "no"
  empty: ""
  flag: "--x"
  colon: "a: b"
  count: 3
  "on": true
  none: []
  nothing: {}
list:
  - a: 1
    b: "x\\ny"
  - z
`);
});
