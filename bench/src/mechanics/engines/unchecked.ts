/** A scene whose bodies may overlap, which a scene for users may not: states that engines leave, and overlaps on purpose. */
import {
	type BodyDescription,
	buildScene,
	makeBodies,
	type Scene,
	type SceneBody,
	type SceneDescription,
	type SceneObstacle,
} from "@stickslip/mechanics";

export function uncheckedScene(description: SceneDescription): Scene {
	const { shapes, materials, obstacles, bodies } = description;
	const base = buildScene({ ...description, bodies: [], events: [] });
	const [shapeNames, materialNames] = [Object.keys(shapes), Object.keys(materials)];
	const numbered = ({ shape, material, position, orientation }: SceneBody | SceneObstacle): BodyDescription => ({
		shape: shapeNames.indexOf(shape),
		material: materialNames.indexOf(material),
		position,
		...(orientation && { orientation }),
	});
	const all = [
		...obstacles.map((each): BodyDescription => ({ ...numbered(each), kind: "obstacle" })),
		...bodies.map((each): BodyDescription => {
			const { velocity = [0, 0, 0], spin = [0, 0, 0] } = each;
			return { ...numbered(each), velocity, spin };
		}),
	];
	return { ...base, bodies: makeBodies(base.model, all), total: all.length };
}
