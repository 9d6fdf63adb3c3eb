/** Where the set-up of a solve is, for whoever measures it: solver code knows no clock, and says no more than what it begins. */

export type SetupPhase =
	| "validate"
	| "form"
	| "diagonal"
	| "colours"
	| "order"
	| "share"
	| "scale"
	| "fill"
	| "allocate"
	| "measures"
	| "done";

export const SETUP_PHASES: readonly SetupPhase[] = [
	"validate",
	"form",
	"diagonal",
	"colours",
	"order",
	"share",
	"scale",
	"fill",
	"allocate",
	"measures",
];

let watcher: ((phase: SetupPhase) => void) | undefined;

/** Has every phase told to one watcher as it begins, until another takes its place. */
export function watchSetup(watch: ((phase: SetupPhase) => void) | undefined): void {
	watcher = watch;
}

export function beginPhase(phase: SetupPhase): void {
	watcher?.(phase);
}
