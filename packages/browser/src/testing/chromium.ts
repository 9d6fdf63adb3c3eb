/** Chromium of this machine, driven by playwright-core, and a server of pages on loopback. */
import { accessSync, constants, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import type { PageFunctions } from "./in-page.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Undefined where none is installed. STICKSLIP_CHROMIUM names another one. */
export function findChromium(): string | undefined {
	const named = process.env.STICKSLIP_CHROMIUM;
	const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
	const paths = named ? [named] : NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
	return paths.find((path) => {
		try {
			accessSync(path, constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});
}

/** Its processes end with `close`, or with this one. */
export async function launchChromium(executablePath = findChromium()): Promise<Browser> {
	if (executablePath === undefined) throw new Error("there is no Chromium here (Debian: apt install chromium)");
	// Root may not have a sandbox; the pages are our own.
	const isRoot = process.getuid?.() === 0;
	return await chromium.launch({ executablePath, args: isRoot ? ["--no-sandbox"] : [], timeout: 60_000 });
}

/** From here in src, where tests run it, and in dist, where benches do. */
const built = (file: string): string => fileURLToPath(new URL(`../../dist/${file}`, import.meta.url));

/** The one file that the example page is. */
export const pageFile = built("bundled/page.html");

const types: Readonly<Record<string, string>> = {
	html: "text/html; charset=utf-8",
	js: "text/javascript; charset=utf-8",
};

export interface Served {
	readonly url: string;
	close(): Promise<void>;
}

/** Serves the example page as /page.html, and at / one for `call`; with the headers of isolation or without. */
export async function servePages(isIsolated: boolean): Promise<Served> {
	const bundled = (name: string) => readFileSync(built(`bundled/${name}`), "utf8");
	const contents: Readonly<Record<string, string>> = {
		"/index.html":
			'<!doctype html><title>test</title><link rel="icon" href="data:,"><script type="module" src="bundled/in-page.js"></script>',
		"/bundled/in-page.js": inPageScript(),
		"/bundled/rank.js": bundled("rank.js"),
		"/page.html": bundled("page.html"),
	};
	const server = createServer((request, response) => {
		const path = request.url === "/" ? "/index.html" : (request.url ?? "");
		const content = Object.hasOwn(contents, path) ? contents[path] : undefined;
		if (isIsolated) {
			response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
			response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
		}
		response.setHeader("Content-Type", types[path.split(".").at(-1) ?? ""] ?? "text/plain");
		response.statusCode = content === undefined ? 404 : 200;
		response.end(content ?? "not found");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/`, close: () => closeServer(server) };
}

async function closeServer(server: Server): Promise<void> {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
}

function inPageScript(): string {
	const { outputFiles } = buildSync({
		entryPoints: [built("testing/in-page.js")],
		bundle: true,
		write: false,
		format: "esm",
		platform: "browser",
		logLevel: "warning",
	});
	return outputFiles[0]!.text;
}

/** Calls a function of in-page.ts in a page that shows /. */
export async function call<Name extends keyof PageFunctions>(
	page: Page,
	name: Name,
	...given: Parameters<PageFunctions[Name]>
): Promise<Awaited<ReturnType<PageFunctions[Name]>>> {
	await page.waitForFunction("globalThis.inPage !== undefined");
	const answer: unknown = await page.evaluate(`inPage.${name}(...${JSON.stringify(given)})`);
	return answer as Awaited<ReturnType<PageFunctions[Name]>>;
}
