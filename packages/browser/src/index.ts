/** @stickslip/browser: sessions of web pages, whose ranks are Web Workers. */
export { missingForThreads } from "./session/isolation.js";
export { openSession, type SessionOptions } from "./session/open.js";
export { toSharedMemory } from "./session/shared-memory.js";
