import { describe, expect, it } from "vitest";
import { parse } from "../cli/parse.js";
import { isServeRequest } from "../requests/serve-request.js";
import { parseServe, plannedAddresses, serveSpecs } from "./serve-options.js";

const argumentsOf = (words: string) => parse({ name: "serve", options: serveSpecs }, words.split(" ").filter(Boolean));
const parsed = (words: string) => parseServe(argumentsOf(words));

describe("the options of serve", () => {
	it("listen on loopback where nothing else is said, and keep within limits", () => {
		const { serve, how } = parsed("");
		expect(serve).toMatchObject({
			zeromq: { host: "127.0.0.1", port: 9440 },
			websocket: { host: "127.0.0.1", port: 9441 },
			origins: [],
			drainSeconds: 60,
		});
		expect(how).toEqual({});
		expect(serve.limits.message).toBeLessThanOrEqual(serve.limits.bytes);
	});

	it("are data that a run can keep", () => {
		const words =
			"--listen tcp://[::]:1 --websocket none --advertise host --keys k --client a --client b --origin https://x.org/ --ranks 2 --limit-bytes 3G --keep 0 --json";
		const { serve, how } = parsed(words);
		expect(JSON.parse(JSON.stringify(serve))).toEqual(serve);
		expect(isServeRequest(serve)).toBe(true);
		expect(serve).toMatchObject({
			zeromq: { host: "::", port: 1 },
			advertise: "host",
			folder: "k",
			clients: ["a", "b"],
			origins: ["https://x.org"],
			json: true,
		});
		expect([serve.websocket, serve.limits.bytes, serve.keep.seconds, how.ranks]).toEqual([
			undefined,
			3 * 2 ** 30,
			0,
			2,
		]);
	});

	it("say where clients will find the service before it is up", () => {
		const planned = (words: string) => plannedAddresses(argumentsOf(words));
		expect(planned("--client a")).toBeUndefined();
		expect(planned("--listen tcp://10.0.0.1:5 --websocket none")).toEqual({ zeromq: "tcp://10.0.0.1:5" });
		expect(planned("--advertise h --tls-cert c --tls-key k")).toEqual({
			zeromq: "tcp://h:9440",
			websocket: "wss://h:9441",
		});
		expect(() => planned("--listen tcp://h:0")).toThrow(
			"the port is not known before the service is up; name the port",
		);
	});

	it.each([
		[
			"--listen 127.0.0.1:9440",
			'serve: --listen: "127.0.0.1:9440" is not of the form tcp://ADDRESS:PORT; write e.g. tcp://127.0.0.1:9440',
		],
		["--listen tcp://h:99999", "is not of the form tcp://ADDRESS:PORT"],
		["--websocket 9441", '"9441" is not of the form ADDRESS:PORT'],
		["--origin example.org", '"example.org" is not the origin of a page; write e.g. https://example.org'],
		["--origin https://example.org/page", "is not the origin of a page"],
		["--tls-cert x", "--tls-key: is missing; give the certificate and its key"],
		["--limit-bytes 12", "is not an amount of memory"],
		["--limit-requests 0", "--limit-requests: "],
		["--keep -1", "--keep: "],
		["--ranks none", "--ranks"],
		["--transport carrier", "--transport"],
		["problem.hdf5", "is not an option"],
	])("refuse %j", (words, problem) => {
		expect(() => parsed(words)).toThrow(problem);
	});
});
