/** Dead files: sources that nothing reaches from an entry point, a test or a bench. */
import { importsOf, resolved } from "./imports.js";
import { type Finding, isScript, isTest, parts, type TextFile } from "./tree.js";

/** Sources in the sense of this check; documents, data and configuration live by other rules. */
const isSource = (path: string): boolean => isScript(path) || /\.(py|c|h|cpp|sh)$/.test(path);

/** What pytest and pip find by its name. */
const isPythonEntry = (path: string): boolean => /(^|\/)(test_\w+|conftest|setup)\.py$/.test(path);

/** Where reading starts: what a person, npm, git or a test runner starts by name. */
export function entryPoints(files: readonly TextFile[]): string[] {
	const fixed = files.filter(
		({ path }) => isTest(path) || isPythonEntry(path) || /(^|\/)\w+\.config\.ts$/.test(path) || path === ".ci/run",
	);
	const manifests = files.filter(({ path }) => /(^|\/)package\.json$/.test(path));
	const named = manifests.flatMap((file) => {
		const { bin, exports, main, scripts } = JSON.parse(file.text) as Record<string, unknown>;
		const texts = strings([bin, exports, main, scripts]).flatMap((text) => text.split(/\s+/));
		return texts.flatMap((text) => candidates(resolved(file.path, text)));
	});
	return [...fixed.map(({ path }) => path), ...named];
}

/** `generated` maps folders that the build writes to the folders it copies from; `entries` are read by name elsewhere. */
export function deadFiles(
	files: readonly TextFile[],
	generated: Readonly<Record<string, string>> = {},
	entries: readonly string[] = [],
): Finding[] {
	const reached = reach(files, [...entries, ...entryPoints(files)], generated);
	return files
		.filter(({ path }) => isSource(path) && !reached.has(path))
		.map(({ path }) => ({ path, line: 0, message: "nothing reaches this file" }));
}

/**
 * Sources that only tests reach: dead code with a test. Helpers of tests are in folders of their own, and `waiting` says of others what they wait
 * for; one that is reached by now, or gone, does not wait any more.
 */
export function onlyTested(
	files: readonly TextFile[],
	generated: Readonly<Record<string, string>>,
	entries: readonly string[],
	waiting: Readonly<Record<string, string>>,
): Finding[] {
	const isForTests = (path: string) => isTest(path) || /(^|\/)(testing|tests|tidy)\//.test(path);
	const others = files.filter(({ path }) => !isForTests(path));
	const reached = reach(others, [...entries, ...entryPoints(others)], generated);
	const found = others.filter(({ path }) => isSource(path) && !reached.has(path)).map(({ path }) => path);
	return [
		...found
			.filter((path) => !/\w.{10,}/.test(waiting[path] ?? ""))
			.map((path) => ({ path, line: 0, message: "only tests reach this file, and no list says what it waits for" })),
		...Object.keys(waiting)
			.filter((path) => !found.includes(path))
			.map((path) => ({ path, line: 0, message: "waits for nothing any more" })),
	];
}

/** The files that some of them lead to. */
function reach(files: readonly TextFile[], from: readonly string[], generated: Readonly<Record<string, string>>) {
	const known = new Map(files.map((file) => [file.path, file]));
	const sources = files.filter(({ path }) => isSource(path)).map(({ path }) => ({ path, forms: formsOf(path) }));
	const reached = new Set<string>();
	const open = from.filter((path) => known.has(path));
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		const file = known.get(path);
		if (file === undefined || reached.has(path)) continue;
		reached.add(path);
		open.push(...neighbours(file, sources, generated));
	}
	return reached;
}

/** What a file imports, and what it names in a string: a worker, a script it runs, a source it compiles. */
function neighbours(file: TextFile, sources: readonly Source[], generated: Readonly<Record<string, string>>): string[] {
	const imported = isScript(file.path)
		? importsOf(file).flatMap(({ specifier }) => candidates(resolved(file.path, specifier), generated))
		: pythonImports(file);
	const text = isScript(file.path) ? parts(file).code : file.text;
	// Most texts have no word of most names in them: the patterns are only made for those that may match.
	const words = new Set(text.match(/[\w-]+(\.[\w-]+)*/g));
	const named = sources.filter((source) => source.path !== file.path && mentions(text, words, source));
	return [...imported, ...named.map(({ path }) => path)];
}

/** Modules beside a module of Python, or in its package, which it imports by name. */
function pythonImports({ path, text }: TextFile): string[] {
	if (!path.endsWith(".py")) return [];
	const folder = path.slice(0, path.lastIndexOf("/") + 1);
	const form = /^\s*(?:from\s+\.?(\w*)\s+import\s+([\w, ]+)|import\s+(\w+))/gm;
	return [...text.matchAll(form)].flatMap(([, module, names = "", whole]) => {
		const found = module === "" ? names.split(",").map((name) => name.trim()) : [module || whole];
		return found.map((name) => `${folder}${name}.py`);
	});
}

/** A source, and what it may be called: made once, for each is looked for in all texts. */
interface Source {
	readonly path: string;
	readonly forms: readonly { readonly form: string; readonly name: string }[];
}

function formsOf(path: string): Source["forms"] {
	const all = candidates(path).concat(path.replace(/\/src\/(.*)\.ts$/, "/dist/$1.js"));
	return [...new Set(all)].map((form) => ({ form, name: form.slice(form.lastIndexOf("/") + 1) }));
}

/** A file's own name in quotes (or as a word, in a shell script), with enough of the path not to be any other's. */
function mentions(text: string, words: ReadonlySet<string>, { forms }: Source): boolean {
	for (const { form, name } of forms) {
		if (!words.has(name)) continue;
		if (!/^(index|main)\.\w+$/.test(name) && new RegExp(`["'\`/ ]${escaped(name)}["'\`\\s]`).test(text)) return true;
		if (text.includes(form)) return true;
	}
	return false;
}

/** The files that a path may mean: dist/x.js is src/x.ts, x.js is x.ts, x is x.ts (AssemblyScript). */
export function candidates(path: string, generated: Readonly<Record<string, string>> = {}): string[] {
	const source = path
		.replace(/(^|\/)dist\//, "$1src/")
		.replace(/\.d\.ts$/, ".ts")
		.replace(/\.js$/, ".ts");
	const forms = [path, source, `${source}.ts`, `${source}/index.ts`];
	for (const [made, from] of Object.entries(generated)) {
		if (source.startsWith(made)) forms.push(`${from}${source.slice(made.length)}`);
	}
	return forms;
}

function strings(value: unknown): string[] {
	if (typeof value === "string") return [value];
	return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

function escaped(text: string): string {
	return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
