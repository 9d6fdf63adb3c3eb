/** A batch job as a follower sees it: its status from squeue, its output from the run's folder. */
import { join } from "node:path";
import type { Terminal } from "../../cli/command.js";
import type { Job, JobStatus } from "../../launch/follow.js";
import { Tail } from "../../launch/tail.js";
import { runTool } from "../../processes/tool.js";
import { SLURM_FILES } from "../../records/files.js";
import type { Run } from "../../runs/folder.js";
import { isLiving, jobState } from "./queue.js";

/** Characters of the last messages, in which the reason of a failure is searched. */
const LAST_LENGTH = 16_384;

/** With `isFromEnd` earlier output is left out: a user who resumes has seen it. */
export function slurmJob({ folder }: Run, id: string, terminal: Terminal, isFromEnd = false): Job {
	let last = "";
	const tailOf = (name: string, stream: NodeJS.WriteStream) => {
		const take = (part: Uint8Array) => {
			terminal.passing("");
			stream.write(part);
			if (name === SLURM_FILES.err) last = `${last}${Buffer.from(part).toString()}`.slice(-LAST_LENGTH);
		};
		return new Tail(join(folder, name), take, isFromEnd);
	};
	const [out, err] = [tailOf(SLURM_FILES.out, process.stdout), tailOf(SLURM_FILES.err, process.stderr)];
	return {
		scheduler: "Slurm",
		id,
		poll: () => pollJob(id),
		hasPrinted: (text) => last.includes(text),
		cancel: async () => void (await runTool("scancel", [id])),
		pump() {
			out.pump();
			err.pump();
		},
	};
}

async function pollJob(id: string): Promise<JobStatus> {
	const state = await jobState(id);
	if (state === "unknown") return { job: "unknown", text: "" };
	if (state === undefined) return { job: "ended", text: "" };
	const text = state.reason === "" || state.reason === "None" ? state.state : `${state.state}, ${state.reason}`;
	return { job: isLiving(state) ? "active" : "ended", text };
}
