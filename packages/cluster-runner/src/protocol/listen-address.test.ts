/** Which address is used, and which is refused. */
import { describe, expect, it } from "vitest";
import {
	checkListen,
	isIn,
	isLoopback,
	isPrivate,
	listenAddress,
	matchOwnAddress,
	type OwnAddress,
	requirePrivate,
	routeFrom,
} from "./listen-address.js";

const own: readonly OwnAddress[] = [
	{ name: "lo", address: "127.0.0.1" },
	{ name: "eth0", address: "192.0.2.7" },
	{ name: "ib0", address: "10.4.0.7" },
	{ name: "eth0", address: "2001:db8::7" },
	{ name: "ib1", address: "fd00::7" },
];

describe("an address", () => {
	it.each([
		["10.0.0.0/8", "10.255.255.255", true],
		["10.0.0.0/8", "11.0.0.0", false],
		["172.16.0.0/12", "172.31.255.255", true],
		["172.16.0.0/12", "172.32.0.0", false],
		["192.0.2.7/32", "192.0.2.7", true],
		["192.0.2.7/32", "192.0.2.6", false],
		["0.0.0.0/0", "203.0.113.9", true],
		["128.0.0.0/1", "255.0.0.1", true],
		["128.0.0.0/1", "127.0.0.1", false],
		["10.0.0.0/8", "10.0.0", false],
		["fd00::/8", "fd12:3456::1", true],
		["fd00::/8", "fc00::1", false],
		["2001:db8::/33", "2001:db8:8000::1", false],
		["::/0", "2001:db8::1", true],
		["::/0", "10.0.0.1", false],
		["0.0.0.0/0", "::1", false],
	])("in %s: %s, %s", (network, address, is) => {
		expect(isIn(address, network)).toBe(is);
	});

	it("is private on loopback, in private and shared networks and on the link, and nowhere else", () => {
		const privates = [
			"127.0.0.1",
			"10.1.2.3",
			"172.20.0.1",
			"192.168.7.7",
			"100.64.0.1",
			"100.127.255.255",
			"169.254.9.9",
			"::1",
			"fd00::1",
			"fc12::1",
			"fe80::1",
		];
		const publics = ["8.8.8.8", "172.15.0.1", "192.169.0.1", "100.128.0.1", "11.0.0.1", "0.0.0.0", "2001:db8::1", "::"];
		expect(privates.filter(isPrivate)).toEqual(privates);
		expect(publics.filter(isPrivate)).toEqual([]);
		expect([isLoopback("127.9.9.9"), isLoopback("128.0.0.1")]).toEqual([true, false]);
	});

	it("that nobody asked for is refused where it is public, with the remedy", () => {
		expect(requirePrivate("10.0.0.1")).toEqual({ bind: "10.0.0.1", advertised: "10.0.0.1" });
		expect(() => requirePrivate("192.0.2.7")).toThrow(
			/^network: listen: 192\.0\.2\.7 is a public address, which is used only with --listen; give --listen with /,
		);
	});
});

describe("what was asked for", () => {
	it.each([
		["192.0.2.7", "192.0.2.7"],
		["10.0.0.0/8", "10.4.0.7"],
		["ib0", "10.4.0.7"],
		["192.0.2.0/24", "192.0.2.7"],
		["192.0.2.8", undefined],
		["10.5.0.0/16", undefined],
		["ib1", "fd00::7"],
		["ib2", undefined],
		["fd00::/8", "fd00::7"],
		["fd00:0:0::7", "fd00:0:0::7"],
		["fd00::8", undefined],
	])("%s is %s here", (listen, address) => {
		expect(matchOwnAddress(listen, own)).toBe(address);
	});

	it("is a network or an interface that this host has, or all addresses", async () => {
		await expect(listenAddress("127.0.0.1", "203.0.113.0/24")).rejects.toThrow(
			/this host has no address in 203\.0\.113\.0\/24/,
		);
		await expect(listenAddress("127.0.0.1", "nonesuch0")).rejects.toThrow(/only 127\.0\.0\.1 \(lo/);
		expect(await listenAddress("127.0.0.1", "0.0.0.0")).toEqual({ bind: "0.0.0.0", advertised: "127.0.0.1" });
		// An address of another host: this host's is found as without --listen.
		expect(await listenAddress("127.0.0.1", "203.0.113.9")).toEqual({ bind: "127.0.0.1", advertised: "127.0.0.1" });
		expect(await routeFrom("127.0.0.1")).toBe("127.0.0.1");
		expect(await routeFrom("::1")).toBe("::1");
		expect(await listenAddress("::1", "0.0.0.0")).toEqual({ bind: "::", advertised: "::1" });
		expect(await listenAddress("::1", "::")).toEqual({ bind: "::", advertised: "::1" });
	});

	it("is checked before anything is started", () => {
		for (const good of ["10.0.0.1", "10.0.0.0/8", "eth0", "0.0.0.0", "enp0s31f6", "::", "fd00::1", "fd00::/8"])
			checkListen(good, "launch");
		for (const bad of [
			"",
			"10.0.0.0/33",
			"300.1.1.1/8",
			"10.0.0",
			"a name",
			"fd00::/129",
			"[::1]",
			"x".repeat(17),
			"--all",
		]) {
			expect(() => checkListen(bad, "launch"), bad).toThrow(
				/launch: --listen: ".*" is not an address, network or interface; give an address/,
			);
		}
	});
});
