/** Hosts and ports as one text: addresses of IPv6 have colons of their own, and stand in brackets. */
import { isIPv6 } from "node:net";

export function hostPort(host: string, port: number | string): string {
	return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The host of scheme://HOST:PORT, without brackets; empty for anything else. */
export function hostIn(endpoint: string): string {
	const [, bracketed, plain] = /^\w+:\/\/(?:\[([^\]]*)\]|([^[\]]*)):\d+$/.exec(endpoint) ?? [];
	return bracketed ?? plain ?? "";
}
