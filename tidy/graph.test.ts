/** The drawing in docs/architecture.md is what scripts/graph.mjs makes of the imports there are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
	cyclesOf,
	drawing,
	flowchart,
	graphsOf,
	importsIn,
	isSource,
	readSources,
	withDrawing,
} from "../scripts/graph.mjs";
import { importsOf } from "./imports.js";
import { readTree, root } from "./tree.js";

const sources: readonly { path: string; text: string }[] = readSources();

describe("the drawing of the architecture", () => {
	it("is that of the imports (`npm run docs:graph` makes it anew)", () => {
		const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
		expect(page).toBe(withDrawing(page, drawing(sources)));
	});

	it("is made of the same sources and imports that these checks find in another way", () => {
		const tree = readTree().filter(({ path }) => isSource(path));
		expect(sources.map(({ path }) => path)).toEqual(tree.map(({ path }) => path));
		for (const file of tree) {
			const found = importsOf(file).map(({ specifier }) => specifier);
			const ours = found.filter((to) => /^\.|^@stickslip\//.test(to));
			expect(
				importsIn(file)
					.map(([, to]) => to)
					.sort(),
				file.path,
			).toEqual(ours.sort());
		}
	});
});

describe("the script", () => {
	const file = (path: string, ...to: string[]) => ({
		path: `packages/${path}`,
		text: to.map((name) => `import { x } from "${name}";\n`).join(""),
	});
	const planted = [
		file("p/src/index.ts", "./a/one.js", "./base.js"),
		file("p/src/base.ts"),
		file("p/src/a/one.ts", "../b/two.js", "../c/deep/three.js"),
		file("p/src/b/two.ts", "../c/deep/three.js", "../base.js"),
		file("p/src/c/deep/three.ts", "../four.js", "@stickslip/q/part"),
		file("p/src/c/four.ts", "../../assembly/kernel.js", "../kernels/generated/kernel.js"),
		file("p/assembly/kernel.ts", "./other"),
		file("p/assembly/other.ts"),
		file("q/src/index.ts"),
	];

	it("counts folders that import each other, at any depth", () => {
		const { folders } = graphsOf(planted);
		expect(cyclesOf(folders.get("p"))).toEqual([]);
		const deep = graphsOf([...planted, file("p/src/c/deep/up.ts", "../../a/one.js")]);
		expect(cyclesOf(deep.folders.get("p"))).toEqual([["a", "b", "c/deep"]]);
		const two = graphsOf([
			...planted,
			file("p/src/c/up.ts", "./deep/three.js"),
			file("p/assembly/up.ts", "../src/base"),
		]);
		expect(cyclesOf(two.folders.get("p"))).toEqual([["c", "c/deep"]]);
	});

	it("draws what is imported, and leaves out what follows", () => {
		const { packages, tops } = graphsOf(planted);
		expect(arrows(packages)).toEqual(["p_ --> q_"]);
		expect(arrows(tops.get("p"))).toEqual([
			"a_ --> b_",
			"b_ --> c_",
			"b_ --> src_",
			"c_ --> assembly_",
			"entries_ --> a_",
		]);
	});

	it("draws all of a cycle", () => {
		const graph = graphsOf([...planted, file("p/src/c/up.ts", "../a/one.js"), file("p/src/b/up.ts", "../a/one.js")]);
		const drawn = arrows(graph.tops.get("p"));
		expect(drawn).toEqual([
			"a_ <--> b_",
			"a_ <--> c_",
			"b_ --> c_",
			"b_ --> src_",
			"c_ --> assembly_",
			"entries_ --> a_",
		]);
		expect(flowchart(graph.tops.get("p"))).toContain(
			'subgraph cycle1["a cycle"]\n\t\ta_["a"]\n\t\tb_["b"]\n\t\tc_["c"]\n\tend',
		);
	});

	it("writes between its marks, and nowhere else", () => {
		const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
		const drawn = withDrawing(page, "nothing");
		expect(drawn.split("\n\nnothing\n\n")).toHaveLength(2);
		expect(withDrawing(drawn, drawing(sources))).toBe(withDrawing(page, drawing(sources)));
		expect(() => withDrawing("# A page\n", "nothing")).toThrow(/has no marks/);
	});
});

function arrows(graph: unknown): string[] {
	const lines: string[] = flowchart(graph).split("\n");
	return lines.flatMap((line) => (line.includes("-->") ? line.trim() : []));
}
