/**
 * Products with W: the assembled kernel against the best of several C kernels, and matrix-free against assembled, in L2, L3 and
 * DRAM. The sides take turns in short windows on one core; the least time of each is its speed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bench } from "../bench.js";
import { recordCsv } from "../record.js";
import { assembled, type Effort, matrixFree, type Row } from "./measure.js";
import { even, type Pattern, sizes, spheres } from "./patterns.js";
import { compile } from "./rival.js";

const usage = "npm run bench -- kernels [--only L2|L3|DRAM] [--rounds N] [--window MS] [--tiny]";

export const kernels: Bench = {
	name: "kernels",
	what: "products with W: ours against the best C kernel in L2, L3 and DRAM, matrix-free against assembled",
	async run(args) {
		const plan = planned(args);
		if (typeof plan === "string") {
			console.log(`${plan}\n${usage}`);
			return 2;
		}
		const { only, effort, tiny } = plan;
		if (!tiny) console.log(pin());
		const folder = mkdtempSync(join(tmpdir(), "stickslip-kernels-"));
		try {
			const built = compile(folder);
			if ("absent" in built) console.log(`skipped: no C kernel to compare with: ${built.absent}`);
			const c = "absent" in built ? undefined : { program: built.program, folder };
			const rows: Row[] = [];
			const tell = (measured: readonly Row[]) => {
				for (const row of measured) console.log(line(row));
				rows.push(...measured);
			};
			console.log(header);
			for (const { place, contacts } of tiny ? [{ place: "tiny", contacts: 40 }] : sizes) {
				if (only !== undefined && only !== place) continue;
				for (const make of [spheres, even]) {
					const pattern: Pattern = make(contacts);
					tell(await assembled({ pattern, place, c, effort }));
					if (make === spheres) tell(await matrixFree({ pattern, place, c, effort }));
				}
			}
			if (!tiny && only === undefined) console.log(`recorded in ${recordCsv("kernels", rows.map(flat))}`);
			return 0;
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
};

function planned(args: readonly string[]) {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				only: { type: "string" },
				rounds: { type: "string", default: "30" },
				window: { type: "string", default: "10" },
				tiny: { type: "boolean", default: false },
			},
		});
		const { only, tiny } = values;
		const effort: Effort = { rounds: Number(values.rounds), windowMs: Number(values.window), placements: tiny ? 1 : 3 };
		if (!(effort.rounds >= 1 && effort.windowMs > 0)) return "an option is not a positive number";
		if (only !== undefined && !sizes.some(({ place }) => place === only)) return `unknown size ${only}`;
		return { only, tiny, effort };
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** Keeps this thread and its children on the last core, unless someone has already said where to run. */
function pin(): string {
	if (availableParallelism() < cpus().length) return "pinned from outside";
	const core = String(cpus().length - 1);
	const { status } = spawnSync("taskset", ["-cp", core, String(process.pid)], { stdio: "ignore" });
	return status === 0 ? `pinned to core ${core}` : "not pinned: there is no taskset";
}

const header = `${"".padEnd(50)}ns/contact   GFLOP/s    GB/s   B/contact   speed over the best C (matrix-free: over assembled)`;

/** GFLOP/s counts 18 per block of W, for matrix-free too: what the same result costs with W. */
function rates({ times, blocks, contacts, bytes }: Row) {
	return {
		nsPerContact: times.least / contacts,
		gflops: (18 * blocks) / times.least,
		gbps: (bytes + 48 * contacts) / times.least,
		bytesPerContact: bytes / contacts,
	};
}

function line(row: Row): string {
	const { nsPerContact, gflops, gbps, bytesPerContact } = rates(row);
	const { ratio } = row;
	const name = `${row.pattern} ${row.place}, ${row.blocks} blocks: ${row.kernel}`;
	const numbers = [nsPerContact.toFixed(1), gflops.toFixed(2), gbps.toFixed(1), bytesPerContact.toFixed(0)];
	const text = `${name.padEnd(50)}${numbers.map((number) => number.padStart(10)).join("")}`;
	if (ratio === undefined) return text;
	const { low, median, high } = ratio.pairs;
	return `${text}   ${ratio.byLeast.toFixed(3)} (windows: ${low.toFixed(3)} ${median.toFixed(3)} ${high.toFixed(3)})`;
}

function flat(row: Row): Record<string, string | number> {
	const { nsPerContact, gflops, gbps, bytesPerContact } = rates(row);
	const { pattern, place, contacts, blocks, kernel, times, ratio } = row;
	return {
		pattern,
		place,
		contacts,
		blocks,
		kernel,
		nsPerContact: nsPerContact.toFixed(3),
		medianNsPerContact: (times.median / contacts).toFixed(3),
		gflops: gflops.toFixed(3),
		gbps: gbps.toFixed(2),
		bytesPerContact: bytesPerContact.toFixed(1),
		ratio: ratio?.byLeast.toFixed(4) ?? "",
		ratioLow: ratio?.pairs.low.toFixed(4) ?? "",
		ratioMedian: ratio?.pairs.median.toFixed(4) ?? "",
		ratioHigh: ratio?.pairs.high.toFixed(4) ?? "",
	};
}
