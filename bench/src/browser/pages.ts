/** Chromium and pages for it, from the browser package's tests: the package has them not, so they are taken from where the workspace builds them. */
export * from "../../../packages/browser/dist/testing/index.js";
