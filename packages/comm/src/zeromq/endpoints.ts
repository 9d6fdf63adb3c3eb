import { InputError } from "@stickslip/core/parallel";

/** Checks what a rendezvous handed over, where a mistake would otherwise be found late. */
export function checkEndpoints(endpoints: readonly string[], size: number): void {
	const refuse = (problem: string): never => {
		throw new InputError("zeromq", "endpoints", problem, "pass one tcp://HOST:PORT per rank, in order of rank");
	};
	if (endpoints.length !== size) refuse(`${endpoints.length} for ${size} ranks`);
	for (const [rank, endpoint] of endpoints.entries()) {
		if (!/^tcp:\/\/[^\s]+:\d{1,5}$/.test(endpoint)) refuse(`rank ${rank} has ${JSON.stringify(endpoint)}`);
	}
}
