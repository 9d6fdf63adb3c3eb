/**
 * A folder for the sockets of ranks on one machine, made for one solve: only its user may enter it, so nobody else can connect. Without one (long paths,
 * Windows, a disk without sockets, a parent folder that others may change) ranks use encrypted ports on loopback instead.
 */
import { once } from "node:events";
import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmdirSync, unlinkSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fitsSockets } from "@stickslip/comm";

const PREFIX = "stickslip-sockets-";
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;
const OTHERS = 0o077;
/** Of the hub, beside those of the ranks, which are numbers. */
export const HUB_SOCKET = "hub";
/** The most ranks whose numbers are not longer than that name. */
const RANKS_MIN = 1000;
/** Longer than any run takes to start its ranks. */
const STALE_MS = 86_400_000;
/** A socket that was just made cannot be listened on (permission denied) yet. */
const NEW_MS = 60_000;

export interface SocketFolder {
	readonly path: string;
	remove(): void;
}

/** Undefined if there is none for this many ranks; with STICKSLIP_CURVE=always none is used. */
export async function openSocketFolder(
	ranks: number,
	env: NodeJS.ProcessEnv = process.env,
): Promise<SocketFolder | undefined> {
	if (process.platform === "win32" || env.STICKSLIP_CURVE === "always") return undefined;
	for (const parent of [env.XDG_RUNTIME_DIR, tmpdir()]) {
		if (parent === undefined || parent === "") continue;
		const path = makeFolder(parent, ranks);
		if (path === undefined) continue;
		await removeStale(dirname(path));
		const remove = () => {
			process.off("exit", remove);
			removeFolder(path);
		};
		process.on("exit", remove);
		if (await takesSockets(path)) return { path, remove };
		remove();
	}
	return undefined;
}

/** Removes the sockets and the folder; no other files, and no other folder. */
export function removeFolder(path: string): void {
	if (!basename(path).startsWith(PREFIX)) return;
	try {
		if (!isOwn(path)) return;
		for (const name of readdirSync(path)) if (/^(\d+|try|hub)$/.test(name)) unlinkSync(join(path, name));
		rmdirSync(path);
	} catch {
		// Another process of the run removes it as well, or it is gone already.
	}
}

/** Removes the folders of runs that were killed: their sockets have no listener any more. A folder without sockets may still get some. */
async function removeStale(parent: string): Promise<void> {
	for (const name of readdirSync(parent)) {
		const path = join(parent, name);
		if (!name.startsWith(PREFIX)) continue;
		try {
			if (!isOwn(path)) continue;
			const sockets = readdirSync(path);
			const unchangedMs = Date.now() - lstatSync(path).mtimeMs;
			if (unchangedMs < (sockets.length > 0 ? NEW_MS : STALE_MS)) continue;
			const isUsed = await Promise.all(sockets.map((each) => isListenedOn(join(path, each))));
			if (!isUsed.includes(true)) removeFolder(path);
		} catch {
			// Its run removes it at this moment.
		}
	}
}

/** Only a refused connection means that there is no listener. */
async function isListenedOn(path: string): Promise<boolean> {
	const socket = connect(path);
	try {
		await once(socket, "connect");
		return true;
	} catch (error) {
		return !(error instanceof Error && "code" in error && error.code === "ECONNREFUSED");
	} finally {
		socket.destroy();
	}
}

function makeFolder(parent: string, ranks: number): string | undefined {
	try {
		const real = realpathSync(parent);
		if (!isSafe(real) || !fitsSockets(join(real, `${PREFIX}XXXXXX`), Math.max(ranks, RANKS_MIN))) return undefined;
		const path = mkdtempSync(join(real, PREFIX));
		return isOwn(path) ? path : undefined;
	} catch {
		// It does not exist, is full, or is not writable.
		return undefined;
	}
}

/** A folder of this user that nobody else may enter; not a link. */
function isOwn(path: string): boolean {
	const { mode, uid, isDirectory } = statOf(path);
	return isDirectory && uid === process.getuid?.() && (mode & OTHERS) === 0;
}

/** Whether no other user can replace a folder created there. */
function isSafe(folder: string): boolean {
	const { mode, uid } = statOf(folder);
	const isTrusted = uid === 0 || uid === process.getuid?.();
	const isShut = (mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0;
	return isTrusted && isShut && (dirname(folder) === folder || isSafe(dirname(folder)));
}

function statOf(path: string): { mode: number; uid: number; isDirectory: boolean } {
	const stat = lstatSync(path);
	return { mode: stat.mode, uid: stat.uid, isDirectory: stat.isDirectory() };
}

/** Not every file system does. */
async function takesSockets(path: string): Promise<boolean> {
	const server = createServer();
	try {
		server.listen(join(path, "try"));
		await once(server, "listening");
		return true;
	} catch {
		return false;
	} finally {
		server.close();
	}
}
