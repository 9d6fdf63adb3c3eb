/** Marks a copy of the program on this host as in use, for processes that remove old copies, also on other hosts with the same home folder. */
import { utimes } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../base/own.js";
import { MARKER, PACKAGE } from "./question.js";

const RENEW_MS = 43_200_000;

/** For as long as this process lives. A program that was installed in another way has no mark, and needs none. */
export function keepInUse(): void {
	const marker = join(packageFolder, ...PACKAGE.split("/").map(() => ".."), MARKER);
	const touch = () => utimes(marker, new Date(), new Date(), () => {});
	touch();
	setInterval(touch, RENEW_MS).unref();
}
