/** Helpers for caught errors, which may be any value, and for text that may not be JSON. */
import { InputError } from "@stickslip/core";

export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The system's word for it, e.g. ENOSPC. */
export function codeOf(error: unknown): string | undefined {
	return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** The code of a system error; for any other value, the value as text. */
export function codeOrText(error: unknown): string {
	return codeOf(error) ?? String(error);
}

export function missingFile(path: string, remedy = "check the name"): InputError {
	return new InputError(path, "", "does not exist", remedy);
}

/** For a file that cannot be read: it is missing, or the system's code says why. */
export function unreadable(path: string, error: unknown, remedy: string): InputError {
	const code = codeOrText(error);
	if (code === "ENOENT" || code === "ENOTDIR") return missingFile(path, remedy);
	return new InputError(path, "file", `cannot be read (${code})`, remedy);
}

/** The value in a text that is JSON; undefined for any other. */
export function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
