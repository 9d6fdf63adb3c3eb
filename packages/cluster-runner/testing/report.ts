/** A report to print: a name and a reason as hostile as they may be. */
import type { Report } from "@stickslip/core";

export const report: Report = {
	problem: `<script>alert("1")</script>.hdf5`,
	contacts: 12,
	method: "auto",
	status: "solved",
	reason: "it's <b>done</b> & dusted",
	remedies: [],
	iterations: 3,
	products: 4,
	measure: "energy",
	tolerance: 1e-6,
	energy: 1e-7,
	natural: 1e-8,
	merit: 1e-12,
	seconds: 0.5,
	secondsFirst: 0.6,
	ranks: 1,
	transport: "self",
	operator: "assembled",
	exchanges: 0,
	reductions: 0,
	perRank: [{ exchanges: 0, reductions: 0, bytes: 0, phases: {}, peakMemory: 2048 }],
	hash: "abc",
	version: "0.1.0",
	history: [1e-2, 1e-4, 1e-7],
};
