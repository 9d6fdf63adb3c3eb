/** What assembly/measure-pairs.ts adds is speed: the twin leaves all contacts to its caller, who takes them one by one, with the same bits. */

export function energyPairs(from: number, ..._rest: number[]): number {
	return from;
}

export function meritPairs(from: number, ..._rest: number[]): number {
	return from;
}

export function freePairs(..._all: number[]): number {
	return 0;
}
