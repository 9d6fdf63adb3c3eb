/** What the page and its worker for files say to each other. */
import type { GenerateOptions, Problem, Solution } from "@stickslip/core";
import type { PlainError } from "../messages/errors.js";

export type FileRequest =
	| { readonly kind: "read"; readonly name: string; readonly bytes: ArrayBuffer }
	| { readonly kind: "generate"; readonly name: string; readonly options: GenerateOptions }
	/** The problem that was read or generated last, with an answer. */
	| { readonly kind: "write"; readonly solution: Pick<Solution, "reaction" | "velocity" | "multiplier"> };

export type FileReply =
	| { readonly kind: "problem"; readonly problem: Problem }
	| { readonly kind: "file"; readonly bytes: ArrayBuffer }
	/** After a crash of HDF5 the worker is of no use any more. */
	| { readonly kind: "refusal"; readonly error: PlainError; readonly isDamaged: boolean };
