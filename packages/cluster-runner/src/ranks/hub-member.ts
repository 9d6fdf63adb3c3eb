/** A member process as the hub knows it. */
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
	/** Whether it was told of its ranks. */
	isStarted: boolean;
	hasEnded: boolean;
}
