/**
 * Where this process runs, as it reports to a hub on another host. Containers and namespaces of one machine have host names of their own and share its
 * cores, so a machine is identified by the boot id of its kernel; processes that may use disjoint cores do not disturb each other, and count as on
 * different machines.
 */
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { cores as coresHere } from "@stickslip/comm";
import { systemText } from "../base/proc.js";
import { CORES_MAX, type ProcessLocation } from "./messages.js";

const BOOT = "/proc/sys/kernel/random/boot_id";
const HOST_MAX = 300;

export function locationHere(host = hostname(), cores: readonly number[] = coresHere()): ProcessLocation {
	const machine = createHash("sha256")
		.update(JSON.stringify([systemText(BOOT)?.trim() ?? host, cores]))
		.digest("hex");
	return { kind: "place", host: host.slice(0, HOST_MAX), machine, cores: cores.slice(0, CORES_MAX) };
}
