import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ready } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { columnsFromBlocks, multiplyBlocks } from "../problem/blocks.js";
import { condense, globalVelocity } from "../problem/condense.js";
import { transposeCsr } from "../problem/csr.js";
import type { Problem } from "../problem/problem.js";
import { factor } from "../problem/sparse-lu.js";
import { sampleProblem } from "../testing/samples.js";
import { readInfo, readSolution, withFclib } from "./fclib-file.js";
import type { Hdf5Module } from "./module.js";
import { readProblem } from "./read.js";
import type { FclibSolution } from "./types.js";
import { infoText, type WriteOptions, writeFclib } from "./write.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-write-"));
const path = join(folder, "case.hdf5");
const sample = sampleProblem({ seed: 21, contacts: 30, bodies: 9, equalityRows: 4 });
const plain = sampleProblem({ seed: 22, contacts: 5, bodies: 2 });
const solution: FclibSolution = {
	u: sample.q,
	r: sample.guesses![1]!.r,
	v: sample.global!.f,
	l: Float64Array.of(-0, 1e-310, Number.MAX_VALUE, Number.MIN_VALUE),
};
const info = {
	title: infoText("Größe"),
	description: { text: "", bytes: Uint8Array.of(0xa8, 65) },
	mathInfo: infoText(""),
};
const has = (command: string): boolean => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
const fclibHeader = ["/usr/include/fclib.h", "/usr/local/include/fclib.h"].find((header) => existsSync(header));
let hdf5: Hdf5Module;

