/** Where the shared data are: in $STICKSLIP_DATA, or in a folder beside the repository. Tests skip, and say so, without them. */

/** The environment of Node.js, which this package does not depend on: undefined elsewhere. */
function environment(name: string): string | undefined {
	const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };
	return process?.env[name];
}

/** The folder of the data, as a path or a file URL's path; it may not exist. */
export function dataFolder(): string {
	return (
		environment("STICKSLIP_DATA") ?? decodeURIComponent(new URL("../../../../../shared/data", import.meta.url).pathname)
	);
}
