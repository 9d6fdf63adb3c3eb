/**
 * Where everything stands of a problem of a few contacts, in numbers from one base. Places follow from how many contacts, blocks and bodies there are: whoever works on a problem lays
 * it out first, which takes as long as a few of its contacts. Integers stand in numbers' room, two in each.
 */

/** The most contacts: of more, what is set up again where sweeps are handed out takes longer than is gained where not. And the most bodies of those that are given as such. */
export const TINY_CONTACTS: i32 = 1500;
export const TINY_BODIES: i32 = 4000;
/** The most blocks of W. */
export const TINY_BLOCKS: i32 = 65536;
/** The most sweeps that are mixed. */
export const WINDOW: i32 = 5;
/** The most sweeps. */
export const TINY_SWEEPS: i32 = 250;

/** Numbers of a vector: three per contact, and zeros up to whole cache lines of eight contacts. */
export let VECTOR: i32 = 0;

// Given, by id: the rows of W, q, friction, and the random order of ids in which colours are given.
export let ROW_START: i32 = 0;
export let COLUMN: i32 = 0;
export let BLOCKS: i32 = 0;
export let FREE: i32 = 0;
export let FRICTION: i32 = 0;
export let SEQUENCE: i32 = 0;

// The layout: ids by place, places by id, colours by id, where each colour starts, and what they are found with.
export let ORDER: i32 = 0;
export let PLACE: i32 = 0;
export let COLOUR: i32 = 0;
export let COLOUR_START: i32 = 0;
export let MASK: i32 = 0;
export let LIST: i32 = 0;
export let ORDER_WORK: i32 = 0;

// W in SELL-2, and what sweeps need of each contact.
export let PAIR_START: i32 = 0;
export let FLAGS: i32 = 0;
export let SLOT_COLUMN: i32 = 0;
export let SLOT_VALUES: i32 = 0;
export let SCALE: i32 = 0;
export let MU: i32 = 0;
export let W: i32 = 0;

// Connected components (components.ts): terms of the energy error by place, denominators by component, members of each.
export let ENERGY_TERMS: i32 = 0;
export let DENOMINATORS: i32 = 0;
export let COMPONENT_START: i32 = 0;
export let MEMBER: i32 = 0;
export let PARENT: i32 = 0;

// Vectors, one after another: the last are Anderson's window, in the order in which Anderson has it.
export let Q: i32 = 0;
export let U: i32 = 0;
export let R: i32 = 0;
export let BEST: i32 = 0;
export let SWEEP_START: i32 = 0;
export let RESIDUAL: i32 = 0;
export let LAST_RESIDUAL: i32 = 0;
export let LAST_ITERATE: i32 = 0;
export let RESIDUAL_DIFFERENCES: i32 = 0;
export let ITERATE_DIFFERENCES: i32 = 0;
/** How many these are. */
export const VECTORS: i32 = 18;

export let GAMMA: i32 = 0;
export let GRAM: i32 = 0;
export let RIGHT_HAND_SIDE: i32 = 0;
export let FACTOR: i32 = 0;

// Sums and their scratch.
export let SUMS: i32 = 0;
export let MEASURE_SUMS: i32 = 0;
export let TERMS: i32 = 0;
export let SCRATCH: i32 = 0;

/** What a kernel hands out: see tiny.ts. By sweep the estimate of its error, and its measure; below zero where none was taken. */
export let RESULT: i32 = 0;
export let ESTIMATES: i32 = 0;
export let MEASURES: i32 = 0;
/** When factors may have a turn (src/methods/factor-turns.ts), and the sweeps that halved the estimate last. */
export let NEAR: i32 = 0;
export let SHARE: i32 = 0;
export let HALVINGS: i32 = 0;
/** Number of connected components, and the denominators of merit and natural, kept between kernels. */
export let COMPONENTS: i32 = 0;
export let MERIT_FREE: i32 = 0;
export let FREE_NORM: i32 = 0;
/** Root of the energy of the whole problem at R = 0, to which sweeps compare their steps. */
export let ENERGY_SCALE: i32 = 0;

/** In the problem's units, by id: the reactions to start from, which become the answer, and the answer's velocities. */
export let GIVEN: i32 = 0;
export let VELOCITY: i32 = 0;

// Of bodies (tiny-bodies.ts), by contact: two bodies each, frames, arms and levers; by body: inverse masses and inertias, and where its contacts start in the list.
export let BODY: i32 = 0;
export let FRAME: i32 = 0;
export let ARM: i32 = 0;
export let LEVER: i32 = 0;
export let MASS: i32 = 0;
export let INERTIA: i32 = 0;
export let BODY_START: i32 = 0;

