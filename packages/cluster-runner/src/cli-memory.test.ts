/** Memory is estimated from a file's headers: `info` prints it, and `solve` refuses what cannot fit before loading it. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { ready } from "h5wasm/node";
import { describe, expect, it } from "vitest";
import { runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";

/** More contacts and entries than there is memory for, in a file of a few kilobytes with a hole: what is never written takes no space. */
async function enormous(path: string, contacts: number, entries: number): Promise<void> {
	const module = await ready;
	const { FS } = module;
	const { write } = FS;
	// It warns about a dataset that is created without being written.
	FS.write = (stream, buffer, offset, length, ...rest) =>
		(stream as unknown as { fd: number }).fd === 2 ? length : write.call(FS, stream, buffer, offset, length, ...rest);
	const file = module.open(path, module.H5F_ACC_TRUNC, false, module.H5F_LIBVER_EARLIEST, module.H5F_LIBVER_V18);
	const make = (name: string, type: number, size: number, length: number) => {
		const shape = [BigInt(length)];
		const metadata = { type, size, signed: true, vlen: false, littleEndian: true, total_size: 0, cset: 0, shape };
		module.create_dataset(file, name, 0n, { ...metadata, maxshape: null, chunks: null } as never);
	};
	const begin = (name: string, value: number) => {
		const at = module._malloc(8);
		module.HEAPU8.set(new Uint8Array(Int32Array.of(value, 0).buffer), at);
		module.set_dataset_data(file, name, [1n], [0n], [1n], BigInt(at));
		module._free(at);
	};
	const integer = (name: string, value: number) => {
		make(name, 0, 4, 1);
		begin(name, value);
	};
	/** Its first number is written, which gives it a place in the file. */
	const large = (name: string, type: number, size: number, length: number) => {
		make(name, type, size, length);
		begin(name, 0);
	};
	for (const group of ["/fclib_local", "/fclib_local/W", "/fclib_local/vectors"])
		module.create_group(file, group, false);
	integer("/fclib_local/spacedim", 3);
	for (const name of ["m", "n"]) integer(`/fclib_local/W/${name}`, 3 * contacts);
	for (const name of ["nz", "nzmax"]) integer(`/fclib_local/W/${name}`, entries);
	for (const name of ["p", "i"]) large(`/fclib_local/W/${name}`, 0, 4, entries);
	large("/fclib_local/W/x", 1, 8, entries);
	large("/fclib_local/vectors/q", 1, 8, 3 * contacts);
	large("/fclib_local/vectors/mu", 1, 8, contacts);
	module.close_file(file);
	FS.write = write;
}

describe("memory", () => {
	it("of a problem is what info says, about", async () => {
		const cwd = testFolder();
		await runHere(["generate", "spheres", "--contacts", "2000", "--output", "pile.hdf5"], { cwd });
		const { memoryBytes } = JSON.parse((await runHere(["info", "pile.hdf5", "--json"], { cwd })).out);
		expect(memoryBytes / 2 ** 20).toBeGreaterThan(100);
		expect(memoryBytes / 2 ** 20).toBeLessThan(200);
		expect((await runHere(["info", "pile.hdf5"], { cwd })).out).toMatch(
			/memory +about 1\d\d MiB for a solve on one rank/,
		);
	});

	it("that one rank does not address is refused before anything is loaded, with a number of ranks", async () => {
		const path = join(testFolder(), "large.hdf5");
		await enormous(path, 1_000_000, 2_000_000_000);
		expect(512 * statSync(path).blocks).toBeLessThan(1_000_000);
		const { code, out, err } = await runCli(["solve", path, "--ranks", "1"]);
		expect([code, out]).toEqual([2, ""]);
		expect(err).toBe(
			`stickslip: ${path}: memory: needs at least 15.1 GiB on one rank, which addresses 4 GiB; use at least 5 ranks\n`,
		);
	});

	it("that is not there is refused before anything is loaded (needs a machine with less)", async (context) => {
		if (process.availableMemory() > 140 * 2 ** 30)
			context.skip("this machine has memory for the largest file there can be");
		const path = join(testFolder(), "larger.hdf5");
		// Two billion entries, and the vectors of seven hundred million contacts.
		await enormous(path, 700_000_000, 2_000_000_000);
		const { code, err } = await runCli(["solve", path, "--ranks", "64"]);
		expect(code).toBe(2);
		expect(err).toMatch(
			/larger\.hdf5: memory: needs at least 1\d\d GiB, and [\d.,]+ GiB are free here; use a machine with more memory\n$/,
		);
	});
});
