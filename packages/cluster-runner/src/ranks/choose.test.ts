import { cores } from "@stickslip/comm";
import { describe, expect, it } from "vitest";
import { AUTO_CONTACTS_MIN, choose, type RankOptions } from "./choose.js";

describe("the choice of ranks", () => {
	it("is one rank in this thread for small problems, and all cores for large ones, which it says", () => {
		const alone = { ranks: 1, transport: undefined, processes: 1, perProcess: 1 };
		expect(choose(AUTO_CONTACTS_MIN - 1, {})).toEqual(alone);
		expect(choose(1e6, { ranks: 1 })).toEqual(alone);
		const most = cores().length;
		if (most === 1) return expect(choose(1e6, {})).toEqual(alone);
		expect(choose(9800, {})).toEqual({
			ranks: most,
			transport: "threads",
			processes: 1,
			perProcess: most,
			why: `${most} ranks: 9,800 contacts are enough for all cores`,
		});
	});

	it("is all cores where a transport is named, and any number that is asked for", () => {
		const most = cores().length;
		expect(choose(1, { transport: "zeromq" })).toMatchObject({ ranks: most, processes: most, perProcess: 1 });
		expect(choose(1, { ranks: 64 })).toMatchObject({ ranks: 64, transport: "threads", perProcess: 64 });
		expect(choose(1, { ranks: 6, transport: "mpi" })).toMatchObject({ processes: 6, perProcess: 1 });
		expect(choose(1, { ranks: 6, transport: "threads+mpi" })).toMatchObject({ processes: 2, perProcess: 3 });
		expect(choose(1, { ranks: 6, transport: "threads+zeromq", processes: 3 })).toMatchObject({ perProcess: 2 });
		expect(choose(1, { ranks: 6, transport: "zeromq", processes: 6 })).toMatchObject({ processes: 6 });
	});

	it.each<[string, RankOptions, RegExp]>([
		["no patience", { ranks: 2, patience: 0 }, /patience: 0 is not a number of seconds above 0/],
		["endless patience", { ranks: 2, patience: Infinity }, /patience: Infinity is not a number/],
		["no integer", { ranks: 1.5 }, /options: ranks: "1.5" is not an integer from 1 to 1024; give one, or auto/],
		["none", { ranks: 0 }, /"0" is not an integer/],
		["too many", { ranks: 1025 }, /"1025" is not an integer/],
		["an unknown transport", { transport: "tea" as "mpi" }, /there is no "tea"; choose among threads, zeromq, mpi/],
		[
			"processes that do not divide",
			{ ranks: 5, transport: "threads+mpi" },
			/5 ranks cannot be divided evenly among 2/,
		],
		[
			"processes of threads",
			{ ranks: 4, processes: 2 },
			/processes: threads has 1 of them, not 2; leave it out, or use/,
		],
		["processes of zeromq", { ranks: 4, transport: "zeromq", processes: 2 }, /zeromq has 4 of them, not 2/],
	])("refuses %s", (_, options, message) => {
		expect(() => choose(100, options)).toThrow(message);
	});
});
