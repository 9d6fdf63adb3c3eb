/** Chromium for tests and benches: the package ships none of it. */
export { call, findChromium, launchChromium, pageFile, type Served, servePages } from "./chromium.js";
export type { Solved } from "./in-page.js";
export { type ProblemSpec, problemOf, TEN_PROBLEMS } from "./problems.js";
