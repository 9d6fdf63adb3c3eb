import { RankError } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { Control } from "./control.js";

describe("control", () => {
	it("lets all go on while nothing is wrong", () => {
		const control = Control.create();
		control.check();
		expect(control.failure()).toBeUndefined();
		expect(control.stop).toBe(0);
	});

	it("keeps the first failure, for all who share it", () => {
		const control = Control.create();
		const other = new Control(control.buffer);
		control.abort(3, "ran dry: größer als möglich");
		other.abort(4, "came later");
		expect(other.failure()).toEqual({ rank: 3, reason: "ran dry: größer als möglich" });
		expect(() => other.check()).toThrow(new RankError(3, "ran dry: größer als möglich"));
		expect(() => other.check()).toThrow("rank 3 ran dry");
	});

	it("knows a failure whose rank cannot be told, and one without a reason", () => {
		const unknown = Control.create();
		unknown.abort(-1, "a host is gone");
		expect(() => unknown.check()).toThrow(/^a host is gone$/);
		const silent = Control.create();
		silent.abort(0, "");
		expect(silent.failure()).toEqual({ rank: 0, reason: "failed" });
	});

	it("cuts a reason that is too long", () => {
		const control = Control.create();
		control.abort(1, "x".repeat(10_000));
		expect(control.failure()?.reason).toBe("x".repeat(4096));
		// What lies behind the reason is untouched.
		expect(control.beats(0)).toBe(0);
	});

	it("is a failure already when its writer died before the reason", () => {
		const control = Control.create();
		new Int32Array(control.buffer)[0] = 5 + 2;
		expect(() => control.check()).toThrow("rank 5 failed");
	});

	it("carries requests to stop and to save, signs of life and progress", () => {
		const control = Control.create();
		const other = new Control(control.buffer);
		control.requestStop(75);
		expect(other.stop).toBe(75);
		control.requestSave();
		control.requestSave();
		expect([other.saves, other.stop]).toEqual([2, 75]);
		for (let i = 0; i < 3; i += 1) control.beat(1023);
		expect(other.beats(1023)).toBe(3);
		expect(other.beats(1022)).toBe(0);
		expect(() => control.beat(1024)).toThrow("assertion failed");
		control.progress[7] = 0.5;
		expect([...other.progress]).toEqual([0, 0, 0, 0, 0, 0, 0, 0.5]);
		expect(other.failure()).toBeUndefined();
		control.withdrawStop();
		expect([other.saves, other.stop]).toEqual([2, 0]);
		expect(() => control.requestStop(0)).toThrow("assertion failed");
		expect(() => new Control(new SharedArrayBuffer(8))).toThrow("assertion failed");
	});
});
