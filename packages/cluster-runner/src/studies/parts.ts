/**
 * Who measures which part of a study: written into the study's folder where it is launched, so that whoever gathers the cells knows which there are to be, and
 * why some of them are missing.
 */
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { called, list, record, text } from "@stickslip/core/schema";
import { oneLine } from "../base/format.js";
import { placementIn } from "../placement/placement.js";
import type { LaunchedPlacement } from "../ranks/choose.js";
import { readFields, replaceJson } from "../records/check.js";
import { PARTS_MAX } from "../requests/study-request.js";
import { hasEnded, readRunStatus } from "../runs/run-status.js";
import { makeFolder } from "../study/study-files.js";

const FILE = "parts.json";
const REMEDY = "remove it: it only says who has measured what";
const areParts = record({ runs: called("a list of folders of runs", list(text(10_000), PARTS_MAX)) });

/** `runs`: their folders, by part; none where the study is not launched. */
export function writeParts(folder: string, runs: readonly string[]): void {
	makeFolder(folder);
	if (runs.length > 0) replaceJson(join(folder, FILE), { runs }, true);
	else rmSync(join(folder, FILE), { force: true });
}

function runsIn(folder: string): readonly string[] {
	return readFields(join(folder, FILE), REMEDY)?.all(areParts).runs ?? [];
}

/** Where the parts were placed, which decides how their ranks communicate. Nothing is started there. */
export function placementOfParts(folder: string): LaunchedPlacement | undefined {
	const [first] = runsIn(folder);
	const placement = first === undefined ? undefined : placementIn(first);
	const starter = () => Promise.reject(new Error("nothing is measured"));
	return placement && { ...placement, starter };
}

/** Why a cell is missing, by the number of its group. */
export function missingReasons(folder: string): (place: number) => string {
	const runs = runsIn(folder);
	return (place) => {
		if (runs.length === 0) return "not measured yet";
		const part = place % runs.length;
		const whose = runs.length === 1 ? "" : ` by part ${part} of ${runs.length}`;
		return `not measured${whose}: ${statusOf(runs[part] ?? "")}`;
	};
}

function statusOf(run: string): string {
	const name = `run ${basename(run)}`;
	try {
		const { status, why, state } = readRunStatus(run);
		const reason = [why, state.reason ?? ""].find((each) => each !== "");
		return `${name} ${hasEnded(status) ? "has ended" : "is"} ${status}${reason === undefined ? "" : ` (${oneLine(reason)})`}`;
	} catch {
		return `nothing is known of ${name}`;
	}
}
