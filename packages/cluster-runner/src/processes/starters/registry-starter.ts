/** Nodes that others start (`stickslip node`): the registry of node 0, which lives as long as the run, has them start their processes. */
import { randomUUID } from "node:crypto";
import { InputError } from "@stickslip/core";
import { hostIn } from "../../protocol/host-port.js";
import { keysOf, secretOf } from "../../protocol/keys.js";
import { BEAT_MS } from "../../protocol/messages.js";
import { type BindAddress, ClientSocket } from "../../protocol/sockets.js";
import { REGISTRY_VARIABLE } from "../rendezvous/node-identity.js";
import { isFromRegistry, type MessageFromRegistry, type MessageToRegistry } from "../rendezvous/registry-messages.js";
import type { HubContact, ProcessEvents, Starter } from "../starter.js";

/** The registry notifies the nodes, which notify their processes. */
const MORE_MS = 1000;

export class RegistryStarter implements Starter {
	readonly #address: string;
	readonly #id = randomUUID();
	readonly #client: ClientSocket<MessageToRegistry, MessageFromRegistry>;
	readonly #timer: NodeJS.Timeout;
	#isStarted = false;
	#events: ProcessEvents | undefined;
	#onDispersed: () => void = () => {};

	constructor(env: NodeJS.ProcessEnv = process.env) {
		const address = env[REGISTRY_VARIABLE];
		if (address === undefined) {
			const problem = "is missing: the nodes of this run are started by others, and none are expected here";
			throw new InputError("environment", REGISTRY_VARIABLE, problem, "start it with stickslip node on every node");
		}
		this.#address = address;
		const onLost = () => this.#events?.failed("the registry of node 0 is lost");
		this.#client = new ClientSocket<MessageToRegistry, MessageFromRegistry>(
			address,
			keysOf(secretOf(env.STICKSLIP_KEY)),
			isFromRegistry,
			{
				gone: onLost,
			},
		);
		this.#timer = setInterval(() => this.#client.send({ kind: "beat" }), BEAT_MS).unref();
	}

	readonly hostOf = (process: number): string => `node ${process}`;

	/** The hub listens on the registry's address. */
	async bindAddress(): Promise<BindAddress> {
		const host = hostIn(this.#address);
		return { at: { bind: host, advertised: host } };
	}

	async start({ hub, secret }: HubContact, events: ProcessEvents): Promise<void> {
		this.#events = events;
		this.#isStarted = true;
		void this.#client.listen((message) => {
			if (message.kind === "lost" && message.id === this.#id) events.lost(message.node, message.reason);
			if (message.kind === "gone" && message.id === this.#id) this.#onDispersed();
		});
		this.#client.send({ kind: "gather", id: this.#id, hub, secret });
	}

	killOne(node: number): void {
		this.#client.send({ kind: "kill", id: this.#id, node });
	}

	async end(milliseconds: number): Promise<void> {
		this.#events = undefined;
		if (this.#isStarted) {
			const dispersed = new Promise<void>((resolve) => {
				this.#onDispersed = resolve;
			});
			const timer = setTimeout(this.#onDispersed, milliseconds + MORE_MS);
			this.#client.send({ kind: "disperse", id: this.#id, milliseconds });
			await dispersed;
			clearTimeout(timer);
		}
		clearInterval(this.#timer);
		await this.#client.close();
	}
}
