/** What a run tells a Prometheus server. */
import { errorOf } from "@stickslip/core";
import { counter, expositionText, gauge, type Labels, type Metric, only } from "../output/exposition.js";
import { hasEnded } from "./run-status.js";
import { STATUSES } from "./state.js";
import type { View } from "./view.js";

/** The metrics of some runs. */
export function metricsText(views: readonly View[]): string {
	return expositionText(views.flatMap(metricsOf));
}

function metricsOf(view: View): Metric[] {
	const all = [...runMetrics(view), ...solveMetrics(view), ...reportMetrics(view)];
	const run = view.facts.id;
	return all.map((metric) => ({
		...metric,
		samples: metric.samples.map(({ labels, value }) => ({ labels: { run, ...labels }, value })),
	}));
}

function runMetrics({ facts, state, runStatus, age, placement, checkpoint }: View): Metric[] {
	const { where, version } = facts;
	return [
		gauge("run_info", "Facts about the run; always 1.", [{ labels: { where, version, name: facts.name }, value: 1 }]),
		gauge(
			"run_status",
			"1 for the current status of the run, 0 for the others.",
			STATUSES.map((status) => ({ labels: { status }, value: runStatus.status === status ? 1 : 0 })),
		),
		gauge(
			"run_heartbeat_age_seconds",
			"Time since the run last renewed its state.",
			hasEnded(runStatus.status) ? [] : only(age),
		),
		counter("run_restarts_total", "Number of restarts.", only(Math.max(0, state.attempt - 1))),
		gauge(
			"run_ranks",
			"Number of ranks of a launched run.",
			placement ? only(placement.nodes * placement.ranksPerNode) : [],
		),
		gauge("checkpoint_age_seconds", "Time since the newest checkpoint was written.", only(checkpoint?.age)),
		gauge("checkpoint_iteration", "Iteration of the newest checkpoint.", only(checkpoint?.iteration)),
		gauge("checkpoint_bytes", "Size of the newest checkpoint.", only(checkpoint?.bytes)),
	].filter(({ samples }) => samples.length > 0);
}

function solveMetrics({ progress }: View): Metric[] {
	if (progress === undefined) return [];
	const { problem, measure } = progress;
	const one = (value: number, more: Labels = {}) => [{ labels: { problem, ...more }, value }];
	return [
		counter("iterations_total", "Iterations of the current problem.", one(progress.iterations)),
		counter("products_total", "Products with W of the current problem.", one(progress.products)),
		gauge("error", "Error of the iterate, in the measure of the tolerance.", one(progress.error, { measure })),
		gauge("tolerance", "The tolerance.", one(progress.tolerance, { measure })),
		gauge("solve_seconds", "Time spent on the current problem.", one(progress.seconds)),
		gauge("contacts", "Contacts of the current problem.", one(progress.contacts)),
		gauge("input", "Index of the current problem among those of the run, from 0.", one(progress.input)),
	];
}

function reportMetrics({ reports }: View): Metric[] {
	if (reports.length === 0) return [];
	const each = (value: (report: View["reports"][number]["report"]) => number) =>
		reports.map(({ input, report }) => {
			return { labels: { problem: report.problem, input: String(input) }, value: value(report) };
		});
	return [
		gauge(
			"report_solved",
			"1 for a finished problem that is solved, else 0.",
			each(({ status }) => (status === "solved" ? 1 : 0)),
		),
		gauge(
			"report_iterations",
			"Iterations of a finished problem.",
			each(({ iterations }) => iterations),
		),
		gauge(
			"report_seconds",
			"Time spent on a finished problem.",
			each(({ seconds }) => seconds),
		),
		gauge("report_error", "Error of a finished problem, in the measure of its tolerance.", each(errorOf)),
	];
}
