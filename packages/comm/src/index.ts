/** @stickslip/comm: communicators between ranks. */
export { SelfCommunicator } from "@stickslip/core/parallel";
