/** Bodies, and what belongs to them, on their way to other ranks. */
import { type Communicator, moveRecords, type Outbox } from "@stickslip/core/parallel";
import { type BodyStore, bodyNumbers } from "./body-store.js";

/** Collective. Bodies at these places to these ranks; what comes from others, rank by rank in each round, in the order in which it was sent. */
export function moveBodies(
	communicator: Communicator,
	store: BodyStore,
	places: readonly number[],
	ranks: readonly number[],
): Float64Array[] {
	const numbers = bodyNumbers(store.hasRates);
	const arrived: Float64Array[] = [];
	let next = 0;
	const produce = (outbox: Outbox): boolean => {
		for (; next < places.length && !outbox.isFull; next += 1) {
			store.write(places[next]!, outbox.record(ranks[next]!, numbers));
		}
		return next < places.length;
	};
	moveRecords(communicator, produce, (records) => {
		for (let at = 0; at < records.length; at += numbers) arrived.push(records.slice(at, at + numbers));
	});
	return arrived;
}

/** Collective. Records of any length. */
export function moveParcels(
	communicator: Communicator,
	parcels: readonly (readonly number[])[],
	addresses: readonly number[],
): Float64Array[] {
	const arrived: Float64Array[] = [];
	let next = 0;
	const produce = (outbox: Outbox): boolean => {
		for (; next < parcels.length && !outbox.isFull; next += 1) {
			const parcel = parcels[next]!;
			const record = outbox.record(addresses[next]!, 1 + parcel.length);
			record[0] = parcel.length;
			record.set(parcel, 1);
		}
		return next < parcels.length;
	};
	moveRecords(communicator, produce, (records) => {
		for (let at = 0; at < records.length; at += 1 + records[at]!)
			arrived.push(records.slice(at + 1, at + 1 + records[at]!));
	});
	return arrived;
}
