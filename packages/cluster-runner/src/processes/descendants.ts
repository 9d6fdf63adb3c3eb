/** Processes of this machine that a process has started, with all their descendants; none if the system does not report them. */
import { beganOf, parents } from "../base/proc.js";

/** Its start tells it from a later process with the same id. */
export interface Descendant {
	readonly pid: number;
	readonly began: string;
}

export function descendants(of: number): Descendant[] {
	const all = parents();
	const found = new Set([of]);
	// A child may have a smaller number than its parent.
	for (let before = 0; before < found.size; ) {
		before = found.size;
		for (const [pid, parent] of all) if (found.has(parent)) found.add(pid);
	}
	found.delete(of);
	return [...found].flatMap((pid) => {
		const began = beganOf(pid);
		return began === undefined ? [] : [{ pid, began }];
	});
}

export function stillThere({ pid, began }: Descendant): boolean {
	return beganOf(pid) === began;
}
