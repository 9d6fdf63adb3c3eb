/** `stickslip simulate`: scenes of bodies in contact, step after step. */
import {
	buildScene,
	locating,
	type SceneDescription,
	SceneError,
	type SceneOption,
	sceneEntryOf,
	sceneNames,
	sceneSchema,
	writeScene,
} from "@stickslip/mechanics";
import { counted, oneLine } from "../base/format.js";
import type { Command, ExitCode, Terminal } from "../cli/command.js";
import { entries } from "../cli/help.js";
import { writeWhole } from "../files/write.js";
import { requireFresh } from "../output/fresh.js";
import { checkFile } from "../output/targets.js";
import { simulateNotes } from "../requests/simulate-notes.js";
import { parseSimulate } from "../requests/simulate-request.js";
import { simulateSpecs } from "../requests/simulate-specs.js";
import { loadScene } from "../simulate/scene-source.js";
import { SimulateRun } from "../simulate/simulate.js";

export const simulate: Command = {
	name: "simulate",
	usage: "[SCENE [options]]",
	what: "simulates bodies in frictional contact: a scene by name or from a file",
	options: simulateSpecs,
	notes: simulateNotes,
	async run(args, terminal) {
		if (args.flag("schema")) {
			terminal.out(JSON.stringify(sceneSchema(), undefined, "\t"));
			return 0;
		}
		if (args.operands.length === 0) {
			listScenes(terminal);
			return 0;
		}
		const call = parseSimulate(args);
		try {
			const scene = await loadScene(call.simulate);
			const path = args.text("write-scene");
			const { text } = scene;
			const inFile = <Value>(make: () => Value): Value =>
				text === undefined ? make() : locating(text, call.simulate.scene, make);
			if (path !== undefined) {
				// It may have been edited.
				requireFresh({ "write-scene": path, overwrite: call.simulate.overwrite });
				const output = checkFile(args.command, "--write-scene", path, []);
				return inFile(() => writeSceneFile(scene.description, output, terminal));
			}
			const run = inFile(() => new SimulateRun({ ...call, line: process.argv.slice(2) }, scene, terminal));
			return await run.run();
		} catch (error) {
			if (!(error instanceof SceneError)) throw error;
			for (const line of error.message.split("\n")) terminal.err(oneLine(`stickslip: ${line}`));
			return 2;
		}
	},
};

/** The scene as the line has it, for an editor and for --schema. */
function writeSceneFile(description: SceneDescription, path: string, terminal: Terminal): ExitCode {
	const { total, steps } = buildScene(description);
	writeWhole(path, writeScene(description), { followsLinks: true });
	terminal.out(
		`${path}: ${description.name}, ${counted(total, "body", "bodies")} with obstacles, ${counted(steps, "step")}`,
	);
	return 0;
}

/** Names, and for --set their options. */
function listScenes(terminal: Terminal): void {
	for (const name of sceneNames) {
		const { what, options } = sceneEntryOf(name);
		terminal.out(`${name}: ${what}`);
		const rows = Object.entries(options).map(([option, spec]): [string, string] => [option, describe(spec)]);
		terminal.out(entries(rows));
	}
}

function describe(option: SceneOption): string {
	if (option.kind === "choice") return `${option.help}: ${option.choices.join(", ")} (default ${option.default})`;
	return option.default === null ? option.help : `${option.help} (default ${option.default})`;
}
