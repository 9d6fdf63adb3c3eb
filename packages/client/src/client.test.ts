/** The client against a small service in this process, over both transports. */
import { assembleRigid, generate, type Problem, solve } from "@stickslip/core";
import { afterEach, describe, expect, it } from "vitest";
import { connect } from "./index.js";
import { type FakeOptions, FakeService, type Take } from "./testing/fake-service.js";
import { isAfter, refusal, retried, until } from "./testing/waiting.js";

const problem = generate("spheres", { contacts: 20, seed: 5 });
const { rigid, ...bare } = problem;
const formed: Problem = { ...bare, W: assembleRigid(rigid!) };
const other = generate("planks", { contacts: 30, seed: 2 });
const hash = solve(problem).report.hash;

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const each of opened.splice(0).reverse()) await each.close();
});

async function serviceOf(options: FakeOptions): Promise<FakeService> {
	const service = await FakeService.start(options);
	opened.push(service);
	return service;
}

async function clientOf(service: FakeService, options = {}): ReturnType<typeof connect> {
	const client = await connect(service.details, options);
	opened.push(client);
	return client;
}

describe.each(["zeromq", "websocket"] as const)("over %s", (transport) => {
	it("solves a problem with the bits of core", async () => {
		const client = await clientOf(await serviceOf({ transport }));
		expect([client.ranks, client.name, client.failure]).toEqual([2, "test", undefined]);
		for (const each of [problem, other]) {
			const answer = await client.solve(each);
			const { report, reaction, velocity } = solve(each);
			expect(answer.report.hash).toBe(report.hash);
			expect([answer.reaction, answer.velocity]).toEqual([reaction, velocity]);
		}
	});

	it("solves many at once, each with its own answer", async () => {
		const service = await serviceOf({ transport, limits: { requests: 3 } });
		const client = await clientOf(service);
		const problems = Array.from({ length: 40 }, (_, seed) => generate("spheres", { contacts: 5 + seed, seed }));
		const answers = await Promise.all(problems.map((each) => client.solve(each)));
		const hashes = problems.map((each) => solve(each).report.hash);
		expect(answers.map(({ report }) => report.hash)).toEqual(hashes);
		await until(() => service.count("forget") > 0);
	});

	it("asks for an answer that is there while all of its places are taken", async () => {
		const take: Take = (message) => message.type === "solve" && message.keep !== true;
		const client = await clientOf(await serviceOf({ transport, limits: { requests: 2 }, take }));
		await client.solve(problem, { id: "kept", keep: true });
		const waiting = [1, 2, 3].map(() => refusal(client.solve(problem)));
		expect((await client.fetch("kept")).report.hash).toBe(hash);
		await client.close();
		for (const each of waiting) expect((await each).code).toBe("closed");
	});

	it("prepares a pattern, and solves other values of it", async () => {
		const service = await serviceOf({ transport });
		const client = await clientOf(service);
		const pattern = await client.prepare(formed, { tolerance: 1e-5 });
		const q = problem.q.map((value) => 2 * value);
		const values = formed.W!.values.map((value) => 3 * value);
		const wanted = solve({ ...formed, q, W: { ...formed.W!, values } }, { tolerance: 1e-5 }).report.hash;
		expect((await pattern.solve({ q, values })).report.hash).toBe(wanted);
		const again = await pattern.solve({ q: problem.q }, { tolerance: 1e-3 });
		expect(again.report.hash).toBe(solve({ ...formed, W: { ...formed.W!, values } }, { tolerance: 1e-3 }).report.hash);
		expect(service.received.filter(({ type }) => type === "solve")).toMatchObject([
			{
				arrays: [
					["q", "f64"],
					["W.values", "f64"],
				],
			},
			{ arrays: [["q", "f64"]] },
		]);
		// One that may not have come there: the next one has all of the values.
		const stopped = refusal(pattern.solve({ q, mu: problem.mu.map(() => 0.1) }, { signal: AbortSignal.abort() }));
		expect((await stopped).code).toBe("cancelled");
		const mu = problem.mu.map(() => 0.1);
		const withMu = solve({ ...formed, q, mu, W: { ...formed.W!, values } }, { tolerance: 1e-3 }).report.hash;
		expect((await pattern.solve({ q, values }, { tolerance: 1e-3 })).report.hash).toBe(withMu);
		pattern.release();
		expect((await refusal(pattern.solve({ q }))).code).toBe("unknown-pattern");
	});

	it("sends again what was not answered when a service has gone and another has come", async () => {
		const silent = await serviceOf({ transport, take: ({ type }) => type === "solve" });
		const client = await clientOf(silent);
		const pattern = await client.prepare(problem);
		const answers = [client.solve(problem), pattern.solve({ q: problem.q }), client.solve(problem, { id: "own" })];
		await until(() => silent.count("solve") === 3);
		const next = FakeService.start.bind(FakeService, { transport, again: silent });
		await silent.close();
		const service = await retried(next);
		opened.push(service);
		for (const answer of answers) expect((await answer).report.hash).toBe(hash);
		expect([service.solved, service.count("prepare")]).toEqual([3, 1]);
		expect((await client.fetch("own")).report.hash).toBe(hash);
	});

	it("rejects what is under way when it is closed", async () => {
		const service = await serviceOf({ transport, take: ({ type }) => type === "solve" });
		const client = await clientOf(service);
		const answer = refusal(client.solve(problem));
		await client.close();
		expect((await answer).code).toBe("closed");
		expect((await refusal(client.solve(problem))).code).toBe("closed");
	});

	it("names the versions of a service that does not speak its own", async () => {
		const text = { field: "version", message: "is 1, and not 2", remedy: "use a client of version 2" };
		const take: Take = (message, send) => {
			if (message.type === "hello") send({ type: "error", code: "unsupported-version", ...text, versions: [2] });
			return message.type === "hello";
		};
		const service = await serviceOf({ transport, take });
		const other = await refusal(connect(service.details));
		expect(other).toMatchObject({ code: "unsupported-version", field: "version", remedy: "use a client of version 2" });
	});

	it("names a token that is not known, and an address where nobody is", async () => {
		const service = await serviceOf({ transport });
		const unknown = await refusal(connect({ ...service.details, token: "other" }));
		expect([unknown.code, unknown.field]).toEqual(["unauthorized", "token"]);
		const { details } = service;
		await service.close();
		const nobody = await refusal(connect(details, { timeout: 0.3 }));
		expect([nobody.code, nobody.field]).toEqual(["unreachable", details.zeromq ?? details.websocket]);
		expect(nobody.remedy).toContain("stickslip serve");
	});

	it("refuses what makes no sense before it is sent, in the words of core", async () => {
		const service = await serviceOf({ transport, limits: { message: 20_000 } });
		const client = await clientOf(service);
		const wrong = (changes: Partial<Problem>) => refusal(client.solve({ ...problem, ...changes }));
		const { contacts } = problem;
		const short = await wrong({ q: problem.q.slice(1) });
		expect(short).toMatchObject({
			code: "bad-input",
			field: "q",
			problem: `has ${3 * contacts - 1} values instead of ${3 * contacts}`,
		});
		expect(short.remedy).toBe("make the sizes agree");
		const notNumber = await wrong({ mu: problem.mu.map((mu, k) => (k === 3 ? Number.NaN : mu)) });
		expect(notNumber).toMatchObject({ code: "bad-input", field: "mu[3]", problem: "is NaN" });
		const options: [Record<string, unknown>, string][] = [
			[{ tolerance: -1 }, "tolerance"],
			[{ speed: 1 }, "speed"],
			[{ measure: "force" }, "measure"],
			[{ repeat: 2 }, "repeat"],
			[{ id: "a b" }, "id"],
			[{ deadline: "soon" }, "deadline"],
			[{ keys: new Float64Array(3) }, "keys"],
			[{ keys: problem.mu.map(() => 0.5) }, "keys[0]"],
			[{ series: "pile" }, "series"],
			[{ results: "mine" }, "results"],
			[{ start: new Float64Array(2) }, "start"],
		];
		for (const [given, field] of options) {
			expect(await refusal(client.solve(problem, given)), field).toMatchObject({ code: "bad-input", field });
		}
		const pattern = await client.prepare(formed);
		expect(await refusal(pattern.solve({ q: new Float64Array(1) }))).toMatchObject({ field: "q" });
		const values = new Float64Array(9);
		expect(await refusal(pattern.solve({ q: problem.q, values }))).toMatchObject({ field: "values" });
		expect(await refusal(pattern.solve({ q: problem.q, rigid: {} }))).toMatchObject({ field: "rigid" });
		const large = generate("spheres", { contacts: 300 });
		expect(await refusal(client.solve(large))).toMatchObject({ code: "too-large", field: "message" });
		expect(service.count("solve")).toBe(0);
	});
});

