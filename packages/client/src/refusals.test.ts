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
