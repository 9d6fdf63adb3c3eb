/** Ranks that are threads tell each other through memory where their sockets listen. */
import type { Communicator } from "@stickslip/core/parallel";

/** Collective. The endpoints of all ranks, in order. */
export function shareEndpoints(threads: Communicator, endpoint: string): string[] {
	const gathered = threads.gather(new TextEncoder().encode(endpoint), 0);
	const all = gathered && new TextEncoder().encode(gathered.map((bytes) => new TextDecoder().decode(bytes)).join(" "));
	return new TextDecoder().decode(threads.broadcast(all, 0)).split(" ");
}
