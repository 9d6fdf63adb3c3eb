/** @stickslip/partition: who owns which contacts. */
export type { HaloPlan } from "@stickslip/core/parallel";
