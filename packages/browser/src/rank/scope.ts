/** The worker that this code runs in, as far as it is used here: the types of workers and of pages cannot be had in one program. */
import type { FromRank } from "../messages/messages.js";

interface Scope {
	onmessage: ((event: MessageEvent) => void) | null;
	postMessage(message: unknown, transfer?: Transferable[]): void;
}

export const scope = globalThis as unknown as Scope;

export function send(message: FromRank, moved: Transferable[] = []): void {
	scope.postMessage(message, moved);
}