let top: i32 = 0;
/** What was laid out last. */
let contactsLast: i32 = -1;
let blocksLast: i32 = -1;
let bodiesLast: i32 = -1;

/** Room for numbers at the next cache line. */
function take(count: i32): i32 {
	const at: i32 = top;
	top += 8 * ((count + 7) >> 3);
	return at;
}

function takeIntegers(count: i32): i32 {
	return take((count + 1) >> 1);
}

function layOutVectors(contacts: i32): void {
	VECTOR = 24 * ((contacts + 7) >> 3);
	Q = take(VECTORS * VECTOR);
	U = Q + VECTOR;
	R = U + VECTOR;
	BEST = R + VECTOR;
	SWEEP_START = BEST + VECTOR;
	RESIDUAL = SWEEP_START + VECTOR;
	LAST_RESIDUAL = RESIDUAL + VECTOR;
	LAST_ITERATE = LAST_RESIDUAL + VECTOR;
	RESIDUAL_DIFFERENCES = LAST_ITERATE + VECTOR;
	ITERATE_DIFFERENCES = RESIDUAL_DIFFERENCES + WINDOW * VECTOR;
}

/** What has the same size for all problems. */
function layOutNumbers(): void {
	GAMMA = take(8);
	GRAM = take(WINDOW * WINDOW);
	RIGHT_HAND_SIDE = take(8);
	FACTOR = take(WINDOW * WINDOW);
	SUMS = take(64);
	MEASURE_SUMS = take(48);
	TERMS = take(256);
	SCRATCH = take(864);
	RESULT = take(32);
	ESTIMATES = take(TINY_SWEEPS + 1);
	MEASURES = take(TINY_SWEEPS + 1);
	NEAR = take(8);
	SHARE = NEAR + 1;
	HALVINGS = take(8);
	COMPONENTS = take(8);
	MERIT_FREE = COMPONENTS + 1;
	FREE_NORM = COMPONENTS + 2;
	ENERGY_SCALE = COMPONENTS + 3;
}

/** Of so many contacts, blocks of W at most, and bodies, none where W is given; returns how many numbers there are. */
export function layOut(contacts: i32, blocks: i32, bodies: i32): i32 {
	if (contacts == contactsLast && blocks == blocksLast && bodies == bodiesLast) return top;
	contactsLast = contacts;
	blocksLast = blocks;
	bodiesLast = bodies;
	top = 0;
	layOutNumbers();
	layOutVectors(contacts);
	ROW_START = takeIntegers(contacts + 1);
	COLUMN = takeIntegers(blocks);
	BLOCKS = take(9 * (bodies > 0 ? contacts : blocks));
	FREE = take(3 * contacts);
	FRICTION = take(contacts);
	SEQUENCE = takeIntegers(contacts);
	ORDER = takeIntegers(contacts);
	PLACE = takeIntegers(contacts);
	COLOUR = takeIntegers(contacts);
	COLOUR_START = takeIntegers(40);
	MASK = takeIntegers(contacts);
	LIST = takeIntegers(2 * contacts);
	ORDER_WORK = takeIntegers(3 * contacts + 96);
	PAIR_START = takeIntegers(contacts + 2);
	FLAGS = takeIntegers(contacts);
	SCALE = take(contacts);
	MU = take(contacts + 1);
	W = take(9 * contacts);
	ENERGY_TERMS = take(contacts);
	DENOMINATORS = take(contacts);
	COMPONENT_START = takeIntegers(contacts + 1);
	MEMBER = takeIntegers(contacts);
	PARENT = takeIntegers(contacts);
	GIVEN = take(3 * contacts);
	VELOCITY = take(3 * contacts);
	BODY = takeIntegers(bodies > 0 ? 2 * contacts : 0);
	FRAME = take(bodies > 0 ? 9 * contacts : 0);
	ARM = take(bodies > 0 ? 6 * contacts : 0);
	LEVER = take(bodies > 0 ? 18 * contacts : 0);
	MASS = take(bodies);
	INERTIA = take(6 * bodies);
	BODY_START = takeIntegers(bodies + 1);
	// A pair has as many slots as its longer row has blocks.
	SLOT_COLUMN = takeIntegers(2 * blocks);
	SLOT_VALUES = take(18 * blocks);
	return top;
}
