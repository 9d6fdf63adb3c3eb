/**
 * `npm run docs:graph`: draws which package imports which, and inside each package which folder imports which, into
 * docs/architecture.md, and prints how many cycles of folders each package has. tidy/graph.test.ts fails where the page has
 * another drawing. Tests and their helpers are left out; kernels, which the build copies, count where they are written.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = "docs/architecture.md";
const begin = "<!-- Made by `npm run docs:graph`: do not edit. -->";
const end = "<!-- The end of what is made. -->";

/** Of files that Biome formats: an import begins its line, or is a call. */
const importForms = [
	/^(?:import|export)\b[^;"]*?\bfrom "([^"]+)";/gm,
	/^import "([^"]+)";/gm,
	/\bimport\(\s*"([^"]+)"\s*\)/g,
	/\bnew URL\("([^"]+)", import\.meta\.url\)/g,
];

/** The sources of all packages by path from the repo's root, with their texts. */
export function readSources(from = root) {
	const all = readdirSync(join(from, "packages"), { recursive: true, encoding: "utf8" });
	const paths = all.map((path) => `packages/${path.replaceAll("\\", "/")}`).filter(isSource);
	return paths.sort().map((path) => ({ path, text: readFileSync(join(from, path), "utf8") }));
}

export function isSource(path) {
	if (!/^packages\/[\w-]+\/(src|assembly)\/.*\.ts$/.test(path)) return false;
	return !path.endsWith(".test.ts") && !/\/(testing|generated)\//.test(path);
}

/** Imports of packages of this repo, as [file, specifier]. */
export function importsIn({ path, text }) {
	const code = text.replaceAll(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, "");
	const found = importForms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1]));
	return found.filter((to) => to.startsWith(".") || to.startsWith("@stickslip/")).map((to) => [path, to]);
}

/** Sets of what each imports: packages, folders at the top of each package, and folders at any depth. */
export function graphsOf(sources) {
	const files = new Set(sources.map(({ path }) => path));
	const links = sources.flatMap(importsIn).map(([from, to]) => ({ from, to: targetOf(from, to) }));
	const imported = new Set(links.map(({ to }) => to));
	const packages = new Map();
	const tops = new Map();
	const folders = new Map();
	const draw = (from, to) => {
		const [a, b] = [from, to].map((path) => folderOf(path, imported));
		const name = packageOf(from);
		add(packages, name, packageOf(to));
		if (packageOf(to) !== name) return;
		for (const graphs of [tops, folders]) if (!graphs.has(name)) graphs.set(name, new Map());
		add(tops.get(name), topOf(a), topOf(b));
		add(folders.get(name), a, b);
	};
	for (const path of files) draw(path, path);
	for (const { from, to } of links) if (files.has(to) || packageOf(to) !== packageOf(from)) draw(from, to);
	return { packages, tops, folders };
}

/** The source that an import means, as far as folders need it: of another package only its name. */
function targetOf(from, to) {
	if (to.startsWith("@stickslip/")) return to.replace("@stickslip/", "packages/");
	const path = posix.join(posix.dirname(from), to).replace(/\.js$/, "");
	return `${path.replace(/\.ts$/, "").replace("/src/kernels/generated/", "/assembly/")}.ts`;
}

const packageOf = (path) => path.split("/")[1];

/** Files that stand in no folder are two groups: what nothing imports, where a package is entered, and what it all stands on. */
function folderOf(path, imported) {
	const folder = path
		.split("/")
		.slice(2, -1)
		.join("/")
		.replace(/^src\//, "");
	return folder === "src" && !imported.has(path) ? "entries" : folder;
}

const topOf = (folder) => folder.split("/")[0];

function add(graph, from, to = from) {
	if (!graph.has(from)) graph.set(from, new Set());
	if (from !== to) graph.get(from).add(to);
}

/** What can be reached from each over one import or more. */
function reaches(graph) {
	const all = new Map();
	for (const from of graph.keys()) {
		const found = new Set();
		const open = [...graph.get(from)];
		for (let at = open.pop(); at !== undefined; at = open.pop()) {
			if (found.has(at)) continue;
			found.add(at);
			open.push(...(graph.get(at) ?? []));
		}
		all.set(from, found);
	}
	return all;
}

/** Groups that import each other, directly or over others, sorted; each is one cycle or several that hang together. */
export function cyclesOf(graph) {
	const reach = reaches(graph);
	const groups = new Set();
	for (const from of graph.keys()) {
		if (!reach.get(from).has(from)) continue;
		groups.add(
			[...graph.keys()]
				.filter((to) => reach.get(from).has(to) && reach.get(to).has(from))
				.sort()
				.join(" "),
		);
	}
	return [...groups].sort().map((group) => group.split(" "));
}

/** A flowchart of Mermaid. An arrow between groups that follows from other arrows is left out; inside a cycle all are drawn. */
export function flowchart(graph) {
	const reach = reaches(graph);
	const cycles = cyclesOf(graph);
	const names = [...graph.keys()].sort();
	const node = (name) => `${name.replaceAll(/\W/g, "_")}_["${name}"]`;
	const id = (name) => `${name.replaceAll(/\W/g, "_")}_`;
	const isTogether = (a, b) => reach.get(a).has(b) && (reach.get(b)?.has(a) ?? false);
	const follows = (a, b) =>
		names.some(
			(c) => !isTogether(a, c) && !isTogether(c, b) && c !== a && c !== b && reach.get(a).has(c) && reach.get(c).has(b),
		);
	const lines = ["flowchart TD"];
	const free = names.filter((name) => !cycles.some((cycle) => cycle.includes(name)));
	lines.push(...free.map((name) => `\t${node(name)}`));
	for (const [index, cycle] of cycles.entries()) {
		lines.push(`\tsubgraph cycle${index + 1}["a cycle"]`, ...cycle.map((name) => `\t\t${node(name)}`), "\tend");
	}
	for (const from of names) {
		for (const to of [...graph.get(from)].sort()) {
			const isBoth = graph.get(to)?.has(from) ?? false;
			if (isBoth && to < from) continue;
			if (isTogether(from, to) || !follows(from, to)) lines.push(`\t${id(from)} ${isBoth ? "<-->" : "-->"} ${id(to)}`);
		}
	}
	return `\`\`\`mermaid\n${lines.join("\n")}\n\`\`\``;
}

export function drawing(sources) {
	const { packages, tops } = graphsOf(sources);
	const inside = [...tops].filter(([, graph]) => graph.size > 1);
	const parts = inside.map(([name, graph]) => `Folders of \`${name}\`:\n\n${flowchart(graph)}`);
	return [`Packages:\n\n${flowchart(packages)}`, ...parts].join("\n\n");
}

/** The page with this drawing between its marks. */
export function withDrawing(text, drawn) {
	const from = text.indexOf(begin);
	const to = text.indexOf(end);
	if (from === -1 || to < from) throw new Error(`${page} has no marks to draw between: ${begin} and ${end}`);
	return `${text.slice(0, from + begin.length)}\n\n${drawn}\n\n${text.slice(to)}`;
}

function main() {
	const sources = readSources();
	const path = join(root, page);
	writeFileSync(path, withDrawing(readFileSync(path, "utf8"), drawing(sources)));
	for (const [name, graph] of graphsOf(sources).folders) {
		const cycles = cyclesOf(graph);
		const count = [...graph.values()].reduce((sum, { size }) => sum + size, 0);
		console.log(`${name}: ${graph.size} folders, ${count} imports between them, cycles: ${cycles.length}`);
		for (const cycle of cycles) console.log(`  ${cycle.length} folders: ${cycle.join(", ")}`);
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
