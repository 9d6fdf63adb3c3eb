/**
 * Bad input that only a rank sees, on its way to the caller: an error's class does not survive threads and sockets, but the reason of a failure does, as
 * text.
 */
import { InputError, version } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { list, text } from "@stickslip/core/schema";
import { jsonIn, messageOf } from "../base/errors.js";
import { REASON_MAX } from "./messages.js";

/**
 * The processes of a solve cannot be started or reached, or its answer cannot be written: bad use when a run first begins, and a failure once it has begun,
 * since a host, a scheduler, a port or a disk may be available again the next time.
 */
export class LaunchError extends InputError {
	static of({ source, place, problem, remedy }: InputError): LaunchError {
		return new LaunchError(source, place, problem, remedy);
	}
}

/** An error in options stays an InputError. */
export function launchError(error: unknown): unknown {
	return error instanceof InputError && error.source !== "options" ? LaunchError.of(error) : error;
}

const mark = "refuses its input: ";
const isFields = list(text(10_000), 4);

/** How a rank describes its own error. */
export function reasonOf(error: unknown): string {
	if (error instanceof InputError) {
		const { source, place, problem, remedy } = error;
		return mark + JSON.stringify([source, place, problem, remedy]);
	}
	return `failed: ${messageOf(error)}`;
}

/** The part of a reason that the other side accepts: a list of a thousand hosts is longer. */
export function cut(reason: string): string {
	return reason.slice(0, REASON_MAX);
}

/** Of a process that another version of this program started. */
export function otherVersion(rank: number, theirs: string): string {
	const problem = `runs version ${theirs} and the others ${version}`;
	return reasonOf(new InputError(`rank ${rank}`, "version", problem, "install the same version on all hosts"));
}

/** The InputError in a reason of a rank or its launcher, if there is one; otherwise the given error. */
export function refusalIn(error: unknown): unknown {
	if (!(error instanceof RankError)) return error;
	const at = error.message.indexOf(mark);
	// A truncated reason stays text.
	const fields = at < 0 ? undefined : jsonIn(error.message.slice(at + mark.length));
	if (!isFields(fields) || fields.length !== 4) return error;
	const [source, place, problem, remedy] = fields as [string, string, string, string];
	return launchError(new InputError(source, place, problem, remedy));
}
