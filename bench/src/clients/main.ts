/** A problem's way through a client, the service and back, beside a session of this process: the same problem, options and ranks, in turn. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openSession } from "@stickslip/cluster-runner";
import { assembleRigid, generate, type Problem } from "@stickslip/core";
import type { Bench } from "../bench.js";
import { program } from "../launch/subject.js";
import { recordCsv } from "../record.js";
import { Bed, until } from "../testing.js";
import { KINDS, type Kind, lacking, type Peer, startPeer, type Timed } from "./peer.js";

const usage = "npm run bench -- clients [--contacts N] [--rounds N] [--ranks N]";
/** Of the session and of the service. */
const RANKS = [1, 2];

/** How much longer than in the process a request of either language may take. */
const RATIO_MAX: Readonly<Record<string, number>> = { python: 1.2, c: 1.1 };
const KIND_OF_FIGURE: Kind = "whole";

export type ClientRow = {
	readonly client: string;
	readonly request: Kind;
	readonly ranks: number;
	readonly contacts: number;
	readonly rounds: number;
	/** Milliseconds: the least, the median and the most of each. */
	readonly inProcess: string;
	readonly inProcessMedian: string;
	readonly inProcessMost: string;
	readonly throughService: string;
	readonly throughServiceMedian: string;
	readonly throughServiceMost: string;
	readonly ratio: string;
	readonly held: string;
};

/** Writes the arrays of the problem where clients read them. */
function store(folder: string, { q, mu, W }: Problem): void {
	mkdirSync(folder, { recursive: true });
	const { rowStart, column, values } = W!;
	const arrays = { "q.f64": q, "mu.f64": mu, "rowStart.i32": rowStart, "column.i32": column, "values.f64": values };
	for (const [name, { buffer, byteOffset, byteLength }] of Object.entries(arrays)) {
		writeFileSync(join(folder, name), new Uint8Array(buffer, byteOffset, byteLength));
	}
}

/** The connection file of a service with so many ranks. */
async function startService(bed: Bed, ranks: number): Promise<string> {
	const words = ["serve", "--listen", "tcp://127.0.0.1:0", "--websocket", "none", "--keys", join(bed.folder, "keys")];
	const running = bed.start(process.execPath, [program, ...words, "--ranks", String(ranks), "--json"]);
	await until("the service is up", () => running.out().includes("\n") || running.child.exitCode !== null, {
		seconds: 60,
	});
	if (!running.out().includes("\n")) throw new Error(`the service did not start: ${running.err()}`);
	const { clients } = JSON.parse(running.out()) as { clients: { default: string } };
	return clients.default;
}

function spread(seconds: readonly number[]): readonly [least: number, median: number, most: number] {
	const all = [...seconds].sort((one, other) => one - other);
	return [all[0]!, all[all.length >> 1]!, all.at(-1)!];
}

interface Measured {
	readonly peer: Peer;
	readonly kind: Kind;
	readonly ranks: number;
	readonly contacts: number;
	/** Seconds of each round: in the process, and through the service. */
	readonly own: readonly number[];
	readonly theirs: readonly number[];
}

function rowOf({ peer, kind, ranks, contacts, own, theirs }: Measured): ClientRow {
	const text = (seconds: number) => (1000 * seconds).toFixed(2);
	const [inside, through] = [spread(own), spread(theirs)];
	const ratio = through[0] / inside[0];
	const isFigure = kind === KIND_OF_FIGURE;
	return {
		client: peer.language,
		request: kind,
		ranks,
		contacts,
		rounds: own.length,
		inProcess: text(inside[0]),
		inProcessMedian: text(inside[1]),
		inProcessMost: text(inside[2]),
		throughService: text(through[0]),
		throughServiceMedian: text(through[1]),
		throughServiceMost: text(through[2]),
		ratio: ratio.toFixed(3),
		held: !isFigure ? "" : ratio <= RATIO_MAX[peer.language]! ? "yes" : "MISSED",
	};
}

