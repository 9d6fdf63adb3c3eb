/** Tags on the private communicator. A reduction of n numbers has tag n, so that ranks which disagree on n do not take each other's. */
import { REDUCE_MAX } from "@stickslip/core/parallel";

export const BARRIER = REDUCE_MAX + 1;
export const HALO = REDUCE_MAX + 2;
export const OPEN = REDUCE_MAX + 3;
export const BROADCAST = REDUCE_MAX + 4;
export const GATHER = REDUCE_MAX + 5;
export const FAILURE_TAG = REDUCE_MAX + 6;
export const LEAVING_TAG = REDUCE_MAX + 7;
/** The most threads of a process that have wires. */
export const THREADS_MAX = 1024;
/** A question and its answer, plus the number of the thread that is meant. */
export const QUERY_TAG = REDUCE_MAX + 8;
export const REPLY_TAG = QUERY_TAG + THREADS_MAX;
/** Tags of wires begin here: the standard promises 32767 at least, so there is room for some threads in any library. */
export const WIRE = REPLY_TAG + THREADS_MAX;
