/** What --json says of an input that has no report: one object for each file, whatever came of it. */
import { version } from "@stickslip/core";

export interface FailureObject {
	readonly status: "error";
	readonly reason: string;
	readonly version: string;
}

export function asFailure(reason: string): FailureObject {
	return { status: "error", reason, version };
}
