/** The metrics of a service for Prometheus. */
import {
	counter,
	expositionText,
	gauge,
	Histogram,
	type Labels,
	type Metric,
	only,
	type Sample,
} from "../output/exposition.js";
import type { Client } from "./client.js";
import type { Listener } from "./connection.js";

/** Seconds from arrival to answer. */
const BOUNDS = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300];

/** The present state of the service. */
export interface ServiceState {
	readonly clients: Iterable<Client>;
	readonly listeners: readonly Listener[];
	readonly waiting: number;
	readonly running: number;
	readonly ranks: number;
	readonly losses: number;
	readonly isDraining: boolean;
}

export class Statistics {
	readonly #seconds = new Histogram(BOUNDS);
	/** By client, and by status of the report or code of the error. */
	readonly #answers = new Map<string, Map<string, number>>();
	readonly #rankSeconds = new Map<string, number>();

	/** A request has ended, with the status of its report or the code of an error. */
	count(client: string, outcome: string, seconds?: number): void {
		const own = this.#answers.get(client) ?? new Map<string, number>();
		own.set(outcome, (own.get(outcome) ?? 0) + 1);
		this.#answers.set(client, own);
		if (seconds !== undefined) this.#seconds.add(seconds);
	}

	/** The seconds of rank time that it took. */
	spend(client: string, seconds: number): void {
		this.#rankSeconds.set(client, (this.#rankSeconds.get(client) ?? 0) + seconds);
	}

	/** `isNamed`: with the names of clients; else all clients are one. */
	text(state: ServiceState, isNamed: boolean): string {
		const { listeners, waiting, running, ranks, losses, isDraining } = state;
		const clients = [...state.clients];
		const labels = (client: string): Labels => (isNamed ? { client } : {});
		const each = (value: (client: Client) => number) =>
			summed(clients.map((client) => ({ labels: labels(client.name), value: value(client) })));
		const answers = [...this.#answers].flatMap(([client, outcomes]) =>
			[...outcomes].map(([outcome, value]) => ({ labels: { ...labels(client), outcome }, value })),
		);
		const refused = listeners.flatMap((listener) =>
			[...listener.refused].map(([reason, value]) => ({ labels: { address: listener.address, reason }, value })),
		);
		return expositionText([
			gauge("service_ranks", "Ranks that solve; 0 while they are started.", only(ranks)),
			counter("service_rank_losses_total", "How often ranks were lost and started again.", only(losses)),
			gauge("service_draining", "1 when the service takes no more requests.", only(isDraining ? 1 : 0)),
			gauge("service_requests_waiting", "Requests that wait for a rank.", only(waiting)),
			gauge("service_requests_running", "Requests that the ranks have.", only(running)),
			counter(
				"service_answers_total",
				"Requests answered, by status of the report or code of the error.",
				summed(answers),
			),
			this.#seconds.metric("service_request_seconds", "Time from the arrival of a request to its answer."),
			counter(
				"service_rank_seconds_total",
				"Time that ranks have solved for a client.",
				summed([...this.#rankSeconds].map(([client, value]) => ({ labels: labels(client), value }))),
			),
			gauge(
				"service_connections",
				"Connections of a client.",
				each(({ connections }) => connections.size),
			),
			gauge(
				"service_requests",
				"Requests of a client that are not answered.",
				each(({ requests }) => requests.size),
			),
			gauge(
				"service_request_bytes",
				"Size of these requests and of patterns.",
				each(({ bytes }) => bytes),
			),
			gauge(
				"service_patterns",
				"Patterns that a client has prepared.",
				each(({ patterns }) => patterns.size),
			),
			...trafficMetrics(each),
			gauge(
				"service_kept_bytes",
				"Size of answers and warm starts that are kept.",
				each(({ kept }) => kept.bytes),
			),
			counter("service_refused_connections_total", "Connections that were refused, by reason.", refused),
			gauge("process_resident_memory_bytes", "Memory of the process of the service.", only(process.memoryUsage.rss())),
		]);
	}
}

function trafficMetrics(each: (value: (client: Client) => number) => Sample[]): Metric[] {
	return [
		gauge(
			"service_arriving_bytes",
			"Size of messages of a client that are not complete.",
			each(({ traffic }) => traffic.arriving),
		),
		gauge(
			"service_unread_bytes",
			"Size of messages that a client has not read.",
			each(({ traffic }) => traffic.unread),
		),
		gauge(
			"service_paused_connections",
			"Connections of a client that wait until it has read, or has finished other messages.",
			each(({ traffic }) => traffic.paused),
		),
	];
}

/** One sample for each set of labels. */
function summed(samples: readonly Sample[]): Sample[] {
	const sums = new Map<string, Sample>();
	for (const { labels = {}, value } of samples) {
		const key = JSON.stringify(labels);
		sums.set(key, { labels, value: value + (sums.get(key)?.value ?? 0) });
	}
	return [...sums.values()];
}
