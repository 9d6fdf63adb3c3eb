/** A copy of the program that was sent to this host is in use, as its mark tells whoever removes old ones: also those on other hosts of a shared home folder. */
import { utimes } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../own.js";
import { MARKER, PACKAGE } from "./question.js";

const RENEW_MS = 43_200_000;

/** For as long as this process lives. A program that was installed otherwise has no mark, and needs none. */
export function keepInUse(): void {
	const marker = join(packageFolder, ...PACKAGE.split("/").map(() => ".."), MARKER);
	const touch = () => utimes(marker, new Date(), new Date(), () => {});
	touch();
	setInterval(touch, RENEW_MS).unref();
}
