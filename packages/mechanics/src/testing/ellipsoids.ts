/** Models of tests: shapes by their closed forms, no detection needed. */
import type { Material, Model } from "../bodies/model.js";
import type { CompiledShape } from "../shapes/convex.js";

/** Waves of compression run through it at sqrt(1.2) m/s. */
export const SOFT: Material = { name: "soft", density: 1, young: 1, poisson: 0.25 };

/** An ellipsoid of these radii, one material of density 1, no gravity. */
export function ellipsoidModel(radii: readonly [number, number, number], changes: Partial<Model> = {}): Model {
	const [a, b, c] = radii;
	const volume = (4 / 3) * Math.PI * a * b * c;
	const moments = Float64Array.of(a * a, b * b, c * c, 0, 0, 0).map((square) => (volume * square) / 5);
	const shape: CompiledShape = {
		description: { kind: "ellipsoid", radii },
		pieces: [],
		mass: { volume, centre: new Float64Array(3), moments },
		reach: Math.max(a, b, c),
	};
	return {
		shapes: [shape],
		materials: [SOFT],
		laws: [{ friction: 0, restitution: 0 }],
		gravity: new Float64Array(3),
		...changes,
	};
}
