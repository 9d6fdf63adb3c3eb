/** A link between two ports of this machine that can be watched, held up and cut, as a worker: tests that wait block their own thread. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/** What a test and its relay share: see Link in link.ts. */
export interface RelayData {
	readonly port: number;
	readonly words: Int32Array;
	/** What the ones who connect said first, as much as there is room for. */
	readonly record: Uint8Array;
}

export const words = { listensOn: 0, mode: 1, swallowed: 2, recorded: 3, cuts: 4, connections: 5 } as const;
export const modes = { pass: 0, hold: 1, swallow: 2 } as const;
const HOLD_MS = 10;

const data = workerData as RelayData | undefined;
if (data?.words instanceof Int32Array) relay(data);

function relay({ port, words: shared, record }: RelayData): void {
	const open = new Set<Socket>();
	const add = (word: number, count: number) => void Atomics.add(shared, word, count);
	const pass = (into: Socket, bytes: Uint8Array): void => {
		const mode = Atomics.load(shared, words.mode);
		if (mode === modes.swallow) add(words.swallowed, bytes.length);
		else if (mode === modes.pass) into.write(bytes);
	};
	const forward = (from: Socket, into: Socket): void => {
		const release = () => {
			if (Atomics.load(shared, words.mode) === modes.hold) setTimeout(release, HOLD_MS);
			else from.resume();
		};
		from.on("data", (bytes: Uint8Array) => {
			if (Atomics.load(shared, words.mode) !== modes.hold) return pass(into, bytes);
			from.pause();
			from.unshift(bytes);
			setTimeout(release, HOLD_MS);
		});
		from.on("error", () => undefined);
		from.on("close", () => {
			open.delete(from);
			into.destroy();
		});
		open.add(from);
	};
	const server = createServer((client) => {
		const far = connect(port, "127.0.0.1");
		client.on("data", (bytes: Uint8Array) => {
			const at = Atomics.load(shared, words.recorded);
			const part = bytes.subarray(0, record.length - at);
			record.set(part, at);
			add(words.recorded, part.length);
		});
		forward(client, far);
		forward(far, client);
		add(words.connections, 1);
	});
	server.listen(0, "127.0.0.1", () => {
		Atomics.store(shared, words.listensOn, (server.address() as AddressInfo).port);
		Atomics.notify(shared, words.listensOn);
	});
	parentPort?.on("message", () => {
		for (const socket of open) socket.resetAndDestroy();
		add(words.cuts, 1);
	});
}
