/**
 * One rank's part of a checkpoint as a file: magic, version, lengths, then the state (flattened: a head of msgpack, followed by raw arrays) and the SHA-256
 * of all before. Numbers are little-endian. Reading trusts nothing: length and checksum have to be those of the manifest, and every length in the file is
 * checked against its size before memory is allocated.
 */
import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { RunState } from "@stickslip/core/parallel";
import { messageOf } from "../base/errors.js";
import { flatten, unflatten } from "../protocol/large-message.js";
import { isRunState } from "../protocol/plain-state.js";
import { Damage } from "./damage.js";

const MAGIC = Buffer.from("STKSLIP\n", "latin1");
const PART_FORMAT = 2;
/** Magic, version, number of arrays. */
const HEAD_BYTES = 16;
const LENGTH_BYTES = 8;
const SUM_BYTES = 32;
const ARRAYS_MAX = 4096;
/** Bytes written and summed at a time, so that the process can handle other events in between. */
const STEP_BYTES = 2 ** 22;

/** What identifies a part as the one that was written. */
export interface Seal {
	readonly bytes: number;
	readonly sha256: string;
}

/** Writes a new file and syncs it; if that fails, nothing of it stays. */
export async function writePart(path: string, state: RunState): Promise<Seal> {
	const arrays = flatten(state);
	if (arrays.length > ARRAYS_MAX) throw new Error(`a state of ${arrays.length} arrays, and ${ARRAYS_MAX} are the most`);
	const head = Buffer.alloc(HEAD_BYTES + LENGTH_BYTES * arrays.length);
	MAGIC.copy(head);
	head.writeUInt32LE(PART_FORMAT, 8);
	head.writeUInt32LE(arrays.length, 12);
	for (const [at, { length }] of arrays.entries()) {
		head.writeBigUInt64LE(BigInt(length), HEAD_BYTES + LENGTH_BYTES * at);
	}
	const file = await open(path, "wx", 0o600);
	try {
		const hash = createHash("sha256");
		let bytes = SUM_BYTES;
		for (const each of [head, ...arrays]) {
			await writeSummed(file, each, hash);
			bytes += each.length;
		}
		const sum = hash.digest();
		await file.appendFile(sum);
		await file.sync();
		await file.close();
		return { bytes, sha256: sum.toString("hex") };
	} catch (error) {
		await file.close().catch(() => {});
		await rm(path, { force: true }).catch(() => {});
		throw error;
	}
}

async function writeSummed(file: FileHandle, bytes: Uint8Array, hash: Hash): Promise<void> {
	for (let from = 0; from < bytes.length; from += STEP_BYTES) {
		const some = bytes.subarray(from, from + STEP_BYTES);
		hash.update(some);
		await file.appendFile(some);
	}
}

/** The state in a file that is to have this length and sum. Throws a Damage that says what is wrong with it. */
export async function readPart(path: string, seal: Seal): Promise<RunState> {
	// Anything else at this path, e.g. a pipe, is neither followed nor waited for.
	const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const { size } = await file.stat().then((is) => (is.isFile() ? is : refuse("is not a file")));
		if (size !== seal.bytes) refuse(`has ${size} bytes instead of ${seal.bytes}`);
		const hash = createHash("sha256");
		const lengths = await readLengths(file, size, hash);
		const arrays: Uint8Array[] = [];
		for (const length of lengths) {
			const bytes = new Uint8Array(length);
			for (let from = 0; from < length; from += STEP_BYTES) {
				await readSummed(file, bytes.subarray(from, from + STEP_BYTES), hash);
			}
			arrays.push(bytes);
		}
		const sum = Buffer.alloc(SUM_BYTES);
		await fill(file, sum);
		const own = hash.digest();
		if (!own.equals(sum) || own.toString("hex") !== seal.sha256) refuse("has a wrong checksum");
		return stateIn(arrays);
	} finally {
		await file.close();
	}
}

async function readLengths(file: FileHandle, size: number, hash: Hash): Promise<number[]> {
	if (size < HEAD_BYTES + SUM_BYTES) refuse("is too short");
	const head = Buffer.alloc(HEAD_BYTES);
	await readSummed(file, head, hash);
	if (!head.subarray(0, MAGIC.length).equals(MAGIC)) refuse("is not a part of a checkpoint");
	const format = head.readUInt32LE(8);
	if (format !== PART_FORMAT) refuse(`is of format ${format}, and this version reads ${PART_FORMAT}`);
	const count = head.readUInt32LE(12);
	if (count < 1 || count > ARRAYS_MAX) refuse(`claims ${count} arrays`);
	const left = size - HEAD_BYTES - SUM_BYTES - LENGTH_BYTES * count;
	if (left < 0) refuse("is too short");
	const table = Buffer.alloc(LENGTH_BYTES * count);
	await readSummed(file, table, hash);
	const lengths = Array.from({ length: count }, (_, at) => table.readBigUInt64LE(LENGTH_BYTES * at));
	const sum = lengths.reduce((all, length) => all + length, 0n);
	if (sum !== BigInt(left)) refuse(`has ${left} bytes of arrays instead of ${sum}`);
	return lengths.map(Number);
}

async function readSummed(file: FileHandle, into: Uint8Array, hash: Hash): Promise<void> {
	await fill(file, into);
	hash.update(into);
}

async function fill(file: FileHandle, into: Uint8Array): Promise<void> {
	for (let at = 0; at < into.length; ) {
		const { bytesRead } = await file.read(into, at, into.length - at);
		if (bytesRead === 0) refuse("is truncated");
		at += bytesRead;
	}
}

function stateIn(arrays: readonly Uint8Array[]): RunState {
	let value: unknown;
	try {
		value = unflatten(arrays);
	} catch (error) {
		refuse(messageOf(error));
	}
	return isRunState(value) ? value : refuse("contains no state");
}

function refuse(problem: string): never {
	throw new Damage(problem);
}
