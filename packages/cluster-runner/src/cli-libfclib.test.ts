/** What `solve --output` writes, judged by libfclib's own merit function: it finds the reported error. */
import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assembleRigid, generate, type Problem, solve } from "@stickslip/core";
import { readProblem, withFclib, writeFclib } from "@stickslip/core/fclib";
import { ready } from "h5wasm/node";
import { afterAll, expect, it } from "vitest";
import { emptyFolder, runCli } from "../testing/run-cli.js";

const folder = emptyFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = `
#include <math.h>
#include <stdio.h>
#include <fclib.h>
static double norm(const double *x, int n) { double s = 0; for (int k = 0; k < n; ++k) s += x[k] * x[k]; return sqrt(s); }
int main(int count, char **arguments) {
	struct fclib_local *p = fclib_read_local(arguments[1]);
	struct fclib_solution *s = fclib_read_solution(arguments[1]);
	if (!p || !s) return 1;
	int n = p->W->m;
	printf("%d %.17g %.17g %.17g %.17g\\n", p->V ? p->V->nz : p->W->nz, fclib_merit_local(p, MERIT_1, s), norm(p->q, n), norm(s->r, n), norm(s->u, n));
	return 0;
}
`;

/** The program, or why it is not there. */
function build(): { readonly merit: string } | { readonly lack: string } {
	if (!["/usr/include", "/usr/local/include"].some((place) => existsSync(join(place, "fclib.h")))) {
		return { lack: "libfclib: apt install libfclib-dev" };
	}
	const [source, merit] = [join(folder, "merit.c"), join(folder, "merit")];
	writeFileSync(source, program);
	const { error, status, stderr } = spawnSync("gcc", ["-o", merit, source, "-lfclib", "-lm"], { encoding: "utf8" });
	if (error) return { lack: "gcc: apt install gcc" };
	if (status !== 0) throw new Error(stderr);
	return { merit };
}

/** As gyroscopic terms make it, only more so: blocks above the diagonal are a tenth larger than those below. */
function skewed(): Problem {
	const { rigid, ...rest } = generate("spheres", { contacts: 60 });
	const W = assembleRigid(rigid);
	for (let a = 0; a < W.rows; a += 1) {
		for (let k = W.rowStart[a]!; k < W.rowStart[a + 1]!; k += 1) {
			if (W.column[k]! > a) for (let i = 0; i < 9; i += 1) W.values[9 * k + i]! *= 1.1;
		}
	}
	const { freeVelocity: _velocity, geometry: _geometry, ...problem } = rest;
	return { ...problem, W };
}

const built = build();

async function judged(problem: Problem, merit: string) {
	const [input, output] = [join(folder, "problem.hdf5"), join(folder, "solved.hdf5")];
	writeFclib(await ready, input, problem);
	// Loose, so that the error is not rounding.
	const options = { measure: "natural", tolerance: 1e-4 } as const;
	const words = ["--measure", "natural", "--tolerance", "1e-4", "--output", output, "--json"];
	const { code, out, err } = await runCli(["solve", input, ...words]);
	expect([code, err]).toEqual([0, ""]);
	const { natural, hash } = JSON.parse(out) as { natural: number; hash: string };
	expect(natural).toBeGreaterThan(1e-9);
	// What is read back is what was given, to the same answer.
	const back = withFclib(await ready, output, readProblem, "solved");
	expect([back.W, back.equalities]).toEqual([problem.W, problem.equalities]);
	expect(solve(back, options).report.hash).toBe(hash);
	const run = spawnSync(merit, [output], { encoding: "utf8" });
	expect([run.status, run.stderr]).toEqual([0, ""]);
	const [nz, theirs, q, r, u] = run.stdout.split(" ").map(Number) as [number, number, number, number, number];
	expect(nz).toBe(-1);
	return { natural, theirs, q, most: Math.max(q, r, u) };
}

it("an unsymmetric W and its answer: the natural map of libfclib is ours", async (context) => {
	if ("lack" in built) return context.skip(`needs ${built.lack}`);
	const { natural, theirs, q, most } = await judged(skewed(), built.merit);
	// The same map; libfclib divides it by 1 + sqrt(|q|).
	expect((theirs * (1 + Math.sqrt(q))) / most / natural).toBeCloseTo(1, 9);
});

it("equality rows: libfclib finds them kept, too", async (context) => {
	if ("lack" in built) return context.skip(`needs ${built.lack}`);
	const problem = skewed();
	const columns = Int32Array.from({ length: 3 * problem.contacts }, (_, i) => i % 2);
	const V = {
		rows: columns.length,
		columns: 2,
		rowStart: Int32Array.from({ length: columns.length + 1 }, (_, i) => i),
		column: columns,
		values: Float64Array.from(columns, (_, i) => 1 / (1 + i)),
	};
	const pair = { rowStart: Int32Array.of(0, 2, 4), column: Int32Array.of(0, 1, 0, 1) };
	const R = { rows: 2, columns: 2, ...pair, values: Float64Array.of(2, 0.25, 0.5, 3) };
	const s = Float64Array.of(4, -3);
	const { natural, theirs, most } = await judged({ ...problem, equalities: { count: 2, V, R, s } }, built.merit);
	// Both of its parts, neither of which exceeds the measure here; without V it would be near 1.
	expect(theirs).toBeLessThan(2 * natural * most);
	expect(theirs).toBeGreaterThan(0);
});
