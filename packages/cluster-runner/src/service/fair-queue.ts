/**
 * Whose turn it is: the requests of a client in their order, and clients by the seconds of the ranks that they have used. A client that comes back after
 * a while starts where the others are, so that it neither has to make up for the past nor can save turns for later.
 */

interface Account<Item> {
	readonly items: Item[];
	/** Seconds used, and those expected of what is under way. */
	used: number;
	underWay: number;
	/** What a request takes, from the last ones. */
	usual: number;
}

/** A request that was taken, to be settled when it is known what it took. */
export interface Turn<Item> {
	readonly client: string;
	readonly item: Item;
	readonly expected: number;
}

/** The weight of the latest request in what is expected of the next. */
const LATEST = 0.2;

export class FairQueue<Item> {
	readonly #accounts = new Map<string, Account<Item>>();
	/** Where the account stood whose turn was the last one. */
	#reached = 0;
	#size = 0;

	get size(): number {
		return this.#size;
	}

	waitingOf(client: string): number {
		return this.#accounts.get(client)?.items.length ?? 0;
	}

	push(client: string, item: Item): void {
		this.#active(client).items.push(item);
		this.#size += 1;
	}

	/** A request that has to be repeated comes before the others of its client. */
	pushFirst(client: string, item: Item): void {
		this.#active(client).items.unshift(item);
		this.#size += 1;
	}

	/** False where it is not waiting. */
	remove(client: string, item: Item): boolean {
		const items = this.#accounts.get(client)?.items ?? [];
		const index = items.indexOf(item);
		if (index < 0) return false;
		items.splice(index, 1);
		this.#size -= 1;
		return true;
	}

	take(): Turn<Item> | undefined {
		let next: [string, Account<Item>] | undefined;
		for (const entry of this.#accounts) {
			if (entry[1].items.length > 0 && (next === undefined || entry[1].used < next[1].used)) next = entry;
		}
		if (next === undefined) return undefined;
		const [client, account] = next;
		const item = account.items.shift()!;
		this.#size -= 1;
		this.#reached = account.used;
		const expected = account.usual;
		account.used += expected;
		account.underWay += 1;
		return { client, item, expected };
	}

	settle({ client, expected }: Turn<Item>, seconds: number): void {
		const account = this.#accounts.get(client)!;
		account.used += seconds - expected;
		account.usual += LATEST * (seconds - account.usual);
		account.underWay -= 1;
	}

	#active(client: string): Account<Item> {
		const account = this.#accounts.get(client) ?? { items: [], used: 0, underWay: 0, usual: 0 };
		this.#accounts.set(client, account);
		if (account.items.length === 0 && account.underWay === 0) account.used = Math.max(account.used, this.#reached);
		return account;
	}
}
