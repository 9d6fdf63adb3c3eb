/** `stickslip doctor`: checks the requirements of the program on this machine, with remedies for what is missing, and solves a problem with a known answer. */
import { freemem, totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { hasWasmKernels, type Problem, solveAsync, version } from "@stickslip/core";
import { messageOf } from "../base/errors.js";
import { bytes, counted, duration, oneLine, small } from "../base/format.js";
import { loadHdf5 } from "../base/hdf5.js";
import type { Command } from "../cli/command.js";
import { coresFinding, transportFindings } from "./transports.js";

export interface Finding {
	readonly what: string;
	/** missing: something necessary is not there. slower: it works without. optional: nothing else depends on it. */
	readonly state: "ok" | "slower" | "optional" | "missing";
	readonly found: string;
	/** What follows, and what to do; empty when all is well. */
	readonly remedy: string;
}

export const doctor: Command = {
	name: "doctor",
	usage: "[--json]",
	what: "checks this machine, and solves a problem with a known answer",
	options: [{ name: "json", what: "print the findings as one JSON object" }],
	notes: "Exit codes: 0 everything required was found, 1 something is missing.",
	async run(args, terminal) {
		if (args.operands.length > 0) args.refuse(args.operands[0] ?? "", "unknown argument", "doctor takes no files");
		const findings = [
			{ what: "stickslip", state: "ok", found: version, remedy: "" } as const,
			nodeVersion(),
			simd(),
			kernels(),
			sharedMemory(),
			await hdf5(),
			coresFinding(),
			memory(),
			await selfCheck(),
			...(await transportFindings({ problem: knownProblem(), answer: known.answer })),
		];
		const missing = findings.filter(({ state }) => state === "missing");
		if (args.flag("json")) terminal.out(JSON.stringify({ ok: missing.length === 0, findings }));
		else {
			for (const { what, state, found, remedy } of findings) {
				terminal.out(oneLine(`${state.padEnd(10)}${what.padEnd(16)}${found}${remedy === "" ? "" : `: ${remedy}`}`));
			}
			terminal.out(
				missing.length === 0 ? "\nEverything required was found." : `\n${counted(missing.length, "thing")} missing.`,
			);
		}
		return missing.length === 0 ? 0 : 1;
	},
};

function nodeVersion(): Finding {
	const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
	const recent = major > 20 || (major === 20 && minor >= 19);
	const found = `${process.versions.node} on ${process.platform} ${process.arch}`;
	return { what: "Node.js", state: recent ? "ok" : "missing", found, remedy: recent ? "" : "update to 20.19 or later" };
}

/** A module with one function that splats a byte and counts bits of the lanes: valid only where vectors are known. */
const simdModule = [
	[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
	[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b],
	[0x03, 0x02, 0x01, 0x00],
	[0x0a, 0x0a, 0x01, 0x08, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x62, 0x0b],
];

function simd(): Finding {
	const there = WebAssembly.validate(Uint8Array.from(simdModule.flat()));
	const remedy = there ? "" : "the kernels run as plain JavaScript, with the same bits, several times slower";
	return { what: "WebAssembly", state: there ? "ok" : "slower", found: there ? "with SIMD" : "without SIMD", remedy };
}

function kernels(): Finding {
	const there = hasWasmKernels();
	const remedy = there ? "" : "run on a Node.js with WebAssembly SIMD to be several times faster";
	const found = there ? "WebAssembly SIMD" : "plain JavaScript, with the same bits";
	return { what: "kernels", state: there ? "ok" : "slower", found, remedy };
}

function sharedMemory(): Finding {
	const there = typeof SharedArrayBuffer !== "undefined" && typeof Atomics !== "undefined";
	const remedy = there ? "" : "the solver needs it; start Node.js without options that disable it";
	return {
		what: "shared memory",
		state: there ? "ok" : "missing",
		found: there ? "available" : "not available",
		remedy,
	};
}

async function hdf5(): Promise<Finding> {
	try {
		await loadHdf5();
		return { what: "HDF5", state: "ok", found: "h5wasm loads", remedy: "" };
	} catch (error) {
		const found = `h5wasm does not load (${messageOf(error)})`;
		return { what: "HDF5", state: "missing", found, remedy: "no file can be read or written; install h5wasm again" };
	}
}

/** 1 GiB holds about a million contacts with the assembled operator of a pile. */
function memory(): Finding {
	const heap = getHeapStatistics().heap_size_limit;
	const found = `${bytes(freemem())} free of ${bytes(totalmem())}; JavaScript's own heap may have ${bytes(heap)}`;
	const small = freemem() < 2 ** 29;
	const remedy = small ? "problems above some 100,000 contacts may not fit" : "";
	return { what: "memory", state: small ? "slower" : "ok", found, remedy };
}

/**
 * Two contacts without coupling, W = 2 I and mu = 0.5, answered by hand. The first sticks: U = 0 gives R = -q / 2 = (0.5, -0.15, 0), inside the cone. The
 * second slips along +T1: U_N = 0 gives R_N = 0.5, and R_T = -mu R_N = -0.25 against the slip.
 */
const known: { readonly q: readonly number[]; readonly answer: readonly number[] } = {
	q: [-1, 0.3, 0, -1, 3, 0],
	answer: [0.5, -0.15, 0, 0.5, -0.25, 0],
};

async function selfCheck(): Promise<Finding> {
	const what = "self-check";
	const remedy = "the program is damaged: install it again, and report it if that does not help";
	try {
		const { reaction, report } = await solveAsync(knownProblem(), { tolerance: 1e-10 });
		const off = known.answer.reduce(
			(most, value, index) => Math.max(most, Math.abs((reaction[index] ?? NaN) - value)),
			0,
		);
		const right = report.status === "solved" && off < 1e-8;
		const found = `${report.status}, off by ${small(off)}, in ${duration(report.secondsFirst)}`;
		return { what, state: right ? "ok" : "missing", found, remedy: right ? "" : remedy };
	} catch (error) {
		const found = `fails (${messageOf(error)})`;
		return { what, state: "missing", found, remedy };
	}
}

function knownProblem(): Problem {
	const values = Float64Array.from({ length: 18 }, (_, index) =>
		index % 9 === 0 || index % 9 === 4 || index % 9 === 8 ? 2 : 0,
	);
	return {
		name: "self-check",
		contacts: 2,
		q: Float64Array.from(known.q),
		mu: Float64Array.of(0.5, 0.5),
		W: { rows: 2, rowStart: Int32Array.of(0, 1, 2), column: Int32Array.of(0, 1), values },
	};
}
