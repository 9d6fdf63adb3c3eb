/** A picture of the answer: the contacts of a pile from the side, each as dark as its normal reaction is large. */
import type { Problem } from "@stickslip/core";

const MARGIN = 16;
/** From light to dark. */
const SHADES = ["#cfe3f7", "#9cc6ec", "#6aa7de", "#3c85ca", "#1b63ab", "#0b3f7d"];

/** False if the places of the contacts are unknown. */
export function drawPicture(
	canvas: HTMLCanvasElement,
	{ geometry, contacts }: Problem,
	reaction: Float64Array,
): boolean {
	const context = canvas.getContext("2d");
	const point = geometry?.point;
	if (context === null || point === undefined || contacts === 0) return false;
	const { width, height } = canvas;
	const [left, right] = range(point, 0);
	const [low, high] = range(point, 2);
	const scale = Math.min((width - 2 * MARGIN) / (right - left || 1), (height - 2 * MARGIN) / (high - low || 1));
	const largest = Math.sqrt(normals(reaction).reduce((most, each) => Math.max(most, each), 0)) || 1;
	const size = Math.max(2, Math.min(7, Math.sqrt((width * height) / contacts) / 4));
	context.clearRect(0, 0, width, height);
	// Large ones last, so that they are seen.
	const order = Array.from({ length: contacts }, (_, at) => at);
	for (const at of order.sort((one, other) => reaction[3 * one]! - reaction[3 * other]!)) {
		const share = Math.sqrt(Math.max(0, reaction[3 * at]!)) / largest;
		const x = width / 2 + scale * (point[3 * at]! - (left + right) / 2);
		const y = height - MARGIN - scale * (point[3 * at + 2]! - low);
		context.fillStyle = SHADES[Math.min(SHADES.length - 1, Math.floor(SHADES.length * share))]!;
		context.beginPath();
		context.arc(x, y, size * (0.5 + share), 0, 2 * Math.PI);
		context.fill();
	}
	canvas.setAttribute(
		"aria-label",
		`${contacts} contacts; the largest normal reaction is ${(largest * largest).toPrecision(3)}`,
	);
	return true;
}

function normals(reaction: Float64Array): Float64Array {
	return reaction.filter((_, at) => at % 3 === 0);
}

function range(point: Float64Array, axis: number): readonly [number, number] {
	let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (let at = axis; at < point.length; at += 3) {
		least = Math.min(least, point[at]!);
		most = Math.max(most, point[at]!);
	}
	return [least, most];
}
