/** A performance profile as a plot: rho against tau, tau by powers of two. */
import { exact } from "../base/format.js";
import type { Score } from "../requests/study-request.js";
import { type LinePlot, linePlot } from "../study/line-plot.js";
import type { Profile } from "./profile.js";

/** Beyond this tau nothing is drawn. */
const TAU_MAX = 2 ** 10;

export function profilePlot(profile: Profile, score: Score, measure: string): string {
	return linePlot(profileLines(profile, score, measure));
}

export function profileLines({ variants, problems, tolerance }: Profile, score: Score, measure: string): LinePlot {
	const last = Math.max(2, ...variants.flatMap(({ ratios }) => ratios.at(-1) ?? 1));
	const octaves = Math.max(1, Math.ceil(Math.log2(Math.min(TAU_MAX, last))));
	const lines = variants.map(({ variant, ratios }) => {
		const points: [number, number][] = [[1, 0]];
		let rho = 0;
		for (const ratio of ratios.filter((each) => each <= 2 ** octaves)) {
			points.push([ratio, rho]);
			rho += 1 / problems;
			points.push([ratio, rho]);
		}
		points.push([2 ** octaves, rho]);
		return { name: variant, points, kind: "stairs" as const };
	});
	return {
		title: `${score} to ${measure} ${exact(tolerance)}, ${problems} problems`,
		x: { label: "times what the best takes", scale: "log2", holds: [1, 2 ** octaves], text: String },
		y: {
			label: "share of problems",
			scale: "linear",
			holds: [0, 1],
			marks: [0, 0.25, 0.5, 0.75, 1],
			text: (rho) => `${100 * rho} %`,
		},
		lines,
	};
}
