/** The example of this package's README runs unchanged, and prints the output shown there. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const home = fileURLToPath(new URL("..", import.meta.url));

it("adds up the ranks of four threads", () => {
	const readme = readFileSync(join(home, "README.md"), "utf8");
	const [rank, main] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]);
	const said = /It prints `(.*?)`/.exec(readme)?.[1];
	expect([rank, main, said]).not.toContain(undefined);
	// Where the package finds itself by its name.
	const folder = mkdtempSync(join(home, "dist", "readme-"));
	try {
		writeFileSync(join(folder, "rank.mjs"), rank ?? "");
		writeFileSync(join(folder, "main.mjs"), main ?? "");
		expect(execFileSync(process.execPath, [join(folder, "main.mjs")], { encoding: "utf8" })).toBe(`${said}\n`);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
