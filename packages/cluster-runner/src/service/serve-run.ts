/** `stickslip serve`: the service until it is asked to end, alone or as the run of a launcher, whose hosts then have the ranks. */

import { reserveLess } from "../base/address-space.js";
import { Interrupt } from "../base/interrupt.js";
import { holdSignals } from "../base/signals.js";
import type { ExitCode, Terminal } from "../cli/command.js";
import { oversubscriptionWarning } from "../ranks/choose.js";
import type { ServeCommandLine } from "../requests/serve-request.js";
import { launchedPlacement, type StarterOf } from "../runs/launched-placement.js";
import { Recorder } from "../runs/recorder.js";
import { openSession } from "../session/open-session.js";
import { serve } from "./serve.js";

export interface ServeInvocation extends ServeCommandLine {
	/** The folder of the run that this is part of. */
	readonly folder?: string;
	/** Starts processes where the run was launched to; absent for a run without a launcher. */
	readonly starterOf?: StarterOf;
}

/** The exit code of a stopped run: stickslip resume starts it again. */
const STOPPED = 75;
/** The limit with a supervisor, which starts the service again on the remaining hosts. */
const TRIES_MAX = 2;

export class ServeRun {
	readonly #call: ServeInvocation;
	readonly #terminal: Terminal;
	readonly #interrupt: Interrupt;

	constructor(call: ServeInvocation, terminal: Terminal) {
		this.#call = call;
		this.#terminal = terminal;
		this.#interrupt = new Interrupt(() => this.#log("answering what has begun; a second signal ends at once"));
	}

	async run(): Promise<ExitCode> {
		holdSignals();
		const { folder } = this.#call;
		return await this.#interrupt.during(async () => {
			if (folder === undefined) {
				await this.#serve(undefined);
				return 0;
			}
			const recorder = new Recorder(folder, false);
			await recorder.begin(() => this.#interrupt.request());
			let code: ExitCode = 3;
			try {
				await this.#serve(recorder);
				code = STOPPED;
			} finally {
				code = await recorder.end(code);
			}
			return code;
		});
	}

	/** Serves until it is asked to end, and all requests are answered. */
	async #serve(recorder: Recorder | undefined): Promise<void> {
		const { serve: request, how } = this.#call;
		const { drainSeconds, json } = request;
		const placement = launchedPlacement(recorder, this.#call);
		// The listening thread has to stay free: even a single rank is a thread of its own.
		const ranks = placement === undefined ? ({ transport: "threads", ...how } as const) : { placement };
		const options = { ...ranks, ...(recorder && { log: recorder.log }) };
		const log = (line: string) => this.#log(line);
		for (const warning of [oversubscriptionWarning(ranks), reserveLess()]) if (warning !== undefined) log(warning);
		const triesMax = recorder?.hasRestarts ? TRIES_MAX : undefined;
		const service = await serve({ ...request, openSession: () => openSession(options), triesMax, log });
		const { addresses, clients } = service;
		recorder?.listening({ addresses: { ...addresses }, clients: Object.fromEntries(clients) });
		if (json) {
			const about = { ranks: service.ranks, pid: process.pid, clients: Object.fromEntries(clients) };
			this.#terminal.out(JSON.stringify({ ...addresses, ...about }));
		}
		const count = `${service.ranks} ${service.ranks === 1 ? "rank" : "ranks"}`;
		log(`serving on ${Object.values(addresses).join(" and ")} with ${count}`);
		for (const [name, file] of clients) log(`client ${name}: ${file}`);
		const { signal } = this.#interrupt;
		const asked = new Promise<undefined>((resolve) => {
			if (signal.aborted) resolve(undefined);
			else signal.addEventListener("abort", () => resolve(undefined));
		});
		const failure = await Promise.race([asked, service.failed]);
		// The supervisor of the run leaves out lost hosts, and starts it again; clients repeat what was not answered.
		if (failure !== undefined) {
			await service.close();
			throw failure;
		}
		await service.drain("the service ends", drainSeconds);
	}

	#log(line: string): void {
		this.#terminal.err(`stickslip: ${line}`);
	}
}
