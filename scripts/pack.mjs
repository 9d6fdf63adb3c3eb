/**
 * `npm run pack`: the packages as tarballs in out/packages, after a look whether what they say of themselves is so, and tried: npm
 * installs them into an empty folder, where they are imported and solve. `--only-pack` leaves out the trial.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main, root, StepError, setup } from "./lib/setup.mjs";
import { faultsOfAll, install, packAll, tryAll } from "./lib/try-packages.mjs";

main((args) => {
	const unknown = args.find((word) => word !== "--only-pack");
	if (unknown !== undefined) throw new StepError(`there is no ${unknown}; npm run pack knows --only-pack`);
	setup();
	const faults = faultsOfAll();
	if (faults.length > 0) throw new StepError(`the packages do not agree with their manifests:\n${faults.join("\n")}`);
	const tarballs = packAll(join(root, "out", "packages"));
	for (const tarball of tarballs) console.log(tarball);
	if (!args.includes("--only-pack")) tryOut(tarballs);
});

function tryOut(tarballs) {
	const folder = mkdtempSync(join(tmpdir(), "stickslip-pack-"));
	try {
		if (!install(folder, tarballs))
			throw new StepError("dependencies are neither cached nor available from the registry");
		console.log(`installed from the tarballs alone\n${tryAll(folder).join("\n")}\nsolved, with one hash`);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
