/** Times and amounts of memory as people write them, and as Slurm and Kubernetes take them. */
import type { Arguments } from "../cli/arguments.js";

const secondsOf = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const bytesOf = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 } as const;

/** A year: no run is longer. */
const SECONDS_MAX = 366 * 86_400;

/** Whole seconds of 90s, 30m, 2h, 1d, HH:MM:SS or D-HH:MM:SS. A bare number would be seconds here and minutes for Slurm, so it is refused. */
export function secondsIn(text: string): number | undefined {
	const [, amount, unit] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
	const [, days, hours, minutes, last] = /^(?:(\d+)-)?(\d+):([0-5]\d):([0-5]\d)$/.exec(text) ?? [];
	let seconds: number | undefined;
	if (amount !== undefined) seconds = Number(amount) * secondsOf[unit as keyof typeof secondsOf];
	if (hours !== undefined) {
		seconds = Number(days ?? 0) * secondsOf.d + Number(hours) * secondsOf.h;
		seconds += Number(minutes) * secondsOf.m + Number(last);
	}
	if (seconds === undefined) return undefined;
	const whole = Math.ceil(seconds);
	return whole >= 1 && whole <= SECONDS_MAX ? whole : undefined;
}

/** Bytes of 512M or 4G (binary, as Slurm counts), with or without iB or B. */
export function bytesIn(text: string): number | undefined {
	const [, amount, unit] = /^(\d+(?:\.\d+)?)([KMGT])(?:i?B)?$/i.exec(text) ?? [];
	if (amount === undefined || unit === undefined) return undefined;
	const bytes = Math.ceil(Number(amount) * bytesOf[unit.toUpperCase() as keyof typeof bytesOf]);
	return bytes >= bytesOf.M && Number.isSafeInteger(bytes) ? bytes : undefined;
}

export function timeOf(args: Arguments, name: string): number | undefined {
	const text = args.text(name);
	if (text === undefined) return undefined;
	const remedy = `write e.g. --${name} 30m, --${name} 2h or --${name} 1-12:00:00`;
	return secondsIn(text) ?? args.refuse(`--${name}`, `"${text}" is not a time with a unit`, remedy);
}

export function memoryOf(args: Arguments, name: string): number | undefined {
	const text = args.text(name);
	if (text === undefined) return undefined;
	const remedy = `write e.g. --${name} 512M or --${name} 4G`;
	return bytesIn(text) ?? args.refuse(`--${name}`, `"${text}" is not an amount of memory with a unit`, remedy);
}

/** D-HH:MM:SS, days only where there are some. */
export function slurmTime(seconds: number): string {
	const days = Math.floor(seconds / secondsOf.d);
	const rest = seconds - days * secondsOf.d;
	const parts = [Math.floor(rest / 3600), Math.floor((rest % 3600) / 60), rest % 60];
	const clock = parts.map((part) => String(part).padStart(2, "0")).join(":");
	return days > 0 ? `${days}-${clock}` : clock;
}

/** In the largest unit that loses nothing: 4G, 1536M. */
export function slurmMemory(bytes: number): string {
	for (const unit of ["T", "G", "M"] as const)
		if (bytes % bytesOf[unit] === 0) return `${bytes / bytesOf[unit]}${unit}`;
	return `${Math.ceil(bytes / bytesOf.K)}K`;
}

/** Kubernetes' binary units. */
export function kubernetesMemory(bytes: number): string {
	return `${slurmMemory(bytes)}i`;
}
