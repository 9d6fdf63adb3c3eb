/** The examples of the README and of the help texts, as they stand there: those that generate, solve, simulate and describe run on a laptop, and every solve ends solved. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCli, runShell, testFolder } from "../testing/run-cli.js";

const readme = join(dirname(fileURLToPath(import.meta.url)), "../../../README.md");
const SECONDS = 240;

/** Lines that name the program, without the comments beside them. */
function examplesIn(text: string): string[] {
	return text
		.split("\n")
		.map(
			(line) =>
				/(?:^ {4}npx |Examples: |^ {10,}|Start with: +)(stickslip (?:generate|solve|info|simulate|picture) .*)/.exec(
					line,
				)?.[1],
		)
		.flatMap((line) => line?.split(/ {3,}/)[0] ?? []);
}

/** One after another in one folder, each by a shell in which `stickslip` is this program. */
async function run(examples: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<void> {
	const cwd = testFolder();
	for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
	mkdirSync(join(cwd, "data"));
	const env = { STICKSLIP_RUNS: join(cwd, "runs") };
	await runCli(["generate", "planks", "--bodies", "20", "--output", "data/planks.hdf5"], { cwd });
	for (const example of examples) {
		const line = `node=$1 program=$2; stickslip() { "$node" "$program" "$@"; }; ${example}`;
		const { code, err } = await runShell(line, [], { cwd, env, seconds: SECONDS });
		expect([code, err], example).toEqual([0, err]);
	}
}

test("of the README", { timeout: 2000 * SECONDS }, async () => {
	const text = readFileSync(readme, "utf8");
	const examples = examplesIn(text);
	expect(examples.length).toBeGreaterThan(12);
	const [, scene] = /```json\n([\s\S]*?)```/.exec(text) ?? [];
	await run(examples, { "billiards.json": scene! });
});

test.each([
	["the general help", ["--help"], 2],
	["solve", ["solve", "--help"], 6],
	["generate", ["generate", "--help"], 4],
])("of %s", { timeout: 2000 * SECONDS }, async (_, words, count) => {
	const { out } = await runCli(words);
	const examples = examplesIn(out);
	expect(examples).toHaveLength(count);
	await run(examples);
});
