/** `stickslip serve` under load, losses and strangers: none of it may cost an answer. */
import type { Bench } from "../bench.js";
import { mergeCsv } from "../record.js";
import { load } from "./load.js";
import { killClient, killRanks } from "./lost.js";
import { lineOf, type ServeRow } from "./row.js";
import { strangers } from "./strangers.js";

const PARTS = ["load", "kill-client", "kill-rank", "strangers", "soak"] as const;
type Part = (typeof PARTS)[number];

const usage = `npm run bench -- serve [${PARTS.join("|")}] [--requests N] [--contacts N] [--clients N] [--seconds S] [--ranks N] [--transport T]
  all but soak without a name; soak is for --seconds, 120 unless said`;

const DEFAULTS = { requests: 100_000, contacts: 100, clients: 8, seconds: 120, ranks: 2, transport: "threads" };
const UNDER_WAY = 8;
const KILLS = 3;
const ROUNDS = 5;
const MESSAGES = 10_000;
const CONNECTIONS = 1000;

export type ServeSettings = typeof DEFAULTS & {
	/** Less of all that has no option of its own. */
	readonly isTiny?: boolean;
};

export async function serve(part: Part, settings: ServeSettings, print: (line: string) => void): Promise<ServeRow[]> {
	const { requests, contacts, clients, seconds, ranks, transport, isTiny } = settings;
	const on = (by: string) => ["--ranks", String(ranks), "--transport", by];
	const shared = { contacts, clients, underWay: UNDER_WAY };
	switch (part) {
		case "load":
			return await load({ ...shared, part, requests, words: on(transport) }, print);
		case "soak":
			return await load({ ...shared, part, seconds, words: on(transport) }, print);
		case "kill-client":
			return await killClient(on(transport), isTiny ? 1 : ROUNDS);
		case "kill-rank": {
			const [kills, between] = isTiny ? [1, 1] : [KILLS, 5];
			const until = 1 + (kills + 1) * between;
			const meanwhile: Parameters<typeof load>[0]["meanwhile"] = (service) => killRanks(service, kills, between);
			const forever = { seconds: until, words: on("zeromq"), meanwhile };
			return await load({ ...shared, part, ...forever }, print);
		}
		case "strangers": {
			const attack = isTiny
				? { messages: 200, connections: 50, rounds: 1 }
				: { messages: MESSAGES, connections: CONNECTIONS, rounds: ROUNDS };
			return await strangers({ ...attack, contacts, seconds: isTiny ? 1 : 4, words: on(transport) });
		}
	}
}

/** Undefined for what is no line of this bench. */
function parse(
	args: readonly string[],
): { readonly parts: readonly Part[]; readonly settings: ServeSettings } | undefined {
	const settings: Record<string, number | string> = { ...DEFAULTS };
	const parts: Part[] = [];
	for (let k = 0; k < args.length; k += 1) {
		const word = args[k]!;
		const part = PARTS.find((each) => each === word);
		const name = word.slice(2);
		if (part !== undefined) parts.push(part);
		else if (word.startsWith("--") && Object.hasOwn(DEFAULTS, name) && args[k + 1] !== undefined) {
			k += 1;
			settings[name] = name === "transport" ? args[k]! : Number(args[k]);
			if (Number.isNaN(settings[name])) return undefined;
		} else return undefined;
	}
	const chosen = parts.length > 0 ? parts : PARTS.filter((part) => part !== "soak");
	return { parts: chosen, settings: settings as unknown as ServeSettings };
}

export const serveBench: Bench = {
	name: "serve",
	what: "the service under 100,000 requests of 8 clients in three languages, killed clients and ranks, and strangers   [load|kill-client|kill-rank|strangers|soak] [--requests N] ...",
	async run(args) {
		const parsed = parse(args);
		if (parsed === undefined) {
			console.log(usage);
			return 2;
		}
		const rows: ServeRow[] = [];
		for (const part of parsed.parts) {
			const own = await serve(part, parsed.settings, console.log);
			for (const each of own) console.log(lineOf(each));
			rows.push(...own);
		}
		console.log(`recorded in ${mergeCsv("serve", ["part", "what"], rows)}`);
		return rows.some(({ held }) => held === "NO") ? 1 : 0;
	},
};
