/** Sound FCLIB files of every form for those who spoil them: small ones made here, and the names of some of other people's. */
import { File } from "h5wasm/node";
import type { Hdf5Module } from "../fclib/module.js";
import { infoText, writeFclib } from "../fclib/write.js";
import { sampleProblem, sampleRolling } from "./samples.js";

/** In the folder of the shared problems. */
export const OTHERS = [
	"fclib/CubeH8_condensed.hdf5",
	"fclib-global/GFC3D_Example0.hdf5",
	"fclib-rolling/Chute-ndof-768-nc-4-3.hdf5",
	"drum/drum_N100_RG_t0.350_drop.hdf5",
] as const;

/** Writes the files into the folder, and returns their paths. */
export function goodFiles(hdf5: Hdf5Module, folder: string): string[] {
	const mixed = sampleProblem({ seed: 1, contacts: 4, bodies: 2, equalityRows: 2 });
	const info = { title: infoText("spoilt"), description: infoText("a file for the fuzz test") };
	const { u, r } = { u: mixed.q, r: mixed.q };
	const [local, global, packed] = [`${folder}/local.hdf5`, `${folder}/global.hdf5`, `${folder}/gzip.hdf5`];
	writeFclib(hdf5, local, mixed, { form: "local", solution: { u, r }, info });
	writeFclib(hdf5, global, mixed, { solution: { u, r }, info });
	writeFclib(hdf5, packed, { ...mixed, geometry: { body: mixed.rigid!.body } }, { form: "local" });
	const file = new File(packed, "a");
	const geometry = file.get("/geometry");
	if (geometry === null || !("create_dataset" in geometry)) throw new Error("no geometry");
	const point = new Float64Array(12).fill(0.5);
	geometry.create_dataset({ name: "point", data: point, shape: [4, 3], chunks: [3, 2], compression: "gzip" });
	file.close();
	const rolling = `${folder}/rolling.hdf5`;
	const rolls = sampleRolling({ seed: 2, contacts: 4, bodies: 2 });
	writeFclib(hdf5, rolling, rolls, { solution: { u: rolls.q, r: rolls.q }, info });
	return [local, global, packed, rolling];
}
