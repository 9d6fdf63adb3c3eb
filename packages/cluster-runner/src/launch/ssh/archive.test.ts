/** The program as hosts get it: all that it needs and nothing that it does not, unpacked whole or not at all. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { testFolder } from "../../../testing/run-cli.js";
import { archiveOf, type Program, thisProgram } from "./archive.js";
import { digestOf, programFiles } from "./closure.js";

/** A package with two dependencies, which need different versions of a third. */
function installed(): string {
	const folder = testFolder();
	const make = (at: string, manifest: object, files: readonly string[] = ["index.js"]) => {
		mkdirSync(join(folder, at, "dist"), { recursive: true });
		writeFileSync(join(folder, at, "package.json"), JSON.stringify(manifest));
		for (const file of files) writeFileSync(join(folder, at, file), `// ${at}/${file}\n`);
	};
	make(
		"node_modules/@stickslip/top",
		{ name: "@stickslip/top", dependencies: { one: "1", two: "1" }, optionalDependencies: { none: "1" } },
		["dist/main.js", "dist/main.d.ts", "dist/main.js.map", "notes.txt"],
	);
	make("node_modules/one", { name: "one", dependencies: { three: "1" } });
	make("node_modules/two", { name: "two", dependencies: { three: "2" } }, [
		"index.js",
		"a-name-that-is-so-long-that-no-plain-tar-header-holds-it-in-its-hundred-bytes-for-the-name-of-a-file.js",
	]);
	make("node_modules/three", { name: "three", version: "1.0.0" });
	make("node_modules/two/node_modules/three", { name: "three", version: "2.0.0" });
	return join(folder, "node_modules/@stickslip/top");
}

const unpacker = fileURLToPath(new URL("../../../dist/launch/ssh/unpack.js", import.meta.url));

/** As on a host: in its home folder, with the archive on standard input. */
function unpack(home: string, archive: Uint8Array) {
	const text = readFileSync(unpacker, "utf8");
	const words = ["--input-type=module", "-e", text, "cache/program"];
	const { status, stderr } = spawnSync(process.execPath, words, {
		cwd: home,
		input: archive,
		encoding: "utf8",
		timeout: 20_000,
	});
	return { status, stderr, left: readdirSync(home).includes("cache") ? readdirSync(join(home, "cache")) : [] };
}

describe("the program for hosts", () => {
	it("is what it needs to run, each version at its place", () => {
		const files = programFiles(installed());
		expect(files.map(({ to }) => to)).toEqual([
			"node_modules/@stickslip/top/dist/main.js",
			"node_modules/@stickslip/top/package.json",
			"node_modules/one/index.js",
			"node_modules/one/package.json",
			"node_modules/three/index.js",
			"node_modules/three/package.json",
			expect.stringMatching(/^node_modules\/two\/a-name/),
			"node_modules/two/index.js",
			"node_modules/two/node_modules/three/index.js",
			"node_modules/two/node_modules/three/package.json",
			"node_modules/two/package.json",
		]);
		// The same content at another place.
		expect(digestOf(programFiles(installed()))).toHaveLength(16);
	});

	it("of this installation has the process of a rank, and no test", () => {
		const { name, files } = thisProgram();
		const names = files.map(({ to }) => to);
		expect(name).toMatch(/^\d+\.\d+\.\d+-\w+-\w+-[0-9a-f]{16}$/);
		expect(names).toContain("node_modules/@stickslip/cluster-runner/dist/programs/process.js");
		expect(names).toContain("node_modules/@stickslip/core/package.json");
		expect(names.filter((file) => /@stickslip.*(\.test\.js|\.d\.ts|dist\/testing\/)/.test(file))).toEqual([]);
	});

	it("comes out of an archive of npm pack as it went in, and a second time it changes nothing", async (context) => {
		if (spawnSync("npm", ["--version"]).status !== 0) context.skip("needs npm, which packs the program");
		const files = programFiles(installed());
		const program: Program = { name: "small", files };
		const cache = testFolder();
		const archive = readFileSync(await archiveOf(program, cache));
		expect(readdirSync(cache)).toEqual(["small.tgz"]);
		const home = testFolder();
		expect(unpack(home, archive)).toEqual({ status: 0, stderr: "", left: ["program"] });
		for (const { from, to } of files)
			expect(readFileSync(join(home, "cache/program", to), "utf8"), to).toBe(readFileSync(from, "utf8"));
		expect(unpack(home, archive)).toEqual({ status: 0, stderr: "", left: ["program"] });

		const tar = gunzipSync(archive);
		const broken: readonly (readonly [Uint8Array, RegExp])[] = [
			[archive.subarray(0, archive.length / 2), /unexpected end of file/],
			[gzipSync(tar.subarray(0, 700)), /cut short/],
			[
				gzipSync(
					Buffer.from(
						tar.toString("latin1").replace("package/node_modules/one/index.js", "package/../../../../../../bad/x.j"),
						"latin1",
					),
				),
				/leads out of the archive/,
			],
			[Buffer.from("garbage"), /incorrect header/],
		];
		for (const [bytes, told] of broken) {
			const result = unpack(testFolder(), bytes);
			expect([result.status, result.left]).toEqual([1, []]);
			expect(result.stderr).toMatch(told);
		}
	}, 60_000);
});
