/** The TypeScript client with a real service: what the fake one of its own tests cannot show. */
import { type Client, connect, ServiceError } from "@stickslip/client";
import { generate, type ProblemPart, type Session, solve } from "@stickslip/core";
import { afterEach, describe, expect, it } from "vitest";
import { contacts, endless, problem, useService } from "../../testing/conformance.js";

const { service } = useService();
const { hash } = solve(problem).report;

const clients: Client[] = [];
afterEach(async () => {
	for (const client of clients.splice(0)) await client.close();
});

async function clientOf(transport: "zeromq" | "websocket", name = "one"): Promise<Client> {
	const client = await connect(service.detailsOf(name), { transport });
	clients.push(client);
	return client;
}

const codeOf = (promise: Promise<unknown>) =>
	promise.then(
		() => "answered",
		(error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
	);

describe.each(["zeromq", "websocket"] as const)("over %s", (transport) => {
	it("is a session: what works with one works with a service", async () => {
		const session: Session = await clientOf(transport);
		expect((await session.solve(problem)).report.hash).toBe(hash);
		const pattern = await session.prepare(problem);
		const q = problem.q.map((value) => 3 * value);
		expect((await pattern.solve({ q }, { results: "view" })).report.hash).toBe(solve({ ...problem, q }).report.hash);
		const mu = problem.mu.map(() => 0.1);
		expect((await pattern.solve({ q, mu })).report.hash).toBe(solve({ ...problem, q, mu }).report.hash);
		expect((await pattern.solve({ q: problem.q })).report.hash).toBe(solve({ ...problem, mu }).report.hash);
		pattern.release();
	});

	it("takes more at once than the service does from one client", async () => {
		const client = await clientOf(transport);
		const problems = Array.from({ length: 50 }, (_, seed) => generate("spheres", { contacts: 5 + (seed % 9), seed }));
		const answers = await Promise.all(problems.map((each) => client.solve(each)));
		expect(answers.map(({ report }) => report.hash)).toEqual(problems.map((each) => solve(each).report.hash));
	});

	it("starts warm by keys, with progress, until a signal or a deadline", async () => {
		const client = await clientOf(transport);
		const warm = { keys: problem.mu.map((_, k) => 7 * k), series: `warm.${transport}`, tolerance: 1e-7 };
		const first = (await client.solve(problem, warm)).report.iterations;
		expect(first).toBeGreaterThan(0);
		expect((await client.solve(problem, warm)).report.iterations).toBe(0);
		const stop = new AbortController();
		const seen: number[] = [];
		const onProgress = ({ iterations, exact }: { iterations: number; exact: boolean }) => {
			expect(typeof exact).toBe("boolean");
			if (seen.push(iterations) === 2) stop.abort();
		};
		const stopped = await client.solve(problem, { ...endless, onProgress, signal: stop.signal });
		expect(stopped.report.status).toBe("cancelled");
		expect((await client.solve(problem, { ...endless, deadline: 0.2 })).report.status).toBe("time-limit");
	});

	it("fetches what an earlier process wanted kept, and forgets it", async () => {
		const earlier = await clientOf(transport);
		const id = `kept.${transport}`;
		const cut = codeOf(earlier.solve(problem, { ...endless, timeLimit: 0.3, id, keep: true }));
		await earlier.fetch("nothing").catch(() => {});
		await earlier.close();
		expect(await cut).toBe("closed");
		const later = await clientOf(transport);
		expect((await later.fetch(id)).report.status).toBe("time-limit");
		later.forget(id);
		await expect.poll(() => codeOf(later.fetch(id))).toBe("unknown-request");
	});

	it("brings one part of a problem, and others theirs", async () => {
		const own = [await clientOf(transport), await clientOf(transport)];
		const group = `parts.${transport}`;
		const parts = [0, 1].map((parity) => partOf(parity));
		const options = (index: number) => ({ group, index, of: 2 });
		const answers = await Promise.all(own.map((client, index) => client.solvePart(parts[index]!, options(index))));
		const { reaction } = solve(problem);
		for (const [index, answer] of answers.entries()) {
			expect(answer.report.hash).toBe(hash);
			const mine = [...parts[index]!.ids].flatMap((a) => [...reaction.subarray(3 * a, 3 * a + 3)]);
			expect([...answer.reaction]).toEqual(mine);
		}
		const [client] = own;
		const spoilt = { ...parts[0]!, mu: new Float64Array(1) };
		expect(await codeOf(client!.solvePart(spoilt, options(0)))).toBe("bad-input");
		expect(await codeOf(client!.solvePart(parts[0]!, options(2)))).toBe("bad-input");
	});
});

/** Every other contact, with the bodies that they touch. */
function partOf(parity: number): ProblemPart {
	const { body, frame, arm, inverseMass, inverseInertia } = problem.rigid!;
	const ids = Int32Array.from({ length: contacts }, (_, a) => a).filter((a) => a % 2 === parity);
	const pick = (values: Float64Array, width: number, of: Int32Array) =>
		Float64Array.from([...of].flatMap((k) => [...values.subarray(width * k, width * k + width)]));
	const touched = Int32Array.from([...ids].flatMap((a) => [body[2 * a]!, body[2 * a + 1]!]));
	const bodies = Int32Array.from(new Set(touched))
		.filter((one) => one >= 0)
		.sort();
	return {
		contacts,
		ids,
		q: pick(problem.q, 3, ids),
		mu: pick(problem.mu, 1, ids),
		rigid: {
			ids: bodies,
			body: touched,
			frame: pick(frame, 9, ids),
			arm: pick(arm, 6, ids),
			inverseMass: pick(inverseMass, 1, bodies),
			inverseInertia: pick(inverseInertia, 6, bodies),
		},
	};
}
