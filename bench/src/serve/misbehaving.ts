/**
 * A service with the limits it has by default, and one client that misbehaves: the memory of all processes of the service meanwhile, against its memory
 * before, while another client gets its answers.
 */
import { readFileSync } from "node:fs";
import { type Client, connect } from "@stickslip/client";
import { assembleRigid, generate, type Problem, Random, solve } from "@stickslip/core";
import {
	Bed,
	drip,
	fetchUnread,
	type MisbehavingDetails,
	pause,
	STRANGER_KINDS,
	sendEndless,
	sendStrangers,
	splitProblem,
	until,
	WAYS,
	WEBSOCKET_STRANGER_KINDS,
} from "../testing.js";
import { type ServiceProcess, startServiceProcess } from "./service.js";

export const MISBEHAVING = ["dripping", "unread", "handshakes", "endless", "group", "series"] as const;
export type MisbehavingKind = (typeof MISBEHAVING)[number];

export interface MisbehavingRow {
	readonly kind: MisbehavingKind;
	readonly round: number;
	/** Resident memory of the service and its ranks, in MiB: before, and the most meanwhile. */
	readonly quiet: number;
	readonly attacked: number;
	readonly more: number;
	/** Answers that the other client got meanwhile, all of them right. */
	readonly answers: number;
	readonly held: "yes" | "NO";
	readonly why: string;
}

/** Sizes of an attack. */
export interface Size {
	readonly seconds: number;
	readonly connections: number;
	/** Bytes of each message that drips. */
	readonly bytes: number;
	/** Contacts of the problem whose answer is fetched, and of the problems of a series. */
	readonly contacts: number;
	readonly series: number;
}

const MiB = 2 ** 20;
const MORE_MIB_MAX = 300;
const LOOK_MS = 20;
const FETCHES = 2000;
/** A little less than the largest message. */
const ANNOUNCED_BYTES = 1000 * MiB;
const FRAME_BYTES = 2 ** 18;
/** One message of 2.5 GiB. */
const FRAMES = 10_240;
/** The limit on a message in that kind: what a client may have is the operator's choice. */
const ENDLESS_WORDS = ["--limit-message", "64M"];
const WHOLE: Size = { seconds: 4, connections: 60, bytes: 57 * MiB, contacts: 40_000, series: 120 };

const once = { tolerance: 1e-300, maxIterations: 1 } as const;

export async function misbehave(kind: MisbehavingKind, round: number, size = WHOLE): Promise<MisbehavingRow> {
	const bed = new Bed();
	const random = new Random(round, MISBEHAVING.indexOf(kind));
	const clients: Client[] = [];
	let witness: Witness | undefined;
	try {
		const words = ["--ranks", "1", ...(kind === "endless" ? ENDLESS_WORDS : [])];
		const service = await startServiceProcess(bed, ["honest", "other"], words);
		const honest = await connect(service.clients.honest!, {
			transport: random.below(2) === 0 ? "zeromq" : "websocket",
		});
		const other = await connect(service.clients.other!);
		clients.push(honest, other);
		witness = new Witness(service, honest, random.below(1000));
		await until("an answer", () => witness?.answers !== 0, { seconds: 60 });
		const quiet = service.use().memory;
		const wrong = await attacks[kind]({ service, other, honest, size, random });
		const { attacked, answers, error } = await witness.stop();
		const more = attacked - quiet;
		const why = [...wrong, ...(error === undefined ? [] : [error]), ...(more > MORE_MIB_MAX ? ["memory"] : [])].join(
			"; ",
		);
		const [before, most, difference] = [quiet, attacked, more].map(Math.round) as [number, number, number];
		return {
			kind,
			round,
			quiet: before,
			attacked: most,
			more: difference,
			answers,
			held: why === "" ? "yes" : "NO",
			why,
		};
	} finally {
		witness?.end();
		await Promise.all(clients.map((client) => client.close()));
		await bed.close();
	}
}

/** The other client, which asks one thing after another, and the memory meanwhile. */
class Witness {
	answers = 0;
	#most = 0;
	#error: string | undefined;
	#isOver = false;
	readonly #looking: NodeJS.Timeout;
	readonly #asking: Promise<void>;

