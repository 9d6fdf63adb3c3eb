/** MuJoCo, double precision, elliptic cones, its defaults else. A turning obstacle is a hinge with a flywheel that nothing slows. */
import loadMujoco from "@mujoco/mujoco";
import { type Engine, type EngineBody, type EnginePart, engineBodies, runWorld, type World } from "./engine.js";

export const mujoco: Engine = {
	name: "mujoco",
	async run(scene) {
		return runWorld(open(await loadMujoco(), scene.description), scene);
	},
};

/** Of a free joint in qpos and in qvel. */
const POSE = 7;
const RATES = 6;
const FLYWHEEL = 1e9;

function open(Mujoco: Awaited<ReturnType<typeof loadMujoco>>, description: Parameters<typeof engineBodies>[0]): World {
	const { obstacles, bodies } = engineBodies(description);
	const turning = obstacles.filter(({ spin }) => spin.some((rate) => rate !== 0));
	const model = Mujoco.MjModel.from_xml_string(xmlOf(description));
	if (model === null) throw new Error("MuJoCo does not read its scene");
	const data = new Mujoco.MjData(model);
	const [qpos, qvel] = [data.qpos as Float64Array, data.qvel as Float64Array];
	for (const [k, { spin }] of turning.entries()) qvel[k] = Math.sqrt(spin[0] ** 2 + spin[1] ** 2 + spin[2] ** 2);
	for (const [i, body] of bodies.entries()) {
		qvel.set(body.velocity, turning.length + RATES * i);
		qvel.set(toBody(body.orientation, body.spin), turning.length + RATES * i + 3);
	}
	return {
		step: () => Mujoco.mj_step(model, data),
		read(states) {
			for (let i = 0; i < bodies.length; i += 1) {
				const [at, rate] = [turning.length + POSE * i, turning.length + RATES * i];
				states.position.set(qpos.subarray(at, at + 3), 3 * i);
				states.orientation.set(qpos.subarray(at + 3, at + 7), 4 * i);
				states.velocity.set(qvel.subarray(rate, rate + 3), 3 * i);
				const [w, x, y, z] = qpos.subarray(at + 3, at + 7) as unknown as [number, number, number, number];
				const spin = qvel.subarray(rate + 3, rate + 6) as unknown as [number, number, number];
				states.spin.set(toBody([w, -x, -y, -z], spin), 3 * i);
			}
		},
		close() {
			data.delete();
			model.delete();
		},
	};
}

/** The vector in the axes of a body that is turned by q. */
function toBody(q: readonly [number, number, number, number], v: readonly [number, number, number]) {
	const [w, x, y, z] = [q[0], -q[1], -q[2], -q[3]];
	const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])] as const;
	return [
		v[0] + w * t[0] + y * t[2] - z * t[1],
		v[1] + w * t[1] + z * t[0] - x * t[2],
		v[2] + w * t[2] + x * t[1] - y * t[0],
	] as const;
}

function xmlOf(description: Parameters<typeof engineBodies>[0]): string {
	const { gravity, step, contact } = description;
	const { obstacles, bodies } = engineBodies(description);
	const meshes: string[] = [];
	const turning = obstacles.filter(({ spin }) => spin.some((rate) => rate !== 0));
	const still = obstacles.filter((each) => !turning.includes(each));
	const world = [
		...turning.map((each) => {
			const joint = `<joint type="hinge" axis="${each.spin.join(" ")}" armature="${FLYWHEEL}" damping="0"/>`;
			return bodyXml(each, joint, 'gravcomp="1"', meshes);
		}),
		...still.map((each) => bodyXml(each, "", "", meshes)),
		...bodies.map((each) => bodyXml(each, "<freejoint/>", "", meshes)),
	].join("\n");
	const option = `timestep="${step}" gravity="${gravity.join(" ")}" cone="elliptic" impratio="10"`;
	return `<mujoco><option ${option}><flag energy="disable"/></option><size memory="512M"/>
<default><geom friction="${contact.friction} 0 0" condim="3"/></default>
<asset>${meshes.join("\n")}</asset><worldbody>
${world}
</worldbody></mujoco>`;
}

function bodyXml(body: EngineBody, joint: string, more: string, meshes: string[]): string {
	const geoms = body.parts.map((part) => geomXml(part, body.density, meshes)).join("");
	return `<body pos="${body.position.join(" ")}" quat="${body.orientation.join(" ")}" ${more}>${joint}${geoms}</body>`;
}

function geomXml(part: EnginePart, density: number, meshes: string[]): string {
	const place = `pos="${part.position.join(" ")}" quat="${part.orientation.join(" ")}" density="${density}"`;
	if (part.kind === "sphere") return `<geom type="sphere" size="${part.radius}" ${place}/>`;
	if (part.kind === "box") {
		return `<geom type="box" size="${part.size.map((edge) => edge / 2).join(" ")}" ${place}/>`;
	}
	const name = `mesh${meshes.length}`;
	meshes.push(`<mesh name="${name}" vertex="${part.vertices.flat().join(" ")}"/>`);
	return `<geom type="mesh" mesh="${name}" ${place}/>`;
}
