/** `stickslip study`: measures and compares solves cell by cell, and predicts them on machines that one does not have. */
import type { Command } from "../cli/command.js";
import { calibrate } from "../model/calibrate.js";
import { predict } from "../model/predict.js";
import { parseCalibrate, parsePredict } from "../requests/model-request.js";
import { modelSpecs } from "../requests/model-specs.js";
import { parseStudy } from "../requests/parse-study.js";
import { studySpecs } from "../requests/study-specs.js";
import { StudyRun } from "../studies/study-run.js";

export const study: Command = {
	name: "study",
	usage: "KIND PROBLEM... --output FOLDER [options]",
	what: "measures scaling, compares methods or their options, predicts solves on large machines",
	options: [...studySpecs, ...modelSpecs],
	notes: `
KIND is one of
  strong       a problem on more and more ranks
  weak         a problem that grows with the ranks; its size is that of one rank
  profile      methods over many FCLIB files: performance profiles (Dolan and More 2002)
  sensitivity  the options of one method (--method, --vary)
  calibrate    this machine: what transports take, and the work of methods in caches and beyond
  predict      one problem on many ranks of this machine or of a published network

PROBLEM is an FCLIB file or a pattern of files, a generated problem NAME:CONTACTS[:SEED] as
spheres:10000:7 ('stickslip generate' lists names), or a scene NAME[:OPTION=VALUE...] as
drum:bodies=1000, or FILE.json. Of scenes whole steps are measured, --steps of them after the first
--skip. profile takes files only.

FOLDER gets cells.jsonl, with one line per finished measurement, and KIND.csv, KIND.json and
KIND.html. Run the command again to continue a study that was stopped or killed; with another
method, rank or problem it measures only the new cells. A cell that fails is marked with the reason,
and the others continue; --retry measures failed cells again. There are --rounds rounds, each of
which measures every cell once, in turns; the least time counts. Tables and page mark cells whose
version, machine, clock, load or answer differs. The steps of --skip are made once and kept in FOLDER.

predict records a real solve of FILE on one rank, partitions the problem for the given ranks, times
some of the parts by themselves, and replays what all ranks compute, exchange and reduce, event by
event; "over one" compares with the time of one rank, caches included.

Efficiency is work per second and rank against one rank, and the product of load balance,
serialisation and transfer (together the parallel efficiency of POP), iterations and computation; a
sentence names the largest loss.
Reliable seconds need quiet cores.

Launched, cells of fewer ranks use the first nodes. launch slurm --array N divides the cells among N
jobs, by problem and method (profile: by file; sensitivity: by problem), and gathers them into the
tables when all have ended; cells of a job that is lost are marked. In an array of your own:
  sbatch --array=0-3 --wrap 'stickslip study strong ... -o F --part $SLURM_ARRAY_TASK_ID/4'
and --gather instead of --part makes the tables.

Exit codes: 0 done, 2 a cell could not be measured, 75 stopped, with all cells kept.

Examples: stickslip study strong spheres:100000 --methods auto,gauss-seidel --ranks 1,2,4 -o strong
          stickslip study strong drum:bodies=20000 --skip 2000 --transports threads,mpi -o drum
          stickslip study weak spheres:50000 -o weak
          stickslip study profile problems/*.hdf5 --methods auto,gauss-seidel,apgd -o profile
          stickslip study sensitivity drum:bodies=100 --vary delta=0.001,0.01 --vary m=5,10 -o s
          stickslip study calibrate --output machine.json
          stickslip study predict pile.hdf5 --machine machine.json --ranks 36,720 --network omnipath-2017
          stickslip launch slurm --nodes 4 -- study strong pile.hdf5 --ranks 1,4 -o big
          stickslip launch slurm --nodes 2 --array 3 --exclusive -- study strong pile.hdf5
              --methods auto,gauss-seidel,pqn-diagonal --ranks 1,2,16,32 -o methods
`,
	async run(args, terminal) {
		const [kind] = args.operands;
		if (kind === "calibrate") return await calibrate(parseCalibrate(args), terminal);
		if (kind === "predict") return await predict(parsePredict(args), terminal);
		return await new StudyRun({ line: process.argv.slice(2), ...parseStudy(args) }, terminal).run();
	},
};
