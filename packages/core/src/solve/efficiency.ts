/**
 * Where parallel time goes, in the factors of the POP methodology (pop-coe.eu): each is a share, and they multiply.
 *
 *     parallel efficiency = load balance x serialisation x transfer = mean compute / run time
 *     load balance        = mean compute / largest compute
 *     transfer            = (run time - what messages alone cost) / run time
 *     serialisation       = what is left: waiting for ranks that are late
 *
 * The cost of messages alone is taken as the packing of the rank that packs most, and the least that any rank waits and reduces: the rank
 * that is last everywhere waits for messages only, never for others.
 */
import type { Efficiency, PhaseSeconds } from "./report.js";

export function efficiencyOf(phases: readonly PhaseSeconds[]): Efficiency {
	const compute = phases.map((phase) => phase.compute);
	const most = Math.max(...compute);
	const mean = compute.reduce((sum, seconds) => sum + seconds, 0) / compute.length;
	const runTime = Math.max(...phases.map(({ compute: c, pack, wait, reduce }) => c + pack + wait + reduce));
	if (!(most > 0)) return { parallel: 1, loadBalance: 1, serialisation: 1, transfer: 1 };
	const packing = Math.max(...phases.map(({ pack }) => pack));
	const waiting = Math.min(...phases.map(({ wait, reduce }) => wait + reduce));
	// Never below what computing leaves: ranks do not pack all at the same time.
	const transfer = Math.max(most / runTime, (runTime - packing - waiting) / runTime);
	return {
		parallel: mean / runTime,
		loadBalance: mean / most,
		serialisation: most / runTime / transfer,
		transfer,
	};
}