beforeAll(async () => {
	hdf5 = await ready;
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(problem: Problem, options: WriteOptions): { problem: Problem; solution: FclibSolution | undefined } {
	writeFclib(hdf5, path, problem, options);
	return withFclib(
		hdf5,
		path,
		(file) => ({ problem: readProblem(file), solution: readSolution(file, problem.equalities?.count ?? 0) }),
		problem.name,
	);
}

describe("what was written is read back, bit for bit", () => {
	test("local, with equality rows, guesses, bodies, solution and info", () => {
		const { global: _, ...rest } = sample;
		const local = { ...rest, guesses: sample.guesses!.map(({ v: _v, ...guess }) => guess) };
		const back = written(sample, { form: "local", solution, info });
		expect(back.problem).toEqual(local);
		const { v: _v, ...vectors } = solution;
		expect(back.solution).toEqual(vectors);
		expect(Object.is(back.solution?.l?.[0], -0)).toBe(true);
		const { title, description } = withFclib(hdf5, path, readInfo);
		expect(title?.text).toBe("Größe");
		expect([...(description?.bytes ?? [])]).toEqual([0xa8, 65]);
	});

	test("global: M, H, G, f, w, b; what is derived from them is derived again", () => {
		const back = written(sample, { solution });
		const { W: _, ...unformed } = sample;
		expect(back.problem).toEqual(unformed);
		expect(condense(back.problem).W).toEqual(sample.W);
		expect(back.solution).toEqual(solution);
	});

	test("a solution and guesses without v and l get them, as libfclib demands", () => {
		const { u, r } = solution;
		const guesses = [{ r }];
		const back = written({ ...sample, guesses }, { solution: { u, r } });
		const l = new Float64Array(4);
		const v = globalVelocity(sample.global!, factor(sample.global!.M, "test", "M"), r, l);
		expect(back.solution).toEqual({ u, r, v, l });
		expect(back.problem.guesses).toEqual([{ r, u: new Float64Array(90), v, l }]);
	});

	test("datasets longer than one slice", () => {
		const contacts = 250_000;
		const starts = Int32Array.from({ length: contacts + 1 }, (_, k) => k);
		const values = Float64Array.from({ length: 9 * contacts }, (_, k) =>
			(k % 9) % 4 === 0 ? 1 + k / contacts : 1 / (k + 9),
		);
		const W = { rows: contacts, rowStart: starts, column: starts.slice(0, contacts), values };
		const q = Float64Array.from({ length: 3 * contacts }, (_, k) => Math.fround(k * 0.37));
		const long = { name: "long", contacts, q, mu: new Float64Array(contacts).fill(0.5), W };
		const back = written(long, {}).problem;
		expect(Buffer.compare(Buffer.from(back.W!.values.buffer), Buffer.from(values.buffer))).toBe(0);
		expect(Buffer.compare(Buffer.from(back.q.buffer), Buffer.from(q.buffer))).toBe(0);
	});
});

describe("a file that cannot be written", () => {
	test("says where and why in one line", () => {
		const nowhere = join(folder, "no", "such", "folder.hdf5");
		expect(() => writeFclib(hdf5, nowhere, plain)).toThrow(/folder\.hdf5: file: cannot be written \([^\n]*\); check/);
	});

	// Skipped on systems without this device.
	test.skipIf(!existsSync("/dev/full"))("a full disk does not pass for success", () => {
		expect(() => writeFclib(hdf5, "/dev/full", plain)).toThrow(/^\/dev\/full: .*cannot be written/);
	});
});

describe.skipIf(!has("h5dump"))("h5dump (skipped where hdf5-tools is not installed)", () => {
	const dump = (...options: string[]): string => execFileSync("h5dump", [...options, path], { encoding: "utf8" });

	test("sees superblock 0, contiguous little-endian datasets, strings with a zero at the end", () => {
		writeFclib(hdf5, path, sample, { form: "local", solution, info });
		expect(dump("-B", "-H")).toMatch(/SUPERBLOCK_VERSION 0/);
		const header = dump("-p", "-H");
		const types = new Set([...header.matchAll(/DATATYPE\s+(H5T_\w+)/g)].map((match) => match[1]));
		expect([...types].sort()).toEqual(["H5T_IEEE_F64LE", "H5T_STD_I32LE", "H5T_STRING"]);
		expect(header).not.toMatch(/CHUNKED|COMPACT/);
		expect(header).toMatch(/STRSIZE 8;\s+STRPAD H5T_STR_NULLTERM;\s+CSET H5T_CSET_ASCII/);
		expect(header).toMatch(
			/DATASET "spacedim" \{\s+DATATYPE\s+H5T_STD_I32LE\s+DATASPACE\s+SIMPLE \{ \( 1 \) \/ \( 1 \) \}/,
		);
		expect(header).toMatch(/DATASET "body" \{\s+DATATYPE\s+H5T_STD_I32LE\s+DATASPACE\s+SIMPLE \{ \( 30, 2 \)/);
	});

	test("reads the values of q", () => {
		writeFclib(hdf5, path, plain, { form: "local" });
		const raw = join(folder, "q.bin");
		execFileSync("h5dump", ["-d", "/fclib_local/vectors/q", "-b", "LE", "-o", raw, path]);
		const bytes = readFileSync(raw);
		expect(bytes.equals(Buffer.from(plain.q.buffer))).toBe(true);
	});
});

/** Reads a file with libfclib and prints what it read, so that sums can be compared. */
const program = `
#include <stdio.h>
#include <string.h>
#include <fclib.h>
static double sum(const double *x, int n) { double s = 0; for (int k = 0; k < n; ++k) s += x[k] * (1 + k % 7); return s; }
static void matrix(const char *name, struct fclib_matrix *a) {
	int used = a->nz >= 0 ? a->nz : a->p[a->nz == -1 ? a->n : a->m];
	printf("%s %d %d %d %d %.17g\\n", name, a->m, a->n, a->nz, used, sum(a->x, used));
}
int main(int count, char **arguments) {
	const char *path = arguments[2];
	int size, nv = 0, nl = 0, number = -1;
	if (!strcmp(arguments[1], "local")) {
		struct fclib_local *p = fclib_read_local(path);
		if (!p) return 1;
		matrix("W", p->W);
		if (p->V) { matrix("V", p->V); matrix("R", p->R); nl = p->R->m; printf("s %.17g\\n", sum(p->s, nl)); }
		size = p->W->m;
		printf("q %.17g mu %.17g spacedim %d title %s\\n", sum(p->q, size), sum(p->mu, size / 3), p->spacedim, p->info->title);
	} else {
		struct fclib_global *p = fclib_read_global(path);
		if (!p) return 1;
		matrix("M", p->M); matrix("H", p->H);
		nv = p->M->n; size = p->H->n;
		if (p->G) { matrix("G", p->G); nl = p->G->n; printf("b %.17g\\n", sum(p->b, nl)); }
		printf("f %.17g w %.17g mu %.17g spacedim %d\\n", sum(p->f, nv), sum(p->w, size), sum(p->mu, size / 3), p->spacedim);
	}
	struct fclib_solution *s = fclib_read_solution(path);
	if (!s) return 2;
	printf("u %.17g r %.17g\\n", sum(s->u, size), sum(s->r, size));
	if (nv) printf("v %.17g\\n", sum(s->v, nv));
	if (nl) printf("l %.17g\\n", sum(s->l, nl));
	struct fclib_solution *g = fclib_read_guesses(path, &number);
	if (!g) return 3;
	printf("guesses %d", number);
	for (int k = 0; k < number; ++k) printf(" %.17g %.17g", sum(g[k].u, size), sum(g[k].r, size));
	printf("\\n");
	return 0;
}
`;

function build(): string | undefined {
	if (fclibHeader === undefined || !has("gcc") || !has("pkg-config")) return undefined;
	const flags = spawnSync("pkg-config", ["--cflags", "--libs", "fclib"], { encoding: "utf8" });
	if (flags.status !== 0) return undefined;
	const source = join(folder, "read.c");
	const binary = join(folder, "read");
	writeFileSync(source, program);
	const made = spawnSync("gcc", ["-o", binary, source, ...flags.stdout.trim().split(/\s+/)], { encoding: "utf8" });
	if (made.status !== 0) throw new Error(made.stderr);
	return binary;
}

const reader = build();

describe.skipIf(reader === undefined)("libfclib (skipped where it, gcc or pkg-config is not installed)", () => {
	const sum = (values: Float64Array): number => values.reduce((total, value, k) => total + value * (1 + (k % 7)), 0);
	/** The program's numbers, line by line; %.17g says every double exactly. */
	const lines = (kind: string): Record<string, (number | string)[]> => {
		const run = spawnSync(reader!, [kind, path], { encoding: "utf8" });
		expect([run.status, run.stderr]).toEqual([0, ""]);
		const split = run.stdout
			.trim()
			.split("\n")
			.map((line) => line.split(" "));
		return Object.fromEntries(
			split.map(([name, ...rest]) => [name!, rest.map((word) => (Number.isNaN(Number(word)) ? word : Number(word)))]),
		);
	};
	const guesses = [2, ...sample.guesses!.flatMap(({ u, r }) => [sum(u!), sum(r)])];
	const finite = { ...solution, l: Float64Array.of(1, 2, -3, 4) };

	test("local", () => {
		writeFclib(hdf5, path, sample, { form: "local", solution: finite, info: { title: infoText("sample") } });
		const read = lines("local");
		const W = columnsFromBlocks(sample.W!);
		const { V, R, s } = sample.equalities!;
		expect(read.W).toEqual([90, 90, -1, W.values.length, sum(W.values)]);
		expect(read.V).toEqual([90, 4, -1, V.values.length, sum(transposeCsr(V).values)]);
		expect(read.R).toEqual([4, 4, -1, R.values.length, sum(transposeCsr(R).values)]);
		expect(read.s).toEqual([sum(s)]);
		expect(read.q).toEqual([sum(sample.q), "mu", sum(sample.mu), "spacedim", 3, "title", "sample"]);
		expect(read.u).toEqual([sum(solution.u), "r", sum(solution.r)]);
		expect(read.l).toEqual([sum(finite.l)]);
		expect(read.guesses).toEqual(guesses);
	});

	test("global", () => {
		const global = sample.global!;
		writeFclib(hdf5, path, sample, { solution: finite });
		const read = lines("global");
		for (const [name, matrix] of [
			["M", global.M],
			["H", global.H],
			["G", global.G!],
		] as const) {
			const used = matrix.values.length;
			expect(read[name]).toEqual([matrix.rows, matrix.columns, used, used, sum(matrix.values)]);
		}
		expect(read.f).toEqual([sum(global.f), "w", sum(global.w), "mu", sum(sample.mu), "spacedim", 3]);
		expect(read.v).toEqual([sum(global.f)]);
		expect(read.guesses).toEqual(guesses);
	});
});

test("the sample is a problem: W times something is not zero", () => {
	const y = new Float64Array(90);
	multiplyBlocks(sample.W!, sample.q, y);
	expect(y.every((value) => value !== 0)).toBe(true);
});
