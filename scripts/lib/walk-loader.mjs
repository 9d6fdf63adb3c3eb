/** The loader of a walk (walk-hook.mjs): the first statement of every function says which file it is in. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

let root = "";

export function initialize({ root: given }) {
	root = given;
}

/** A bundled program is replaced by what it was bundled of. */
export async function resolve(specifier, context, next) {
	const found = await next(specifier, context);
	const match = /^(file:.*\/dist)\/(?:programs|bundled)\/([\w-]+)\.js$/.exec(found.url);
	if (match === null) return found;
	const compiled = [
		`${match[1]}/${match[2]}.js`,
		`${match[1]}/ranks/${match[2]}.js`,
		`${match[1]}/runs/${match[2]}.js`,
	];
	const url = compiled.find((each) => existsSync(fileURLToPath(each)));
	return url === undefined ? found : { ...found, url };
}

export async function load(url, context, next) {
	const path = url.startsWith("file:") ? fileURLToPath(url) : "";
	const isOurs = path.startsWith(`${root}/packages/`) && path.includes("/dist/") && !path.includes("/node_modules/");
	if (!isOurs || !path.endsWith(".js")) return next(url, context);
	return { format: "module", shortCircuit: true, source: instrumented(path) };
}

/** The first line of a function or a method, as tsc writes it. */
const FIRST_LINE =
	/^\s*(?:(?:export )?(?:default )?(?:async )?function\b|(?!(?:if|for|while|switch|catch|with)\b)(?:static )?(?:async )?(?:get |set )?\*?#?[\w$]+\().*\) \{$/;

function instrumented(path) {
	const call = `globalThis.stickslipWalk?.(${JSON.stringify(path)});`;
	const lines = readFileSync(path, "utf8").split("\n");
	return lines.map((line) => (FIRST_LINE.test(line) ? `${line} ${call}` : line)).join("\n");
}
