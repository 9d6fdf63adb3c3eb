import { describe, expect, it } from "vitest";
import { launched, withoutLauncher } from "./launched.js";
import { findMpi, requireMpi } from "./library.js";

describe("launched", () => {
	it.each([
		[
			{ OMPI_COMM_WORLD_RANK: "3", OMPI_COMM_WORLD_SIZE: "8" },
			{ kind: "openmpi", rank: 3, size: 8 },
		],
		[
			{ PMI_RANK: "0", PMI_SIZE: "1" },
			{ kind: "mpich", rank: 0, size: 1 },
		],
		[
			{ PMIX_RANK: "1", SLURM_NTASKS: "2" },
			{ kind: undefined, rank: 1, size: 2 },
		],
		// Open MPI's mpirun is a PMIx server, too.
		[
			{ PMIX_RANK: "1", OMPI_COMM_WORLD_RANK: "1", OMPI_COMM_WORLD_SIZE: "2" },
			{ kind: "openmpi", rank: 1, size: 2 },
		],
		[{}, undefined],
		[{ PMI_RANK: "0" }, undefined],
		[{ PMI_RANK: "2", PMI_SIZE: "2" }, undefined],
		[{ OMPI_COMM_WORLD_RANK: "x", OMPI_COMM_WORLD_SIZE: "2" }, undefined],
	])("reads %j", (env, wanted) => expect(launched(env)).toEqual(wanted));

	it("keeps what an administrator set, and nothing of the launcher", () => {
		const env = { PATH: "/bin", PMI_RANK: "1", OMPI_COMM_WORLD_SIZE: "2", OMPI_MCA_btl: "tcp,self", PMIX_RANK: "1" };
		expect(withoutLauncher(env)).toEqual({ PATH: "/bin", OMPI_MCA_btl: "tcp,self" });
	});
});

describe("findMpi", () => {
	it.for([
		["openmpi", { OMPI_COMM_WORLD_RANK: "0", OMPI_COMM_WORLD_SIZE: "1" }],
		["mpich", { PMI_RANK: "0", PMI_SIZE: "1" }],
	] as const)("believes the launcher of %s", ([kind, env], context) => {
		const found = findMpi(env);
		if (found === undefined) return context.skip(`needs the library of ${kind}`);
		expect(found).toMatchObject({ kind, version: expect.stringMatching(/^\d+\.\d+/) });
	});

	it("takes the library that is named", (context) => {
		const found = findMpi({});
		if (found === undefined) return context.skip("no MPI here");
		expect(findMpi({ STICKSLIP_MPI: found.path })).toEqual(found);
	});

	it("refuses a name that is not an MPI library, with the remedy", () => {
		for (const name of ["/nowhere/libmpi.so", "libc.so.6"]) {
			expect(() => findMpi({ STICKSLIP_MPI: name })).toThrow(
				/environment: STICKSLIP_MPI: .* cannot be loaded as an MPI library; .*apt install/,
			);
		}
	});

	it("is found where it has to be there, or it is said what is missing", () => {
		if (findMpi({}) === undefined) expect(() => requireMpi({})).toThrow(/neither libmpi.*apt install/);
		else expect(requireMpi({}).kind).toMatch(/openmpi|mpich/);
	});
});
