/** The manifest of the service against the command that it starts; kubernetes.test.ts checks it against Kubernetes' schemas. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { parse } from "../../packages/cluster-runner/src/cli/parse.js";
import { parseServe, serveSpecs } from "../../packages/cluster-runner/src/service/serve-options.js";

const text = readFileSync(fileURLToPath(new URL("service.yaml", import.meta.url)), "utf8");
const [service, deployment] = parseAllDocuments(text).map((document) => document.toJS());
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const args = parse({ name: "serve", options: serveSpecs }, container.args.slice(1));

it("has the command's own options, and the ports that it listens on", () => {
	expect(container.args[0]).toBe("serve");
	const { serve, how } = parseServe(args);
	const { limits, zeromq, websocket, advertise } = serve;
	expect([zeromq.port, websocket?.port]).toEqual(service.spec.ports.map(({ port }: { port: number }) => port));
	expect([advertise, limits.bytes, how.ranks]).toEqual([service.metadata.name, 2 ** 31, 4]);
	expect(container.resources.requests.cpu).toBe(String(how.ranks));
});

it("is asked for pages that there are, on the port of the WebSocket", () => {
	const { websocket } = parseServe(args).serve;
	const probes = [container.readinessProbe, container.livenessProbe].map(({ httpGet }) => httpGet);
	expect(probes).toEqual(["/healthz", "/metrics"].map((path) => ({ path, port: websocket?.port })));
});

it("has time to answer what has begun", () => {
	expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(parseServe(args).serve.drainSeconds);
	expect(deployment.spec.strategy.type).toBe("Recreate");
});

it("selects its own pods", () => {
	const { labels } = deployment.spec.template.metadata;
	expect([service.spec.selector, deployment.spec.selector.matchLabels]).toEqual([labels, labels]);
});
