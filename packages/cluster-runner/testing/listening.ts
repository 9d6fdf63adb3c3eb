/** What processes have open to others, and how much memory they hold, seen through /proc. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

const LISTENS = "0A";

/** TCP ports that a process listens on. */
export function portsOf(pid: number): number[] {
	const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => socketOf(`/proc/${pid}/fd/${fd}`)));
	return ["tcp", "tcp6"].flatMap((protocol) => {
		const file = `/proc/${pid}/net/${protocol}`;
		const lines = existsSync(file) ? readFileSync(file, "latin1").split("\n").slice(1) : [];
		return lines.flatMap((line) => {
			const words = line.trim().split(/\s+/);
			const isOwn = words[3] === LISTENS && own.has(words[9]);
			return isOwn ? [Number.parseInt(words[1]?.split(":").at(-1) ?? "", 16)] : [];
		});
	});
}

function socketOf(link: string): string | undefined {
	try {
		return /^socket:\[(\d+)\]$/.exec(readlinkSync(link))?.[1];
	} catch {
		// It has been closed meanwhile.
		return undefined;
	}
}

/** In MiB; 0 for a process that is gone. */
export function residentMemory(pid: number): number {
	try {
		const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
		return Number(kilobytes) / 1024;
	} catch {
		return 0;
	}
}
