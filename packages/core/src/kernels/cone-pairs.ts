/** What assembly/cone-pairs.ts adds is speed: the twin leaves all contacts to its caller, who takes them one by one, with the same bits. */

export function projectPairs(from: number, ..._rest: number[]): number {
	return from;
}

export function naturalPairs(from: number, ..._rest: number[]): number {
	return from;
}