describe("a request", () => {
	const transport = "websocket";

	it("is cancelled before and after it was sent", async () => {
		const service = await serviceOf({ transport, take: cancelling });
		const client = await clientOf(service);
		expect((await refusal(client.solve(problem, { signal: AbortSignal.abort() }))).code).toBe("cancelled");
		const controller = new AbortController();
		const answer = refusal(client.solve(problem, { signal: controller.signal, id: "one" }));
		await until(() => service.count("solve") === 1);
		controller.abort();
		expect(await answer).toMatchObject({ code: "cancelled", field: "one" });
		expect(service.received.at(-1)).toEqual({ type: "cancel", id: "one" });
	});

	it("tells its progress", async () => {
		const progress = { iterations: 3, products: 4, error: 0.5, exact: true, seconds: 0.1, method: "auto" };
		const service = await serviceOf({
			transport,
			take(message, send) {
				if (message.type === "solve") send({ type: "progress", id: message.id, ...progress });
				return false;
			},
		});
		const client = await clientOf(service);
		const seen: unknown[] = [];
		await client.solve(problem, { onProgress: (each) => seen.push(each) });
		expect(seen).toEqual([progress]);
		const failing = client.solve(problem, {
			onProgress() {
				throw new RangeError("of the caller");
			},
		});
		await expect(failing).rejects.toThrow(RangeError);
		expect((await client.solve(problem)).report.hash).toBe(hash);
		expect([service.count("cancel"), service.count("hello")]).toEqual([1, 1]);
	});

	it("has a deadline, with the time that it waits for a connection", async () => {
		const service = await serviceOf({ transport });
		const client = await clientOf(service);
		await client.solve(problem, { deadline: 10_000 });
		const sent = service.received.find(({ type }) => type === "solve") as { deadline?: number };
		// Less the time until it was sent, which may be long on a busy machine.
		expect(sent.deadline).toBeGreaterThan(0);
		expect(sent.deadline).toBeLessThanOrEqual(10_000);
		await service.close();
		expect(await refusal(client.solve(problem, { deadline: 0.2 }))).toMatchObject({ code: "deadline" });
	});

	it("starts from a guess, and has keys and a series", async () => {
		const service = await serviceOf({ transport });
		const client = await clientOf(service);
		const r = solve(problem).reaction;
		const keys = problem.mu.map((_, k) => k);
		const answer = await client.solve({ ...problem, guesses: [{ r }] }, { start: "guess", keys });
		expect(answer.report.iterations).toBe(0);
		expect(service.received.find(({ type }) => type === "solve")).toMatchObject({ series: "default" });
	});

	it("is rejected where nobody comes back in time, and the next one tries again", async () => {
		const service = await serviceOf({ transport, take: ({ type }) => type === "solve" });
		const client = await clientOf(service, { retry: 0.3 });
		const answer = refusal(client.solve(problem));
		await until(() => service.count("solve") === 1);
		await service.close();
		expect((await answer).code).toBe("unreachable");
		expect(client.failure?.code).toBe("unreachable");
		opened.push(await FakeService.start({ transport, again: service }));
		expect((await client.solve(problem)).report.hash).toBe(hash);
		expect(client.failure).toBeUndefined();
	});

	it("waits for the next service where one is about to end", async () => {
		const draining = await serviceOf({
			transport,
			take(message, send) {
				if (message.type !== "solve") return false;
				send({ type: "bye", reason: "SIGTERM" });
				const text = { field: "service", message: "takes no more requests", remedy: "wait" };
				send({ type: "error", id: message.id, code: "draining", ...text });
				return true;
			},
		});
		const client = await clientOf(draining);
		const answers = [client.solve(problem), isAfter(0.1).then(() => client.solve(problem))];
		await isAfter(0.2);
		expect(draining.count("solve")).toBe(1);
		await draining.close();
		opened.push(await FakeService.start({ transport, again: draining }));
		for (const answer of answers) expect((await answer).report.hash).toBe(hash);
	});

	it("of an id that is under way is refused, and one that was lost on the way is not solved twice", async () => {
		let isLost = false;
		const service: FakeService = await serviceOf({
			transport,
			take(message, _send, arrays) {
				if (message.type !== "solve" || isLost) return false;
				isLost = true;
				// Solved, and the connection is lost before the answer is on its way.
				service.answer(message, arrays);
				service.drop();
				return true;
			},
		});
		const client = await clientOf(service);
		const answer = client.solve(problem, { id: "one" });
		expect(await refusal(client.solve(problem, { id: "one" }))).toMatchObject({ code: "bad-input", field: "id" });
		expect((await answer).report.hash).toBe(hash);
		expect([service.solved, service.count("solve"), service.count("hello")]).toEqual([1, 2, 2]);
	});
});

const cancelling: Take = (message, send) => {
	if (message.type === "cancel") {
		send({ type: "error", id: message.id, code: "cancelled", field: message.id, message: "was cancelled", remedy: "" });
	}
	return message.type === "solve";
};
