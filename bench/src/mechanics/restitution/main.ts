/** Energy and momentum under restitution: gases, stacks at rest, random collisions, and impacts that have a closed form. */
import type { Bench } from "../../bench.js";
import { recordCsv } from "../../record.js";
import { collisionRows } from "./collisions.js";
import { gasRows, lossRows } from "./gas.js";
import { impactRows } from "./impacts.js";
import { stackRows } from "./stack.js";

export const restitution: Bench = {
	name: "restitution",
	what: "energy and momentum under restitution: gas, stack at rest, 1,200 random collisions, closed forms, by Newton's and Poisson's law",
	run() {
		const parts = [
			() => impactRows(500),
			() => stackRows(2000),
			() => collisionRows(1200),
			() => lossRows(6),
			() => gasRows(6, 10_000),
		];
		const rows = parts.flatMap((part) => {
			const made = part();
			for (const { what, count, measured, target, held } of made) {
				const bound = target === "" ? "" : `target ${target}: ${held === "yes" ? "held" : "MISSED"}`;
				console.log(`${what.padEnd(84)} ${String(count).padStart(6)}  ${measured.toExponential(2).padEnd(9)} ${bound}`);
			}
			return made;
		});
		const short = rows.map((each) => ({ ...each, measured: Number(each.measured.toPrecision(4)) }));
		console.log(`recorded in ${recordCsv("restitution", short)}`);
		return rows.some(({ held }) => held === "NO") ? 1 : 0;
	},
};
