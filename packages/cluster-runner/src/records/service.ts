/** Addresses of a service that is a run, for `status` on any host that sees the run's folder. */
import { join } from "node:path";
import { type Checked, dictionary, record, text } from "@stickslip/core/schema";
import { readFields, replaceJson } from "./check.js";
import { FILES } from "./files.js";

const ENTRIES_MAX = 100_000;
const entries = dictionary(text(10_000), ENTRIES_MAX);
const isService = record({
	/** By transport. */
	addresses: entries,
	/** Connection files by the name of the client. */
	clients: entries,
});
export type ServiceFacts = Checked<typeof isService>;

export function writeService(folder: string, facts: ServiceFacts): void {
	replaceJson(join(folder, FILES.service), facts, true);
}

/** Undefined for a run that is no service, or that does not listen yet. */
export function readService(folder: string): ServiceFacts | undefined {
	return readFields(join(folder, FILES.service))?.take(isService);
}
