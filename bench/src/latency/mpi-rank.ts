/** One of two ranks that do with the MPI communicator what mpi.c does in C, with the same arguments and the same lines. */
import { Control, MpiWire, openMpi, Patience, requireMpi } from "@stickslip/comm";
import type { HaloPlan } from "@stickslip/core/parallel";

const WARM_UP = 3000;
/** As in mpi.c. */
const COUNT_MIN = 1000;
const SPINS = 30_000;
const TAG = 9;

const add = (into: Float64Array, from: Float64Array): void => {
	for (let i = 0; i < into.length; i += 1) into[i] = into[i]! + from[i]!;
};

function plan(other: number, count: number): HaloPlan {
	const start = Int32Array.of(0, count);
	const ranks = Int32Array.of(other);
	const places = (from: number) => Int32Array.from({ length: count }, (_, i) => from + i);
	const lists = { targets: ranks, sendStart: start, send: places(0) };
	return { width: 1, ...lists, sources: ranks, receiveStart: start, receive: places(count) };
}

function main(windows: number, windowMs: number): void {
	const control = Control.create();
	const communicator = openMpi({ library: requireMpi(), control, patience: new Patience({ control, spins: SPINS }) });
	const { rank } = communicator;
	const other = 1 - rank;
	const wire = new MpiWire(communicator.shared, 0);
	const run = (once: () => void, count: number): number => {
		communicator.barrier();
		const start = performance.now();
		for (let i = 0; i < count; i += 1) once();
		return (1e6 * (performance.now() - start)) / count;
	};
	const measure = (name: string, bytes: number, once: () => void): void => {
		run(once, WARM_UP);
		const guess = Float64Array.of(COUNT_MIN + Math.floor((1e6 * windowMs) / run(once, WARM_UP)));
		const told = communicator.broadcast(rank === 0 ? new Uint8Array(guess.buffer) : undefined, 0).slice();
		const [count = 1] = new Float64Array(told.buffer);
		for (let window = 0; window < windows; window += 1) {
			const nanoseconds = run(once, count);
			if (rank === 0) process.stdout.write(`${name} ${bytes} ${nanoseconds.toFixed(3)}\n`);
		}
	};
	for (const bytes of [8, 32]) {
		const numbers = new Float64Array(bytes / 8);
		measure("reduction", bytes, () => communicator.reduce(numbers, add));
	}
	const exchange = communicator.open(plan(other, 128));
	const values = new Float64Array(256);
	measure("exchange", 1024, () => {
		exchange.begin(values);
		exchange.finish(values);
	});
	const message = new Uint8Array(8);
	measure("round-trip", 8, () => {
		if (rank === 0) wire.send(other, TAG, message);
		wire.receive(other, TAG);
		if (rank === 1) wire.send(other, TAG, message);
	});
	measure("barrier", 0, () => communicator.barrier());
	wire.close();
	communicator.close();
}

if (process.argv[2] === "latency-rank") main(Number(process.argv[3]), Number(process.argv[4]));
