/**
 * The MPI functions that we call, with every argument a number. Handles are integers in MPICH and addresses in Open MPI; buffers are addresses of
 * ArrayBuffers (which stay where they are, unlike small typed arrays on the engine's heap). So a call costs 20 ns more than in C; passing typed arrays
 * would cost hundreds.
 *
 * Constants are those of the public binary interfaces: mpi.h of Open MPI 4 and 5, and of MPICH 3 and 4 with its relatives.
 */
import { assert, RankError } from "@stickslip/core/parallel";
import koffi, { type LibraryHandle } from "koffi";
import type { Control } from "../base/control.js";
import type { MpiKind } from "./launched.js";
import { loadGlobal } from "./library.js";

/** Every function returns its error code, 0 for success. */
type Call = (...args: number[]) => number;

export const THREAD_SERIALIZED = 2;
export const THREAD_MULTIPLE = 3;

/** h is a handle, p an address, i an int. */
const signatures = {
	MPI_Init_thread: "ppip",
	MPI_Initialized: "p",
	MPI_Finalize: "",
	MPI_Finalized: "p",
	MPI_Abort: "hi",
	MPI_Comm_rank: "hp",
	MPI_Comm_size: "hp",
	MPI_Comm_dup: "hp",
	MPI_Comm_free: "p",
	MPI_Comm_split_type: "hiihp",
	MPI_Comm_set_errhandler: "hh",
	MPI_Comm_get_attr: "hipp",
	MPI_Allgather: "pihpihh",
	MPI_Isend: "pihiihp",
	MPI_Irecv: "pihiihp",
	MPI_Send_init: "pihiihp",
	MPI_Recv_init: "pihiihp",
	MPI_Startall: "ip",
	MPI_Test: "ppp",
	MPI_Testall: "ippp",
	MPI_Cancel: "p",
	MPI_Request_free: "p",
	MPI_Improbe: "iihppp",
	MPI_Mrecv: "pihpp",
	MPI_Imrecv: "pihpp",
	MPI_Get_count: "php",
	MPI_Error_string: "ipp",
} as const;

export type MpiFunction = keyof typeof signatures;

export interface Constants {
	readonly world: number;
	readonly byte: number;
	readonly double: number;
	readonly errorsReturn: number;
	readonly infoNull: number;
	readonly requestNull: number;
	readonly anySource: number;
	readonly statusesIgnore: number;
	readonly tagUb: number;
	readonly shared: number;
	/** Of a communicator, a request or a message. */
	readonly handleBytes: 4 | 8;
	/** Which 32-bit word of a status has the bytes of a message (the lower half, and enough of it where messages are short). */
	readonly statusWord: number;
	/** Messages up to so long are sent faster by MPI_Isend than by a persistent request. */
	readonly isendBytes: number;
}

/** Bytes of one status in either library, rounded up. */
export const STATUS_BYTES = 24;

/** Memory whose address C may keep. */
export interface Block {
	readonly buffer: ArrayBuffer;
	readonly at: number;
}

export function block(bytes: number): Block {
	const buffer = new ArrayBuffer(Math.max(8, bytes));
	return { buffer, at: Number(koffi.address(buffer)) };
}

export class Mpi {
	readonly kind: MpiKind;
	readonly constants: Constants;
	readonly call: Readonly<Record<MpiFunction, Call>>;
	readonly #control: Control;
	/** Known once MPI is initialised; errors before that name nobody. */
	rank = -1;

	constructor(kind: MpiKind, path: string, control: Control) {
		const library = loadGlobal(path);
		this.kind = kind;
		this.#control = control;
		this.constants = kind === "openmpi" ? openmpi(library) : mpich;
		const handle = kind === "openmpi" ? "int64" : "int";
		const types = { h: handle, p: "int64", i: "int" } as const;
		const bound = Object.entries(signatures).map(([name, letters]) => {
			const args = [...letters].map((letter) => types[letter as keyof typeof types]);
			return [name, library.func(name, "int", args)];
		});
		this.call = Object.fromEntries(bound) as Record<MpiFunction, Call>;
	}

	/** An error code is this rank's failure, and so everybody's. */
	must(code: number, name: MpiFunction): void {
		if (code !== 0) this.#fail(code, name);
	}

	/** The handle that C wrote, as a number. */
	handle({ buffer }: Block, index = 0): number {
		if (this.constants.handleBytes === 4) return new Int32Array(buffer)[index] ?? 0;
		return Number(new BigInt64Array(buffer)[index]);
	}

	int({ buffer }: Block): number {
		return new Int32Array(buffer, 0, 1)[0] ?? 0;
	}

	/** Requests, none of them active. */
	requests(count: number): Block {
		const { handleBytes, requestNull } = this.constants;
		const requests = block(count * handleBytes);
		if (handleBytes === 4) new Int32Array(requests.buffer).fill(requestNull);
		else new BigInt64Array(requests.buffer).fill(BigInt(requestNull));
		return requests;
	}

	/** Releases inactive requests. */
	free(requests: Block, count: number): void {
		for (let i = 0; i < count; i += 1) {
			if (this.handle(requests, i) === this.constants.requestNull) continue;
			this.must(this.call.MPI_Request_free(requests.at + i * this.constants.handleBytes), "MPI_Request_free");
		}
	}

	/** Cancels requests of operations that will not complete, as far as the library can; only done before leaving. */
	withdraw(requests: Block, count: number, first = 0): void {
		for (let i = first; i < first + count; i += 1) {
			if (this.handle(requests, i) === this.constants.requestNull) continue;
			const at = requests.at + i * this.constants.handleBytes;
			this.call.MPI_Cancel(at);
			this.call.MPI_Request_free(at);
		}
	}

	#fail(code: number, name: MpiFunction): never {
		const text = block(1024);
		const length = block(8);
		const hasText = this.call.MPI_Error_string(code, text.at, length.at) === 0;
		const bytes = new Uint8Array(text.buffer, 0, hasText ? this.int(length) : 0);
		const reason = `cannot go on: ${name} returned ${hasText ? new TextDecoder().decode(bytes.slice()) : `error ${code}`}`;
		this.#control.abort(this.rank, reason);
		throw new RankError(this.rank, reason);
	}
}

const mpich: Constants = {
	world: 0x44000000,
	byte: 0x4c00010d,
	double: 0x4c00080b,
	errorsReturn: 0x54000001,
	infoNull: 0x1c000000,
	requestNull: 0x2c000000,
	anySource: -2,
	statusesIgnore: 1,
	tagUb: 0x64400001,
	shared: 1,
	handleBytes: 4,
	statusWord: 0,
	isendBytes: 0,
};

/** Built-in handles are the addresses of variables of the library. */
function openmpi(library: LibraryHandle): Constants {
	const address = (name: string) => {
		const at = Number(koffi.address(library.symbol(name)));
		assert(at !== 0, `Open MPI has ${name}`);
		return at;
	};
	return {
		world: address("ompi_mpi_comm_world"),
		byte: address("ompi_mpi_byte"),
		double: address("ompi_mpi_double"),
		errorsReturn: address("ompi_mpi_errors_return"),
		infoNull: address("ompi_mpi_info_null"),
		requestNull: address("ompi_request_null"),
		anySource: -1,
		statusesIgnore: 0,
		tagUb: 0,
		shared: 0,
		handleBytes: 8,
		statusWord: 4,
		isendBytes: 256,
	};
}
