/** Real parts of clusters, from cluster-runner's tests: the package does not contain them, so they are taken from the workspace's build. */
export * from "../../packages/cluster-runner/dist/testing/index.js";
