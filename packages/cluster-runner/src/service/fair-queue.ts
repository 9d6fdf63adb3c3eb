/**
 * The next request: requests of a client in their order, and clients by the seconds of rank time that they have used. A client that returns after a while
 * starts where the others are, so that it neither pays for the past nor saves turns for later.
 */

interface Account<Item> {
	/** With their places in the order of arrival. */
	readonly items: { readonly item: Item; readonly place: number }[];
	/** Seconds used, and those expected of pending requests. */
	used: number;
	underWay: number;
	/** The expected seconds of a request, from earlier ones; undefined before the first. */
	usual: number | undefined;
}

/** A request that was taken, to be settled when its time is known. */
export interface Turn<Item> {
	readonly client: string;
	readonly item: Item;
	readonly place: number;
	/** Seconds that it will take; undefined where that is not known. */
	readonly expected: number | undefined;
}

/** The weight of the latest request in the expected time. */
const LATEST = 0.2;

export class FairQueue<Item> {
	readonly #accounts = new Map<string, Account<Item>>();
	/** The account of the client that had the last turn. */
	#reached = 0;
	#size = 0;
	#places = 0;

	get size(): number {
		return this.#size;
	}

	push(client: string, item: Item): void {
		this.#active(client).items.push({ item, place: this.#places });
		this.#places += 1;
		this.#size += 1;
	}

	/** Instead of settling: a request that has to be repeated gets its former place among its client's requests, and no time is charged. */
	pushAgain({ client, item, place, expected = 0 }: Turn<Item>): void {
		const account = this.#accounts.get(client)!;
		account.used -= expected;
		account.underWay -= 1;
		const { items } = account;
		const later = items.findIndex((other) => other.place > place);
		items.splice(later < 0 ? items.length : later, 0, { item, place });
		this.#size += 1;
	}

	/** False if it is not waiting. */
	remove(client: string, item: Item): boolean {
		const items = this.#accounts.get(client)?.items ?? [];
		const index = items.findIndex((each) => each.item === item);
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
		const { item, place } = account.items.shift()!;
		this.#size -= 1;
		this.#reached = account.used;
		const expected = account.usual;
		account.used += expected ?? 0;
		account.underWay += 1;
		return { client, item, place, expected };
	}

	settle({ client, expected = 0 }: Turn<Item>, seconds: number): void {
		const account = this.#accounts.get(client)!;
		account.used += seconds - expected;
		account.usual = (1 - LATEST) * (account.usual ?? seconds) + LATEST * seconds;
		account.underWay -= 1;
	}

	#active(client: string): Account<Item> {
		const account = this.#accounts.get(client) ?? { items: [], used: 0, underWay: 0, usual: undefined };
		this.#accounts.set(client, account);
		if (account.items.length === 0 && account.underWay === 0) account.used = Math.max(account.used, this.#reached);
		return account;
	}
}
