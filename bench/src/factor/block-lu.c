/*
 * The same factorisation in C: A = L U of 6x6 blocks by columns, row by row, no pivoting between blocks (packages/core/assembly/block-lu.ts has the
 * algorithm). Reads the pattern and the values from the file that is named, factors once for each line of standard input, and prints nanoseconds of CPU
 * time and the sum of the inverses of the diagonal blocks.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *must(void *p) {
	if (!p) exit(2);
	return p;
}

static int32_t *ints(FILE *f, size_t n) {
	int32_t *p = must(malloc((n + 1) * sizeof *p));
	if (fread(p, sizeof *p, n, f) != n) exit(2);
	return p;
}

static inline void subtract_product(const double *restrict a, const double *restrict b, double *restrict c) {
	for (int j = 0; j < 6; j++)
		for (int k = 0; k < 6; k++) {
			const double factor = b[6 * j + k];
			for (int i = 0; i < 6; i++) c[6 * j + i] -= a[6 * k + i] * factor;
		}
}

static void invert(double *a, double *inverse) {
	for (int k = 0; k < 36; k++) inverse[k] = k % 7 == 0;
	for (int k = 0; k < 6; k++) {
		int best = k;
		for (int i = k + 1; i < 6; i++)
			if (fabs(a[6 * k + i]) > fabs(a[6 * k + best])) best = i;
		if (best != k)
			for (int j = 0; j < 36; j += 6) {
				double x = a[j + k], y = inverse[j + k];
				a[j + k] = a[j + best], a[j + best] = x;
				inverse[j + k] = inverse[j + best], inverse[j + best] = y;
			}
		const double factor = 1 / a[6 * k + k];
		for (int j = 0; j < 36; j += 6) a[j + k] *= factor, inverse[j + k] *= factor;
		for (int i = 0; i < 6; i++) {
			if (i == k) continue;
			const double share = a[6 * k + i];
			for (int j = 0; j < 36; j += 6) a[j + i] -= share * a[j + k], inverse[j + i] -= share * inverse[j + k];
		}
	}
}

int main(int argc, char **argv) {
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
	if (!f) return 2;
	int32_t *head = ints(f, 3);
	const int rows = head[0], used = head[1], half = head[2];
	int32_t *a_start = ints(f, rows + 1), *a_column = ints(f, used);
	int32_t *l_start = ints(f, rows + 1), *l_column = ints(f, half), *u_start = ints(f, rows + 1), *u_column = ints(f, half);
	double *a = must(aligned_alloc(64, 64 * ((36 * sizeof(double) * used + 63) / 64)));
	if (fread(a, sizeof(double), 36 * (size_t)used, f) != 36 * (size_t)used) return 2;
	double *l = must(malloc(36 * sizeof(double) * ((size_t)half + 1))), *u = must(malloc(36 * sizeof(double) * ((size_t)half + 1)));
	double *d = must(malloc(36 * sizeof(double) * (size_t)rows)), *w = must(malloc(36 * sizeof(double) * (size_t)(rows + 1)));
	char line[64];
	while (fgets(line, sizeof line, stdin)) {
		struct timespec from, to;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
		for (int i = 0; i < rows; i++) {
			for (int k = l_start[i]; k < l_start[i + 1]; k++) memset(w + 36 * (size_t)l_column[k], 0, 36 * sizeof(double));
			memset(w + 36 * (size_t)i, 0, 36 * sizeof(double));
			for (int k = u_start[i]; k < u_start[i + 1]; k++) memset(w + 36 * (size_t)u_column[k], 0, 36 * sizeof(double));
			for (int k = a_start[i]; k < a_start[i + 1]; k++) memcpy(w + 36 * (size_t)a_column[k], a + 36 * (size_t)k, 36 * sizeof(double));
			for (int k = l_start[i]; k < l_start[i + 1]; k++) {
				const int column = l_column[k];
				double *lk = l + 36 * (size_t)k;
				double product[36] = {0};
				subtract_product(w + 36 * (size_t)column, d + 36 * (size_t)column, product);
				for (int e = 0; e < 36; e++) lk[e] = -product[e];
				for (int m = u_start[column]; m < u_start[column + 1]; m++)
					subtract_product(lk, u + 36 * (size_t)m, w + 36 * (size_t)u_column[m]);
			}
			memcpy(w + 36 * (size_t)rows, w + 36 * (size_t)i, 36 * sizeof(double));
			invert(w + 36 * (size_t)rows, d + 36 * (size_t)i);
			for (int k = u_start[i]; k < u_start[i + 1]; k++) memcpy(u + 36 * (size_t)k, w + 36 * (size_t)u_column[k], 36 * sizeof(double));
		}
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
		double sum = 0;
		for (size_t k = 0; k < 36 * (size_t)rows; k++) sum += d[k];
		printf("%.0f %.17g\n", 1e9 * (to.tv_sec - from.tv_sec) + (to.tv_nsec - from.tv_nsec), sum);
		fflush(stdout);
	}
	return 0;
}
