/** The elements of the page by their ids, with their types. */

const byId = <Kind extends Element>(id: string, kind: new () => Kind): Kind => {
	const found = document.getElementById(id);
	if (!(found instanceof kind)) throw new Error(`assertion failed: the page has the element ${id}`);
	return found;
};

export const elements = {
	threads: byId("threads", HTMLElement),
	drop: byId("drop", HTMLElement),
	file: byId("file", HTMLInputElement),
	generate: byId("generate", HTMLFormElement),
	kind: byId("kind", HTMLSelectElement),
	contacts: byId("contacts", HTMLInputElement),
	seed: byId("seed", HTMLInputElement),
	facts: byId("facts", HTMLElement),
	error: byId("error", HTMLElement),
	solve: byId("solve", HTMLFormElement),
	method: byId("method", HTMLSelectElement),
	measure: byId("measure", HTMLSelectElement),
	tolerance: byId("tolerance", HTMLInputElement),
	ranks: byId("ranks", HTMLSelectElement),
	start: byId("start", HTMLButtonElement),
	cancel: byId("cancel", HTMLButtonElement),
	status: byId("status", HTMLElement),
	plot: byId("plot", SVGSVGElement),
	answer: byId("answer", HTMLElement),
	download: byId("download", HTMLButtonElement),
	report: byId("report", HTMLElement),
	figure: byId("figure", HTMLElement),
	picture: byId("picture", HTMLCanvasElement),
	rankSource: byId("rank-source", HTMLScriptElement),
	filesSource: byId("files-source", HTMLScriptElement),
};

export function fillSelect(select: HTMLSelectElement, values: readonly string[], chosen = values[0]): void {
	const options = values.map((value) => new Option(value, value, value === chosen, value === chosen));
	select.replaceChildren(...options);
}

/** A script that is kept in the page, as an address for workers. */
export function addressOf(source: HTMLScriptElement): string {
	return URL.createObjectURL(new Blob([source.textContent ?? ""], { type: "text/javascript" }));
}
