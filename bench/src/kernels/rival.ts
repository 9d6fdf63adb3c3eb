/** The C side: kernels.c compiled for this processor, run as a child on this process's core, idle while this process has its turn. */
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { BlockMatrix } from "@stickslip/core";

/** The C source, found from dist/, where this file runs, and from src/ alike. */
const source = fileURLToPath(new URL("../../src/kernels/kernels.c", import.meta.url));
const flags = ["-O3", "-march=native", "-std=gnu11", "-Wno-psabi"];

/** Compiles into the folder with the first compiler there is; the program, or why there is none. */
export function compile(folder: string): { readonly program: string } | { readonly absent: string } {
	const program = join(folder, "kernels");
	for (const compiler of ["gcc", "cc"]) {
		const { status, stderr, error } = spawnSync(compiler, [...flags, source, "-o", program], { encoding: "utf8" });
		if (error !== undefined) continue;
		if (status === 0) return { program };
		return { absent: `${compiler} does not compile kernels.c: ${stderr.split("\n")[0] ?? ""}` };
	}
	return { absent: "no gcc and no cc; on Debian: apt install gcc" };
}

/** The matrix and the vector as kernels.c reads them. */
export function writeProblem(path: string, matrix: BlockMatrix, x: Float64Array): void {
	const file = openSync(path, "w");
	const write = (array: ArrayBufferView) => {
		let offset = 0;
		while (offset < array.byteLength) {
			const bytes = new Uint8Array(
				array.buffer,
				array.byteOffset + offset,
				Math.min(2 ** 28, array.byteLength - offset),
			);
			offset += writeSync(file, bytes);
		}
		if (array.byteLength % 8 !== 0) writeSync(file, new Uint8Array(8 - (array.byteLength % 8)));
	};
	const blocks = matrix.rowStart[matrix.rows] ?? 0;
	write(BigInt64Array.of(BigInt(matrix.rows), BigInt(blocks)));
	write(matrix.rowStart);
	write(matrix.column.subarray(0, blocks));
	write(matrix.values.subarray(0, 9 * blocks));
	write(x);
	closeSync(file);
}

export interface Window {
	/** Of one product. */
	readonly nanoseconds: number;
	/** sum y_i (1 + i mod 7), as a check that both sides did the same. */
	readonly sum: number;
}

export class Rival {
	readonly #child: ChildProcessByStdio<Writable, Readable, null>;
	readonly #reader: Interface;
	readonly #lines: AsyncIterator<string>;

	private constructor(program: string, problem: string) {
		this.#child = spawn(program, [problem], { stdio: ["pipe", "pipe", "inherit"] });
		this.#reader = createInterface(this.#child.stdout);
		this.#lines = this.#reader[Symbol.asyncIterator]();
	}

	/** Starts the child on a problem; it tells which kernels it has. */
	static async start(program: string, problem: string): Promise<{ rival: Rival; kernels: readonly string[] }> {
		const rival = new Rival(program, problem);
		return { rival, kernels: (await rival.#line()).split(",") };
	}

	/** Stores the matrix for a kernel; returns its bytes. */
	async use(kernel: string): Promise<number> {
		return Number(await this.#ask(`use ${kernel}`));
	}

	async run(count: number): Promise<Window> {
		const [nanoseconds = "", sum = ""] = (await this.#ask(`run ${count}`)).split(" ");
		return { nanoseconds: Number(nanoseconds) / count, sum: Number(sum) };
	}

	end(): void {
		this.#child.stdin.end();
		this.#reader.close();
	}

	async #ask(command: string): Promise<string> {
		this.#child.stdin.write(`${command}\n`);
		return await this.#line();
	}

	async #line(): Promise<string> {
		const { value, done } = await this.#lines.next();
		if (done === true) throw new Error("the C side ended without an answer; its error is above");
		return value;
	}
}
