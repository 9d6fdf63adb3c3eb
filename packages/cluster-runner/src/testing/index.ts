/** Real parts of clusters for tests and benches, on one machine: hosts, a slow line, ssh, Slurm. Not in the package; bench/src/testing.ts is the door for benches. */
export { Bed, type Ended, type HowToStart, type Running } from "./bed.js";
export {
	Cluster,
	commandOf,
	LAUNCHER_KINDS,
	type Launched,
	type LauncherKind,
	type LogLine,
	launched,
	logIn,
	noLauncher,
	stickslip,
} from "./cluster.js";
export { type Host, type HowOnHost, type Network, openNetwork } from "./hosts.js";
export { findProgram, findPython, noHosts, noMpirun, noPython, noRelay, noSlurm, noSshd } from "./lacking.js";
export { type MalformedReport, sendMalformed } from "./malformed-client.js";
export {
	drip,
	fetchUnread,
	type Misbehaving,
	type MisbehavingDetails,
	sendEndless,
	WAYS,
	type Way,
} from "./misbehaving.js";
export { packFile } from "./packed.js";
export { launchPods, type PlayedJob, playJob } from "./pods.js";
export { openRelay, type Relay, type RelayCount } from "./relay.js";
export { openSlurm, type Slurm } from "./slurm.js";
export { openSmallDisk, type SmallDisk } from "./small-disk.js";
export { splitProblem } from "./split-problem.js";
export { openSshd, type Sshd } from "./sshd.js";
export { type Strangers, type StrangersOptions, sendStrangers } from "./strangers.js";
export { pause, until } from "./wait.js";
export { WEBSOCKET_STRANGER_KINDS, type WebSocketStrangerKind } from "./websocket-words.js";
export { STRANGER_KINDS, type StrangerKind } from "./zmtp-words.js";
