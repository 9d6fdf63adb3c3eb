/** The example page: a problem from a file or a generator, its solve as it converges, and the answer as a file. */
import {
	DEFAULT_TOLERANCES,
	generateNames,
	MEASURES,
	type MeasureName,
	methods,
	type Problem,
	type Session,
	type Solution,
} from "@stickslip/core";
import { messageOf } from "../messages/errors.js";
import { missingForThreads } from "../session/isolation.js";
import { openSession } from "../session/open.js";
import { addressOf, elements, fillSelect } from "./elements.js";
import { Files } from "./files.js";
import { drawPicture } from "./picture.js";
import { drawPlot } from "./plot.js";
import { factsOf, reportRows } from "./texts.js";

/** What the page has at the moment. */
const state: {
	problem: Problem | undefined;
	solution: Solution | undefined;
	session: Session | undefined;
	underWay: AbortController | undefined;
} = { problem: undefined, solution: undefined, session: undefined, underWay: undefined };

const rankScript = addressOf(elements.rankSource);
const files = new Files(addressOf(elements.filesSource));

function refuse(error: unknown): void {
	elements.error.textContent = messageOf(error);
	elements.error.hidden = false;
	elements.status.textContent = "";
}

function setBusy(isBusy: boolean): void {
	const { start, cancel, file, generate } = elements;
	start.disabled = isBusy || state.problem === undefined;
	cancel.disabled = state.underWay === undefined;
	file.disabled = isBusy;
	for (const each of generate.elements) (each as HTMLButtonElement).disabled = isBusy;
}

/** One piece of work of the page at a time; whatever goes wrong is told. */
async function working(work: () => Promise<void>): Promise<void> {
	elements.error.hidden = true;
	setBusy(true);
	try {
		await work();
	} catch (error) {
		refuse(error);
	} finally {
		state.underWay = undefined;
		setBusy(false);
	}
}

async function load(what: string, read: () => Promise<Problem>): Promise<void> {
	await working(async () => {
		elements.status.textContent = what;
		elements.answer.hidden = true;
		elements.facts.textContent = "";
		state.problem = undefined;
		state.problem = await read();
		elements.facts.textContent = factsOf(state.problem);
		await solve(state.problem);
	});
}

/** The session with as many ranks as are chosen. */
async function sessionOf(ranks: number): Promise<Session> {
	const { session } = state;
	if (session !== undefined && session.ranks === ranks && session.failure === undefined) return session;
	state.session = undefined;
	await session?.close();
	state.session = await openSession({ ranks, worker: rankScript });
	return state.session;
}

async function solve(problem: Problem): Promise<void> {
	const { measure, method, status, plot, ranks } = elements;
	const [named, tolerance] = [measure.value as MeasureName, Number(elements.tolerance.value)];
	const underWay = new AbortController();
	state.underWay = underWay;
	setBusy(true);
	elements.answer.hidden = true;
	status.textContent = "Solving…";
	const [iterations, errors]: [number[], number[]] = [[], []];
	const draw = (xs: readonly number[], ys: readonly number[]) =>
		drawPlot(plot, { iterations: xs, errors: ys, tolerance, measure: named });
	draw([], []);
	const session = await sessionOf(Number(ranks.value));
	const solution = await session.solve(problem, {
		method: method.value,
		measure: named,
		tolerance,
		history: true,
		signal: underWay.signal,
		onProgress: (progress) => {
			iterations.push(progress.iterations);
			errors.push(progress.error);
			draw(iterations, errors);
			status.textContent = `Solving: ${progress.iterations} iterations, error ${progress.error.toExponential(1)}, ${progress.seconds.toFixed(1)} s.`;
		},
	});
	const { history = [] } = solution.report;
	draw(
		history.map((_, at) => at + 1),
		history,
	);
	show(problem, solution);
}

function show(problem: Problem, solution: Solution): void {
	state.solution = solution;
	const { report } = solution;
	elements.status.textContent = `${report.status}: ${report.iterations} iterations in ${report.seconds.toFixed(3)} s.`;
	const rows = reportRows(report).flatMap(([name, value]) => {
		const [term, description] = [document.createElement("dt"), document.createElement("dd")];
		term.textContent = name;
		description.textContent = value;
		description.dataset.of = name.toLowerCase();
		return [term, description];
	});
	elements.report.replaceChildren(...rows);
	elements.answer.hidden = false;
	elements.figure.hidden = !drawPicture(elements.picture, problem, solution.reaction);
}

async function download(): Promise<void> {
	const { problem, solution } = state;
	if (problem === undefined || solution === undefined) return;
	await working(async () => {
		const before = elements.status.textContent;
		elements.status.textContent = "Writing the file…";
		const bytes = await files.write(solution);
		const link = document.createElement("a");
		link.href = URL.createObjectURL(new Blob([bytes], { type: "application/x-hdf5" }));
		link.download = `${problem.name.replace(/\.\w+$/, "").replaceAll(/[^\w.-]+/g, "-")}-answer.hdf5`;
		link.click();
		URL.revokeObjectURL(link.href);
		elements.status.textContent = before;
	});
}

function listen(): void {
	const { drop, file, generate, kind, contacts, seed, measure, tolerance, cancel } = elements;
	const open = (list: FileList | null | undefined) => {
		const [first] = list ?? [];
		if (first && !file.disabled) void load(`Reading ${first.name}…`, () => files.read(first));
	};
	file.addEventListener("change", () => {
		open(file.files);
		file.value = "";
	});
	// A file that misses the field would replace the page.
	for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());
	drop.addEventListener("dragover", () => drop.classList.add("over"));
	drop.addEventListener("dragleave", () => drop.classList.remove("over"));
	drop.addEventListener("drop", (event) => {
		drop.classList.remove("over");
		open(event.dataTransfer?.files);
	});
	generate.addEventListener("submit", (event) => {
		event.preventDefault();
		const options = { contacts: Number(contacts.value), seed: Number(seed.value) };
		void load("Generating…", () => files.generate(kind.value, options));
	});
	elements.solve.addEventListener("submit", (event) => {
		event.preventDefault();
		const { problem } = state;
		if (problem) void working(() => solve(problem));
	});
	measure.addEventListener("change", () => {
		tolerance.value = String(DEFAULT_TOLERANCES[measure.value as MeasureName]);
	});
	cancel.addEventListener("click", () => state.underWay?.abort());
	elements.download.addEventListener("click", () => void download());
}

function begin(): void {
	const { kind, method, measure, ranks, threads } = elements;
	fillSelect(
		kind,
		generateNames().map(({ name }) => name),
	);
	fillSelect(method, ["auto", ...methods().flatMap(({ name }) => (name === "auto" ? [] : [name]))]);
	fillSelect(measure, MEASURES, "energy");
	const missing = missingForThreads();
	const most = missing === undefined ? Math.max(1, navigator.hardwareConcurrency) : 1;
	const counts = Array.from({ length: most }, (_, at) => String(at + 1));
	fillSelect(ranks, counts, String(most));
	threads.textContent =
		missing === undefined
			? `It has ${most} threads.`
			: `It has one thread, because ${missing}; the answer is the same.`;
	listen();
}

begin();
