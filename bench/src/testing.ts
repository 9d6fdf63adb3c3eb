/** Real parts of clusters, from cluster-runner's tests: the package has them not, so they are taken from where the workspace builds them. */
export * from "../../packages/cluster-runner/dist/testing/index.js";
