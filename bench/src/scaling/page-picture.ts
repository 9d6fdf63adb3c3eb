/** A picture of the page of a study, for the README. */
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launchChromium } from "../browser/pages.js";

/** Up to the end of the second plot: that of efficiency. Returns the size of the file. */
export async function takePagePicture(page: string, path: string): Promise<number> {
	const chromium = await launchChromium();
	try {
		const viewport = { width: 900, height: 1700 };
		const shown = await chromium.newPage({ viewport, deviceScaleFactor: 0.8, colorScheme: "light" });
		await shown.goto(pathToFileURL(page).href);
		const plot = await shown.locator("figure").nth(1).boundingBox();
		const height = plot === null ? viewport.height : Math.ceil(plot.y + plot.height);
		await shown.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width: viewport.width, height } });
	} finally {
		await chromium.close();
	}
	return statSync(path).size;
}
