/** What goes wrong with a request to the service, told so that a program can act on it and a person can read it. */
import type { InputError } from "@stickslip/core";
import type { ErrorCode, ErrorMessage } from "../protocol/index.js";

/** Codes of the protocol, and two of the client's own: nobody answers at the address, and the client was closed. */
export type ServiceErrorCode = ErrorCode | "unreachable" | "closed";

export class ServiceError extends Error {
	override readonly name = "ServiceError";
	readonly code: ServiceErrorCode;
	/** What the problem is with: an array or an option of the request, for most codes. */
	readonly field: string;
	readonly problem: string;
	/** What can be done. */
	readonly remedy: string;

	constructor(code: ServiceErrorCode, field: string, problem: string, remedy: string, options?: ErrorOptions) {
		super(`${field}: ${problem}; ${remedy}`, options);
		this.code = code;
		this.field = field;
		this.problem = problem;
		this.remedy = remedy;
	}
}

/** What the service says of a request. */
export function errorOf({ code, field, message, remedy }: ErrorMessage): ServiceError {
	return new ServiceError(code, field, message, remedy);
}

/** What core's check says of a problem before it is sent: the same as the service would. */
export function badInput(error: InputError, field = error.place): ServiceError {
	return new ServiceError("bad-input", field, error.problem, error.remedy, { cause: error });
}
