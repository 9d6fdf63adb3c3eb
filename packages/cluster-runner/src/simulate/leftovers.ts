/** What is written when a simulation has ended: the page with its plots and the picture. */
import { existsSync } from "node:fs";
import { readCsv } from "../files/csv-file.js";
import { openRun } from "../files/run-files.js";
import { xdmfPath } from "../files/run-names.js";
import { writeWhole } from "../files/write.js";
import type { Origin } from "../output/page.js";
import { type Statistics, simulationPage } from "../output/simulation-page.js";
import type { SimulateRequest } from "../requests/simulate-request.js";
import { drawStep, stepAt } from "./draw-step.js";
import { type EndedSimulation, simulationFacts } from "./simulation-report.js";
import { simulationSettings } from "./simulation-settings.js";

/** The files that exist, with the names of the command line. `csv`: the file of statistics, if they are not in the run file. */
export async function writeLeftovers(
	request: SimulateRequest,
	ended: EndedSimulation,
	csv: string | undefined,
	origin: Origin,
): Promise<string[]> {
	const { output, report, picture, at, csv: wanted } = request;
	const run = output === undefined || !existsSync(output) ? undefined : await openRun(output);
	try {
		const last = run?.steps.at(-1);
		if (picture !== undefined && run !== undefined && last !== undefined) {
			drawStep(run, at === undefined ? last : (stepAt(run, at) ?? last), picture);
		}
		if (report !== undefined) {
			const statistics = csv !== undefined && existsSync(csv) ? readCsv(csv) : (run?.statistics() ?? NONE);
			const { scene, warnings } = ended;
			const content = {
				title: scene.name,
				facts: simulationFacts(ended),
				settings: simulationSettings(scene.description, request),
				warnings: warnings.map(({ path, problem, remedy }) => `${path}: ${problem}; ${remedy}`),
				statistics,
			};
			writeWhole(report, simulationPage(content, origin), { followsLinks: true });
		}
	} finally {
		run?.close();
	}
	const xdmf = output === undefined ? undefined : xdmfPath(output);
	return [output, xdmf, wanted, report, picture].filter((path) => path !== undefined);
}

const NONE: Statistics = { columns: [], values: new Float64Array(0) };
