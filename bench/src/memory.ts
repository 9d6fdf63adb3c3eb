/**
 * Bytes per contact beyond the problem itself, of a heap of spheres: of the two operators, and of each method's vectors and blocks
 * with the system's own, as they are allocated. Beside them, for information, the most that this process ever held.
 */
import { describeMemory, generate, type Memory, methods } from "@stickslip/core";
import type { Bench } from "./bench.js";
import { recordCsv } from "./record.js";

const CONTACTS = 100_000;

interface Allowance {
	readonly name: string;
	readonly bytesMax?: number;
	readonly measure: (memory: Memory) => number;
	readonly method?: string;
	readonly set?: Readonly<Record<string, string | number>>;
}

/** The operators are the same for all methods: the leanest method shows them. */
const operator = (name: string, bytesMax: number): Allowance => ({
	name: `operator, ${name}`,
	bytesMax,
	measure: (memory) => memory.operatorBytes,
	method: "pqn-diagonal",
	set: { operator: name },
});

const method = (name: string, set: Readonly<Record<string, string | number>> = {}, bytesMax?: number): Allowance => ({
	name: [name, ...Object.entries(set).map(([key, value]) => `${key}=${value}`)].join(" "),
	measure: (memory) => memory.systemBytes + memory.methodBytes,
	method: name,
	set: { ...set, operator: "matrix-free" },
	...(bytesMax === undefined ? {} : { bytesMax }),
});

function allowances(): Allowance[] {
	return [
		operator("assembled", 900),
		operator("matrix-free", 200),
		method("pqn", { m: 10 }, 760),
		method("pqn", { scaling: "none" }, 760),
		method("pqn-diagonal", {}, 300),
		...methods()
			// Factors are of W's rows, which are left out here.
			.filter(({ name, operators }) => name !== "pqn-diagonal" && operators?.includes("matrix-free") !== false)
			.map(({ name }) => method(name)),
	];
}

export type Row = {
	readonly what: string;
	readonly bytesPerContact: number;
	readonly bytesMax: number | "";
	/** Where it is a method: the part that every method has. */
	readonly ofSystem: number | "";
};

export function measure(contacts: number): Row[] {
	const made = generate("spheres", { contacts });
	// Without friction, which some methods do not take and no memory depends on.
	const problem = { ...made, mu: new Float64Array(made.contacts) };
	return allowances().map(({ name, bytesMax, measure: bytes, ...options }) => {
		const memory = describeMemory(problem, options);
		return {
			what: name,
			bytesPerContact: bytes(memory) / problem.contacts,
			bytesMax: bytesMax ?? "",
			ofSystem: name.startsWith("operator") ? "" : Math.round(memory.systemBytes / problem.contacts),
		};
	});
}

export const memory: Bench = {
	name: "memory",
	what: `bytes per contact of the operators and the methods, at ${CONTACTS} contacts`,
	run(args) {
		const contacts = Number(args[0] ?? CONTACTS);
		if (!(Number.isInteger(contacts) && contacts > 0)) {
			console.log("npm run bench -- memory [CONTACTS]");
			return 2;
		}
		const rows = measure(contacts);
		for (const row of rows) console.log(line(row));
		const peak = process.resourceUsage().maxRSS * 1024;
		console.log(
			`peak of this process: ${(peak / 2 ** 20).toFixed(0)} MiB, ${(peak / contacts).toFixed(0)} bytes per contact`,
		);
		if (contacts === CONTACTS) {
			const flat = rows.map((row) => ({ ...row, bytesPerContact: row.bytesPerContact.toFixed(1) }));
			console.log(`recorded in ${recordCsv("memory", flat)}`);
		}
		return rows.every(holds) ? 0 : 1;
	},
};

function holds({ bytesPerContact, bytesMax }: Row): boolean {
	return bytesMax === "" || bytesPerContact <= bytesMax;
}

function line(row: Row): string {
	const limit = row.bytesMax === "" ? "" : `  at most ${row.bytesMax}: ${holds(row) ? "held" : "MISSED"}`;
	const share = row.ofSystem === "" ? "" : `  (${row.ofSystem} of them the system's)`;
	return `${row.what.padEnd(26)}${row.bytesPerContact.toFixed(1).padStart(8)} B per contact${limit}${share}`;
}
