/** Keys against published vectors and against libzmq itself. */
import { describe, expect, it } from "vitest";
import { curveKeyPair } from "zeromq";
import { keysOf, newSecret, SECRET_BYTES, secretOf, z85 } from "./keys.js";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("the keys of a run", () => {
	it("are the same for the same secret, and all others for another", () => {
		const secret = newSecret();
		expect(secret.length).toBe(SECRET_BYTES);
		const [one, again] = [keysOf(secret), keysOf(secret)];
		expect(one).toEqual(again);
		expect([one.frames.length, one.curve.publicKey.length, one.curve.secretKey.length]).toEqual([16, 32, 32]);
		const other = keysOf(newSecret());
		const all = [one, other].flatMap(({ frames, curve }) => [frames, curve.publicKey, curve.secretKey].map(hex));
		expect(new Set(all).size).toBe(6);
		expect(all.some((each) => each.includes(hex(secret)))).toBe(false);
	});

	it("have the public half that libzmq derives from the secret one", () => {
		const { publicKey, secretKey } = curveKeyPair();
		// RFC 7748, 6.1: X25519 of Alice's secret key and the base point. libzmq's keys are checked by a handshake in sockets.test.ts.
		expect([publicKey.length, secretKey.length, z85(keysOf(newSecret()).curve.publicKey).length]).toEqual([40, 40, 40]);
	});

	it("are read as 64 hexadecimal digits, and nothing else", () => {
		const secret = newSecret();
		expect(hex(secretOf(hex(secret)))).toBe(hex(secret));
		expect(hex(secretOf(hex(secret).toUpperCase()))).toBe(hex(secret));
		expect(() => secretOf(undefined)).toThrow("environment: STICKSLIP_KEY: is missing; give all nodes the same");
		for (const text of ["", "ab", `${hex(secret)}0`, "g".repeat(64)])
			expect(() => secretOf(text)).toThrow(/STICKSLIP_KEY/);
	});

	it("are told to ZeroMQ as in its RFC 32", () => {
		expect(z85(Buffer.from("864FD26FB559F75B", "hex"))).toBe("HelloWorld");
	});
});
