/**
 * `npm start`: the main jobs on problems made from a seed, for a person who has just cloned the repo. Four piles are
 * generated into out/piles and solved by the command that users have, a small drum is simulated, and what is seen there is said below.
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

/** Some seconds: ellipsoids fall into a drum, which turns then. */
function simulateDrum() {
	const drum = join(root, "out", "drum");
	mkdirSync(drum, { recursive: true });
	const files = [
		["output", "drum.h5"],
		["report", "drum.html"],
		["picture", "drum.svg"],
	].flatMap(([option, name]) => [`--${option}`, join(drum, name)]);
	return run(process.execPath, [
		stickslip,
		"simulate",
		"drum",
		"--bodies",
		"60",
		"--until",
		"3",
		"--overwrite",
		...files,
	]);
}

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

const simulation = `
A drum with 60 ellipsoids: each step finds the contacts and solves such a problem, from where the step before has ended.
In out/drum are a page with plots (drum.html), a picture (drum.svg), and all steps (drum.h5; ParaView opens drum.xdmf). Try:
  npx stickslip simulate
  npx stickslip simulate tower --until 1 --output tower.h5 --picture tower.svg
`;

main(() => {
	setup();
	const files = generateAll();
	const code = run(process.execPath, [stickslip, "solve", ...files]);
	console.log(meaning);
	const simulated = simulateDrum();
	console.log(simulation);
	return Math.max(code, simulated);
});
