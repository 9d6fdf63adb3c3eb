import { describe, expect, it } from "vitest";
import { type Partition, partition } from "../partition/partition.js";
import { chain, grid } from "../testing/graphs.js";
import { pictureOf } from "./picture.js";
import { reportLines, reportOf } from "./report.js";

const byHand = (owner: readonly number[], parts: number): Partition => ({
	owner: Int32Array.from(owner),
	parts,
	method: "multilevel",
	reason: "by hand",
});

describe("the report", () => {
	it("of a chain in three parts has the numbers that one counts", () => {
		const report = reportOf(chain(6), byHand([0, 0, 0, 1, 1, 2], 3));
		expect(report).toMatchObject({ vertices: 6, edges: 5, parts: 3, balance: 1.5, cut: 2, cutWeight: 2 });
		// Ghosts: vertex 3 of rank 0, 2 and 5 of rank 1, 4 of rank 2.
		expect(report.ghostShare).toBeCloseTo(4 / 6, 12);
		expect(report.ranks[1]).toEqual({ rank: 1, own: 2, weight: 2, ghosts: 2, sent: 2, haloBytes: 48, neighbours: 2 });
		const lines = reportLines(report);
		expect(lines[0]).toBe("6 contacts in 3 parts by multilevel (by hand)");
		expect(lines[1]).toContain("balance 1.500, cut 2 edges (40.0 % of 5)");
		expect(lines).toHaveLength(6);
	});

	it("counts heavy edges by weight too, and takes ranks that own nothing and graphs of nothing", () => {
		const heavy = { ...chain(2), edgeWeight: Int32Array.from([7, 7]) };
		expect(reportOf(heavy, byHand([0, 1], 3))).toMatchObject({ cut: 1, cutWeight: 7 });
		expect(reportLines(reportOf(heavy, byHand([0, 1], 3)))[1]).toContain("weight 7");
		expect(reportOf(chain(0), byHand([], 2))).toMatchObject({ balance: 1, cut: 0, ghostShare: 0 });
	});

	it("tells many ranks by least, mean and most", () => {
		const { graph } = grid(20, 20);
		const lines = reportLines(reportOf(graph, partition(graph, 32)), "tiles");
		expect(lines[0]).toContain("400 tiles in 32 parts");
		expect(lines.slice(-3).map((line) => line.split(" ")[0])).toEqual(["least", "mean", "most"]);
	});
});

describe("the picture", () => {
	const { graph, points } = grid(12, 8);

	/** Well-formed: each opened tag is closed, and no number is missing. */
	function expectSound(svg: string): void {
		expect(svg.startsWith("<svg xmlns=")).toBe(true);
		expect(svg.trimEnd().endsWith("</svg>")).toBe(true);
		expect(svg).not.toMatch(/NaN|Infinity|undefined/);
		for (const tag of ["svg", "text", "style"])
			expect(svg.match(new RegExp(`<${tag}[ >]`, "g"))?.length, tag).toBe(
				svg.match(new RegExp(`</${tag}>`, "g"))?.length,
			);
	}

	it("shows every point, every rank and every pair that talks", () => {
		const parts = partition(graph, 4, { method: "rcb", points });
		const svg = pictureOf(graph, parts, { points, title: "a <grid> & more" });
		expectSound(svg);
		expect(svg).toContain("a &lt;grid&gt; &amp; more");
		expect(svg.match(/M[\d.-]+ [\d.-]+h/g)).toHaveLength(96);
		expect(svg.match(/<circle/g)).toHaveLength(4);
		// Quarters of a rectangle: each talks to two.
		expect(svg.match(/<line/g)).toHaveLength(4);
		expect(svg).toContain("24 own");
	});

	it("does without points, with one rank, with more ranks than fit, and with nothing", () => {
		expectSound(pictureOf(graph, partition(graph, 3)));
		expectSound(pictureOf(graph, partition(graph, 1), { points }));
		expectSound(pictureOf(graph, partition(graph, 200), { points }));
		expectSound(pictureOf(chain(0), partition(chain(0), 2), { points: new Float64Array(0) }));
		expectSound(pictureOf(chain(3), partition(chain(3), 2), { points: new Float64Array(9) }));
	});

	it("samples large clouds down", () => {
		const large = grid(300, 200);
		const svg = pictureOf(large.graph, partition(large.graph, 4, { method: "sfc", points: large.points }), {
			points: large.points,
		});
		expect(svg).toContain("one in 3 shown");
		expect(svg.length).toBeLessThan(1_500_000);
	});
});
