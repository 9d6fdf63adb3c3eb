/** Positions of contacts: `geometry.point` of a whole problem reaches the session, and large problems are swept by it. */
import { connect } from "@stickslip/client";
import { generate, openSession, type Problem, type Session, solve } from "@stickslip/core";
import { expect, it, onTestFinished } from "vitest";
import { served } from "../../testing/served.js";

async function clientOn(open: () => Promise<Session>) {
	const { file } = await served(open, { limits: { message: 2 ** 28 } });
	const client = await connect(file());
	onTestFinished(() => client.close());
	return client;
}

it("points come to the session, with a pattern too", async () => {
	const problem = generate("spheres", { contacts: 30, seed: 4 });
	const seen: Problem[] = [];
	const client = await clientOn(async () => {
		const session = await openSession();
		const solves = session.solve.bind(session);
		const prepares = session.prepare.bind(session);
		session.solve = async (given: Problem, options = {}) => {
			seen.push(given);
			return await solves(given, options);
		};
		session.prepare = async (given: Problem, options = {}) => {
			seen.push(given);
			return await prepares(given, options);
		};
		return session;
	});
	await client.solve(problem);
	const pattern = await client.prepare(problem);
	expect((await pattern.solve({ q: problem.q })).report.hash).toBe(solve(problem).report.hash);
	expect(seen.map(({ geometry }) => geometry?.point)).toEqual([problem.geometry.point, problem.geometry.point]);
	const { geometry: _, ...bare } = problem;
	await client.solve(bare);
	expect(seen.at(-1)).not.toHaveProperty("geometry");
	const geometry = { point: problem.geometry.point.subarray(3) };
	await expect(client.solve({ ...problem, geometry })).rejects.toThrow("geometry.point");
});

it("above 65,536 contacts the answer has the bits of the library, which depend on points", async () => {
	const problem = generate("spheres", { contacts: 65_537, seed: 3 });
	const { geometry: _, ...bare } = problem;
	const options = { maxIterations: 1 };
	const hashOf = (each: Problem) => solve(each, options).report.hash;
	const [withPoints, without] = [hashOf(problem), hashOf(bare)];
	expect(withPoints).not.toBe(without);
	const client = await clientOn(async () => openSession());
	expect((await client.solve(problem, options)).report.hash).toBe(withPoints);
	expect((await client.solve(bare, options)).report.hash).toBe(without);
});
