/** The readers of this package over spoilt input, for the bench of mutations. */
import { fileReaders } from "./mutated-files.js";
import { messageReaders } from "./mutated-messages.js";

export async function mutatedReaders({ folder }: { readonly folder: string }) {
	return { ...(await fileReaders(folder)), ...messageReaders() };
}
