/** Free ports of the loopback interface, for servers that cannot choose one themselves. */
import { createServer, type Server } from "node:net";

export async function freePorts(count: number): Promise<number[]> {
	const servers: Server[] = [];
	try {
		for (let index = 0; index < count; index += 1) servers.push(await listening());
		return servers.map((server) => {
			const address = server.address();
			return typeof address === "object" && address !== null ? address.port : 0;
		});
	} finally {
		await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
	}
}

function listening(): Promise<Server> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once("error", reject);
		server.listen(0, "127.0.0.1", () => resolve(server));
	});
}
