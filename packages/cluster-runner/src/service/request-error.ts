/** The error of a request: a code of the protocol, the field, what is wrong with it, and the remedy. */
import { type ErrorCode, toFrames } from "@stickslip/client/protocol";
import { InputError, MemoryLimitError } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { messageOf } from "../base/errors.js";
import type { Frames } from "./connection.js";

/** The longest line in a message; names of fields come from outside. */
const LINE_MAX = 2000;

export class RequestError extends Error {
	override readonly name = "RequestError";

	constructor(
		readonly code: ErrorCode,
		readonly field: string,
		problem: string,
		readonly remedy: string,
	) {
		super(problem);
	}

	/** As a message; without an id it belongs to the connection. */
	toFrames(id?: string, more: Readonly<Record<string, unknown>> = {}): Frames {
		const { code, field, message, remedy } = this;
		const [shortField, shortMessage, shortRemedy] = [field, message, remedy].map((text) => text.slice(0, LINE_MAX));
		return toFrames({
			type: "error",
			id,
			code,
			field: shortField,
			message: shortMessage,
			remedy: shortRemedy,
			...more,
		});
	}
}

/** A caught error as an error of the protocol; `report` gets bugs. */
export function requestError(error: unknown, report: (bug: unknown) => void): RequestError {
	if (error instanceof RequestError) return error;
	if (error instanceof InputError) return new RequestError("bad-input", error.place, error.problem, error.remedy);
	if (error instanceof MemoryLimitError) {
		return new RequestError(
			"too-large",
			"contacts",
			error.message,
			"send a smaller problem, or use a service with more ranks",
		);
	}
	if (error instanceof RankError) {
		const remedy = "send it again under another id; the log of the service tells why the ranks were lost";
		return new RequestError("rank-lost", "id", messageOf(error), remedy);
	}
	report(error);
	return new RequestError("internal", "id", messageOf(error), "report it, with the log of the service");
}
