import { describe, expect, it } from "vitest";
import { report } from "../../testing/report.js";
import { curve, thin } from "./curve.js";
import { escapeHtml } from "./html.js";
import { page } from "./page.js";

describe("the page", () => {
	it("escapes what comes from outside", () => {
		const html = page([report]);
		expect(html).not.toContain("<script");
		expect(html).not.toContain("<b>");
		expect(html).toContain("it&#39;s &lt;b&gt;done&lt;/b&gt; &amp; dusted");
		expect(escapeHtml(`"\n'`)).toBe("&quot; &#39;");
	});

	it("fetches nothing and runs nothing", () => {
		expect(page([report])).not.toMatch(/https?:|src=|href=|@import|url\(/);
	});

	it("has a section with a curve for each problem", () => {
		const html = page([report, { ...report, history: [] }]);
		expect(html.match(/<section>/g)).toHaveLength(2);
		expect(html.match(/<svg/g)).toHaveLength(1);
		expect(html).toContain("There was no iteration to draw.");
	});
});

describe("what is told beside the answer", () => {
	it("is date, host and line, as they can be typed again", () => {
		const words = ["solve", "my <file>.hdf5", "--report", "page.html"];
		const html = page([report], [], { date: new Date(Date.UTC(2026, 10, 18, 21, 5, 7)), host: "node-7", words });
		expect(html).toContain('<th scope="row">date</th><td>2026-11-18 21:05:07 UTC</td>');
		expect(html).toContain('<th scope="row">host</th><td>node-7</td>');
		expect(html).toContain("<td>stickslip solve &#39;my &lt;file&gt;.hdf5&#39; --report page.html</td>");
	});

	it("are remedies one per line, and both axes named", () => {
		const html = page([{ ...report, remedies: ["try <this>", "or that"] }]);
		expect(html).toContain("<td>try &lt;this&gt;<br>or that</td>");
		expect(html).toMatch(/<text [^>]*rotate[^>]*>energy error<\/text>/);
		expect(html).toMatch(/<text [^>]*>iterations<\/text>/);
	});
});

describe("what failed", () => {
	it("is on the page too, escaped", () => {
		const html = page([report], [{ problem: "<bad>.hdf5", reason: "<bad>.hdf5: file: is empty" }]);
		expect(html).toContain("<title>2 problems: stickslip</title>");
		expect(html).toContain(`&lt;bad&gt;.hdf5</th><td>&lt;bad&gt;.hdf5: file: is empty</td>`);
		expect(page([report])).not.toContain("Failed");
	});
});

describe("the curve", () => {
	it("puts every iteration at its decade", () => {
		// 720 wide with margins of 64 and 16: three iterations stand at 64, 384 and 704. 300 high with 14 and 40, from
		// 1e-2 above to 1e-7 below: 246 / 5 = 49.2 per decade.
		expect(curve([1e-2, 1e-4, 1e-7], "energy", 1e-6)).toContain(`points="64.0,14.0 384.0,112.4 704.0,260.0"`);
	});

	it("draws no number that is not one", () => {
		const svg = curve([Number.NaN, 0, Infinity, 1e-3, -1], "energy", 1e-6);
		expect(svg).not.toMatch(/NaN|Infinity/);
		expect(thin([Number.NaN, 0, Infinity, 1e-3, -1])).toEqual([{ iteration: 4, decade: -3 }]);
	});

	it("keeps the extremes of a long history, in order", () => {
		const history = Array.from({ length: 50_000 }, (_, k) => (k === 31_234 ? 1e-9 : k === 31_240 ? 1e9 : 1));
		const kept = thin(history);
		expect(kept.length).toBeLessThanOrEqual(1200);
		expect(kept).toContainEqual({ iteration: 31_235, decade: -9 });
		expect(kept).toContainEqual({ iteration: 31_241, decade: 9 });
		expect(kept.every((point, k) => k === 0 || point.iteration > (kept[k - 1]?.iteration ?? 0))).toBe(true);
	});
});
