/** Errors on their way between workers and the page: an error's class does not survive a message. */
import { InputError, MemoryLimitError } from "@stickslip/core";

export type PlainError =
	| {
			readonly kind: "input";
			readonly source: string;
			readonly place: string;
			readonly problem: string;
			readonly remedy: string;
	  }
	| { readonly kind: "memory"; readonly message: string; readonly bytesNeeded: number }
	| { readonly kind: "other"; readonly message: string };

export function plainError(error: unknown): PlainError {
	if (error instanceof InputError) {
		const { source, place, problem, remedy } = error;
		return { kind: "input", source, place, problem, remedy };
	}
	if (error instanceof MemoryLimitError) {
		return { kind: "memory", message: error.message, bytesNeeded: error.bytesNeeded };
	}
	return { kind: "other", message: messageOf(error) };
}

export function errorOf(plain: PlainError): Error {
	if (plain.kind === "input") return new InputError(plain.source, plain.place, plain.problem, plain.remedy);
	if (plain.kind === "memory")
		return Object.assign(new MemoryLimitError(plain.bytesNeeded), { message: plain.message });
	return new Error(plain.message);
}

export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
