/**
 * What a checkpoint consists of, as the file that is written last: which parts with which sums, of which problem and options. It carries a sum of
 * its own, and is read only in the very form in which it is written.
 */
import { createHash } from "node:crypto";
import { type Checked, dictionary, exactly, integer, list, record, text } from "../base/schema.js";
import { RANKS_MAX } from "../protocol/messages.js";
import { Damage } from "./damage.js";

export const MANIFEST = "manifest.json";
export const FORMAT = 1;
export const MANIFEST_BYTES_MAX = 2 ** 20;

const COUNT_MAX = Number.MAX_SAFE_INTEGER;
const SUM_LENGTH = 64;

const isManifest = record({
	stickslip: exactly("checkpoint"),
	format: integer(1, 1000),
	version: text(100),
	problem: text(SUM_LENGTH),
	options: dictionary(text(10_000), 1000),
	iteration: integer(0, COUNT_MAX),
	blocks: integer(0, 2 ** 31),
	/** By rank. */
	parts: list(
		record({ blocks: integer(0, COUNT_MAX), bytes: integer(0, COUNT_MAX), sha256: text(SUM_LENGTH) }),
		RANKS_MAX,
	),
	written: text(100),
});

export type Manifest = Checked<typeof isManifest>;

export function partName(rank: number): string {
	return `part-${String(rank).padStart(4, "0")}`;
}

export function manifestText(manifest: Manifest): string {
	const body = JSON.stringify(manifest);
	return `${JSON.stringify({ ...manifest, sha256: sumOf(body) })}\n`;
}

/** Throws a Damage for what is not as it was written. */
export function parseManifest(written: string): Manifest {
	let value: unknown;
	try {
		value = JSON.parse(written);
	} catch {
		throw new Damage("is not JSON");
	}
	if (typeof value !== "object" || value === null || !("sha256" in value)) throw new Damage("is not a manifest");
	const { sha256: _sum, ...manifest } = value;
	if (!isManifest(manifest)) throw new Damage("is not a manifest of a checkpoint");
	if (manifestText(manifest) !== written) throw new Damage("is not as it was written");
	if (manifest.blocks !== manifest.parts.reduce((sum, { blocks }) => sum + blocks, 0)) {
		throw new Damage("has parts that do not make up the whole");
	}
	return manifest;
}

function sumOf(body: string): string {
	return createHash("sha256").update(body).digest("hex");
}
