/** The limits of a client. */
import { expect, it } from "vitest";
import { Client } from "./client.js";
import { Request } from "./request.js";

const LIMITS = { requests: 2, bytes: 100, seconds: 1, message: 80 };

it("has room again when a request is answered, but not without end where answers are not read", () => {
	const client = new Client("ann", LIMITS, { seconds: 1, bytes: 1 });
	const begin = (id: string, bytes: number) => {
		client.admit(bytes);
		const work = () => Promise.reject(new Error("is not worked on"));
		const request = new Request(client, id, bytes, work, { keep: false, progress: false, deadline: undefined });
		client.begin(request);
		return request;
	};
	const first = [begin("1", 10), begin("2", 10)];
	expect(() => begin("3", 10)).toThrow("2 requests are under way");
	for (const request of first) client.leave(request);
	const next = [begin("3", 10), begin("4", 10)];
	for (const request of next) client.leave(request);
	expect(() => begin("5", 10)).toThrow("2 requests are under way");
	for (const request of [...first, ...next]) client.settle(request);
	expect(client.bytes).toBe(0);

	const large = begin("6", 80);
	expect(() => begin("7", 30)).toThrow("with it 110 bytes were under way, and 100 are the most");
	client.leave(large);
	client.leave(begin("7", 80));
	expect(() => begin("8", 50)).toThrow("with it 210 bytes");
	client.settle(large);
	begin("8", 20);
	expect(() => begin("9", 81)).toThrow("has 81 bytes, and 80 are the most");
});
