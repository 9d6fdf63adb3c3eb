import { expect, it } from "vitest";
import { isBetweenProcesses, isJoined, TRANSPORTS, transportOver, transports, WIRES } from "./transports.js";

it("has one transport for every wire, with threads in each process and without", () => {
	const over = WIRES.flatMap((wire) => [transportOver(wire, false), transportOver(wire, true)]);
	expect(new Set(over)).toEqual(new Set(TRANSPORTS.filter(isBetweenProcesses)));
	for (const name of over) {
		const { wire, hasThreads } = transports[name];
		expect(transportOver(wire, hasThreads)).toBe(name);
		expect(name).toBe(isJoined(name) ? `threads+${wire}` : wire);
	}
});
