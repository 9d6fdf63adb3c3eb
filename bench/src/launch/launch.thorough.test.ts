/** The benches of launched runs at a tiny size: one way, one node, one fault, one checkpoint, one line. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultRound, faultSubject } from "../faults/faults.js";
import { Hosts } from "../faults/hosts.js";
import { writersRound } from "../faults/writers.js";
import { compare } from "../strangers.js";
import { Bed, Cluster, noHosts, noRelay } from "../testing.js";
import { checkpoint } from "./checkpoint.js";
import { launchOn } from "./launchers.js";
import { linkRows } from "./link.js";
import { secondsOf } from "./ready.js";
import { subjectIn } from "./subject.js";

const reason = noHosts() ?? noRelay();

describe.skipIf(reason !== undefined)(
	`launched runs (skipped where there are no hosts: ${reason ?? "not here"})`,
	() => {
		let bed: Bed;
		beforeAll(() => {
			bed = new Bed();
		});
		afterAll(() => bed.close());

		it("launchers, ready: tells the hash and the seconds", { timeout: 60_000 }, async () => {
			const cluster = new Cluster(1);
			try {
				const subject = subjectIn(bed.folder, "spheres", 50, ["--max-iterations", "5"]);
				const row = await launchOn(cluster, "local", 1, subject);
				expect(row).toMatchObject({ same: "yes", hash: subject.answer.hash.slice(0, 16), ranks: 2 });
				expect(Number(row.readySeconds)).toBeGreaterThan(0);
				expect(await secondsOf(cluster, "local", 4, subject.line)).toBeLessThan(30);
				const other = { ...subject, answer: { ...subject.answer, hash: "another" } };
				expect((await launchOn(cluster, "local", 1, other)).same).toBe("NO");
			} finally {
				await cluster.close();
			}
		});

		it("faults: a round is held, and one with another answer is not", { timeout: 120_000 }, async () => {
			const hosts = new Hosts();
			try {
				const subject = faultSubject(bed.folder, 2e-6);
				expect(await faultRound(hosts, subject, "hub", 1, "local", 0.2)).toMatchObject({ kind: "hub", held: "yes" });
				const other = { ...subject, answer: { ...subject.answer, iterations: 1 } };
				expect(await faultRound(hosts, other, "rank", 1, "local", 0.2)).toMatchObject({ held: "NO" });
			} finally {
				await hosts.close();
			}
		});

		it("faults: of two writers one is refused", { timeout: 600_000 }, async () => {
			expect(await writersRound(3, 100)).toMatchObject({ held: "yes" });
		});

		it("strangers: memory of all that belong to a run", { timeout: 120_000 }, async () => {
			const rows = await compare("local", 0.2, ["silent"]);
			expect(rows.map(({ who }) => who).sort()).toEqual(["a rank's process", "the hub", "who started it"]);
			for (const { quiet, attacked } of rows) expect(Math.min(quiet, attacked)).toBeGreaterThan(0);
		});

		it("checkpoint: the same hash with and without", { timeout: 60_000 }, async () => {
			expect(await checkpoint.run(["--tiny"])).toBe(0);
		});

		it("link: two hosts, one hash, and the relay tells what it took", { timeout: 60_000 }, async () => {
			const sizes = { contacts: 300, iterations: 10, method: "pqn-diagonal", delay: 0.5, rounds: 1 };
			const [row] = await linkRows(sizes);
			expect(row).toMatchObject({ same: "yes", lost: 0 });
			expect(row?.roundTripMs).toBeGreaterThan(1);
			expect(row?.relayCores).toBeGreaterThan(0);
		});
	},
);
