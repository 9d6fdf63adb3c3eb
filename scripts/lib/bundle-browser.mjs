/**
 * What pages load of packages/browser, each in one file: the session (core stays outside: a page has it once), the script of a rank, and the
 * example page with everything in it. What tsc made is what is bundled.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL("../../packages/browser", import.meta.url));
const out = fileURLToPath(new URL("../../out", import.meta.url));

export function bundleBrowser() {
	const outdir = join(root, "dist", "bundled");
	mkdirSync(outdir, { recursive: true });
	writeFileSync(join(outdir, "index.js"), bundled("index.js", { format: "esm", external: ["@stickslip/core"] }));
	const rank = bundled("rank/rank.js", script);
	writeFileSync(join(outdir, "rank.js"), rank);
	writeFileSync(join(outdir, "page.html"), page(rank));
	mkdirSync(out, { recursive: true });
	copyFileSync(join(outdir, "page.html"), join(out, "stickslip.html"));
}

/** No modules: browsers start no module as a worker of a page that was opened from disk. */
const script = { format: "iife", minify: true, define: { "import.meta.url": "self.location.href" } };

function bundled(entry, options) {
	const { outputFiles } = buildSync({
		entryPoints: [join(root, "dist", entry)],
		bundle: true,
		write: false,
		platform: "browser",
		target: "es2022",
		charset: "utf8",
		logLevel: "warning",
		...options,
	});
	return outputFiles[0].text;
}

/** The page with its scripts and its style inside: from disk a page may load nothing else. */
function page(rank) {
	const source = (name) => readFileSync(join(root, "src", "page", name), "utf8");
	const parts = {
		style: source("page.css"),
		licences: licences(),
		rank: inScript(rank),
		files: inScript(bundled("page/files-worker.js", script)),
		script: inScript(bundled("page/page.js", script)),
	};
	return source("page.html").replaceAll(/<!-- (\w+) -->|\/\* (\w+) \*\//g, (_, text, code) => parts[text ?? code]);
}

/** HTML ends a script at its end tag, wherever that stands. */
function inScript(code) {
	return code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

/** The licences of others whose work the page contains want to be shown. */
function licences() {
	const files = [["h5wasm", join(root, "node_modules", "h5wasm", "LICENSE.txt")]];
	const texts = files.map(([name, path]) => `${name}\n\n${readFileSync(path, "utf8").trim()}`);
	return texts.join("\n\n\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
