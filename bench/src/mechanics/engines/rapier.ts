/** Rapier, single precision, with its defaults but for sleeping and the number of solver iterations. */
import RAPIER from "@dimforge/rapier3d-compat";
import { type Engine, type EngineBody, type EnginePart, engineBodies, runWorld, type World } from "./engine.js";

const ITERATIONS = 4;

export const rapier: Engine = {
	name: "rapier",
	async run(scene) {
		await RAPIER.init();
		return runWorld(open(scene.description), scene);
	},
};

function open(description: Parameters<typeof engineBodies>[0]): World {
	const { gravity, step, contact } = description;
	const world = new RAPIER.World(vector(gravity));
	world.timestep = step;
	world.numSolverIterations = ITERATIONS;
	const { obstacles, bodies } = engineBodies(description);
	const collide = (body: RAPIER.RigidBody, part: EnginePart, density: number) => {
		const collider = colliderOf(part)
			.setTranslation(...part.position)
			.setRotation(quaternion(part.orientation));
		collider
			.setDensity(density)
			.setFriction(contact.friction)
			.setRestitution(contact.restitution ?? 0);
		world.createCollider(collider, body);
	};
	const add = (made: RAPIER.RigidBodyDesc, each: EngineBody) => {
		const body = world.createRigidBody(made.setTranslation(...each.position).setRotation(quaternion(each.orientation)));
		for (const part of each.parts) collide(body, part, each.density);
		return body;
	};
	for (const each of obstacles) {
		const isTurning = each.spin.some((x) => x !== 0);
		const made = isTurning ? RAPIER.RigidBodyDesc.kinematicVelocityBased() : RAPIER.RigidBodyDesc.fixed();
		const body = add(made, each);
		if (isTurning) body.setAngvel(vector(each.spin), true);
	}
	const moving = bodies.map((each) => {
		const body = add(RAPIER.RigidBodyDesc.dynamic().setCanSleep(false), each);
		body.setLinvel(vector(each.velocity), true);
		body.setAngvel(vector(each.spin), true);
		return body;
	});
	return {
		step: () => world.step(),
		read(states) {
			for (const [i, body] of moving.entries()) {
				const [p, q, v, w] = [body.translation(), body.rotation(), body.linvel(), body.angvel()];
				states.position.set([p.x, p.y, p.z], 3 * i);
				states.orientation.set([q.w, q.x, q.y, q.z], 4 * i);
				states.velocity.set([v.x, v.y, v.z], 3 * i);
				states.spin.set([w.x, w.y, w.z], 3 * i);
			}
		},
		close: () => world.free(),
	};
}

function colliderOf(part: EnginePart): RAPIER.ColliderDesc {
	if (part.kind === "sphere") return RAPIER.ColliderDesc.ball(part.radius);
	if (part.kind === "box") {
		return RAPIER.ColliderDesc.cuboid(part.size[0] / 2, part.size[1] / 2, part.size[2] / 2);
	}
	return RAPIER.ColliderDesc.convexHull(Float32Array.from(part.vertices.flat()))!;
}

const vector = ([x, y, z]: readonly [number, number, number]) => ({ x, y, z });
const quaternion = ([w, x, y, z]: readonly [number, number, number, number]) => ({ w, x, y, z });
