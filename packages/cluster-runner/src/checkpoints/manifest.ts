/**
 * The manifest of a checkpoint, which is written last: its parts with their checksums, the problem and the options. It contains a
 * checksum of itself, and must be byte for byte as it was written.
 */
import { createHash } from "node:crypto";
import { type Checked, dictionary, exactly, integer, list, record, text } from "@stickslip/core/schema";
import { jsonIn } from "../base/errors.js";
import { RANKS_MAX } from "../protocol/messages.js";
import { areCounts } from "../protocol/plain-state.js";
import { Damage } from "./damage.js";

export const MANIFEST = "manifest.json";
export const CHECKPOINT_FORMAT = 2;
export const MANIFEST_BYTES_MAX = 2 ** 22;

const COUNT_MAX = Number.MAX_SAFE_INTEGER;
const SUM_LENGTH = 64;

const isManifest = record({
	stickslip: exactly("checkpoint"),
	format: integer(1, 1000),
	version: text(100),
	program: text(100),
	problem: text(SUM_LENGTH),
	options: dictionary(text(10_000), 1000),
	iteration: integer(0, COUNT_MAX),
	/** Of ids, by space. */
	counts: areCounts,
	/** By rank. */
	parts: list(record({ counts: areCounts, bytes: integer(0, COUNT_MAX), sha256: text(SUM_LENGTH) }), RANKS_MAX),
	written: text(100),
});

export type Manifest = Checked<typeof isManifest>;

export function partName(rank: number): string {
	return `part-${String(rank).padStart(4, "0")}`;
}

export function manifestText(manifest: Manifest): string {
	const body = JSON.stringify(manifest);
	return `${body.slice(0, -1)}${sealOf(body)}`;
}

/** How many ids of each space there are in all parts. */
export function sumOfCounts(parts: Manifest["parts"]): Manifest["counts"] {
	const sums = new Map<string, number>();
	for (const { counts } of parts) {
		for (const [space, count] of Object.entries(counts)) sums.set(space, (sums.get(space) ?? 0) + count);
	}
	return Object.fromEntries(sums);
}

/** Whether two records of counts are of the same spaces and equal. */
export function sameCounts(one: Manifest["counts"], other: Manifest["counts"]): boolean {
	const names = Object.keys(one);
	const isSame = (name: string) => Object.hasOwn(other, name) && other[name] === one[name];
	return names.length === Object.keys(other).length && names.every(isSame);
}

/** Throws a Damage if it is not as it was written. A sound one in another format is passed to `refuse`, which throws. */
export function parseManifest(written: string, refuse = refuseFormat): Manifest {
	const value = sealedIn(written);
	if (hasFormat(value) && value.format !== CHECKPOINT_FORMAT) refuse(value.format);
	const { sha256: _sum, ...manifest } = value;
	if (!isManifest(manifest)) throw new Damage("is not a manifest of a checkpoint");
	if (manifestText(manifest) !== written) throw new Damage("is not as it was written");
	if (!sameCounts(manifest.counts, sumOfCounts(manifest.parts))) {
		throw new Damage("has missing or duplicate parts");
	}
	return manifest;
}

/** What all formats have in common. */
function hasFormat(value: object): value is { readonly format: number } {
	const { stickslip, format } = value as { readonly stickslip?: unknown; readonly format?: unknown };
	return stickslip === "checkpoint" && Number.isSafeInteger(format);
}

function refuseFormat(format: number): never {
	throw new Damage(`is of format ${format}, and this version reads ${CHECKPOINT_FORMAT}`);
}

/** The record in a text whose checksum is right. */
function sealedIn(written: string): { readonly sha256: unknown } {
	const value = jsonIn(written);
	if (value === undefined) throw new Damage("is not JSON");
	if (typeof value !== "object" || value === null || !("sha256" in value)) throw new Damage("is not a manifest");
	const body = `${written.slice(0, -sealOf("").length)}}`;
	if (written !== `${body.slice(0, -1)}${sealOf(body)}`) throw new Damage("is not as it was written");
	return value;
}

/** What follows the body, without its last brace. */
function sealOf(body: string): string {
	const sha256 = createHash("sha256").update(body).digest("hex");
	return `,"sha256":"${sha256}"}\n`;
}
