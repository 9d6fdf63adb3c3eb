/** Text in HTML and SVG; needs nothing of Node.js. */
import { oneLine } from "../base/format.js";

/** Text as text, inside elements and attributes: file names and reasons come from outside. */
export function escapeHtml(text: string): string {
	const named: Readonly<Record<string, string>> = {
		"&": "&amp;",
		"<": "&lt;",
		">": "&gt;",
		'"': "&quot;",
		"'": "&#39;",
	};
	return oneLine(text).replaceAll(/[&<>"']/g, (character) => named[character] ?? "");
}
