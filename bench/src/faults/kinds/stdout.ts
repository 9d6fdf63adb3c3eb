/** Standard output cannot be written to: a full device from the beginning, or a file on a disk that becomes full. */
import { join } from "node:path";
import { openSmallDisk } from "../../testing.js";
import { ANSWER_SECONDS, type FaultKind } from "../kind.js";

const DISK_BYTES = 2 ** 20;

export const stdout: FaultKind = {
	ways: ["local", "ssh", "openmpi", "mpich", "slurm"],
	open(scene) {
		const named = { named: /^stickslip: .*standard output/im, namedSeconds: ANSWER_SECONDS };
		const common = { ...named, isLasting: true, isUnread: true, mayRefuse: true };
		if (scene.random.below(4) === 0) {
			scene.stdout = "/dev/full";
			return { ...common, strike: async () => "standard output, a full device" };
		}
		const small = openSmallDisk(scene.bed, DISK_BYTES);
		scene.stdout = join(small.folder, "out.json");
		return {
			...common,
			mend: () => small.free(),
			async strike() {
				small.fill();
				return "standard output, on a full disk";
			},
		};
	},
};
