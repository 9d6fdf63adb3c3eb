/** The report of a simulation as one HTML file: how it ended, and plots of its statistics. */
import { escapeHtml } from "./html.js";
import { factsTable, htmlPage, type Origin, originTable } from "./page.js";
import { type Plot, plot } from "./plot.js";

/** Statistics as they are stored: a row per step. */
export interface Statistics {
	readonly columns: readonly string[];
	readonly values: Float64Array;
}

/** Title, unit, and the names of the columns that it shows. */
const PLOTS: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
	["Energy", "J", { kinetic: "kineticEnergy", potential: "potentialEnergy", strain: "strainEnergy" }],
	["Momentum", "kg m/s", { x: "momentumX", y: "momentumY", z: "momentumZ" }],
	[
		"Angular momentum about the origin",
		"kg m2/s",
		{ x: "angularMomentumX", y: "angularMomentumY", z: "angularMomentumZ" },
	],
	["Largest speed", "m/s", { "": "largestSpeed" }],
	["Penetration", "m", { largest: "largestPenetration", mean: "meanPenetration" }],
	["Contacts", "", { contacts: "contacts", bodies: "bodies" }],
	["Iterations of a step", "", { "": "iterations" }],
	["Failed steps so far", "", { "": "failedSteps" }],
	[
		"Time of a step",
		"s",
		{ detection: "detectSeconds", "set-up": "setupSeconds", solve: "solveSeconds", rest: "restSeconds" },
	],
];

export interface SimulationPage {
	readonly title: string;
	/** How it ended, and how it was made: names and values. */
	readonly facts: readonly (readonly [string, string])[];
	readonly settings: readonly (readonly [string, string])[];
	/** A line each. */
	readonly warnings: readonly string[];
	readonly statistics: Statistics;
}

export function simulationPage(
	{ title, facts, settings, warnings, statistics: { columns, values } }: SimulationPage,
	origin: Origin,
): string {
	const width = columns.length;
	const steps = width === 0 ? 0 : Math.floor(values.length / width);
	const column = (name: string) => {
		const at = columns.indexOf(name);
		return Float64Array.from({ length: at < 0 ? 0 : steps }, (_, step) => values[width * step + at]!);
	};
	const time = column("time");
	const plots = PLOTS.map(([name, unit, lines]): Plot => {
		const shown = Object.entries(lines).map(([line, of]) => ({ name: line, values: column(of) }));
		return { title: name, unit, time, lines: shown };
	});
	return htmlPage(`${title}: stickslip`, [
		"<h1>A simulation of frictional contact by Stickslip</h1>",
		...originTable(origin),
		`<section>\n<h2>${escapeHtml(title)}</h2>`,
		factsTable(facts),
		...warningList(warnings),
		"<h2>Settings</h2>",
		factsTable(settings.map(([name, value]) => [escapeHtml(name), value] as const)),
		"<h2>Statistics</h2>",
		...plots.map(plot),
		"</section>",
	]);
}

function warningList(warnings: readonly string[]): string[] {
	if (warnings.length === 0) return [];
	return ["<h2>Warnings</h2>", "<ul>", ...warnings.map((line) => `<li>${escapeHtml(line)}</li>`), "</ul>"];
}
