/** A new pair of keys for CURVE, which are those of X25519. */
import { generateKeyPairSync } from "node:crypto";
import type { CurveKeys } from "../zeromq/socket.js";

export function curveKeys(): CurveKeys {
	const { d, x } = generateKeyPairSync("x25519").privateKey.export({ format: "jwk" });
	if (d === undefined || x === undefined) throw new Error("a key of X25519 has two numbers");
	const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "base64url"));
	return { publicKey: bytes(x), secretKey: bytes(d) };
}
