/**
 * The program that measures what it costs ranks to talk to each other, as solves use it: exchanges of blocks with the ranks on either side, waited for at
 * once, with work meanwhile, and with work that keeps one rank after another late; and reductions. Work is a fixed amount: threads of a transport that take
 * the cores meanwhile make it longer. The least of many windows counts, so that what else runs on the machine disturbs little; a window has many calls,
 * since a rank that is lucky once is not so in a solve.
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
/** Rounds of work whose time tells how many make a microsecond. */
const TRIAL_ROUNDS = 20_000;

const seconds = atLeast(0);

const isLineTask = record({
	/** For each measurement, and milliseconds of a window. */
	seconds: atLeast(0),
	windowMs: atLeast(0),
	/** Blocks of the exchanges, and numbers of the reductions, to be measured. */
	blocks: list(integer(0, 10_000_000), LIST_MAX),
	/** Messages of exchanges with several of one block. */
	several: list(integer(2, 1000), LIST_MAX),
	numbers: list(integer(1, 8192), LIST_MAX),
	/** Seconds of work by which one rank is late for an exchange of one block, and then the other. */
	late: list(seconds, LIST_MAX),
});
export type LineTask = Checked<typeof isLineTask>;

const isMeasuredExchange = record({
	/** Of each message. */
	blocks: integer(0),
	/** Begun and finished at once; and of one that has come when it is waited for, its beginning, its end, and by how much work meanwhile took longer. */
	whole: seconds,
	begin: seconds,
	finish: seconds,
	stolen: seconds,
});
export type MeasuredExchange = Checked<typeof isMeasuredExchange>;

const isMeasuredSeveral = record({
	messages: integer(2),
	blocks: integer(0),
	whole: seconds,
	begin: seconds,
	finish: seconds,
	stolen: seconds,
});

const isMeasuredLoop = record({
	work: seconds,
	/** What the work took by itself. */
	alone: seconds,
	/** Of a round, work and all. */
	seconds,
});
export type MeasuredLoop = Checked<typeof isMeasuredLoop>;

export const isLineResult = record({
	exchanges: list(isMeasuredExchange, LIST_MAX),
	several: list(isMeasuredSeveral, LIST_MAX),
	reductions: list(record({ numbers: integer(1), seconds }), LIST_MAX),
	loops: list(isMeasuredLoop, LIST_MAX),
});
export type LineResult = Checked<typeof isLineResult>;

const add = (into: Float64Array, from: Float64Array): void => {
	for (let i = 0; i < into.length; i += 1) into[i] = into[i]! + from[i]!;
};

/** With the ranks on either side in a ring; of two ranks these are one. Each gets so many messages. */
function ringPlan(rank: number, size: number, blocks: number, messages = 1): HaloPlan {
	const neighbours = new Set(blocks === 0 || size === 1 ? [] : [(rank + 1) % size, (rank + size - 1) % size]);
	const others = Int32Array.from([...neighbours].flatMap((other) => new Array<number>(messages).fill(other))).sort();
	const count = others.length * blocks;
	const places = (from: number) => Int32Array.from({ length: count }, (_, i) => from + STRIDE * i);
	const start = Int32Array.from({ length: others.length + 1 }, (_, i) => i * blocks);
	return {
		width: WIDTH,
		targets: others,
		sendStart: start,
		send: places(0),
		sources: others,
		receiveStart: start,
		receive: places(STRIDE * count),
	};
}

/** A vector that has all places of a plan. */
function vectorFor({ width, send, receive }: HaloPlan): Float64Array {
	return new Float64Array(width * (STRIDE * (send.length + receive.length) + 1));
}

/** So many rounds; where the result goes nowhere, a compiler leaves it out. */
function work(rounds: number): void {
	let x = result[0]!;
	for (let i = 0; i < rounds; i += 1) x = x * 0.999_999 + 1e-6;
	result[0] = x;
}

const result = Float64Array.of(1);

/** Seconds of so many rounds on rank 0, while others wait. */
function leastWork(communicator: Communicator, task: LineTask, rounds: number): number {
	return leastTime(communicator, task, communicator.rank === 0 ? () => work(rounds) : () => {});
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
		// The ranks are together after it, and not before.
		once();
		read(1);
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

/** `rate`: rounds of work of a second. */
function measureExchange(
	communicator: Communicator,
	task: LineTask,
	{ blocks, messages }: { readonly blocks: number; readonly messages: number },
	rate: number,
): MeasuredExchange {
	const { rank, size } = communicator;
	const plan = ringPlan(rank, size, blocks, messages);
	const exchange = communicator.open(plan);
	const values = vectorFor(plan);
	const whole = leastTime(communicator, task, () => {
		exchange.begin(values);
		exchange.finish(values);
	});
	const rounds = Math.ceil(rate * MEANWHILE * whole);
	const { begin, finish } = measureParts(communicator, task, exchange, values, rounds);
	const alone = leastTime(communicator, task, () => work(rounds));
	const busy = leastTime(communicator, task, () => {
		exchange.begin(values);
		work(rounds);
		exchange.finish(values);
	});
	exchange.close();
	return { blocks, whole, begin, finish, stolen: Math.max(0, busy - alone - begin - finish) };
}

/** Of an exchange during so many rounds of work. */
function measureParts(
	communicator: Communicator,
	task: LineTask,
	exchange: Exchange,
	values: Float64Array,
	rounds: number,
): Pick<MeasuredExchange, "begin" | "finish"> {
	const spent = { begin: 0, finish: 0 };
	const once = () => {
		const before = performance.now();
		exchange.begin(values);
		const begun = performance.now();
		work(rounds);
		const now = performance.now();
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

/** Rounds of work, and an exchange that is waited for. In turns every other rank works, so that the others wait for it for as long. */
function measureLoop(communicator: Communicator, task: LineTask, length: number, rate: number): MeasuredLoop {
	const { rank, size } = communicator;
	const plan = ringPlan(rank, size, 1);
	const exchange = communicator.open(plan);
	const values = vectorFor(plan);
	const rounds = Math.ceil(rate * length);
	let turn = rank;
	const seconds = leastTime(communicator, task, () => {
		turn += 1;
		if (turn % 2 === 0) work(rounds);
		exchange.begin(values);
		exchange.finish(values);
	});
	exchange.close();
	return { work: length, alone: leastWork(communicator, task, rounds), seconds };
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
		const rate = agreed(communicator, TRIAL_ROUNDS / leastWork(communicator, task, TRIAL_ROUNDS));
		const exchanges: MeasuredExchange[] = [];
		for (const blocks of task.blocks) {
			exchanges.push(measureExchange(communicator, task, { blocks, messages: 1 }, rate));
			yield;
		}
		const several: LineResult["several"][number][] = [];
		for (const messages of task.several) {
			several.push({ messages, ...measureExchange(communicator, task, { blocks: 1, messages }, rate) });
			yield;
		}
		const loops: MeasuredLoop[] = [];
		for (const length of task.late) {
			loops.push(measureLoop(communicator, task, length, rate));
			yield;
		}
		const reductions: LineResult["reductions"][number][] = [];
		for (const numbers of task.numbers) {
			reductions.push(measureReduction(communicator, task, numbers));
			yield;
		}
		return { exchanges, several, reductions, loops };
	},
};

export default program;
