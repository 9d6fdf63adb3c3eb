/** Jolt Physics on one thread, single precision, with its defaults but for sleeping, damping, and the rounding of edges, which is kept to a hundredth. */
import initJolt from "jolt-physics";
import { type Engine, type EngineBody, type EnginePart, engineBodies, runWorld, type World } from "./engine.js";

type Jolt = Awaited<ReturnType<typeof initJolt>>;

const STILL = 0;
const MOVING = 1;
const ROUNDING = 0.01;

export const jolt: Engine = {
	name: "jolt",
	async run(scene) {
		return runWorld(open(await initJolt(), scene.description), scene);
	},
};

function open(Jolt: Jolt, description: Parameters<typeof engineBodies>[0]): World {
	const { gravity, step, contact } = description;
	const made = engineBodies(description);
	const engine = new Jolt.JoltInterface(settingsOf(Jolt, made.bodies.length));
	const system = engine.GetPhysicsSystem();
	system.SetGravity(new Jolt.Vec3(...gravity));
	const bodies = system.GetBodyInterface();
	const add = (each: EngineBody, motion: number, layer: number) => {
		const [w, x, y, z] = each.orientation;
		const place = new Jolt.RVec3(...each.position);
		const creation = new Jolt.BodyCreationSettings(
			shapeOf(Jolt, each),
			place,
			new Jolt.Quat(x, y, z, w),
			motion,
			layer,
		);
		creation.mFriction = contact.friction;
		creation.mRestitution = contact.restitution ?? 0;
		creation.mLinearDamping = 0;
		creation.mAngularDamping = 0;
		creation.mAllowSleeping = false;
		const body = bodies.CreateBody(creation);
		bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
		bodies.SetLinearAndAngularVelocity(body.GetID(), new Jolt.Vec3(...each.velocity), new Jolt.Vec3(...each.spin));
		return body;
	};
	for (const each of made.obstacles) {
		const isTurning = each.spin.some((rate) => rate !== 0);
		if (isTurning) add(each, Jolt.EMotionType_Kinematic, MOVING);
		else add(each, Jolt.EMotionType_Static, STILL);
	}
	const moving = made.bodies.map((each) => add(each, Jolt.EMotionType_Dynamic, MOVING));
	return {
		step: () => engine.Step(step, 1),
		read(states) {
			for (const [i, body] of moving.entries()) {
				const p = body.GetCenterOfMassPosition();
				states.position.set([p.GetX(), p.GetY(), p.GetZ()], 3 * i);
				const q = body.GetRotation();
				states.orientation.set([q.GetW(), q.GetX(), q.GetY(), q.GetZ()], 4 * i);
				const v = body.GetLinearVelocity();
				states.velocity.set([v.GetX(), v.GetY(), v.GetZ()], 3 * i);
				const w = body.GetAngularVelocity();
				states.spin.set([w.GetX(), w.GetY(), w.GetZ()], 3 * i);
			}
		},
		close: () => Jolt.destroy(engine),
	};
}

/** Two layers: what is still does not collide with what is still. */
function settingsOf(Jolt: Jolt, bodies: number) {
	const settings = new Jolt.JoltSettings();
	settings.mMaxWorkerThreads = 0;
	settings.mMaxBodies = bodies + 100;
	// Of pairs that touch, each with up to four points; ten megabytes are all that there is for these in a step.
	settings.mMaxBodyPairs = 20 * bodies + 10_000;
	settings.mMaxContactConstraints = 7 * bodies + 2000;
	const pairs = new Jolt.ObjectLayerPairFilterTable(2);
	pairs.EnableCollision(STILL, MOVING);
	pairs.EnableCollision(MOVING, MOVING);
	const layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
	for (const layer of [STILL, MOVING]) layers.MapObjectToBroadPhaseLayer(layer, new Jolt.BroadPhaseLayer(layer));
	settings.mObjectLayerPairFilter = pairs;
	settings.mBroadPhaseLayerInterface = layers;
	settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
	return settings;
}

function shapeOf(Jolt: Jolt, { parts, density }: EngineBody) {
	const single = partSettings(Jolt, parts[0]!, density);
	if (parts.length === 1 && parts[0]!.position.every((x) => x === 0)) return single.Create().Get();
	const compound = new Jolt.StaticCompoundShapeSettings();
	for (const part of parts) {
		const [w, x, y, z] = part.orientation;
		const settings = partSettings(Jolt, part, density);
		compound.AddShapeShapeSettings(new Jolt.Vec3(...part.position), new Jolt.Quat(x, y, z, w), settings, 0);
	}
	return compound.Create().Get();
}

function partSettings(Jolt: Jolt, part: EnginePart, density: number) {
	const settings = convexSettings(Jolt, part);
	settings.mDensity = density;
	return settings;
}

function convexSettings(Jolt: Jolt, part: EnginePart) {
	if (part.kind === "sphere") return new Jolt.SphereShapeSettings(part.radius);
	if (part.kind === "box") {
		const half = part.size.map((edge) => edge / 2) as [number, number, number];
		return new Jolt.BoxShapeSettings(new Jolt.Vec3(...half), ROUNDING * Math.min(...part.size));
	}
	const hull = new Jolt.ConvexHullShapeSettings();
	for (const vertex of part.vertices) hull.mPoints.push_back(new Jolt.Vec3(...vertex));
	hull.mMaxConvexRadius = 0;
	return hull;
}
