/**
 * The program that measures what it costs ranks to talk to each other: exchanges of blocks in a ring, begun, waited for and with work meanwhile, and
 * reductions. Windows are short and the least of them counts, so that what else runs on the machine disturbs little.
 */
import type { Communicator, Exchange, HaloPlan } from "@stickslip/core/parallel";
import { atLeast, type Checked, integer, list, record } from "@stickslip/core/schema";
import type { Program } from "./program.js";

const LIST_MAX = 100;
/** Numbers of a block, as of reactions. */
const WIDTH = 3;
/** Blocks that are sent stand apart, as in a halo. */
const STRIDE = 2;
const WARM_UP = 50;
/** Calls of a window, at least. */
const CALLS_MIN = 4;
/** So many times an exchange's own time is worked meanwhile. */
const MEANWHILE = 3;

const isLineTask = record({
	/** For each measurement, and milliseconds of a window. */
	seconds: atLeast(0),
	windowMs: atLeast(0),
	/** Blocks of the exchanges, and numbers of the reductions, to be measured. */
	blocks: list(integer(0, 10_000_000), LIST_MAX),
	numbers: list(integer(1, 8192), LIST_MAX),
});
export type LineTask = Checked<typeof isLineTask>;

const seconds = atLeast(0);
const isMeasuredExchange = record({
	/** Of each message. */
	blocks: integer(0),
	/** Begun and finished at once; and of one that has come when it is waited for, its beginning and its end. */
	whole: seconds,
	begin: seconds,
	finish: seconds,
});
export type MeasuredExchange = Checked<typeof isMeasuredExchange>;

export const isLineResult = record({
	exchanges: list(isMeasuredExchange, LIST_MAX),
	reductions: list(record({ numbers: integer(1), seconds }), LIST_MAX),
});
export type LineResult = Checked<typeof isLineResult>;

const add = (into: Float64Array, from: Float64Array): void => {
	for (let i = 0; i < into.length; i += 1) into[i] = into[i]! + from[i]!;
};

/** To the next rank and from the one before; of two ranks it is the same one. */
function ringPlan(rank: number, size: number, blocks: number): HaloPlan {
	const isEmpty = blocks === 0 || size === 1;
	const places = (from: number) => Int32Array.from({ length: blocks }, (_, i) => from + STRIDE * i);
	const side = (other: number) => (isEmpty ? new Int32Array(0) : Int32Array.of(other));
	const start = isEmpty ? Int32Array.of(0) : Int32Array.of(0, blocks);
	return {
		width: WIDTH,
		targets: side((rank + 1) % size),
		sendStart: start,
		send: places(0),
		sources: side((rank + size - 1) % size),
		receiveStart: start,
		receive: places(STRIDE * blocks),
	};
}

/**
 * Windows of calls until the time is over; all ranks make as many, and rank 0 says how many. After each `read` returns milliseconds of a call, for one
 * quantity or more; the least of all windows is returned, in seconds.
 */
function leastOfWindows(
	communicator: Communicator,
	{ seconds: limit, windowMs }: LineTask,
	once: () => void,
	read: (calls: number) => readonly number[],
	begin: () => void = () => {},
): number[] {
	for (let i = 0; i < WARM_UP; i += 1) once();
	read(1);
	let least: number[] = [];
	let calls = CALLS_MIN;
	const begun = performance.now();
	while (calls > 0) {
		communicator.barrier();
		const started = performance.now();
		begin();
		for (let i = 0; i < calls; i += 1) once();
		const found = read(calls);
		const each = (performance.now() - started) / calls;
		least = found.map((value, i) => Math.min(value, least[i] ?? Number.POSITIVE_INFINITY));
		const isOver = performance.now() - begun > 1000 * limit;
		calls = agreed(communicator, isOver ? 0 : Math.max(CALLS_MIN, Math.ceil(windowMs / each)));
	}
	return least.map((value) => value / 1000);
}

/** What rank 0 says. */
function agreed(communicator: Communicator, value: number): number {
	const own = Float64Array.of(value);
	const common = communicator.broadcast(communicator.rank === 0 ? new Uint8Array(own.buffer) : undefined, 0).slice();
	return new Float64Array(common.buffer)[0]!;
}

function leastTime(communicator: Communicator, task: LineTask, once: () => void): number {
	let begun = 0;
	const read = (calls: number) => [(performance.now() - begun) / calls];
	const begin = () => {
		begun = performance.now();
	};
	return leastOfWindows(communicator, task, once, read, begin)[0]!;
}

function measureExchange(communicator: Communicator, task: LineTask, blocks: number): MeasuredExchange {
	const { rank, size } = communicator;
	const exchange = communicator.open(ringPlan(rank, size, blocks));
	const values = new Float64Array(WIDTH * (2 * STRIDE * blocks + 1));
	const whole = leastTime(communicator, task, () => {
		exchange.begin(values);
		exchange.finish(values);
	});
	const parts = measureParts(communicator, task, exchange, values, 1000 * MEANWHILE * whole);
	exchange.close();
	return { blocks, whole, ...parts };
}

/** Of an exchange during work of so many milliseconds. */
function measureParts(
	communicator: Communicator,
	task: LineTask,
	exchange: Exchange,
	values: Float64Array,
	meanwhileMs: number,
): Pick<MeasuredExchange, "begin" | "finish"> {
	const spent = { begin: 0, finish: 0 };
	const once = () => {
		const before = performance.now();
		exchange.begin(values);
		const begun = performance.now();
		let now = begun;
		while (now - begun < meanwhileMs) now = performance.now();
		exchange.finish(values);
		spent.begin += begun - before;
		spent.finish += performance.now() - now;
	};
	const read = (calls: number) => {
		const found = [spent.begin / calls, spent.finish / calls];
		spent.begin = 0;
		spent.finish = 0;
		return found;
	};
	const [begin, finish] = leastOfWindows(communicator, task, once, read);
	return { begin: begin!, finish: finish! };
}

function measureReduction(communicator: Communicator, task: LineTask, count: number) {
	const values = new Float64Array(count);
	return { numbers: count, seconds: leastTime(communicator, task, () => communicator.reduce(values, add)) };
}

const program: Program<LineTask, LineResult> = {
	name: "measure-lines",
	isPart: isLineTask,
	*run(task, context) {
		const { communicator } = context;
		context.ready();
		const exchanges: MeasuredExchange[] = [];
		for (const blocks of task.blocks) {
			exchanges.push(measureExchange(communicator, task, blocks));
			yield;
		}
		const reductions: LineResult["reductions"][number][] = [];
		for (const numbers of task.numbers) {
			reductions.push(measureReduction(communicator, task, numbers));
			yield;
		}
		return { exchanges, reductions };
	},
};

export default program;
