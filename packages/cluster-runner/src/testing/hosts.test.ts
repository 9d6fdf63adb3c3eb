/** Virtual hosts: addresses and names of their own, links that can be cut, and no leftovers, also of a killed test. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bed } from "./bed.js";
import { type Network, openNetwork } from "./hosts.js";
import { noHosts } from "./lacking.js";

const reason = noHosts();

describe.skipIf(reason !== undefined)(
	`hosts in namespaces (skipped where there are none: ${reason ?? "not here"})`,
	() => {
		let bed: Bed;
		let network: Network;
		beforeAll(() => {
			bed = new Bed();
			network = openNetwork(bed, ["one", "two"]);
		});
		afterAll(() => bed.close());

		const node = (host: string, code: string, seconds = 20) =>
			network.host(host).start(process.execPath, ["--input-type=module", "--eval", code], { seconds });

		it("have names and addresses of their own", async () => {
			const code = `
			const { address } = await (await import("node:dns/promises")).lookup("two");
			const own = os.networkInterfaces().eth0.find(({ family }) => family === "IPv4").address;
			console.log(os.hostname(), own, address);`;
			const { out } = await node("one", `import os from "node:os"; ${code}`).ended;
			const [one, two] = network.hosts.map(({ address }) => address);
			expect(out).toBe(`one ${one} ${two}\n`);
		});

		it("talk, not while a link is cut, and go on afterwards; killed, they are silent", async () => {
			const two = network.host("two");
			const server = node(
				"two",
				`import net from "node:net";
			net.createServer((socket) => socket.pipe(socket)).listen(7000, "${two.address}", () => console.log("listens"));`,
			);
			await until(() => server.out() !== "");
			const client = node(
				"one",
				`import net from "node:net";
			const socket = net.connect(7000, "two");
			let answers = 0;
			setInterval(() => socket.write("x"), 20);
			socket.on("data", (bytes) => { answers += bytes.length; });
			process.on("SIGUSR2", () => console.log("answers", answers));
			socket.on("error", () => {});
			socket.on("close", () => process.exit(0));
			socket.on("connect", () => console.log("connected"));`,
			);
			await until(() => client.out() !== "");
			const answers = async () => {
				const before = client.out();
				client.signal("SIGUSR2");
				await until(() => client.out() !== before);
				return Number(client.out().trim().split(" ").at(-1));
			};
			two.cut();
			// Requests that had arrived may still be answered.
			let cut = 0;
			await untilAsync(async () => {
				cut = await answers();
				await pause(300);
				return (await answers()) === cut;
			});
			two.restore();
			await untilAsync(async () => (await answers()) > cut + 5);
			expect(two.pids()).toEqual([server.pid]);
			two.kill();
			expect(two.pids()).toEqual([]);
			expect((await server.ended).signal).toBe("SIGKILL");
			expect((await client.ended).code).toBe(0);
		});

		it("are swept away by the next bed when their test was killed", async () => {
			const module = (name: string) => JSON.stringify(new URL(`../../dist/testing/${name}.js`, import.meta.url).href);
			const code = `
			const { Bed } = await import(${module("bed")});
			const { openNetwork } = await import(${module("hosts")});
			const bed = new Bed();
			const { hosts } = openNetwork(bed, ["lost"]);
			hosts[0].start("sleep", ["1000"]);
			console.log(hosts[0].namespace, bed.folder);
			setInterval(() => {}, 1000);`;
			const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
				stdio: ["ignore", "pipe", "inherit"],
			});
			const [namespace = "", folder = ""] = await new Promise<string[]>((resolve) => {
				child.stdout.setEncoding("utf8").once("data", (text: string) => resolve(text.trim().split(" ")));
			});
			child.kill("SIGKILL");
			await new Promise((resolve) => child.on("close", resolve));
			expect([existsSync(folder), readdirSync("/run/netns").includes(namespace)]).toEqual([true, true]);
			const next = new Bed();
			openNetwork(next, ["next"]);
			await next.close();
			expect([existsSync(folder), readdirSync("/run/netns").includes(namespace)]).toEqual([false, false]);
		});
	},
);

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(holds: () => boolean): Promise<void> {
	await untilAsync(async () => holds());
}

async function untilAsync(holds: () => Promise<boolean>): Promise<void> {
	for (let round = 0; round < 5000; round += 1) {
		if (await holds()) return;
		await pause(20);
	}
	throw new Error("it did not happen within 100 s");
}