	constructor(service: ServiceProcess, client: Client, seed: number) {
		this.#looking = setInterval(() => {
			this.#most = Math.max(this.#most, service.use().memory);
		}, LOOK_MS);
		this.#asking = this.#ask(client, seed).catch((error: unknown) => {
			this.#error = String(error);
		});
	}

	async stop() {
		const before = this.answers;
		// It is answered until the end.
		await until("one more answer", () => this.answers > before || this.#error !== undefined, { seconds: 60 });
		this.end();
		await this.#asking;
		return { attacked: this.#most, answers: this.answers, error: this.#error };
	}

	end(): void {
		this.#isOver = true;
		clearInterval(this.#looking);
	}

	async #ask(client: Client, seed: number): Promise<void> {
		const problem = generate("spheres", { contacts: 30, seed });
		const { hash } = solve(problem).report;
		while (!this.#isOver) {
			const { report } = await client.solve(problem);
			if (report.hash !== hash) throw new Error("another answer");
			this.answers += 1;
			await pause(0.01);
		}
	}
}

interface Scene {
	readonly service: ServiceProcess;
	readonly other: Client;
	readonly honest: Client;
	readonly size: Size;
	readonly random: Random;
}

/** Failures other than those of memory and answers. */
type Attack = (scene: Scene) => Promise<string[]>;

const detailsOf = ({ service }: Scene): MisbehavingDetails => JSON.parse(readFileSync(service.clients.other!, "utf8"));

const attacks: Readonly<Record<MisbehavingKind, Attack>> = {
	async dripping(scene) {
		const { connections, bytes, seconds } = scene.size;
		const attack = await drip(detailsOf(scene), WAYS, { count: connections, bytes, announced: ANNOUNCED_BYTES });
		await pause(seconds);
		attack.stop();
		return [];
	},
	async unread(scene) {
		const { connections, contacts, seconds } = scene.size;
		const id = "kept";
		await scene.other.solve(separate(contacts), { ...once, id, keep: true });
		const attack = await fetchUnread(detailsOf(scene), WAYS, { id, count: connections, times: FETCHES });
		await pause(seconds);
		attack.stop();
		return [];
	},
	async handshakes({ service, size: { seconds, connections } }) {
		const [zeromq, websocket] = [service.zeromq, service.websocket].map((place) => Number(/:(\d+)$/.exec(place)?.[1]));
		const crowds = [
			sendStrangers({ port: zeromq!, count: 5 * connections, kinds: STRANGER_KINDS, bytesMax: 2 ** 32 }),
			sendStrangers({ port: websocket!, count: 5 * connections, kinds: WEBSOCKET_STRANGER_KINDS, bytesMax: 2 ** 32 }),
		];
		await pause(seconds);
		for (const crowd of crowds) crowd.stop();
		return crowds.every(({ sentAway }) => sentAway > 0) ? [] : ["nobody was sent away"];
	},
	async endless(scene) {
		const attack = await sendEndless(detailsOf(scene), FRAME_BYTES, FRAMES);
		await pause(scene.size.seconds);
		attack.stop();
		return [];
	},
	/** Two clients with one name for a group: each has its own. */
	async group({ service, random, size }) {
		const wrong: string[] = [];
		const [one, other] = ["honest", "other"].map((name) => service.clients[name]!);
		const { rigid, W: _W, ...pile } = generate("spheres", { contacts: 40, seed: 1 + random.below(1000) });
		const problem = { ...pile, W: assembleRigid(rigid!) };
		const { hash } = solve(problem).report;
		const halves = splitProblem(problem, (id) => id % 2, 2, "W");
		const open = await Promise.all([one, one, other, other].map((file) => connect(file!)));
		const end = performance.now() + 1000 * size.seconds;
		for (let turn = 0; performance.now() < end && wrong.length === 0; turn += 1) {
			const part = (index: number) => ({ group: `g${turn}`, index, of: 2 });
			const first = open[0]!.solvePart(halves[0]!, part(0));
			// Valid, and not what belongs there; and another number of parts. Neither is answered before the connections close.
			const spoilt = { ...halves[1]!, mu: halves[1]!.mu.map((mu) => mu / 2) };
			for (const [k, given] of [part(1), { ...part(1), of: 3 }].entries()) {
				open[2 + k]!.solvePart(spoilt, given).catch(() => {});
			}
			await pause(0.01);
			const second = open[1]!.solvePart(halves[1]!, part(1));
			const solved = await Promise.allSettled([first, second]);
			for (const each of solved) {
				if (each.status === "rejected") wrong.push(`a part was spoilt: ${String(each.reason)}`);
				else if (each.value.report.hash !== hash) wrong.push("another answer");
			}
		}
		await Promise.all(open.map((client) => client.close()));
		return wrong;
	},
	async series({ other, size: { series, contacts } }) {
		const problem = separate(contacts);
		const keys = Float64Array.from({ length: problem.contacts }, (_, k) => k * 2 ** 33);
		for (let k = 0; k < series; k += 1) await other.solve(problem, { ...once, keys, series: `s${k}` });
		return [];
	},
};

/** Contacts that do not couple: their answer is large, and the work is not. */
function separate(contacts: number): Problem {
	const count = { length: contacts };
	const W = {
		rows: contacts,
		rowStart: Int32Array.from({ length: contacts + 1 }, (_, k) => k),
		column: Int32Array.from(count, (_, k) => k),
		values: new Float64Array(9 * contacts),
	};
	for (let k = 0; k < contacts; k += 1) for (let d = 0; d < 3; d += 1) W.values[9 * k + 4 * d] = 1 + (k % 7);
	const q = Float64Array.from({ length: 3 * contacts }, (_, k) => Math.sin(k));
	return { name: "separate", contacts, q, mu: new Float64Array(contacts).fill(0.5), W };
}
