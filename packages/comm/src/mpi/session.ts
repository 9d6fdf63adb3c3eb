/**
 * Initialises and finalises MPI in this process, once each. Only these calls block inside the library, so the system bounds them: SIGALRM
 * ends a process in which one does not return, and the launcher then ends the others.
 */
import { InputError } from "@stickslip/core";
import { assert } from "@stickslip/core/parallel";
import koffi from "koffi";
import { cores } from "../base/pin.js";
import { block, type Mpi, THREAD_MULTIPLE, THREAD_SERIALIZED } from "./bindings.js";

/** Room for 1024 cores. */
const CORE_BYTES = 128;

/** What a session knows; plain numbers, for the other threads of the process too. */
export interface Session {
	readonly rank: number;
	readonly size: number;
	/** Private communicators, copies of the world. */
	readonly comm: number;
	readonly wireComm: number;
	readonly tagMax: number;
	/** Ranks of this host, and cores that they may use together. */
	readonly hostRanks: number;
	readonly hostCores: number;
}

/** Runs calls that block inside the library; past the limit a signal ends the process. */
function guarded<Result>(seconds: number, run: () => Result): Result {
	const alarm: (seconds: number) => number = koffi.load(null).func("alarm", "uint", ["uint"]);
	alarm(Math.max(1, Math.ceil(seconds)));
	try {
		return run();
	} finally {
		alarm(0);
	}
}

/** Collective: every rank of the job. */
export function initialise(mpi: Mpi, options: { readonly seconds: number; readonly isMultiple: boolean }): Session {
	return guarded(options.seconds, () => {
		const { call, constants } = mpi;
		const memory = block(16);
		const query = (name: "MPI_Initialized" | "MPI_Finalized") => {
			mpi.must(call[name](memory.at), name);
			return mpi.int(memory) !== 0;
		};
		assert(!query("MPI_Initialized"), "MPI is initialised once in the life of a process");
		const level = options.isMultiple ? THREAD_MULTIPLE : THREAD_SERIALIZED;
		mpi.must(call.MPI_Init_thread(0, 0, level, memory.at), "MPI_Init_thread");
		const provided = mpi.int(memory);
		if (options.isMultiple && provided < THREAD_MULTIPLE) {
			call.MPI_Finalize();
			const problem = `offers thread level ${provided}, and threads that all communicate need MPI_THREAD_MULTIPLE (${THREAD_MULTIPLE})`;
			const remedy = "run one rank per process (transport mpi), or load an MPI built with thread support";
			throw new InputError("transport threads+mpi", mpi.kind, problem, remedy);
		}
		mpi.must(call.MPI_Comm_set_errhandler(constants.world, constants.errorsReturn), "MPI_Comm_set_errhandler");
		mpi.must(call.MPI_Comm_rank(constants.world, memory.at), "MPI_Comm_rank");
		const rank = mpi.int(memory);
		mpi.rank = rank;
		mpi.must(call.MPI_Comm_size(constants.world, memory.at), "MPI_Comm_size");
		const size = mpi.int(memory);
		const comm = duplicate(mpi);
		const wireComm = options.isMultiple ? duplicate(mpi) : comm;
		return { rank, size, comm, wireComm, tagMax: tagMax(mpi), ...host(mpi, rank) };
	});
}

/** Collective. Nothing of MPI works afterwards. */
export function finalise(mpi: Mpi, seconds: number): void {
	guarded(seconds, () => mpi.must(mpi.call.MPI_Finalize(), "MPI_Finalize"));
}

/** A private copy of the world, in which errors are returned as codes. */
function duplicate(mpi: Mpi): number {
	const memory = block(8);
	mpi.must(mpi.call.MPI_Comm_dup(mpi.constants.world, memory.at), "MPI_Comm_dup");
	const comm = mpi.handle(memory);
	mpi.must(mpi.call.MPI_Comm_set_errhandler(comm, mpi.constants.errorsReturn), "MPI_Comm_set_errhandler");
	return comm;
}

function tagMax(mpi: Mpi): number {
	const value = block(8);
	const flag = block(8);
	const { call, constants } = mpi;
	mpi.must(call.MPI_Comm_get_attr(constants.world, constants.tagUb, value.at, flag.at), "MPI_Comm_get_attr");
	// The attribute is a pointer to an int. The standard's minimum, if the library does not say.
	const at = new BigUint64Array(value.buffer)[0] ?? 0n;
	return mpi.int(flag) === 0 || at === 0n ? 32767 : koffi.decode.int(at);
}

/** The ranks of this host and their cores: each rank may be bound to one of them, so their cores are joined. */
function host(mpi: Mpi, rank: number): { readonly hostRanks: number; readonly hostCores: number } {
	const { call, constants } = mpi;
	const memory = block(8);
	const split = call.MPI_Comm_split_type(constants.world, constants.shared, rank, constants.infoNull, memory.at);
	mpi.must(split, "MPI_Comm_split_type");
	const comm = mpi.handle(memory);
	const count = block(8);
	mpi.must(call.MPI_Comm_size(comm, count.at), "MPI_Comm_size");
	const hostRanks = mpi.int(count);
	const own = block(CORE_BYTES);
	const mask = new Uint8Array(own.buffer);
	for (const core of cores()) {
		if (core < 8 * CORE_BYTES) mask[core >> 3] = (mask[core >> 3] ?? 0) | (1 << (core & 7));
	}
	const all = block(hostRanks * CORE_BYTES);
	const gather = call.MPI_Allgather(own.at, CORE_BYTES, constants.byte, all.at, CORE_BYTES, constants.byte, comm);
	mpi.must(gather, "MPI_Allgather");
	mpi.must(call.MPI_Comm_free(memory.at), "MPI_Comm_free");
	const bytes = new Uint8Array(all.buffer);
	let hostCores = 0;
	for (let bit = 0; bit < 8 * CORE_BYTES; bit += 1) {
		for (let other = 0; other < hostRanks; other += 1) {
			if ((((bytes[other * CORE_BYTES + (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 0) continue;
			hostCores += 1;
			break;
		}
	}
	return { hostRanks, hostCores };
}
