/**
 * The bodies of a rank: it owns those whose centres are in its tiles, and has bodies of others that are near as ghosts. Each step bodies that moved to
 * another region move to its rank; now and then tiles are made anew, and regions are cut again where the work asks for it. On one rank everything is its own.
 */
import type { Communicator } from "@stickslip/core/parallel";
import type { Bodies } from "../bodies/bodies.js";
import type { ContactRange } from "../bodies/contact-range.js";
import type { Model } from "../bodies/model.js";
import { allGather } from "./all-gather.js";
import { BodyStore, bodyNumbers } from "./body-store.js";
import type { BodyOwners } from "./contact-owners.js";
import { GhostUpdates } from "./ghost-updates.js";
import { GhostFinder, type Sendings } from "./ghosts.js";
import { moveBodies, moveParcels } from "./moves.js";
import { cutRegions, ownerOf, type Regions } from "./regions.js";
import { curveKeys, makeTiles, type Tiles, tilesOf } from "./tiles.js";
import { Totals } from "./totals.js";

/** Steps from one table of tiles to the next. */
const EPOCH = 32;
/** Bodies per tile: some 64 to 128 contacts; fewer where there are few bodies, so that there are tiles for some ranks. */
const TILE_BODIES = 24;
const TILES_MIN = 16;

/** What else belongs to bodies, and goes with them to another rank. */
export interface Luggage {
	/** Takes out what belongs to bodies that leave; `rankOf` says where to, and is -1 for those that stay. */
	leave(rankOf: (id: number) => number, put: (rank: number, record: readonly number[]) => void): void;
	arrive(records: readonly Float64Array[]): void;
}

export interface DomainOptions {
	/** For tests: regions are cut at each new table of tiles whether work asks for it or not, each time in another way. */
	readonly recutsAlways?: boolean;
	/** Steps from one table of tiles to the next; the same on all ranks of a run, and from one run to the next. */
	readonly epoch?: number;
}

export class Domain {
	readonly communicator: Communicator;
	readonly totals: Totals;
	/** How often regions were cut. */
	recuts = 0;
	/** Bodies that came from other ranks so far. */
	arrivals = 0;
	/** Seconds that this rank has spent so far on new tables of tiles, on cutting regions, and on moving bodies to the ranks of these. */
	recutSeconds = 0;
	/** As of the last `arrange`. */
	owners: BodyOwners = { tile: new Int32Array(0), rank: new Int32Array(0) };
	/** Of own bodies. */
	#tile: Int32Array = new Int32Array(0);
	readonly #model: Model;
	readonly #store: BodyStore;
	readonly #options: DomainOptions;
	readonly #ghosts = new GhostFinder();
	/** As long as ranks have the same bodies and ghosts. */
	#updates: GhostUpdates | undefined;
	#bodies: Bodies;
	#tiles: Tiles | undefined;
	#regions: Regions | undefined;
	#isNew = true;

	/** `bodies` are the obstacles and the rank's own bodies, wherever these are. */
	constructor(
		model: Model,
		bodies: Bodies,
		hasRates: boolean,
		communicator: Communicator,
		options: DomainOptions = {},
	) {
		this.communicator = communicator;
		this.totals = new Totals(communicator);
		this.#model = model;
		this.#options = options;
		this.#store = new BodyStore(bodies, hasRates);
		this.#bodies = this.#store.view();
	}

	get bodies(): Bodies {
		return this.#bodies;
	}

	get tiles(): Tiles | undefined {
		return this.#tiles;
	}

	/** Whether bodies have rates, here or on other ranks. */
	get hasRates(): boolean {
		return this.#store.hasRates;
	}

