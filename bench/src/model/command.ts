/** Lines of the command, run one at a time, and the JSON that they print. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { program } from "../launch/subject.js";

export interface Line {
	readonly words: readonly string[];
	/** Beside the environment of this process. */
	readonly env?: Readonly<Record<string, string>>;
	readonly seconds: number;
}

/** Every JSON object that it prints. Throws with what it said where it fails; an iteration limit that is reached is no failure. */
export async function jsonOf<Row>({ words, env, seconds }: Line): Promise<Row[]> {
	const out = await outputOf({ words, seconds, ...(env && { env }) });
	return out
		.split("\n")
		.filter((line) => line.startsWith("{"))
		.map((line) => JSON.parse(line) as Row);
}

export async function outputOf({ words, env, seconds }: Line): Promise<string> {
	const child = spawn(process.execPath, [program, ...words], {
		env: { ...process.env, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const timer = setTimeout(() => child.kill("SIGTERM"), 1000 * seconds);
	const said: Record<"out" | "err", string> = { out: "", err: "" };
	child.stdout.on("data", (chunk: Buffer) => {
		said.out += chunk.toString();
	});
	child.stderr.on("data", (chunk: Buffer) => {
		said.err += chunk.toString();
	});
	const [code] = (await once(child, "close")) as [number | null];
	clearTimeout(timer);
	if (code === 0 || code === 1) return said.out;
	throw new Error(`stickslip ${words[0]} ended with ${code}: ${said.err.trim().split("\n").at(-1) ?? ""}`);
}

/** What is read of a prediction. */
export interface PredictedRow {
	readonly problem: string;
	readonly contacts: number;
	readonly method: string;
	readonly iterations: number;
	readonly ranks: number;
	readonly network: string;
	readonly seconds: number;
	readonly parallel: number;
	readonly loadBalance: number;
	readonly serialisation: number;
	readonly transfer: number;
	readonly overOne: number;
	readonly contactsMean: number;
	readonly neighboursMean: number;
	readonly ghostsMean: number;
	readonly messages: number;
	readonly bytes: number;
}
