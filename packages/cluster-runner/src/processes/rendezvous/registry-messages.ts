/**
 * The messages between node agents and the registry of node 0, encrypted with the run's secret.
 *
 *     node agent                      registry                                  hub of a solve (node 0's line)
 *     join {version, line, ...} ->
 *                                  <- welcome, or refused {reason}
 *                                       <- gather {id, hub, secret}
 *                                  <- start {id, hub, secret}                   for nodes that have joined, and for others when they do
 *     ended {id, reason}        ->         lost {node, reason} ->               unless all is well
 *                                       <- disperse {id}                        the solve is over
 *                                  <- end {id, milliseconds}
 *     ended {id}                ->         gone ->                              all have ended
 *                                  <- over {code, more}                         the run is over, unless somebody starts node 0 again
 *
 *     leave                     ->                                              a scheduler ends this node
 *
 * At any time: beat in both directions; again from the registry, to a sender that has not joined.
 */

import { type Checked, either, exactly, flag, integer, record, text } from "@stickslip/core/schema";
import { RANKS_MAX, REASON_MAX } from "../../protocol/messages.js";

const node = integer(0, RANKS_MAX - 1);
const nodes = integer(1, RANKS_MAX);
const reason = text(REASON_MAX);
const id = text(100);
const pid = integer(1, 2 ** 31 - 1);
const milliseconds = integer(0, 60_000);
const beat = record({ kind: exactly("beat") });
const meeting = { id, hub: text(300), secret: text(100) };

export const isToRegistry = either(
	// `line` is a digest; `running` is the solve that it works for, or empty.
	record({
		kind: exactly("join"),
		version: text(100),
		line: text(100),
		node,
		nodes,
		host: text(300),
		pid,
		running: id,
	}),
	record({ kind: exactly("ended"), id, reason }),
	record({ kind: exactly("leave") }),
	record({ kind: exactly("gather"), ...meeting }),
	record({ kind: exactly("kill"), id, node }),
	record({ kind: exactly("disperse"), id, milliseconds }),
	beat,
);

export const isFromRegistry = either(
	record({ kind: exactly("welcome") }),
	record({ kind: exactly("refused"), reason }),
	record({ kind: exactly("again") }),
	record({ kind: exactly("start"), ...meeting }),
	record({ kind: exactly("end"), id, milliseconds }),
	record({ kind: exactly("over"), code: integer(0, 255), more: flag }),
	record({ kind: exactly("lost"), id, node, reason }),
	record({ kind: exactly("gone"), id }),
	beat,
);

export type MessageToRegistry = Checked<typeof isToRegistry>;
export type MessageFromRegistry = Checked<typeof isFromRegistry>;
