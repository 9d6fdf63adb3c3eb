/** Hosts and ports as one text: IPv6 addresses contain colons, so they are in brackets. */
import { isIPv6 } from "node:net";

export function hostPort(host: string, port: number | string): string {
	return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The host of scheme://HOST:PORT, without brackets; empty for anything else. */
export function hostIn(endpoint: string): string {
	const [, bracketed, plain] = /^\w+:\/\/(?:\[([^\]]*)\]|([^[\]]*)):\d+$/.exec(endpoint) ?? [];
	return bracketed ?? plain ?? "";
}
