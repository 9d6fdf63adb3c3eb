/**
 * One secret per run; all keys derive from it, so that access to it gives all of them: the frames' key,
 * which every message carries, and a CURVE key pair for traffic that leaves the machine. Sockets that listen are CURVE servers with this
 * pair. Clients derive its public half from the secret; they have a temporary pair of their own.
 */
import { createPrivateKey, createPublicKey, hkdfSync, randomBytes } from "node:crypto";
import { InputError } from "@stickslip/core";
import { KEY_BYTES } from "./frames.js";

export const SECRET_BYTES = 32;
const CURVE_BYTES = 32;

export interface CurvePair {
	readonly publicKey: Uint8Array;
	readonly secretKey: Uint8Array;
}

export interface Keys {
	/** What every frame carries. */
	readonly frames: Uint8Array;
	readonly curve: CurvePair;
}

export function newSecret(): Uint8Array {
	return randomBytes(SECRET_BYTES);
}

/** A secret as its environment variable has it: 64 hexadecimal digits. */
export function secretOf(text: string | undefined): Uint8Array {
	if (text !== undefined && /^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
	const problem = text === undefined || text === "" ? "is missing" : "is not 64 hexadecimal digits";
	throw new InputError(
		"environment",
		"STICKSLIP_KEY",
		problem,
		"give all nodes the same key, e.g. from openssl rand -hex 32",
	);
}

export function keysOf(secret: Uint8Array): Keys {
	const secretKey = derived(secret, "stickslip curve", CURVE_BYTES);
	return {
		frames: derived(secret, "stickslip frames", KEY_BYTES),
		curve: { secretKey, publicKey: publicKeyOf(secretKey) },
	};
}

function derived(secret: Uint8Array, purpose: string, bytes: number): Uint8Array {
	return new Uint8Array(hkdfSync("sha256", secret, new Uint8Array(0), purpose, bytes));
}

/** The prefix of the 32 bytes of an X25519 key in PKCS #8 (RFC 8410). */
const PKCS8_X25519 = Buffer.from("302e020100300506032b656e04220420", "hex");

/** CURVE's key pairs are X25519's; the public key ends the SPKI form. */
function publicKeyOf(secretKey: Uint8Array): Uint8Array {
	const key = createPrivateKey({ key: Buffer.concat([PKCS8_X25519, secretKey]), format: "der", type: "pkcs8" });
	const spki = createPublicKey(key).export({ format: "der", type: "spki" });
	return new Uint8Array(spki.subarray(-CURVE_BYTES));
}

const Z85_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/** ZeroMQ's text for binary keys (RFC 32): five digits of base 85 for four bytes. */
export function z85(bytes: Uint8Array): string {
	const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let text = "";
	for (let at = 0; at < bytes.length; at += 4) {
		const word = words.getUint32(at);
		for (const unit of [85 ** 4, 85 ** 3, 85 ** 2, 85, 1]) text += Z85_DIGITS[Math.floor(word / unit) % 85];
	}
	return text;
}
