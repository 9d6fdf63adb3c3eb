/** The program as it is copied to hosts: all that it needs and nothing else, unpacked whole or not at all. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { testFolder } from "../../../testing/run-cli.js";
import { archiveOf, type Program, thisProgram } from "./archive.js";
import { programDigest, programFiles } from "./closure.js";
import { question } from "./question.js";

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

const unpacker = fileURLToPath(new URL("../../../dist/processes/ssh/unpack.js", import.meta.url));

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** As on a host: in its home folder, with the archive on standard input. */
function unpack(home: string, archive: Uint8Array, told = digest(archive), name = "program") {
	const text = readFileSync(unpacker, "utf8");
	const words = ["--input-type=module", "-e", text, `cache/${name}`, told];
	const { status, stderr } = spawnSync(process.execPath, words, {
		cwd: home,
		input: archive,
		encoding: "utf8",
		timeout: 240_000,
	});
	return { status, stderr, left: readdirSync(home).includes("cache") ? readdirSync(join(home, "cache")).sort() : [] };
}

/** Whether a host says that it has the program. */
function hasProgram(home: string): boolean {
	const words = ["-e", question, "cache/program/node_modules/three", "cache/program"];
	const { stdout } = spawnSync(process.execPath, words, { cwd: home, encoding: "utf8", timeout: 240_000 });
	return JSON.parse(stdout).version !== undefined;
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
		expect(programDigest(programFiles(installed()))).toHaveLength(16);
	});

	it("of this installation has the process of a rank, and no test", () => {
		const { name, files } = thisProgram();
		const names = files.map(({ to }) => to);
		expect(name).toMatch(/^\d+\.\d+\.\d+-\w+-\w+-[0-9a-f]{16}$/);
		expect(names).toContain("node_modules/@stickslip/cluster-runner/dist/bundled/process.js");
		expect(names).toContain("node_modules/@stickslip/core/package.json");
		expect(names.filter((file) => /@stickslip.*(\.test\.js|\.d\.ts|dist\/testing\/)/.test(file))).toEqual([]);
	});

	it("comes out of an archive of npm pack as it went in, and a second time it changes nothing", async (context) => {
		if (spawnSync("npm", ["--version"]).status !== 0) context.skip("needs npm, which packs the program");
		const files = programFiles(installed());
		const program: Program = { name: "small", files };
		const cache = testFolder();
		const { bytes: archive } = await archiveOf(program, cache);
		expect(readdirSync(cache).sort()).toEqual(["small.sha256", "small.tgz"]);
		const home = testFolder();
		expect(unpack(home, archive)).toEqual({ status: 0, stderr: "", left: ["program"] });
		for (const { from, to } of files)
			expect(readFileSync(join(home, "cache/program", to), "utf8"), to).toBe(readFileSync(from, "utf8"));
		expect(unpack(home, archive)).toEqual({ status: 0, stderr: "", left: ["program"] });
		expect(unpack(testFolder(), archive, digest(archive.subarray(1)))).toMatchObject({ status: 1, left: [] });

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
	});

	it("is made anew where the archive is not what it was", async (context) => {
		if (spawnSync("npm", ["--version"]).status !== 0) context.skip("needs npm, which packs the program");
		const program: Program = { name: "small", files: programFiles(installed()) };
		const cache = testFolder();
		const { bytes } = await archiveOf(program, cache);
		const file = join(cache, "small.tgz");
		const made = statSync(file).ino;
		expect((await archiveOf(program, cache)).digest).toBe(digest(bytes));
		expect(statSync(file).ino).toBe(made);
		writeFileSync(file, bytes.subarray(0, 500));
		const again = await archiveOf(program, cache);
		expect([again.digest, digest(readFileSync(file))]).toEqual([digest(again.bytes), digest(again.bytes)]);
		expect(unpack(testFolder(), again.bytes)).toMatchObject({ status: 0 });
		// As an earlier version left it, or one that was killed before it was done.
		rmSync(join(cache, "small.sha256"));
		expect((await archiveOf(program, cache)).bytes.length).toBeGreaterThan(500);
		expect(readdirSync(cache).sort()).toEqual(["small.sha256", "small.tgz"]);
	});

	it("counts on a host where it is whole only, and is healed there", async (context) => {
		if (spawnSync("npm", ["--version"]).status !== 0) context.skip("needs npm, which packs the program");
		const program: Program = { name: "small", files: programFiles(installed()) };
		const { bytes } = await archiveOf(program, testFolder());
		const home = testFolder();
		const damaged = join(home, "cache/program/node_modules/one/index.js");
		const heals = () => [hasProgram(home), unpack(home, bytes), hasProgram(home), hasProgram(home)];
		const healed = [false, { status: 0, stderr: "", left: ["program"] }, true, true];
		expect(heals(), "not there").toEqual(healed);
		const { mtime, size } = statSync(damaged);
		writeFileSync(damaged, "x".repeat(size));
		utimesSync(damaged, mtime, mtime);
		expect(heals(), "another content of the same size and time").toEqual(healed);
		rmSync(damaged);
		expect(heals(), "a file less").toEqual(healed);
		rmSync(join(home, "cache/program/.complete.json"));
		expect(heals(), "without its mark").toEqual(healed);
	});

	it("goes when nobody has used it for long, and there are newer ones", async (context) => {
		if (spawnSync("npm", ["--version"]).status !== 0) context.skip("needs npm, which packs the program");
		const named = (index: number) => `0.0.${index}-linux-x64-0123456789abcdef`;
		const used = (path: string, days: number) => {
			const time = new Date(Date.now() - days * 86_400_000);
			utimesSync(path, time, time);
		};
		const program: Program = { name: named(0), files: programFiles(installed()) };
		const [cache, home] = [testFolder(), testFolder()];
		for (const [index, days] of [
			[1, 1],
			[2, 29],
			[3, 31],
			[4, 40],
		] as const) {
			writeFileSync(join(cache, `${named(index)}.tgz`), "");
			writeFileSync(join(cache, `${named(index)}.sha256`), "");
			used(join(cache, `${named(index)}.tgz`), days);
			mkdirSync(join(home, "cache", named(index)), { recursive: true });
			writeFileSync(join(home, "cache", named(index), ".complete.json"), "{}");
			used(join(home, "cache", named(index), ".complete.json"), days);
		}
		for (const name of [".old.part", ".new.part"]) mkdirSync(join(home, "cache", name));
		used(join(home, "cache", ".old.part"), 2);
		writeFileSync(join(cache, "notes.tgz"), "");
		used(join(cache, "notes.tgz"), 400);
		const { bytes } = await archiveOf(program, cache);
		const left = [named(0), named(1), named(2)];
		expect(readdirSync(cache).sort()).toEqual([
			...left.flatMap((name) => [`${name}.sha256`, `${name}.tgz`]),
			"notes.tgz",
		]);
		expect(unpack(home, bytes, digest(bytes), named(0)).left).toEqual([".new.part", ...left]);
		// Long ago, but among the newest three.
		for (const name of left.slice(1)) used(join(home, "cache", name, ".complete.json"), 90);
		expect(unpack(home, bytes, digest(bytes), named(0)).left).toEqual([".new.part", ...left]);
	});
});
