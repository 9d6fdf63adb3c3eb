/** Error messages of ssh, with problem and remedy in one line each; also for the ssh that mpirun calls. */
import { InputError } from "@stickslip/core";

interface Trouble {
	readonly sign: RegExp;
	readonly problem: string;
	readonly remedy: string;
}

const troubles: readonly Trouble[] = [
	{
		sign: /Could not resolve hostname/i,
		problem: "no such host",
		remedy: "check its name, or its entry in the configuration of ssh",
	},
	{
		sign: /Permission denied/i,
		problem: "it refuses the key (permission denied)",
		remedy: "log in there with ssh once, without a password: ssh-copy-id",
	},
	{
		sign: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
		problem: "its host key is unknown or has changed",
		remedy: "log in with ssh once, and verify the key",
	},
	{
		sign: /remote port forwarding failed|administratively prohibited/i,
		problem: "it refuses port forwarding, which its ranks need to reach this host",
		remedy: "allow it there (AllowTcpForwarding of sshd), or launch the run on that host",
	},
	{
		sign: /node\S*: (command )?not found|node: No such file|exec: \S*node\S*: not found/i,
		problem: "there is no Node.js",
		remedy: "install Node.js 20.19 or later there, or name it with --remote-node",
	},
	{
		sign: /Cannot find module|MODULE_NOT_FOUND/,
		problem: "the program is missing or incomplete",
		remedy: "launch the run again, which copies it there",
	},
];

/** An InputError if the user has to change something. */
export function sshTrouble(host: string, output: string): InputError | undefined {
	const found = troubles.find(({ sign }) => sign.test(output));
	return found && new InputError("ssh", host, found.problem, found.remedy);
}

const unreachable = /(Connection refused|Connection timed out|No route to host|Network is unreachable)/i;

/** Why a host cannot be reached, which may pass by itself. */
export function unreached(output: string): string | undefined {
	return unreachable.exec(output)?.[1]?.toLowerCase();
}
