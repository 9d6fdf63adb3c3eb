import { SelfCommunicator } from "@stickslip/core/parallel";
import { conformance } from "./testing/conformance.js";
import { runPrograms } from "./testing/run-programs.js";

conformance("self", {
	sizes: [1],
	without: [{ test: "thousands of plans", reason: "the rank is the test's own thread, whose memory grows anyway" }],
	start: async (runs) => runPrograms(runs, () => new SelfCommunicator(), { seconds: 1 }).map((outcome) => [outcome]),
});
