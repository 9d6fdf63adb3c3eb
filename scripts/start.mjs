/**
 * `npm start`: the main job on problems made from a seed, for a person who has just cloned the repo. Four piles are
 * generated into out/piles, solved by the command that users have, and what the table means is said below it.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { main, root, run, setup } from "./lib/setup.mjs";

const stickslip = join(root, "packages", "cluster-runner", "bin", "stickslip.mjs");
const folder = join(root, "out", "piles");

const piles = [
	["spheres", 1000],
	["spheres-layers", 1000],
	["planks", 1000],
	["planks", 10000],
];

function generateAll() {
	mkdirSync(folder, { recursive: true });
	return piles.map(([name, contacts]) => {
		const file = join(folder, `${name}-${contacts}.hdf5`);
		const size = ["--contacts", String(contacts), "--seed", "1"];
		run(process.execPath, [stickslip, "generate", name, ...size, "--output", file]);
		return file;
	});
}

const meaning = `
Each line is a pile of rigid bodies with friction: at every contact the reaction R and the relative velocity U that satisfy
the laws of Signorini and Coulomb exactly. "energy" is the error left, free of units; the default asks for 1e-3.

The files are in out/piles. Try:
  npx stickslip solve out/piles/spheres-1000.hdf5 --tolerance 1e-6 --report report.html
  npx stickslip --help
`;

main(() => {
	setup();
	const files = generateAll();
	const code = run(process.execPath, [stickslip, "solve", ...files]);
	console.log(meaning);
	return code;
});