	/** Of a run that is gone on with: the rank's bodies, wherever they are, of `total`, and the tiles of the last epoch. Obstacles come last, to all ranks. */
	restore(bodies: Bodies, total: number, tiles: Tiles | undefined): void {
		const { obstacles } = this.#bodies;
		const own = { ...bodies, obstacles: bodies.obstacles };
		const store = new BodyStore(own, this.#store.hasRates);
		const numbers = bodyNumbers(this.#store.hasRates);
		const records: Float64Array[] = [];
		for (let place = 0; place < bodies.count; place += 1) {
			const record = new Float64Array(numbers);
			store.write(place, record);
			records.push(record);
		}
		const isObstacle = (record: Float64Array) => record[0]! < obstacles;
		const told = allGather(this.communicator, joined(records.filter(isObstacle), numbers));
		for (const list of told) {
			for (let at = 0; at < list.length; at += numbers) this.#store.read(list.subarray(at, at + numbers), list[at]!);
		}
		const moving = records.filter((record) => !isObstacle(record)).sort((one, other) => one[0]! - other[0]!);
		this.#setOwn(new Int32Array(0), moving, total);
		this.#tiles = tiles;
		this.#isNew = tiles === undefined;
		this.#regions = undefined;
	}

	/** Bodies with higher ids than those that are there; each rank adds some of them. */
	add(added: Bodies, total: number): void {
		const { rank, size } = this.communicator;
		const records: Float64Array[] = [];
		const store = new BodyStore(added, this.#store.hasRates);
		for (let place = added.obstacles; place < added.obstacles + added.own; place += 1) {
			if (added.id[place]! % size !== rank) continue;
			const record = new Float64Array(bodyNumbers(this.#store.hasRates));
			store.write(place, record);
			records.push(record);
		}
		this.#setOwn(this.#ownPlaces(), records, total);
		this.#isNew = true;
	}

	/** Collective. Own bodies are those of the rank's region afterwards, and ghosts are as fresh; `work` is of the own bodies of before. */
	arrange(step: number, near: ContactRange, work: Int32Array, luggage: Luggage): Bodies {
		const { size } = this.communicator;
		const started = performance.now();
		const isEpoch = this.#isNew || step % (this.#options.epoch ?? EPOCH) === 0;
		if (isEpoch) {
			this.#updates = undefined;
			this.#ghosts.clear();
			this.#tiles = this.#makeTiles();
		}
		this.#tile = this.#findTiles();
		if (isEpoch || this.#regions === undefined) this.#regions = this.#cut(work);
		if (size > 1) this.#migrate(luggage);
		if (isEpoch) this.recutSeconds += (performance.now() - started) / 1000;
		const sendings = size > 1 ? this.#refreshGhosts(near) : undefined;
		this.owners = this.#findOwners();
		if (sendings) this.#updates = this.#updatesOf(sendings);
		return this.#bodies;
	}

	/** Collective. Ghosts are as their owners have them now; after `arrange`. */
	updateGhosts(): void {
		if (this.communicator.size > 1) this.#updates!.exchange(this.communicator);
	}

	#makeTiles(): Tiles {
		this.#isNew = false;
		const { position, obstacles, own, total } = this.#bodies;
		const centres = position.subarray(3 * obstacles, 3 * (obstacles + own));
		const wanted = Math.max(1, Math.min(TILE_BODIES, Math.floor((total - obstacles) / TILES_MIN)));
		return makeTiles(centres, wanted, this.totals);
	}

	#findTiles(): Int32Array {
		const { obstacles, own } = this.#bodies;
		return this.#tilesFrom(obstacles, obstacles + own);
	}

	/** Of the bodies at these places. */
	#tilesFrom(from: number, end: number): Int32Array {
		// All there is, wherever bodies are.
		if (this.#tiles!.first.length === 1) return new Int32Array(end - from);
		const keys = curveKeys(this.#tiles!, this.#bodies.position.subarray(3 * from, 3 * end));
		return tilesOf(this.#tiles!.first, keys);
	}

	/** Ghosts are where their positions say, as own bodies are. */
	#findOwners(): BodyOwners {
		const { obstacles, own, count } = this.#bodies;
		const tile = new Int32Array(count).fill(-1);
		tile.set(this.#tile, obstacles);
		if (count > obstacles + own) tile.set(this.#tilesFrom(obstacles + own, count), obstacles + own);
		const rank = new Int32Array(count).fill(-1, 0, obstacles);
		if (this.communicator.size === 1) return { tile, rank };
		for (let place = obstacles; place < count; place += 1) rank[place] = ownerOf(this.#regions!, tile[place]!);
		return { tile, rank };
	}

	#cut(work: Int32Array): Regions {
		const { first } = this.#tiles!;
		const weight = new Float64Array(first.length);
		for (let i = 0; i < this.#tile.length; i += 1) weight[this.#tile[i]!]! += 1 + (work[i] ?? 0);
		this.totals.counts(weight);
		const before = this.#regions;
		if (this.#options.recutsAlways) {
			// Weights that swing from one end to the other move the cuts far.
			const swing = this.recuts % 2;
			for (let tile = 0; tile < weight.length; tile += 1) weight[tile]! += swing * tile;
		}
		const regions = cutRegions(first, weight, this.communicator.size, this.#options.recutsAlways ? undefined : before);
		if (before === undefined || regions.key.some((key, rank) => key !== before.key[rank])) this.recuts += 1;
		return regions;
	}

	#migrate(luggage: Luggage): void {
		const { rank } = this.communicator;
		const { obstacles, own, id } = this.#bodies;
		const regions = this.#regions!;
		const leaving = new Map<number, number>();
		const places: number[] = [];
		const ranks: number[] = [];
		for (let i = 0; i < own; i += 1) {
			const owner = ownerOf(regions, this.#tile[i]!);
			if (owner === rank) continue;
			leaving.set(id[obstacles + i]!, owner);
			places.push(obstacles + i);
			ranks.push(owner);
		}
		if (this.totals.counts(Float64Array.of(places.length))[0] === 0) return;
		const stay = this.#ownPlaces().filter((place) => !leaving.has(id[place]!));
		const parcels: (readonly number[])[] = [];
		const addresses: number[] = [];
		luggage.leave(
			(body) => leaving.get(body) ?? -1,
			(to, record) => {
				parcels.push(record);
				addresses.push(to);
			},
		);
		const arrived = moveBodies(this.communicator, this.#store, places, ranks);
		const parcelsArrived = moveParcels(this.communicator, parcels, addresses);
		this.arrivals += arrived.length;
		arrived.sort((one, other) => one[0]! - other[0]!);
		this.#setOwn(stay, arrived);
		this.#tile = this.#findTiles();
		luggage.arrive(parcelsArrived);
	}

	/** There are none afterwards. On all ranks at a time. */
	#setOwn(stay: Int32Array, records: readonly Float64Array[], total?: number): void {
		this.#updates = undefined;
		this.#store.setOwn(stay, records, total);
		this.#bodies = this.#store.view();
	}

	/** Collective. Who is sent to which rank where that may have changed. */
	#refreshGhosts(near: ContactRange): Sendings | undefined {
		const { communicator, totals } = this;
		if (this.#updates && this.#ghosts.areEnough(this.#model, this.#bodies, near, totals)) {
			this.#updates.exchange(communicator);
			return undefined;
		}
		this.#updates = undefined;
		const sendings = this.#ghosts.find(this.#model, this.#bodies, this.#tile, near, communicator, totals);
		const records = moveBodies(communicator, this.#store, sendings.place, sendings.rank);
		records.sort((one, other) => one[0]! - other[0]!);
		this.#store.setGhosts(records);
		this.#bodies = this.#store.view();
		return sendings;
	}

	#updatesOf(sendings: Sendings): GhostUpdates {
		const { obstacles, own } = this.#bodies;
		const ghostOwners = this.owners.rank.subarray(obstacles + own);
		return new GhostUpdates(this.communicator.size, this.#store, sendings, ghostOwners);
	}

	#ownPlaces(): Int32Array {
		const { obstacles, own } = this.#bodies;
		return Int32Array.from({ length: own }, (_, i) => obstacles + i);
	}
}

function joined(records: readonly Float64Array[], numbers: number): Float64Array {
	const list = new Float64Array(numbers * records.length);
	for (const [i, record] of records.entries()) list.set(record, numbers * i);
	return list;
}
