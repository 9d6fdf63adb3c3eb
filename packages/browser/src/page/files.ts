/** Problems of the page: read from files, generated, and written with their answers, by a worker. */
import type { GenerateOptions, Problem, Solution } from "@stickslip/core";
import { errorOf } from "../messages/errors.js";
import type { FileReply, FileRequest } from "./file-messages.js";

export class Files {
	readonly #script: string;
	#worker: Worker | undefined;

	/** `script` is the address of the worker's script. */
	constructor(script: string) {
		this.#script = script;
	}

	async read(file: File): Promise<Problem> {
		const bytes = await file.arrayBuffer();
		return await this.#problem({ kind: "read", name: file.name, bytes }, [bytes]);
	}

	async generate(name: string, options: GenerateOptions): Promise<Problem> {
		return await this.#problem({ kind: "generate", name, options });
	}

	/** The file of the problem that was read or generated last, with this answer. */
	async write({ reaction, velocity, multiplier }: Solution): Promise<ArrayBuffer> {
		const answer = await this.#ask({ kind: "write", solution: { reaction, velocity, multiplier } });
		if (answer.kind !== "file") throw new Error("assertion failed: what is written is a file");
		return answer.bytes;
	}

	async #problem(message: FileRequest, moved: Transferable[] = []): Promise<Problem> {
		const answer = await this.#ask(message, moved);
		if (answer.kind !== "problem") throw new Error("assertion failed: what is read is a problem");
		return answer.problem;
	}

	async #ask(message: FileRequest, moved: Transferable[] = []): Promise<FileReply> {
		this.#worker ??= new Worker(this.#script);
		const worker = this.#worker;
		const answer = await new Promise<FileReply>((resolve, reject) => {
			worker.onmessage = ({ data }: MessageEvent<FileReply>) => resolve(data);
			worker.onerror = ({ message: why }) => {
				this.#drop();
				reject(new Error(`the file cannot be read or written: ${why}`));
			};
			worker.postMessage(message, moved);
		});
		if (answer.kind !== "refusal") return answer;
		if (answer.isDamaged) this.#drop();
		throw errorOf(answer.error);
	}

	#drop(): void {
		this.#worker?.terminate();
		this.#worker = undefined;
	}
}
