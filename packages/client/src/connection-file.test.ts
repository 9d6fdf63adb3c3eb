/** Connection files: only those that nobody else may read are used. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { expect, it, onTestFinished } from "vitest";
import { readConnectionFile } from "./connection-file.js";
import { connect } from "./index.js";
import { refusal } from "./testing/waiting.js";

const details = { token: "t", websocket: "ws://127.0.0.1:1" };

function fileOf(contents: string): string {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-file-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const path = join(folder, "client.json");
	writeFileSync(path, contents, { mode: 0o600 });
	return path;
}

// Skipped on Windows, whose files have no such bits.
it.skipIf(process.platform === "win32")("that others may read are refused, by any of the bits", async () => {
	const path = fileOf(JSON.stringify(details));
	for (const mode of [0o600, 0o400]) {
		chmodSync(path, mode);
		expect(readConnectionFile(path)).toEqual(details);
	}
	for (const mode of [0o640, 0o604, 0o644, 0o620, 0o602, 0o610, 0o601, 0o777]) {
		chmodSync(path, mode);
		expect(() => readConnectionFile(path), mode.toString(8)).toThrow(InputError);
		const error = await refusal(connect(path));
		expect(error).toMatchObject({ code: "bad-input", field: `${path}: file` });
		expect(error.remedy).toContain(`chmod 600 ${path}`);
	}
});

it("that are none are refused by name", () => {
	for (const contents of ["{", "[]", "{}", '{"token":1}']) {
		expect(() => readConnectionFile(fileOf(contents)), contents).toThrow(InputError);
	}
	expect(() => readConnectionFile(join(tmpdir(), "stickslip-no-such-file"))).toThrow(InputError);
});
