/** `npm run bench -- NAME [arguments]`. A new bench is one file that exports a Bench, and one line here. */
import { askForLargePages } from "@stickslip/comm";
import { whenLarge } from "@stickslip/core/parallel";
import { history } from "./against/history.js";
import { against } from "./against/main.js";
import { autoTrain } from "./auto/train.js";
import { type Bench, dispatch } from "./bench.js";
import { browser } from "./browser/main.js";
import { clients } from "./clients/main.js";
import { colours } from "./colours.js";
import { defaults } from "./defaults.js";
import { factor } from "./factor/main.js";
import { faults } from "./faults/faults.js";
import { rhoRules } from "./first-order/rho-rules.js";
import { settledSpheres } from "./first-order/settled-spheres.js";
import { golden } from "./golden.js";
import { gramSchmidt } from "./gram-schmidt.js";
import { kernels } from "./kernels/main.js";
import { latency } from "./latency/main.js";
import { checkpoint } from "./launch/checkpoint.js";
import { launchers } from "./launch/launchers.js";
import { link } from "./launch/link.js";
import { ready } from "./launch/ready.js";
import { laws } from "./laws.js";
import { mechanicsClosedForms } from "./mechanics/closed-forms.js";
import { contactFuzz } from "./mechanics/contact-fuzz.js";
import { detection } from "./mechanics/detection.js";
import { drum } from "./mechanics/drum.js";
import { drumHashesBench } from "./mechanics/drum-hashes.js";
import { drumLarge } from "./mechanics/drum-large.js";
import { engines } from "./mechanics/engines/main.js";
import { mechanicsGeometry } from "./mechanics/geometry.js";
import { hardScenesBench } from "./mechanics/hard-scenes.js";
import { motion } from "./mechanics/motion.js";
import { resting } from "./mechanics/resting.js";
import { restitution } from "./mechanics/restitution/main.js";
import { runFiles } from "./mechanics/run-files.js";
import { sceneHashes } from "./mechanics/scene-hashes.js";
import { starts } from "./mechanics/starts.js";
import { steps } from "./mechanics/steps.js";
import { tunnelling } from "./mechanics/tunnelling.js";
import { validation } from "./mechanics/validation/main.js";
import { memory } from "./memory.js";
import { model } from "./model/main.js";
import { mutations } from "./mutations/mutations.js";
import { newtonBench } from "./newton/main.js";
import { partitions } from "./partition/main.js";
import { parts } from "./parts/main.js";
import { performanceBench } from "./performance/main.js";
import { pool } from "./pool/main.js";
import { ranks } from "./ranks/main.js";
import { methodHashesBench } from "./ranks/method-hashes.js";
import { twoRanksMethods } from "./ranks/two-ranks-methods.js";
import { rows } from "./rows/main.js";

import { scaling } from "./scaling/scaling.js";
import { sensitivity } from "./scaling/sensitivity.js";
import { serveBench } from "./serve/main.js";

import { session } from "./session/main.js";

import { setup } from "./setup/main.js";
import { siconosLimits } from "./siconos/limits.js";
import { siconos } from "./siconos/main.js";
import { siconosMethods } from "./siconos/methods.js";
import { siconosRolling } from "./siconos/rolling.js";
import { sizes } from "./sizes/main.js";
import { tenMillion } from "./sizes/ten-million.js";
import { strangers } from "./strangers.js";
import { sums } from "./sums/main.js";
import { sweeps } from "./sweeps.js";
import { sweepsProximal } from "./sweeps-proximal.js";
import { tolerance } from "./tolerance.js";
import { warmRanks } from "./warm/main.js";

const benches: readonly Bench[] = [
	against,
	autoTrain,
	browser,
	checkpoint,
	clients,
	colours,
	contactFuzz,
	defaults,
	drum,
	drumHashesBench,
	drumLarge,
	engines,
	detection,
	faults,
	golden,
	gramSchmidt,
	hardScenesBench,
	history,
	factor,
	kernels,
	latency,
	launchers,
	laws,
	link,
	mechanicsClosedForms,
	mechanicsGeometry,
	memory,
	model,
	motion,
	mutations,
	newtonBench,
	partitions,
	parts,
	performanceBench,
	pool,
	ranks,
	methodHashesBench,
	ready,
	restitution,
	rhoRules,
	rows,
	scaling,
	sensitivity,
	resting,
	runFiles,
	sceneHashes,
	serveBench,
	session,
	setup,
	settledSpheres,
	siconos,
	siconosLimits,
	siconosMethods,
	siconosRolling,
	starts,
	steps,
	sizes,
	strangers,
	sums,
	sweeps,
	sweepsProximal,
	tenMillion,
	tolerance,
	twoRanksMethods,
	tunnelling,
	validation,
	warmRanks,
];

// As the command's memories are (decision 0052).
whenLarge(askForLargePages);
// Whoever ends a bench ends what it has started: beds are undone at the exit of the process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
process.exitCode = await dispatch(benches, process.argv.slice(2), console.log);
