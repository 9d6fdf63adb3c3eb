/** A picture of the example page after it has solved a pile that it generated. */
import { statSync } from "node:fs";
import { launchChromium, servePages } from "./pages.js";

/** Below the picture of the pile. */
const MARGIN = 8;

/** Returns the size of the file. */
export async function takeScreenshot(path: string): Promise<number> {
	const chromium = await launchChromium();
	const served = await servePages(true);
	try {
		const viewport = { width: 860, height: 1500 };
		const page = await chromium.newPage({ viewport, deviceScaleFactor: 0.8, colorScheme: "light" });
		await page.goto(`${served.url}page.html`);
		await page.locator("#contacts").fill("300");
		await page.getByRole("button", { name: "Generate a pile" }).click();
		await page.locator("#answer").waitFor({ timeout: 60_000 });
		const picture = await page.locator("#figure").boundingBox();
		const height = picture === null ? viewport.height : Math.ceil(picture.y + picture.height + MARGIN);
		await page.screenshot({ path, clip: { x: 0, y: 0, width: viewport.width, height } });
	} finally {
		await chromium.close();
		await served.close();
	}
	return statSync(path).size;
}
