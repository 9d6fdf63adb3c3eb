/** The worker that reads, generates and writes problems, so that the page stays free. It keeps the problem of the page. */
import { assembleRigid, generate, type Problem } from "@stickslip/core";
import {
	type FclibFile,
	type FclibInfo,
	fclibSolution,
	type Hdf5Module,
	infoText,
	isDamaged,
	type PlainSource,
	readInfo,
	readProblem,
	withFclib,
	withPlainFclib,
	writeFclib,
} from "@stickslip/core/fclib";
import { ready } from "h5wasm";
import { plainError } from "../messages/errors.js";
import { scope } from "../rank/scope.js";
import { toSharedMemory } from "../session/shared-memory.js";
import type { FileReply, FileRequest } from "./file-messages.js";

/** HDF5 of a browser keeps its files in memory. */
type MemoryHdf5 = Hdf5Module & {
	readonly FS: { writeFile(path: string, bytes: Uint8Array): void; readFile(path: string): Uint8Array };
};

interface Loaded {
	readonly problem: Problem;
	readonly info: FclibInfo;
}

const PATH = "/problem.hdf5";
let hdf5: MemoryHdf5 | undefined;
let loaded: Loaded | undefined;

async function loadHdf5(): Promise<MemoryHdf5> {
	hdf5 ??= (await ready) as unknown as MemoryHdf5;
	return hdf5;
}

/** Most files are plain, and read before HDF5 would have started; of any trouble with one HDF5 tells. */
async function readFile(name: string, buffer: ArrayBuffer): Promise<Loaded> {
	const bytes = new Uint8Array(buffer);
	const source: PlainSource = {
		bytes: bytes.length,
		read: (at, target) => target.set(bytes.subarray(at, at + target.length)),
	};
	const read = (file: FclibFile): Loaded => ({ problem: readProblem(file), info: readInfo(file) });
	const plain = withPlainFclib(source, read, name);
	if (plain !== undefined) return plain.result;
	const module = await loadHdf5();
	module.FS.writeFile(PATH, bytes);
	try {
		return withFclib(module, PATH, read, name);
	} finally {
		module.FS.unlink(PATH);
	}
}

/** A generated problem has bodies alone; a file has W. */
function inFile({ problem, info }: Loaded): Loaded {
	const { W, global, rigid } = problem;
	if (W !== undefined || global !== undefined || rigid === undefined) return { problem, info };
	return { problem: { ...problem, W: assembleRigid(rigid) }, info: { ...info, title: infoText(problem.name) } };
}

async function writeFile({ solution }: Extract<FileRequest, { kind: "write" }>): Promise<Uint8Array> {
	if (loaded === undefined) throw new Error("assertion failed: a problem is there before its answer");
	const module = await loadHdf5();
	const { problem, info } = inFile(loaded);
	writeFclib(module, PATH, problem, { info, solution: fclibSolution(problem, solution) });
	try {
		return module.FS.readFile(PATH);
	} finally {
		module.FS.unlink(PATH);
	}
}

async function answerOf(message: FileRequest): Promise<FileReply> {
	if (message.kind === "write") {
		const bytes = await writeFile(message);
		return { kind: "file", bytes: bytes.slice().buffer };
	}
	loaded =
		message.kind === "read"
			? await readFile(message.name, message.bytes)
			: { problem: generate(message.name, message.options), info: {} };
	loaded = { ...loaded, problem: toSharedMemory(loaded.problem) };
	return { kind: "problem", problem: loaded.problem };
}

scope.onmessage = async ({ data }: MessageEvent<FileRequest>) => {
	try {
		const answer = await answerOf(data);
		scope.postMessage(answer, answer.kind === "file" ? [answer.bytes] : []);
	} catch (error) {
		const refusal: FileReply = {
			kind: "refusal",
			error: plainError(error),
			isDamaged: hdf5 !== undefined && isDamaged(hdf5),
		};
		scope.postMessage(refusal);
	}
};
