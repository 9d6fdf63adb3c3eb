/** Thickness of compiled shapes. */
import type { CompiledShape, Convex } from "./convex.js";

/** Distance from the middle of the thinnest piece to its surface; infinite for planes. */
export function halfWidthOf({ pieces }: CompiledShape): number {
	return Math.min(...pieces.map(halfWidth));
}

function halfWidth({ ball, faces, middle }: Convex): number {
	if (ball !== undefined) {
		const columns = [0, 1, 2].map((k) => Math.sqrt(ball[k]! ** 2 + ball[k + 3]! ** 2 + ball[k + 6]! ** 2));
		return Math.min(...columns);
	}
	if (faces === undefined) return Number.POSITIVE_INFINITY;
	const { normal, offset } = faces;
	const level = (f: number) =>
		normal[3 * f]! * middle[0]! + normal[3 * f + 1]! * middle[1]! + normal[3 * f + 2]! * middle[2]!;
	return Math.min(...offset.map((height, f) => height - level(f)));
}
