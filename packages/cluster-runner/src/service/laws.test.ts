/** Laws of contact over the service: with a problem, with a pattern that takes new numbers of them, and what is wrong with them. */
import { connect } from "@stickslip/client";
import { type GeneratedProblem, generate, openSession, solve } from "@stickslip/core";
import { expect, it, onTestFinished } from "vitest";
import { served } from "../../testing/served.js";

const law = "coulomb+relaxed+cohesive:cohesion=1e-4+box:low0=0,high0=1e-3";
const problem = generate("spheres", { contacts: 30, seed: 4, law });
const withNumbers = (factor: number): GeneratedProblem => {
	const { laws } = problem;
	return { ...problem, laws: { ...laws!, parameters: laws!.parameters.map((value) => factor * value) } };
};

it("has the bits of the library", async () => {
	const { file } = await served(async () => openSession());
	const client = await connect(file());
	onTestFinished(() => client.close());
	const plain = solve(problem).report.hash;
	expect((await client.solve(problem)).report.hash).toBe(plain);
	expect(plain).not.toBe(solve(generate("spheres", { contacts: 30, seed: 4 })).report.hash);

	const pattern = await client.prepare(problem);
	const { q } = problem;
	expect((await pattern.solve({ q })).report.hash).toBe(plain);
	const other = withNumbers(2);
	const { report } = await pattern.solve({ q, parameters: other.laws!.parameters });
	expect(report.hash).toBe(solve(other).report.hash);

	await expect(client.solve(withNumbers(-1))).rejects.toThrow(/laws\.parameters\[\d+\]: /);
});
