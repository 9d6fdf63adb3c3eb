import { expect, it } from "vitest";
import { dataFolder } from "../data.js";
import { hardScenes } from "./hard-scenes.js";

const data = dataFolder();

it.skipIf(data === undefined)(
	"steps of hard scenes are solved, or given up within the limit (needs the shared problems)",
	{ timeout: 120_000 },
	() => {
		const { rows, missed } = hardScenes(data!, 2, () => {});
		expect(missed).toEqual([]);
		expect(rows.every(({ steps }) => steps === 2)).toBe(true);
	},
);
