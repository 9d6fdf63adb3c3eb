/** An open file cannot be written any more, e.g. on a full disk: the work has failed, and can be resumed once there is space. */
import { InputError } from "@stickslip/core";
import { codeOf, messageOf } from "../base/errors.js";
import { remedyOf } from "../base/last-resort.js";

export class FileError extends Error {
	override readonly name = "FileError";
}

/** Runs `write`; its errors of the system or of HDF5 name this file. */
export function writing<Value>(path: string, write: () => Value): Value {
	try {
		return write();
	} catch (error) {
		const code = codeOf(error);
		if (code === undefined && !(error instanceof InputError)) throw error;
		const remedy = remedyOf(code ?? "") ?? "check that its folder is there, is writable and has free space";
		if (!(error instanceof InputError))
			throw new FileError(`${path} cannot be written (${messageOf(error)}); ${remedy}`);
		const place = error.place === "file" ? path : `${path}: ${error.place}`;
		throw new FileError(`${place} ${error.problem}; ${remedy}`);
	}
}
