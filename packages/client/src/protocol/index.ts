/** @stickslip/client/protocol: what clients and the service say to each other (docs/protocol.md). */
export { arraysOf, FrameError, headOf, type NamedArrays, type NumberArray, toFrames } from "./frames.js";
export {
	type ClientMessage,
	checkHead,
	clientMessages,
	ERROR_CODES,
	type ErrorCode,
	type ErrorMessage,
	type HeadFault,
	type Limits,
	type Part,
	type PrepareMessage,
	type ResultMessage,
	type ServiceMessage,
	type SolveMessage,
	serviceMessages,
	VERSION,
	type WelcomeMessage,
} from "./messages.js";
export { fromPacket, packetParts, toPacket } from "./packet.js";
export { fromPartArrays, toPartArrays } from "./part-arrays.js";
export { fromArrays, toArrays } from "./problem-arrays.js";
