/**
 * One of two processes under mpirun that send each other messages of lengths at which mail.ts changes what it does: around a full
 * head, and around full chunks, which are short here. Ends with code 0 where all came as they were sent.
 */
import { assert } from "@stickslip/core/parallel";
import { Control } from "../base/control.js";
import { Patience } from "../base/patience.js";
import { Mpi } from "../mpi/bindings.js";
import { FailureBroadcast } from "../mpi/failure-broadcast.js";
import { LateRankFinder } from "../mpi/late-rank.js";
import { requireMpi } from "../mpi/library.js";
import { Mail } from "../mpi/mail.js";
import { finalise, initialise } from "../mpi/session.js";
import { Waiter } from "../mpi/waiter.js";
import { noise, same } from "./checks.js";

const CHUNK_BYTES = 1000;
const HEAD_BYTES = 2048;
const SECONDS = 100;
const lengths = [0, 1, 2047, 2048, 2049, 3047, 3048, 3049, 4048, 5000, 100_000, 8];
/** More than are on their way at once. */
const BURST = 300;

const control = Control.create();
const library = requireMpi();
const mpi = new Mpi(library.kind, library.path, control);
const { rank, size, comm } = initialise(mpi, { seconds: SECONDS, isMultiple: false });
assert(size === 2, "two ranks");
const signals = {
	failures: new FailureBroadcast(mpi, comm, { rank, size, control }),
	lateRanks: new LateRankFinder(mpi, comm, { rank, threads: 1 }),
};
const waiter = new Waiter(mpi, new Patience({ control, seconds: SECONDS, spins: 0 }), 0, signals);
const mail = new Mail(mpi, comm, waiter, CHUNK_BYTES);
const other = 1 - rank;

const send = (tag: number, which: number, length: number) =>
	mail.send(other, tag, noise(rank + 10 * tag, which, length));
const receive = (tag: number, which: number, length: number) => {
	const got = mail.receive(other, tag, other, "a message");
	assert(same(got, noise(other + 10 * tag, which, length)), `message ${which} of ${length} bytes with tag ${tag}`);
};

assert(lengths.includes(HEAD_BYTES), "a full head is tried");
for (const [which, length] of lengths.entries()) {
	send(1, which, length);
	receive(1, which, length);
}
// All of one tag are sent before any is taken, and taken tag by tag in another order.
for (const [which, length] of lengths.entries()) for (const tag of [1, 2]) send(tag, which, length);
for (const tag of [2, 1]) for (const [which, length] of lengths.entries()) receive(tag, which, length);
for (let which = 0; which < BURST; which += 1) send(3, which, which % 40);
for (let which = 0; which < BURST; which += 1) receive(3, which, which % 40);
mail.flush();
mail.release();
finalise(mpi, SECONDS);
