/** Names of what touches: a corner of the first polyhedron, a corner of the second, or an edge of each; a number of its own for each. */
import type { Solid } from "./solid.js";

export function firstVertexFeature(vertex: number): number {
	return vertex;
}

export function secondVertexFeature(first: Solid, vertex: number): number {
	return first.convex.vertices.length / 3 + vertex;
}

export function edgesFeature(first: Solid, second: Solid, firstEdge: number, secondEdge: number): number {
	const corners = (first.convex.vertices.length + second.convex.vertices.length) / 3;
	return corners + (firstEdge * second.faces.edge.length) / 2 + secondEdge;
}
