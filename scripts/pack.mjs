/**
 * `npm run pack`: the packages as tarballs in out/packages, after a look whether what they say of themselves is so, and tried: npm
 * installs them into an empty folder, where they are imported and solve. The last line is the command that installs them all. `--only-pack` leaves out
 * the trial.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main, root, StepError, setup } from "./lib/setup.mjs";
import { faultsOfAll, install, installCommand, packAll, tryAll, tryInstallCommand } from "./lib/try-packages.mjs";

const output = join(root, "out", "packages");

main((args) => {
	const unknown = args.find((word) => word !== "--only-pack");
	if (unknown !== undefined) throw new StepError(`there is no ${unknown}; npm run pack knows --only-pack`);
	setup();
	const faults = faultsOfAll();
	if (faults.length > 0) throw new StepError(`the packages do not agree with their manifests:\n${faults.join("\n")}`);
	const tarballs = packAll(output);
	for (const tarball of tarballs) console.log(tarball);
	if (!args.includes("--only-pack")) tryOut(tarballs);
	console.log(`to install all of them: ${installCommand(output)}`);
});

function tryOut(tarballs) {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-pack-"));
	try {
		if (!install(folder, tarballs))
			throw new StepError("dependencies are neither cached nor available from the registry");
		console.log(`installed from the tarballs alone\n${tryAll(folder).join("\n")}\nsolved, with one hash`);
		const prefix = join(folder, "prefix");
		mkdirSync(prefix);
		const version = tryInstallCommand(output, prefix);
		if (version !== undefined) console.log(`installed for a user: ${version}`);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
