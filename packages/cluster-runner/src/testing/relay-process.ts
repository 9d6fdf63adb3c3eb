/**
 * The relay's program: carries packets between TUN devices, each some time after it came, to the device that has its address. netem is not in every kernel, so the delay is
 * made here. Its words are one JSON object; it obeys lines on standard input (`cut`, `restore`, `tell`) and ends when that is closed.
 */
import { execFileSync } from "node:child_process";
import { writeSync } from "node:fs";
import type { RelayCount, RelayTask } from "./relay.js";
import { EAGAIN, errno, openTun, Poll, readBytes, takePrecedence, writeBytes } from "./tun.js";

/** Packets in transit from one device; those without room are lost, as in a switch. */
const SLOTS = 4096;
/** Read at a time before the other devices get their turn. */
const BURST = 64;
const IDLE_MS = 1000;

/** The last byte of an IPv4 packet's destination, which is the number of the device from 1. */
const DESTINATION_AT = 19;

/** What comes from one device: a ring of packets with the times at which they are due. */
class Line {
	readonly #from: number;
	readonly #devices: readonly number[];
	readonly #delay: number;
	readonly #packets: Uint8Array[];
	readonly #bytes = new Int32Array(SLOTS);
	readonly #came = new Float64Array(SLOTS);
	#head = 0;
	#count = 0;
	readonly events = { packets: 0, bytes: 0, lost: 0, delay: 0, delayMax: 0 };

	constructor(from: number, devices: readonly number[], { delayMs, mtu }: RelayTask) {
		this.#from = from;
		this.#devices = devices;
		this.#delay = delayMs;
		this.#packets = Array.from({ length: SLOTS }, () => new Uint8Array(mtu));
	}

	/** When the next packet is due. */
	get due(): number {
		return this.#count === 0 ? Number.POSITIVE_INFINITY : (this.#came[this.#head] ?? 0) + this.#delay;
	}

	take(isCut: boolean): void {
		for (let taken = 0; taken < BURST; taken += 1) {
			const isFull = this.#count === SLOTS;
			// A packet that will be lost has to be read all the same: over the last one's successor, which is free or lost as well.
			const slot = isFull ? spare : this.#packets[(this.#head + this.#count) % SLOTS]!;
			const bytes = readBytes(this.#from, slot, slot.length);
			if (bytes < 0 && errno() !== EAGAIN) throw new Error(`reading a packet failed: error ${errno()}`);
			if (bytes <= 0) return;
			if (isFull || isCut) {
				this.events.lost += 1;
				continue;
			}
			const index = (this.#head + this.#count) % SLOTS;
			this.#bytes[index] = bytes;
			this.#came[index] = performance.now();
			this.#count += 1;
		}
	}

	give(): void {
		for (let now = performance.now(); this.due <= now; now = performance.now()) {
			const { events } = this;
			const delay = now - this.#came[this.#head]!;
			const bytes = this.#bytes[this.#head]!;
			const packet = this.#packets[this.#head]!;
			const to = this.#devices[packet[DESTINATION_AT]! - 1];
			if (to === undefined || writeBytes(to, packet, bytes) < 0) events.lost += 1;
			events.packets += 1;
			events.bytes += bytes;
			events.delay += delay;
			events.delayMax = Math.max(events.delayMax, delay);
			this.#head = (this.#head + 1) % SLOTS;
			this.#count -= 1;
		}
	}
}

const task: RelayTask = JSON.parse(process.argv[2] ?? "{}");
const spare = new Uint8Array(task.mtu);
const devices = task.ends.map(({ namespace, address }) => {
	const fd = openTun(`/run/netns/${namespace}`, task.device);
	const commands = [`link set ${task.device} up mtu ${task.mtu}`, `address add ${address}/24 dev ${task.device}`];
	execFileSync("ip", ["-n", namespace, "-batch", "-"], { input: `${commands.join("\n")}\n` });
	return fd;
});
const lines = devices.map((from) => new Line(from, devices, task));
const input = new Uint8Array(1024);
const poll = new Poll([...devices, 0]);
let isCut = false;

function tell(): void {
	const { user, system } = process.cpuUsage();
	const sum = (name: "packets" | "bytes" | "lost" | "delay") =>
		lines.reduce((total, { events }) => total + events[name], 0);
	const count: RelayCount = {
		packets: sum("packets"),
		bytes: sum("bytes"),
		lost: sum("lost"),
		roundTripMs: (2 * sum("delay")) / Math.max(1, sum("packets")),
		delayMaxMs: Math.max(...lines.map(({ events }) => events.delayMax)),
		cpuSeconds: (user + system) / 1e6,
	};
	writeSync(1, `${JSON.stringify(count)}\n`);
}

/** False when the parent process is gone. */
function obey(): boolean {
	const bytes = readBytes(0, input, input.length);
	if (bytes <= 0) return false;
	for (const word of Buffer.from(input.subarray(0, bytes)).toString().trim().split("\n")) {
		if (word === "tell") tell();
		else isCut = word === "cut";
	}
	return true;
}

takePrecedence();
writeSync(1, "open\n");
for (let isWanted = true; isWanted; ) {
	for (const line of lines) line.give();
	const wait = Math.min(...lines.map(({ due }) => due)) - performance.now();
	poll.wait(Math.min(IDLE_MS, wait));
	for (const line of lines) line.take(isCut);
	if (poll.isReady(devices.length)) isWanted = obey();
}
