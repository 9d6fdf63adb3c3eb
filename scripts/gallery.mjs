/** `npm run gallery [-- NAME...]`: pictures of scenes some time after they have begun, in docs/gallery; each takes some seconds to minutes. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { main, root, run, setup } from "./lib/setup.mjs";

const stickslip = join(root, "packages", "cluster-runner", "bin", "stickslip.mjs");
const pictures = join(root, "docs", "gallery");
const runs = join(root, "out", "gallery");

/** What a picture is called, and what is simulated for it. */
const scenes = [
	["drum", ["drum", "--bodies", "100", "--until", "4"]],
	["drum-spheres", ["drum", "--shape", "spheres", "--bodies", "500", "--until", "2.5"]],
	["pile", ["pile", "--shape", "mixed", "--until", "2"]],
	["tower", ["tower", "--until", "0.5"]],
	["hopper", ["hopper", "--bodies", "1000", "--until", "0.5"]],
	["impact", ["impact", "--bodies", "1000", "--until", "0.42"]],
];

main(() => {
	setup();
	for (const folder of [pictures, runs]) mkdirSync(folder, { recursive: true });
	const wanted = process.argv.slice(2);
	for (const [name, words] of scenes) {
		if (wanted.length > 0 && !wanted.includes(name)) continue;
		const output = join(runs, `${name}.h5`);
		const files = ["--overwrite", "--output", output, "--every", "1000000", "--picture", join(pictures, `${name}.svg`)];
		const code = run(process.execPath, [stickslip, "simulate", ...words, "--ranks", "1", ...files]);
		if (code !== 0) return code;
	}
	return 0;
});
