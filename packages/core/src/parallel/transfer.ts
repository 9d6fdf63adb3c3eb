/** Memory that moves to another thread instead of being copied. */

/**
 * The buffers behind all arrays in a piece of plain data, each once, without those in `kept`: memory that somebody else uses too.
 * Shared memory is not moved, since all threads have it anyway.
 */
export function buffersOf(value: unknown, kept: ReadonlySet<ArrayBufferLike> = new Set()): ArrayBuffer[] {
	const found = new Set<ArrayBuffer>();
	visit(value, (buffer) => {
		if (buffer instanceof ArrayBuffer && !kept.has(buffer)) found.add(buffer);
	});
	return [...found];
}

/** All buffers behind the arrays of something that stays where it is. */
export function memoryOf(...owners: readonly unknown[]): Set<ArrayBufferLike> {
	const kept = new Set<ArrayBufferLike>();
	for (const owner of owners) visit(owner, (buffer) => kept.add(buffer));
	return kept;
}

function visit(value: unknown, found: (buffer: ArrayBufferLike) => void, seen = new Set<object>()): void {
	if (typeof value !== "object" || value === null || seen.has(value)) return;
	seen.add(value);
	if (ArrayBuffer.isView(value)) found(value.buffer);
	else for (const each of Object.values(value)) visit(each, found, seen);
}
