/*
 * CHOLMOD and UMFPACK on the same matrix, as they come: reads n, the starts of columns, rows and values from the file that is named, analyses once,
 * factors once with each for each line of standard input, and prints the nanoseconds of CPU time of both.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cholmod.h>
#include <umfpack.h>

static void *read_all(FILE *f, size_t size, size_t n) {
	void *p = malloc(size * (n + 1));
	if (!p || fread(p, size, n, f) != n) exit(2);
	return p;
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return 1e9 * t.tv_sec + t.tv_nsec;
}

int main(int argc, char **argv) {
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
	if (!f) return 2;
	int32_t *n = read_all(f, sizeof(int32_t), 1);
	int32_t *start = read_all(f, sizeof(int32_t), *n + 1);
	int32_t *row = read_all(f, sizeof(int32_t), start[*n]);
	double *x = read_all(f, sizeof(double), start[*n]);

	cholmod_common common;
	cholmod_start(&common);
	cholmod_sparse whole = {.nrow = *n, .ncol = *n, .nzmax = start[*n], .p = start, .i = row, .x = x, .stype = 0, .itype = CHOLMOD_INT,
		.xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE, .sorted = 1, .packed = 1};
	cholmod_sparse *upper = cholmod_copy(&whole, 1, 1, &common);
	cholmod_factor *factor = cholmod_analyze(upper, &common);
	void *symbolic, *numeric;
	if (!factor || umfpack_di_symbolic(*n, *n, start, row, x, &symbolic, NULL, NULL) != UMFPACK_OK) return 3;

	char line[64];
	while (fgets(line, sizeof line, stdin)) {
		const double begin = now();
		if (!cholmod_factorize(upper, factor, &common) || common.status != CHOLMOD_OK) return 4;
		const double middle = now();
		if (umfpack_di_numeric(start, row, x, symbolic, &numeric, NULL, NULL) != UMFPACK_OK) return 5;
		const double end = now();
		umfpack_di_free_numeric(&numeric);
		printf("%.0f %.0f\n", middle - begin, end - middle);
		fflush(stdout);
	}
	return 0;
}
