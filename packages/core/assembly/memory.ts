/**
 * How kernels reach memory. A vector is the index of its first number, counted in numbers (8 bytes) or in integers
 * (4 bytes) from the start of the linear memory. The portable kernels see nothing else, so that one source compiles twice:
 * by AssemblyScript with this file, and by TypeScript with src/kernels/memory.ts in its place.
 */

@inline
export function get(index: i32): f64 {
	return load<f64>((<usize>index) << 3);
}

@inline
export function set(index: i32, value: f64): void {
	store<f64>((<usize>index) << 3, value);
}

@inline
export function getInt(index: i32): i32 {
	return load<i32>((<usize>index) << 2);
}

@inline
export function setInt(index: i32, value: i32): void {
	store<i32>((<usize>index) << 2, value);
}
