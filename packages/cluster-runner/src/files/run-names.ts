/** Names of the files of a simulation's run: a part of each rank, and the XDMF file beside them. */
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const RANK_DIGITS = 4;

export function withoutExtension(output: string): string {
	return output.replace(/\.(h5|hdf5)$/i, "");
}

/** Rank 0 writes the file that the user named, other ranks write files beside it. */
export function partPath(output: string, rank: number): string {
	if (rank === 0) return output;
	return `${withoutExtension(output)}.rank-${String(rank).padStart(RANK_DIGITS, "0")}.h5`;
}

export function xdmfPath(output: string): string {
	return `${withoutExtension(output)}.xdmf`;
}

/** The file that the user named, and the existing parts of other ranks in order. */
export function partPaths(output: string): string[] {
	const folder = dirname(output);
	const beginning = `${basename(withoutExtension(output))}.rank-`;
	const names = existsSync(folder) ? readdirSync(folder) : [];
	const others = names.filter((name) => name.startsWith(beginning) && /\.rank-\d{4,}\.h5$/.test(name));
	return [output, ...others.sort().map((name) => join(folder, name))];
}

/** Removes parts of other ranks: an earlier run may have had more ranks than the run that replaces it. */
export function removeParts(output: string): void {
	for (const path of partPaths(output)) if (path !== output) rmSync(path, { force: true });
}

/** Renames the existing parts of a run to a free name, under which they are a run again; returns the new name of the first. */
export function moveRunAside(output: string): string {
	const base = withoutExtension(output);
	const there = partPaths(output).filter((path) => existsSync(path));
	for (let number = 1; ; number += 1) {
		const moved = (path: string) => `${base}.aside-${number}${path.slice(base.length)}`;
		if ([output, ...there].some((path) => existsSync(moved(path)))) continue;
		for (const path of there) renameSync(path, moved(path));
		return moved(there[0] ?? output);
	}
}

/** Renames a single file to a free name; returns that name. */
export function moveFileAside(path: string): string {
	for (let number = 1; ; number += 1) {
		const moved = `${path}.aside-${number}`;
		if (existsSync(moved)) continue;
		renameSync(path, moved);
		return moved;
	}
}
