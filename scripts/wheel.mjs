/**
 * `npm run wheel [-- --output FOLDER]`: the Python client as a wheel in out/python, made by Debian's python3-build, python3-setuptools and
 * python3-wheel without a download. It is made from a copy, which has the license beside the sources.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { main, root, StepError } from "./lib/setup.mjs";

const MODULES = ["build", "setuptools", "wheel"];
/** The one of the path may be another than Debian's, which has its packages. */
const PYTHONS = [process.env.PYTHON, "python3", "/usr/bin/python3"].filter((name) => name !== undefined && name !== "");

main((args) => {
	const output = outputOf(args);
	const python = pythonWithModules();
	const folder = mkdtempSync(join(tmpdir(), "stickslip-wheel-"));
	try {
		cpSync(join(root, "clients", "python"), folder, { recursive: true });
		cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
		mkdirSync(output, { recursive: true });
		const words = ["-m", "build", "--wheel", "--no-isolation", "--outdir", output, folder];
		const { status, stdout, stderr } = spawnSync(python, words, { encoding: "utf8" });
		if (status !== 0) throw new StepError(`the wheel was not built:\n${stdout}${stderr}`);
		console.log(join(output, /(\S+\.whl)\s*$/.exec(stdout)?.[1] ?? ""));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});

/** The first Python that has all modules; otherwise names what the most complete one lacks. */
function pythonWithModules() {
	const lacks = PYTHONS.flatMap((name) => {
		if (spawnSync(name, ["--version"]).status !== 0) return [];
		const missing = MODULES.filter((module) => spawnSync(name, ["-c", `import ${module}`]).status !== 0);
		return [{ name, missing }];
	});
	const [best] = lacks.sort((one, other) => one.missing.length - other.missing.length);
	if (best === undefined) throw new StepError("python3 is not on the path; apt install python3");
	if (best.missing.length === 0) return best.name;
	const modules = `${best.missing.length === 1 ? "module" : "modules"} ${best.missing.join(", ")}`;
	const packages = best.missing.map((module) => `python3-${module}`).join(" ");
	throw new StepError(`${best.name} lacks the ${modules}; apt install ${packages}`);
}

function outputOf(args) {
	if (args.length === 0) return join(root, "out", "python");
	if (args.length !== 2 || args[0] !== "--output") throw new StepError("npm run wheel knows --output FOLDER");
	return resolve(args[1]);
}
