/** The ssh command and the options that all connections of a run have. */

/** What a user's configuration of ssh may open for sessions at a terminal, and no run needs: a host must not be able to use the keys or the screen of this one. */
export const CLOSED = [
	"BatchMode=yes",
	"ForwardAgent=no",
	"ForwardX11=no",
	"PermitLocalCommand=no",
	"Tunnel=no",
	// An existing connection may be shared, but a run leaves none behind.
	"ControlMaster=no",
	"ControlPersist=no",
] as const;

export function sshOptions(options: readonly string[]): string[] {
	return options.flatMap((option) => ["-o", option]);
}

/** ssh, or its replacement: STICKSLIP_SSH, which may have arguments. */
export function sshCommand(env: NodeJS.ProcessEnv = process.env): readonly [string, ...string[]] {
	const [command = "ssh", ...words] = (env.STICKSLIP_SSH ?? "").split(/\s+/).filter((word) => word !== "");
	return [command, ...words];
}
