/**
 * `npm run prove [NAME...]`: what takes too long for the tests. Each proof is a command that records what it measured as
 * files under bench/results, with the machine it ran on. Without a name all run, in this order.
 */
import { main, run, StepError, setup } from "./lib/setup.mjs";

const bench = (...args) => [process.execPath, "bench/dist/main.js", ...args];

const proofs = [
	{
		name: "golden",
		what: "the program of Koziara 2017 again: same counts, same history of the merit",
		command: bench("golden"),
	},
	{ name: "memory", what: "bytes per contact of the operators and the methods", command: bench("memory") },
	{ name: "kernels", what: "products with W against the C kernel, in L2, L3 and DRAM", command: bench("kernels") },
	{
		name: "siconos",
		what: "every problem against the best of all configurations of Siconos",
		command: bench("siconos"),
	},
	{ name: "sweeps", what: "Gauss-Seidel sweeps by the order of contacts: cost and number", command: bench("sweeps") },
	{
		name: "colours",
		what: "colours against a clique, and sweeps against a shuffled serial order",
		command: bench("colours"),
	},
	{ name: "sums", what: "what sums with the same bits cost, of an iteration", command: bench("sums") },
	{ name: "partition", what: "balance and cut against METIS, and a million contacts", command: bench("partition") },
	{ name: "latency", what: "reductions and round trips beside C", command: bench("latency") },
	{ name: "ranks", what: "one hash for all ranks and transports, and two ranks against one", command: bench("ranks") },
	{
		name: "hard-scenes",
		what: "walls, pits, stacks and pyramids on which methods fail, without a failed step",
		command: bench("hard-scenes"),
	},
	{
		name: "method-hashes",
		what: "one hash and the counts that are told, of every method and law on 1 to 8 ranks of every transport",
		command: bench("method-hashes"),
	},
	{
		name: "siconos-methods",
		what: "each method against Siconos' own solver of the same name",
		command: bench("siconos-methods"),
	},
	{ name: "launchers", what: "one hash from every launcher on 1, 2 and 4 nodes", command: bench("launchers") },
	{ name: "ready", what: "8 and 64 ranks on four hosts: seconds until all iterate", command: bench("ready") },
	{
		name: "faults",
		what: "lost ranks, nodes, disks, outputs, clocks...: named or gone on with",
		command: bench("faults"),
	},
	{ name: "strangers", what: "memory of hub and ranks under 300 strangers of each kind", command: bench("strangers") },
	{
		name: "mutations",
		what: "a million spoilt inputs over all readers: no crash, no hang, no growth",
		command: bench("mutations"),
	},
	{ name: "checkpoint", what: "what a checkpoint every 30 s costs", command: bench("checkpoint") },
	{ name: "link", what: "two hosts over a slow line against one", command: bench("link") },
	{
		name: "serve",
		what: "the service under 100,000 requests of clients in three languages, losses and strangers",
		command: bench("serve"),
	},
	{
		name: "soak",
		what: "an hour of 8 clients: memory and handles of the service",
		command: bench("serve", "soak", "--seconds", "3600"),
	},
	{ name: "parts", what: "one hash from 1 to 8 parts, and memory of who brings them", command: bench("parts") },
	{ name: "motion", what: "bodies in flight: momentum, energy and order", command: bench("motion") },
	{
		name: "closed-forms",
		what: "sliding, rolling, spinning, stacking and bouncing: error and order by all schemes",
		command: bench("mechanics-closed-forms"),
	},
	{
		name: "restitution",
		what: "energy and momentum under restitution: gas, stack at rest, 1,200 random collisions, closed forms",
		command: bench("restitution"),
	},
	{
		name: "contact-fuzz",
		what: "contact points of a million seeded pairs: swapped, moved, rotated, renumbered",
		command: bench("contact-fuzz"),
	},
	{
		name: "laws",
		what: "forty thousand seeded problems of all laws: with a known solution, and without one",
		command: bench("laws"),
	},
	{
		name: "drum-hashes",
		what: "one hash of the drum on 1 to 8 ranks of every transport, resumed on other numbers",
		command: bench("drum-hashes"),
	},
	{ name: "scaling", what: "strong and weak scaling on two cores, solves and whole steps", command: bench("scaling") },
	{ name: "scene-hashes", what: "hashes of eleven scenes as they are stored", command: bench("scene-hashes") },
	{ name: "defaults", what: "every problem with the defaults: solved, how far, how long", command: bench("defaults") },
];

main((args) => {
	if (args.includes("--help") || args.includes("--list")) return console.log(list());
	const unknown = args.filter((name) => !proofs.some((proof) => proof.name === name));
	if (unknown.length > 0) throw new StepError(`unknown proof ${unknown.join(", ")}; choose one of:\n${list()}`);
	setup();
	const chosen = args.length === 0 ? proofs : proofs.filter((proof) => args.includes(proof.name));
	const lines = chosen.map(prove);
	console.log(`\n${lines.map((line) => line.text).join("\n")}`);
	return lines.every((line) => line.held) ? 0 : 1;
});

function prove({ name, what, command }) {
	console.log(`\n== ${name}: ${what}`);
	const began = Date.now();
	const [program = "", ...args] = command;
	const held = run(program, args) === 0;
	return {
		held,
		text: `${held ? "held  " : "FAILED"}  ${name} (${((Date.now() - began) / 1000).toFixed(0)} s): ${what}`,
	};
}

function list() {
	return proofs.map(({ name, what }) => `  ${name.padEnd(10)}${what}`).join("\n");
}
