/** Chromium and pages for it, from the browser package's tests: the package does not contain them, so they are taken from the workspace's build. */
export * from "../../../packages/browser/dist/testing/index.js";
