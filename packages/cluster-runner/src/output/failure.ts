/** The JSON object for an input that has no report, so that --json prints one object for each file. */
import { version } from "@stickslip/core";

export interface FailureObject {
	readonly status: "error";
	readonly reason: string;
	readonly version: string;
}

export function asFailure(reason: string): FailureObject {
	return { status: "error", reason, version };
}
