/** Strangers at every port that the run listens on, on all hosts, until it ends. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Host, pause, type Running, until } from "../../testing.js";
import { type Act, type FaultKind, NOBODY, type Scene, type Victim } from "../kind.js";

const STRANGERS = 300;
const MOST_SECONDS = 6;
const START_SECONDS = 20;
/** Of servers that are no part of the run: ssh and Slurm. */
const FOREIGN = new Set([22, 23, 24, 16817, 16818]);
const program = fileURLToPath(new URL("../../../dist/faults/stranger-process.js", import.meta.url));

export const strangers: FaultKind = {
	ways: ["local", "ssh", "openmpi", "mpich", "slurm"],
	open: (scene) => new Crowds(scene),
};

class Crowds implements Act {
	/** MPICH's mpiexec ends with the first stranger at its own port, and the run with it; everything else continues. */
	readonly isHarmless: boolean;
	readonly named = /mpirun ended before its ranks did/;
	/** They wait on their hosts from the beginning: a run is over soon. */
	readonly #crowds: ReadonlyMap<Host, Running>;

	constructor({ cluster, way, bed }: Scene) {
		this.isHarmless = way !== "mpich";
		// Only the first host has anything of a run that is local.
		const hosts = way === "local" ? [cluster.front] : cluster.network.hosts;
		const start = (host: Host) => {
			const [first = "", ...others] = [...host.words(), process.execPath, program, String(STRANGERS)];
			return bed.start(first, others, { input: "open", seconds: 100 });
		};
		this.#crowds = new Map(hosts.map((host) => [host, start(host)]));
	}

	async strike({ launched }: Victim): Promise<string> {
		let isOver = false;
		void launched.ended.finally(() => {
			isOver = true;
		});
		const all = [...this.#crowds];
		const areHere = () => isOver || all.every(([, { out }]) => out().includes("here"));
		await until("strangers are there", areHere, { seconds: START_SECONDS });
		let ports = 0;
		for (const [host, { child }] of all) {
			const places = portsOf(host);
			ports += places.length;
			child.stdin?.write(`${places.join(" ")}\n`);
		}
		for (const end = performance.now() + 1000 * MOST_SECONDS; performance.now() < end && !isOver; ) await pause(0.05);
		for (const [, { child }] of all) child.stdin?.end();
		const said = await Promise.all(all.map(async ([, { ended }]) => (await ended).out.split("\n")[1] ?? ""));
		return ports === 0 ? NOBODY : `${ports} ports: ${said.filter((each) => each !== "").join(", ")}`;
	}

	mend(): void {
		for (const [, crowd] of this.#crowds) crowd.signal("SIGKILL");
	}
}

/** "ADDRESS:PORT" of what listens on a host, beside its servers. */
export function portsOf({ namespace }: Host): string[] {
	const text = execFileSync("ip", ["netns", "exec", namespace, "ss", "-Hltn"], { encoding: "utf8" });
	const places = text.split("\n").flatMap((line) => line.trim().split(/\s+/)[3] ?? []);
	const own = places.filter((place) => !FOREIGN.has(Number(/\d+$/.exec(place)?.[0])));
	return own.map((place) => place.replace(/^(0\.0\.0\.0|\*|\[::\])/, "127.0.0.1"));
}
