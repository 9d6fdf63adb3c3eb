/** The bench of the clients at a tiny size, so that it does not break unnoticed. */
import { expect, it } from "vitest";
import { measureClients } from "./main.js";
import { KINDS, lacking } from "./peer.js";

const reason = Object.values(lacking)
	.map((why) => why())
	.find((why) => why !== undefined);

it.skipIf(reason)(`clients have the hash of a session, needs: ${reason ?? "nothing more"}`, async () => {
	const rows = await measureClients(100, 2, 1);
	expect(rows.map(({ client, request }) => `${client} ${request}`)).toEqual(
		["python", "c"].flatMap((language) => KINDS.map((kind) => `${language} ${kind}`)),
	);
	for (const { ratio } of rows) expect(Number(ratio)).toBeGreaterThan(0);
});
