/** Laws of parts that contradict, that some parts lack, or that cut a contact in two, on one rank and on two. */
import { assembleRigid, generateRolling, InputError, lawCode, PARAMETERS, type ProblemPart } from "@stickslip/core";
import { expect, it } from "vitest";
import { choose } from "../ranks/choose.js";
import { startRanks } from "../ranks/start-ranks.js";
import { splitProblem } from "../testing/split-problem.js";
import { PartsGroup } from "./solve-parts.js";

const { rigid, global: _global, ...numbers } = generateRolling("spheres", { contacts: 20, law: "rolling:mu_r=1e-3" });
const rows = { ...numbers, W: assembleRigid(rigid!) };
const { laws: _laws, ...plain } = rows;

function capped({ ids, ...part }: ProblemPart, cap: number): ProblemPart {
	const parameters = new Float64Array(PARAMETERS * ids.length).map((_, k) => (k % PARAMETERS === 1 ? cap : 0));
	return { ...part, ids, laws: { law: new Uint8Array(ids.length).fill(lawCode("capped")), parameters } };
}

it.each([1, 2])("laws of parts are refused by their place: %i ranks", async (count) => {
	const ranks = await startRanks("solve", choose(1e9, { ranks: count, transport: "threads" }));
	const refusal = async (parts: readonly ProblemPart[]): Promise<string> => {
		const error: unknown = await new PartsGroup(ranks, 2).solveAll(parts, {}).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(InputError);
		return (error as Error).message;
	};
	try {
		const [one, other] = splitProblem(plain, (id) => id % 2, 2, "W") as [ProblemPart, ProblemPart];
		expect(await refusal([one, capped(other, -1)])).toContain("part 1: laws.parameters[1]: cap of contact 0 is -1");
		expect(await refusal([one, capped(other, 1)])).toContain("part 1: laws: is there, and part 0 has none");
		expect(await refusal(splitProblem(rows, (id) => id % 2, 2, "W"))).toContain(
			"part 1: ids: has contact 1, the moment of contact 0 in part 0; give each rolling contact two adjacent numbers",
		);
	} finally {
		await ranks.close();
	}
});
