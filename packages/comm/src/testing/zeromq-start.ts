/** Starts the ranks of a conformance run over zeromq: so many processes (or this one alone) with so many threads each. */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bundle, bundle } from "./bundle.js";
import { curveKeys } from "./curve-keys.js";
import { COLLECTING } from "./memory.js";
import { byRun, type Outcome, type Run } from "./outcome.js";
import { type ChildMessage, type Host, type Part, startHost } from "./zeromq-host.js";

export interface ZeromqLayout {
	/** Threads of each process; all ranks are threads of the test's own process where this is 0. */
	readonly perProcess: number;
	readonly isJoined?: boolean;
	readonly isEncrypted?: boolean;
	/** Sockets have paths in a folder instead of ports. */
	readonly isInFolder?: boolean;
	readonly delaySeed?: number;
}

export interface ZeromqPrograms {
	/** By run and rank. */
	start(runs: readonly Run[], layout: ZeromqLayout): Promise<Outcome[][]>;
	remove(): void;
}

export function zeromqPrograms(): ZeromqPrograms {
	const rank = bundle(new URL("./zeromq-rank.ts", import.meta.url));
	const host = bundle(new URL("./zeromq-host.ts", import.meta.url));
	return {
		start: (runs, layout) => start(runs, layout, rank, host),
		remove: () => {
			rank.remove();
			host.remove();
		},
	};
}

async function start(runs: readonly Run[], layout: ZeromqLayout, rank: Bundle, host: Bundle): Promise<Outcome[][]> {
	const { size = 1 } = runs[0] ?? {};
	const perProcess = layout.perProcess === 0 ? size : layout.perProcess;
	const key = [...randomBytes(16)];
	const { isJoined = false, delaySeed } = layout;
	const keys = layout.isEncrypted ? curveKeys() : undefined;
	const curve = keys && ([[...keys.publicKey], [...keys.secretKey]] as const);
	const folder = layout.isInFolder ? mkdtempSync(join(tmpdir(), "stickslip-")) : undefined;
	const children: ChildProcess[] = [];
	const hosts: Host[] = [];
	try {
		for (let firstRank = 0; firstRank < size; firstRank += perProcess) {
			const part: Part = { runs, firstRank, perProcess, isJoined, key, curve, folder, delaySeed, file: rank.file };
			if (layout.perProcess === 0) hosts.push(startHost(part));
			else {
				const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
				const child = fork(host.file, ["host"], { stdio: [...stdio], execArgv: [COLLECTING] });
				children.push(child);
				hosts.push(remote(child, part));
			}
		}
		const endpoints = await Promise.all(hosts.map((one) => one.endpoints));
		for (const one of hosts) one.connect(endpoints.flat());
		return byRun((await Promise.all(hosts.map((one) => one.outcomes))).flat(), runs);
	} finally {
		await Promise.all(children.map(end));
		if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
	}
}

/** A host in a process of its own. */
function remote(child: ChildProcess, part: Part): Host {
	const ended = once(child, "exit").then(([code, signal]) => {
		throw new Error(`a process of ranks ended with ${code ?? signal}`);
	});
	const waitFor = <Value>(pick: (message: ChildMessage) => Value | undefined): Promise<Value> => {
		const received = new Promise<Value>((resolve) => {
			child.on("message", (message: ChildMessage) => {
				const value = pick(message);
				if (value !== undefined) resolve(value);
			});
		});
		return Promise.race([received, ended]);
	};
	const host: Host = {
		endpoints: waitFor((message) => ("endpoints" in message ? [...message.endpoints] : undefined)),
		outcomes: waitFor((message) => ("outcomes" in message ? message.outcomes : undefined)),
		connect: (endpoints) => child.send({ endpoints } satisfies ChildMessage),
	};
	child.send({ part } satisfies ChildMessage);
	return host;
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exit = once(child, "exit");
	child.kill("SIGKILL");
	await exit;
}
