/** The packages in the hands of a stranger: their tarballs, installed by npm into an empty folder, import, type-check and solve. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { install, packAll, tryAll } from "../scripts/lib/try-packages.mjs";

const folder = mkdtempSync(join(tmpdir(), "stickslip-stranger-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("installed from tarballs alone, every entry and the command work", (context) => {
	const tarballs = packAll(mkdtempSync(join(folder, "tarballs-")));
	expect(tarballs.length).toBe(7);
	const project = mkdtempSync(join(folder, "project-"));
	if (!install(project, tarballs))
		context.skip("needs npm's cache or a registry: the packages of others are not to be had");
	const [imported = "", ...rest] = tryAll(project);
	expect(imported).toContain("@stickslip/core/fclib");
	expect(rest.join("\n")).toContain("Everything required was found.");
});
