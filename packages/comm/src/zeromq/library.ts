/**
 * libzmq's own C functions, called synchronously. The npm package zeromq ships libzmq inside a Node addon that exports them
 * all, so nothing has to be installed; the addon's JavaScript side (promises, a queue per socket) is not used.
 *
 * Sockets and contexts are passed as numbers (an address is below 2^53), data as typed arrays, which koffi hands over without
 * a copy: a call costs 20-30 ns more than from C.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { InputError } from "@stickslip/core/parallel";
import koffi, { type LibraryHandle } from "koffi";

export type Data = Uint8Array | Int32Array;

export interface Zeromq {
	readonly version: string;
	contextNew(): number;
	contextTerm(context: number): number;
	socket(context: number, type: number): number;
	close(socket: number): number;
	bind(socket: number, endpoint: string): number;
	connect(socket: number, endpoint: string): number;
	send(socket: number, data: Data, bytes: number, flags: number): number;
	/** The length of the message, also where it was longer than the room for it; -1 where there was none. */
	receive(socket: number, data: Data, bytes: number, flags: number): number;
	setOption(socket: number, option: number, value: Data, bytes: number): number;
	getOption(socket: number, option: number, value: Data, bytes: BigUint64Array): number;
	/** Writes a new pair of keys as text of 40 letters, each with a zero after it. */
	curveKeypair(publicKey: Uint8Array, secretKey: Uint8Array): number;
	errno(): number;
	text(errno: number): string;
}

let opened: Zeromq | undefined;

/** Opens the library, once per thread. */
export function zeromq(): Zeromq {
	opened ??= open(candidates());
	return opened;
}

/**
 * The addons that the package has for this machine, newest first. Several are tried in turn, as the package itself does: those
 * of one release were built against different versions of glibc, and the newest need not load here.
 */
export function candidates(): string[] {
	const require = createRequire(import.meta.url);
	const build = join(dirname(require.resolve("zeromq/package.json")), "build");
	const manifest: unknown = JSON.parse(readFileSync(join(build, "manifest.json"), "utf8"));
	const found: { readonly path: string; readonly abi: number }[] = [];
	for (const [key, path] of Object.entries(manifest as Record<string, string>)) {
		const { os, arch, abi, libc } = JSON.parse(key) as { os?: string; arch?: string; abi?: number; libc?: string };
		if (os !== process.platform || arch !== process.arch || (libc === "musl") !== isMusl()) continue;
		const file = join(build, path.replaceAll("\\", "/"));
		if (existsSync(file)) found.push({ path: file, abi: abi ?? 0 });
	}
	return found.sort((a, b) => b.abi - a.abi).map(({ path }) => path);
}

export function open(paths: readonly string[]): Zeromq {
	const refusals: string[] = [];
	for (const path of paths) {
		try {
			return declare(koffi.load(path));
		} catch (error) {
			const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
			refusals.push(`${basename(dirname(path))}: ${reason}`);
		}
	}
	throw new InputError(
		"transport",
		"zeromq",
		`the npm package has no libzmq that loads here (${process.platform} ${process.arch}): ${refusals.join("; ") || "no build for it"}`,
		"reinstall the dependencies for this machine, or use the transport threads or mpi",
	);
}

function declare(library: LibraryHandle): Zeromq {
	const f = (name: string, result: string, types: string[]) => library.func(name, result, types);
	const handle = "uintptr_t";
	const versionOf = f("zmq_version", "void", ["void *", "void *", "void *"]);
	const numbers = [new Int32Array(16), new Int32Array(16), new Int32Array(16)];
	versionOf(...numbers);
	return {
		version: numbers.map((number) => number[0]).join("."),
		contextNew: f("zmq_ctx_new", handle, []),
		contextTerm: f("zmq_ctx_term", "int", [handle]),
		socket: f("zmq_socket", handle, [handle, "int"]),
		close: f("zmq_close", "int", [handle]),
		bind: f("zmq_bind", "int", [handle, "str"]),
		connect: f("zmq_connect", "int", [handle, "str"]),
		send: f("zmq_send", "int", [handle, "void *", "size_t", "int"]),
		receive: f("zmq_recv", "int", [handle, "void *", "size_t", "int"]),
		setOption: f("zmq_setsockopt", "int", [handle, "int", "void *", "size_t"]),
		getOption: f("zmq_getsockopt", "int", [handle, "int", "void *", "void *"]),
		curveKeypair: f("zmq_curve_keypair", "int", ["void *", "void *"]),
		errno: f("zmq_errno", "int", []),
		text: f("zmq_strerror", "str", ["int"]),
	};
}

function isMusl(): boolean {
	return process.platform === "linux" && existsSync("/etc/alpine-release");
}
