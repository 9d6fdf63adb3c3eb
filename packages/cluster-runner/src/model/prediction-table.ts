/** Predictions as lines of text. */
import { count, duration, three } from "../base/format.js";
import { type Column, head, row } from "../output/table.js";
import type { Prediction } from "./predict.js";

const COLUMNS: readonly Column[] = [
	{ title: "method", width: 20, align: "left" },
	{ title: "ranks", width: 5, align: "right" },
	{ title: "contacts a rank", width: 15, align: "right" },
	{ title: "iterations", width: 10, align: "right" },
	{ title: "seconds", width: 9, align: "right" },
	{ title: "us/iteration", width: 12, align: "right" },
	{ title: "efficiency", width: 10, align: "right" },
	{ title: "balance", width: 7, align: "right" },
	{ title: "serial", width: 6, align: "right" },
	{ title: "transfer", width: 8, align: "right" },
	{ title: "over one", width: 8, align: "right" },
];
const MICRO = 1e6;

export function predictionHead(network: string): string[] {
	return [`Predicted, on ${network}; efficiency = balance x serialisation x transfer`, ...head(COLUMNS)];
}

export function predictionLine(prediction: Prediction): string {
	const { method, ranks, contactsMean, iterations, seconds, parallel, loadBalance, serialisation, transfer } =
		prediction;
	return row(COLUMNS, [
		method,
		String(ranks),
		count(Math.round(contactsMean)),
		String(iterations),
		seconds < 1 ? three(seconds) : duration(seconds),
		three((MICRO * seconds) / Math.max(1, iterations)),
		three(parallel),
		three(loadBalance),
		three(serialisation),
		three(transfer),
		three(prediction.overOne),
	]);
}
