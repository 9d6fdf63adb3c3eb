/** The C client: it compiles without a warning, and its tests pass under the sanitizers, against a service, damaged messages and a service that is killed. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bed, noMpirun } from "../../packages/cluster-runner/src/testing/index.js";
import { startService, storeProblem, type TestService } from "../testing/service.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", `-I${here}`];
const sanitizers = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
const libraries = ["-lzmq", "-lm"];

function lacking(): string | undefined {
	const { error, status } = spawnSync("gcc", ["-E", "-include", "zmq.h", "-x", "c", "/dev/null"]);
	if (error !== undefined) return "apt install gcc libzmq3-dev";
	return status === 0 ? undefined : "apt install libzmq3-dev";
}

describe.skipIf(lacking())(`C (needs: ${lacking() ?? "nothing more"})`, () => {
	const bed = new Bed();
	const client = join(here, "stickslip.c");
	let service: TestService;

	const compile = async (name: string, ...words: string[]) => {
		const program = join(bed.folder, name);
		await bed.run("gcc", [...strict, "-o", program, ...words, ...libraries]);
		return program;
	};

	/** The same connection file as other machines have it: without the socket of this one. */
	const encryptedOnly = (file: string) => {
		const { local, ...rest } = JSON.parse(readFileSync(file, "utf8")) as { local?: string };
		expect(local).toMatch(/^ipc:/);
		const other = join(bed.folder, "encrypted.json");
		writeFileSync(other, JSON.stringify(rest), { mode: 0o600 });
		return other;
	};

	beforeAll(async () => {
		service = await startService(bed, undefined, "--limit-requests", "20", "--limit-message", "8M");
	});
	afterAll(() => bed.close());

	it("compiles without a warning, and the smallest example prints what a ball feels", async () => {
		const program = await compile("minimal", "-O2", join(here, "examples", "minimal.c"), client);
		const said = await bed.run(program, [service.file]);
		expect(said).toBe("solved: reaction 2.000000 -0.500000 0.000000, velocity 0.000000 0.750000 0.000000\n");
		const wrong = await bed.start(program, ["nowhere"], { seconds: 10 }).ended;
		expect([wrong.code, wrong.err]).toEqual([
			2,
			"bad-input: nowhere: cannot be read; give the connection file that stickslip serve has written\n",
		]);
	});

	it("has the answers that are known, and the errors that are wanted", async () => {
		const folder = join(bed.folder, "problem");
		storeProblem(folder, 2000);
		const program = await compile("client_test", ...sanitizers, join(here, "tests", "client_test.c"), client);
		for (const file of [service.file, encryptedOnly(service.file)]) {
			expect(await bed.run(program, [file, folder], { seconds: 240 })).toMatch(/^\d{3} checks, 0 failed\n$/);
		}
	});

	it("reads or refuses damaged messages and connection files", async () => {
		const program = await compile("fuzz", ...sanitizers, join(here, "tests", "fuzz.c"));
		expect(await bed.run(program, ["12", "30000"])).toMatch(/^answered \d+, failed \d+/);
	});

	it.skipIf(noMpirun("mpich"))(
		`four ranks of MPI hand over their own rows (needs: ${noMpirun("mpich") ?? "nothing more"})`,
		async () => {
			const program = join(bed.folder, "mpi_rows");
			const sources = [join(here, "examples", "mpi_rows.c"), client];
			await bed.run("mpicc.mpich", [...strict, "-O2", "-o", program, ...sources, ...libraries]);
			const file = join(bed.folder, "reaction.f64");
			const run = (ranks: number, ...words: string[]) =>
				bed.run("mpirun.mpich", ["-n", String(ranks), program, ...words], { seconds: 240 });
			const said = await run(4, service.file, "12", "12", "14", file);
			const lines = said.trim().split("\n").sort();
			const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
			const line = /^rank (\d): \d+ contacts, [\d.]+ MB, memory grew by ([\d.]+) of it; solved, hash (\w+)$/;
			const found = lines.map((each) => line.exec(each));
			expect(found.map((each) => [each?.[1], each?.[3]])).toEqual(["0", "1", "2", "3"].map((rank) => [rank, hash]));
			for (const each of found) expect(Number(each?.[2])).toBeLessThanOrEqual(1.3);
			expect(await run(1, "--whole", service.file, "12", "12", "14")).toContain(`solved, hash ${hash}`);
		},
	);

	it("has all answers although the service is killed and started again", async () => {
		const program = await compile("loop", ...sanitizers, join(here, "tests", "loop.c"), client);
		const files = [service.file, encryptedOnly(service.file)];
		const loops = files.map((file) => bed.start(program, [file, "4"], { seconds: 240 }));
		await new Promise((resolve) => setTimeout(resolve, 1000));
		service.process.signal("SIGKILL");
		await service.process.ended;
		service = await startService(bed, service.address);
		for (const { code, out, err } of await Promise.all(loops.map(({ ended }) => ended))) {
			expect([code, err]).toEqual([0, ""]);
			expect(Number(out)).toBeGreaterThan(0);
		}
	});
});
