/** The examples of this package's README run as they stand there, and print what is said. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { FakeService } from "./testing/fake-service.js";

const home = fileURLToPath(new URL("..", import.meta.url));

/** Two balls that come down, each on its own. */
const problem = `
	const contacts = 2;
	const ball = [0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5];
	const values = Float64Array.of(...ball, ...ball);
	const W = { rows: 2, rowStart: Int32Array.of(0, 1, 2), column: Int32Array.of(0, 1), values };
	const q = Float64Array.of(-1, 0, 0, -2, 0, 0);
	const mu = Float64Array.of(0.5, 0.5);
	const problem = { name: "balls", contacts, W, q, mu };
`;

it("solves by a connection file, and tells what is wrong with a size", async () => {
	const readme = readFileSync(join(home, "README.md"), "utf8");
	const [solving = "", , refused = ""] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]);
	const said = /console\.log\(error\.message\); \/\/ (.*)/.exec(refused)?.[1];
	expect(said).toBeDefined();
	const service = await FakeService.start({ transport: "zeromq" });
	// Where the package finds itself by its name.
	const folder = mkdtempSync(join(home, "dist", "readme-"));
	try {
		const end = "console.log(report.status, ...reaction);\nawait client.close();\n";
		writeFileSync(
			join(folder, "main.mjs"),
			[solving.replace(/^(import .*)$/m, `$1${problem}`), refused, end].join("\n"),
		);
		writeFileSync(join(folder, "laptop.json"), JSON.stringify(service.details), { mode: 0o600 });
		const { stdout } = await promisify(execFile)(process.execPath, ["main.mjs"], { cwd: folder, timeout: 240_000 });
		expect(stdout).toBe(`${said}\nsolved 2 0 0 4 0 0\n`);
	} finally {
		rmSync(folder, { recursive: true });
		await service.close();
	}
});
