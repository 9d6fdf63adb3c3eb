/** `stickslip serve`: a service that solves the problems that programs on this machine or others send it. */
import type { Arguments } from "../cli/arguments.js";
import type { Command, ExitCode, Terminal } from "../cli/command.js";
import { parseServe, plannedAddresses, serveSpecs } from "../service/serve-options.js";
import { ServeRun } from "../service/serve-run.js";
import { ServiceFolder } from "../service/service-folder.js";

const notes = `The first start creates the keys and a connection file for each client, which only you can read:
give it to the program that is this client. A client whose file is removed is disconnected. Your own
clients on this machine connect over a socket in the folder; all other connections are encrypted, with
STICKSLIP_CURVE=always these too.

The first SIGTERM or Ctrl-C ends the service when the requests in progress are answered, with exit
code 0; the second ends it at once. Lost ranks are started again, and their requests are repeated once.

Behind a launcher it is a run whose ranks are on all of its hosts; options of launch, before --, say
how many (--nodes, --ranks-per-node), and not --ranks. It listens on the host of the run,
which for Slurm is the first node. A signal or stickslip stop ends it with exit code 75, and
stickslip resume starts it again. With --restarts it continues without a lost host.

GET /healthz and GET /metrics (Prometheus) are answered on the port of the WebSocket. The metrics
name clients only if the request has the token of a client (Authorization: Bearer TOKEN).

Examples:
  stickslip serve
  stickslip serve --listen tcp://0.0.0.0:9440 --advertise solver.example.org --client ann
  stickslip serve --websocket 0.0.0.0:9441 --tls-cert cert.pem --tls-key key.pem \\
    --origin https://example.org
  stickslip serve --add-client carol
  stickslip launch slurm --nodes 4 --ranks-per-node 16 -- serve --listen tcp://0.0.0.0:9440`;

export const serve: Command = {
	name: "serve",
	usage: "[options]",
	what: "solves problems that programs send over ZeroMQ or WebSocket",
	options: serveSpecs,
	notes,
	run(args, terminal) {
		if (args.texts("add-client").length > 0) return addClients(args, terminal);
		return new ServeRun({ ...parseServe(args), line: process.argv.slice(2) }, terminal).run();
	},
};

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
