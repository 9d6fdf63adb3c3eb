/** What the client refuses by itself, and in which words. */
import { assembleRigid, generate, type Problem, solve } from "@stickslip/core";
import { afterEach, expect, it } from "vitest";
import { connect } from "./index.js";
import { type FakeOptions, FakeService } from "./testing/fake-service.js";
import { refusal } from "./testing/waiting.js";

const transport = "websocket";
const problem = generate("spheres", { contacts: 20, seed: 5 });
const { rigid, ...bare } = problem;
const formed: Problem = { ...bare, W: assembleRigid(rigid!) };
const hash = solve(problem).report.hash;

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const each of opened.splice(0).reverse()) await each.close();
});

async function pairOf(options: Partial<FakeOptions> = {}) {
	const service = await FakeService.start({ transport, ...options });
	opened.push(service);
	const client = await connect(service.details);
	opened.push(client);
	return { service, client };
}

it("a request that cannot be sent is rejected alone", async () => {
	const { service, client } = await pairOf({ limits: { requests: 1 } });
	const spoilt: { W?: unknown; q?: unknown }[] = [{ ...formed }, { ...formed }, { ...formed }];
	const answers = [
		client.solve(problem),
		...spoilt.map((each) => client.solve(each as Problem)),
		client.solve(problem),
	];
	// While they wait for room, their caller changes them.
	spoilt[0]!.W = null;
	spoilt[1]!.W = { ...formed.W, column: [...formed.W!.column] };
	spoilt[2]!.q = [...formed.q];
	const refused = answers.slice(1, 4).map((each) => refusal(each));
	for (const each of refused) expect((await each).code).toBe("bad-input");
	expect((await refused[2]!).field).toBe("q");
	for (const each of [answers[0]!, answers[4]!]) expect((await each).report.hash).toBe(hash);
	expect(service.count("solve")).toBe(2);
	const options = { set: { speed: (2n ** 70n) as unknown as number } };
	expect((await refusal(client.solve(problem, options))).code).toBe("bad-input");
	expect((await client.solve(problem)).report.hash).toBe(hash);
});

it("names the array that is of another type, in the types of JavaScript", async () => {
	const { client, service } = await pairOf();
	const wrong = (changes: object) => refusal(client.solve({ ...formed, ...changes } as Problem));
	for (const q of [[...formed.q], Float32Array.from(formed.q), Int32Array.from(formed.q)]) {
		expect(await wrong({ q })).toMatchObject({ code: "bad-input", field: "q" });
		expect(`${await wrong({ q })}`).toContain("Float64Array");
	}
	expect(service.count("solve")).toBe(0);
});

it("lists the options that a solve of a service has", async () => {
	const { client } = await pairOf();
	const pattern = await client.prepare(formed);
	const unknown = { speed: 1 } as object;
	for (const solving of [client.solve(formed, unknown), pattern.solve({ q: formed.q }, unknown)]) {
		const { field, problem, remedy } = await refusal(solving);
		expect([field, problem]).toEqual(["speed", "unknown option"]);
		for (const name of ["deadline", "keys", "series", "id", "keep", "tolerance"]) expect(remedy).toContain(name);
		expect(remedy).not.toContain("repeat");
	}
});

it("refuses options and connection files of connect as a ServiceError", async () => {
	const { service } = await pairOf();
	const { token, ...nothing } = service.details;
	const wrong: [unknown, object, string, string][] = [
		[service.details, { timout: 1 }, "timout", "unknown option; use one of client, timeout, retry, transport"],
		[service.details, { timeout: -1 }, "timeout", "-1 is not at least 0"],
		[service.details, { client: 3 }, "client", "3 is not a text"],
		[service.details, { transport: "pigeon" }, "transport", "pigeon is not a transport of clients"],
		[nothing, {}, "connection: token", "is missing"],
		[{ token }, {}, "connection: websocket", "is missing"],
		["/nowhere.json", {}, "/nowhere.json", "does not exist"],
	];
	for (const [where, options, field, words] of wrong) {
		const error = await refusal(connect(where as string, options));
		expect(error).toMatchObject({ code: "bad-input", field });
		expect(error.message).toContain(`${field}: ${words}`);
	}
});

it("says which limit of the service a problem is over", async () => {
	const { client } = await pairOf({ limits: { message: 100 } });
	expect(await refusal(client.solve(problem))).toMatchObject({
		code: "too-large",
		remedy: "send it in parts, or start the service with a larger --limit-message",
	});
});
