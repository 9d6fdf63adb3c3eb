/** `stickslip serve`: a service that solves the problems that programs on this machine or others send it. */
import { handleSignals, holdSignals } from "../base/signals.js";
import type { Arguments } from "../cli/arguments.js";
import type { Command, ExitCode, Terminal } from "../cli/command.js";
import { serve as startService } from "../service/serve.js";
import { parseServe, plannedAddresses, serveSpecs } from "../service/serve-options.js";
import { ServiceFolder } from "../service/service-folder.js";
import { openSession } from "../session/open-session.js";

const notes = `The first start makes the keys and a connection file for each client, which only you can read: give it to
the program that is to be this client. A client whose file is removed is not let in any more.

The first SIGTERM or Ctrl-C ends the service when what it has begun is answered, with exit code 0; the
second ends it at once. Ranks that are lost are started again, and their requests repeated once.

GET /healthz and GET /metrics (Prometheus) are answered on the port of the WebSocket.

Examples:
  stickslip serve
  stickslip serve --listen tcp://0.0.0.0:9440 --advertise solver.example.org --client ann --client bob
  stickslip serve --websocket 0.0.0.0:9441 --tls-cert cert.pem --tls-key key.pem \\
    --origin https://example.org
  stickslip serve --add-client carol`;

export const serve: Command = {
	name: "serve",
	usage: "[options]",
	what: "solves problems that programs send over ZeroMQ or WebSocket",
	options: serveSpecs,
	notes,
	run: (args, terminal) => (args.texts("add-client").length > 0 ? addClients(args, terminal) : run(args, terminal)),
};

/** Exit code of a process that the second Ctrl-C ends. */
const INTERRUPTED = 130;

async function run(args: Arguments, terminal: Terminal): Promise<ExitCode> {
	const { drainSeconds, how, ...options } = parseServe(args);
	holdSignals();
	const signalled = firstSignal();
	const log = (line: string) => terminal.err(`stickslip: ${line}`);
	// The thread that listens has to stay free: a single rank is a thread of its own as well.
	const service = await startService({
		...options,
		openSession: () => openSession({ transport: "threads", ...how }),
		log,
	});
	const { addresses, ranks, clients } = service;
	if (args.flag("json")) {
		terminal.out(JSON.stringify({ ...addresses, ranks, pid: process.pid, clients: Object.fromEntries(clients) }));
	}
	log(`serving on ${Object.values(addresses).join(" and ")} with ${ranks} ${ranks === 1 ? "rank" : "ranks"}`);
	for (const [name, file] of clients) log(`client ${name}: ${file}`);
	const signal = await signalled;
	log(`${signal}: answering what has begun; a second signal ends at once`);
	await service.drain(signal, drainSeconds);
	return 0;
}

/** A second one ends this process. */
function firstSignal(): Promise<NodeJS.Signals> {
	return new Promise((resolve) => {
		let isFirst = true;
		handleSignals((signal) => {
			if (!isFirst) process.exit(INTERRUPTED);
			isFirst = false;
			resolve(signal);
		});
	});
}

async function addClients(args: Arguments, terminal: Terminal): Promise<ExitCode> {
	parseServe(args);
	const folder = new ServiceFolder(args.text("keys"));
	const addresses = plannedAddresses(args) ?? folder.addresses;
	if (addresses === undefined) {
		const remedy = "start the service first, or give --listen and --websocket as it will be started";
		args.refuse("--add-client", "where the service will be is not known", remedy);
	}
	for (const name of args.texts("add-client")) {
		folder.addClient(name, addresses);
		terminal.out(folder.fileOf(name));
	}
	return 0;
}
