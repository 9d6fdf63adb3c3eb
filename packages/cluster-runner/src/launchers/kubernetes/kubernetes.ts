/** `launch kubernetes`: pods, each of which is a node of `stickslip node`. */
import type { Launcher } from "../../processes/launcher.js";

export const kubernetes = {
	summary: "an Indexed Job (or a JobSet) with a headless service",
	example: "kubernetes --nodes 4 --claim data --dry-run -- solve pile.hdf5",
	tool: "kubectl",
	takes: ["detach", "pass"],
	options: [
		{
			name: "image",
			value: "NAME",
			what: "kubernetes: container image (default stickslip with the tag of this version)",
		},
		{ name: "namespace", value: "NAME", what: "kubernetes: the namespace (default: that of kubectl)" },
		{
			name: "claim",
			value: "NAME",
			what: "kubernetes: persistent volume claim for input files, outputs and runs, mounted at /data, where relative paths start (default: a folder that is deleted with the pod; outputs are then refused)",
		},
		{ name: "jobset", what: "kubernetes: create a JobSet instead of an Indexed Job" },
	],
	hasReportsElsewhere: true,
	load: async () => (await import("./launch.js")).launchKubernetes,
} satisfies Launcher;
