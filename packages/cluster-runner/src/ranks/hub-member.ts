/** The hub's record of a member process. */
import type { HeartbeatMonitor } from "../protocol/heartbeat-monitor.js";
import type { ProcessLocation } from "../protocol/messages.js";

export interface HubMember {
	readonly process: number;
	/** How it is reached; undefined before it says hello. */
	identity?: string;
	pid?: number;
	location?: ProcessLocation;
	heartbeats?: HeartbeatMonitor;
	endpoints?: readonly string[];
	/** Whether it has been sent its ranks. */
	isStarted: boolean;
	hasEnded: boolean;
}
