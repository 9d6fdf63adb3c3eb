/** The runner of studies, for programs that measure: cells in rounds, kept in a file, with statistics, what differs between them, plots and a page. */
export { type BarPlot, barPlot } from "./study/bar-plot.js";
export { differencesOf } from "./study/differences.js";
export { type LinePlot, linePlot } from "./study/line-plot.js";
export { type Circumstances, MachineWatch, probe } from "./study/machine.js";
export {
	type CellPlan,
	isComplete,
	type PlannedCell,
	plannedSamples,
	type RunCellsOptions,
	runCells,
	type StudyProgress,
} from "./study/run-cells.js";
export { type Axes, FAILED, keyOf, type Measured, type Sample, type Values } from "./study/sample.js";
export { SAMPLES_FILE, SampleFile, type StudyHead } from "./study/sample-file.js";
export { type Cell, cellsOf, leastSample, type Spread, spreadIn, spreadOf } from "./study/statistics.js";
export { csvOf, makeFolder, tableLines, writeFiles } from "./study/study-files.js";
export {
	type PageSection,
	type PageTable,
	plotOf,
	type StudyPage,
	studyPage,
} from "./study/study-page.js";
