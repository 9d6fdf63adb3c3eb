import { SelfCommunicator } from "@stickslip/core/parallel";
import { conformance } from "./testing/conformance.js";
import { runProgram } from "./testing/outcome.js";

conformance("self", {
	sizes: [1],
	start: async (run) => [runProgram(run, () => new SelfCommunicator(), { seconds: run.patienceSeconds })],
});