/** A row for each client that this machine can have, and each kind of request. */
export async function measureClients(asked: number, rounds: number, ranks: number): Promise<ClientRow[]> {
	const bed = new Bed();
	const { rigid, q, mu } = generate("spheres", { contacts: asked, seed: 3 });
	const problem: Problem = { name: "clients", contacts: mu.length, q, mu, W: assembleRigid(rigid!) };
	const rows: ClientRow[] = [];
	try {
		const folder = join(bed.folder, "problem");
		store(folder, problem);
		const file = await startService(bed, ranks);
		const session = await openSession({ ranks });
		const pattern = await session.prepare(problem);
		const { values } = problem.W!;
		const inProcess: Readonly<Record<Kind, () => Promise<{ report: { hash: string } }>>> = {
			whole: () => session.solve(problem),
			values: () => pattern.solve({ q, values }),
			q: () => pattern.solve({ q }),
		};
		const { hash } = (await session.solve(problem)).report;
		const checked = (timed: Timed, who: string) => {
			if (timed.hash !== hash) throw new Error(`${who} has another answer than the session`);
			return timed.seconds;
		};
		const timed = async (kind: Kind) => {
			const began = performance.now();
			const { report } = await inProcess[kind]();
			return checked({ seconds: (performance.now() - began) / 1000, hash: report.hash }, "the process");
		};
		for (const language of Object.keys(lacking).filter((each) => lacking[each]!() === undefined)) {
			const peer = await startPeer(language, bed, [file, folder]);
			for (const kind of KINDS) {
				const [own, theirs]: [number[], number[]] = [[], []];
				for (let round = -1; round < rounds; round += 1) {
					const [mine, other] = [await timed(kind), checked(await peer.solve(kind), language)];
					if (round < 0) continue;
					own.push(mine);
					theirs.push(other);
				}
				rows.push(rowOf({ peer, kind, ranks, contacts: problem.contacts, own, theirs }));
			}
		}
		await session.close();
		return rows;
	} finally {
		await bed.close();
	}
}

function lineOf({ client, request, ratio, held, ...row }: ClientRow): string {
	const inside = `in the process ${row.inProcess} ms (median ${row.inProcessMedian}, most ${row.inProcessMost})`;
	const through = `through the service ${row.throughService} ms (${row.throughServiceMedian}, ${row.throughServiceMost})`;
	const who = `${client.padEnd(8)}${request.padEnd(8)}${row.ranks} rank${row.ranks > 1 ? "s" : " "} `;
	return `${who}${inside}, ${through}: ${ratio} times  ${held}`;
}

export const clients: Bench = {
	name: "clients",
	what: "requests of the Python and the C client from call to answer, beside a session in the process   [--contacts N] [--rounds N] [--ranks N]",
	async run(args) {
		const text = (name: string) => ({ type: "string", default: name }) as const;
		const options = { contacts: text("10000"), rounds: text("15"), ranks: { type: "string" } } as const;
		const { values } = parseArgs({ args: [...args], options });
		const [contacts, rounds] = [Number(values.contacts), Number(values.rounds)];
		const asked = values.ranks === undefined ? RANKS : [Number(values.ranks)];
		if (!(contacts > 0 && rounds > 0 && asked.every((ranks) => ranks > 0))) throw new Error(usage);
		for (const [language, why] of Object.entries(lacking)) if (why()) console.log(`no ${language}: ${why()}`);
		const rows: ClientRow[] = [];
		for (const ranks of asked) {
			const measured = await measureClients(contacts, rounds, ranks);
			for (const row of measured) console.log(lineOf(row));
			rows.push(...measured);
		}
		console.log(`recorded in ${recordCsv("clients", rows)}`);
		return rows.some(({ held }) => held === "MISSED") ? 1 : undefined;
	},
};
