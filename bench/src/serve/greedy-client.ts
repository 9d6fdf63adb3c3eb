/** A client process that takes all places of its client: CONNECTION PLACES TRANSPORT. It sends solves without an end, says when they are taken, and waits. */
import { connect } from "@stickslip/client";
import { generate } from "@stickslip/core";

const [connection = "", places, transport] = process.argv.slice(2);
const client = await connect(connection, { transport: transport === "websocket" ? "websocket" : "zeromq" });
const problem = generate("spheres", { contacts: 100 });
const endless = { method: "pqn-diagonal", tolerance: 1e-300, maxIterations: Number.POSITIVE_INFINITY };
const solves = Array.from({ length: Number(places) }, () => client.solve(problem, endless));
// The service takes messages in turn: when it has answered this one it has taken the others.
await client.fetch("nothing").catch(() => {});
console.log("taken");
await Promise.all(solves);
