/*
 * The C side of `npm run bench -- kernels`: W x with 3x3 blocks, written in C the ways that a C programmer would try, each compiled for this very
 * processor. It reads one problem and then obeys a line at a time:
 *
 *     kernels FILE      use NAME -> bytes of the matrix      run COUNT -> nanoseconds, and a weighted sum of y
 *
 * FILE: rows and blocks (int64), row starts and columns (int32, each padded to 8 bytes), values by rows of blocks, x.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef double two __attribute__((vector_size(16), aligned(8)));
typedef double four __attribute__((vector_size(32), aligned(8)));
typedef double eight __attribute__((vector_size(64), aligned(8)));
typedef int64_t pick2 __attribute__((vector_size(16)));
typedef int64_t pick4 __attribute__((vector_size(32)));
typedef int64_t pick8 __attribute__((vector_size(64)));

/* Rows in chunks are sorted by length inside windows of so many rows, so that chunks are padded little. */
enum { WINDOW = 512, ROOM = 64 };

static int64_t rows, blocks;
static int32_t *row_start, *column;
static double *values, *x, *y;

/* The matrix as the chosen kernel wants it: by rows, or in chunks of `lanes` rows. */
static double *stored;
static int32_t *start, *index_of, *row_of;
static int64_t chunks;

static void *room(size_t bytes)
{
	void *memory = NULL;
	if (posix_memalign(&memory, 64, bytes + ROOM) != 0) {
		fprintf(stderr, "kernels: no memory\n");
		exit(1);
	}
	memset(memory, 0, bytes + ROOM);
	return memory;
}

/* ---- by rows: one block after another ---- */

/* Values stay as they are in the file. */
static size_t by_rows(void)
{
	stored = room(72 * blocks);
	memcpy(stored, values, 72 * blocks);
	return 76 * blocks;
}

/* Column-major blocks, `stride` numbers apart. */
static size_t by_columns(int stride)
{
	stored = room(8 * stride * blocks);
	for (int64_t k = 0; k < blocks; k += 1)
		for (int i = 0; i < 3; i += 1)
			for (int j = 0; j < 3; j += 1)
				stored[stride * k + (stride == 12 ? 4 : 3) * j + i] = values[9 * k + 3 * i + j];
	return (8 * stride + 4) * blocks;
}

static size_t by_tight_columns(void) { return by_columns(9); }
static size_t by_padded_columns(void) { return by_columns(12); }

static void plain(void)
{
	for (int64_t a = 0; a < rows; a += 1) {
		double s0 = 0, s1 = 0, s2 = 0;
		for (int32_t k = row_start[a]; k < row_start[a + 1]; k += 1) {
			const double *w = stored + 9 * (int64_t)k;
			const double *z = x + 3 * (int64_t)column[k];
			s0 += w[0] * z[0] + w[1] * z[1] + w[2] * z[2];
			s1 += w[3] * z[0] + w[4] * z[1] + w[5] * z[2];
			s2 += w[6] * z[0] + w[7] * z[1] + w[8] * z[2];
		}
		y[3 * a] = s0;
		y[3 * a + 1] = s1;
		y[3 * a + 2] = s2;
	}
}

/* Three columns, each one vector load; the fourth lane is the next column's first number, and of no use. */
static inline __attribute__((always_inline)) void columns(int stride, int step)
{
	for (int64_t a = 0; a < rows; a += 1) {
		four s0 = {0}, s1 = {0}, s2 = {0};
		const int32_t end = row_start[a + 1];
		const double *w = stored + stride * (int64_t)row_start[a];
		for (int32_t k = row_start[a]; k < end; k += 1, w += stride) {
			const double *z = x + 3 * (int64_t)column[k];
			s0 += *(const four *)w * z[0];
			s1 += *(const four *)(w + step) * z[1];
			s2 += *(const four *)(w + 2 * step) * z[2];
		}
		const four sum = s0 + (s1 + s2);
		y[3 * a] = sum[0];
		y[3 * a + 1] = sum[1];
		y[3 * a + 2] = sum[2];
	}
}

static void tight_columns(void) { columns(9, 3); }
static void padded_columns(void) { columns(12, 4); }

/* ---- in chunks: one lane is one row ---- */

static int lanes_now;

static int longer(const void *a, const void *b)
{
	const int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
	const int32_t lp = row_start[p + 1] - row_start[p], lq = row_start[q + 1] - row_start[q];
	return lp != lq ? (lp < lq) - (lp > lq) : (p > q) - (p < q);
}

static size_t in_chunks(int lanes)
{
	lanes_now = lanes;
	chunks = (rows + lanes - 1) / lanes;
	row_of = room(4 * chunks * lanes);
	start = room(4 * (chunks + 1));
	for (int64_t a = 0; a < chunks * lanes; a += 1) row_of[a] = a < rows ? a : rows;
	for (int64_t a = 0; a < rows; a += WINDOW) qsort(row_of + a, a + WINDOW < rows ? WINDOW : rows - a, 4, longer);
	for (int64_t c = 0; c < chunks; c += 1) {
		int32_t widest = 0;
		for (int l = 0; l < lanes; l += 1) {
			const int32_t a = row_of[c * lanes + l];
			const int32_t length = a < rows ? row_start[a + 1] - row_start[a] : 0;
			widest = length > widest ? length : widest;
		}
		start[c + 1] = start[c] + widest;
	}
	const int64_t slots = start[chunks];
	stored = room(72 * lanes * slots);
	index_of = room(4 * lanes * slots);
	for (int64_t c = 0; c < chunks; c += 1)
		for (int l = 0; l < lanes; l += 1) {
			const int32_t a = row_of[c * lanes + l];
			for (int64_t s = start[c]; s < start[c + 1]; s += 1) {
				const int64_t k = a < rows ? row_start[a] + (s - start[c]) : blocks;
				const int there = a < rows && k < row_start[a + 1];
				index_of[lanes * s + l] = there ? 3 * column[k] : a < rows ? 3 * a : 0;
				for (int i = 0; there && i < 9; i += 1) stored[lanes * (9 * s + i) + l] = values[9 * k + i];
			}
		}
	return 76 * lanes * slots;
}

static size_t in_twos(void) { return in_chunks(2); }
static size_t in_fours(void) { return in_chunks(4); }
static size_t in_eights(void) { return in_chunks(8); }

#define ADD_BLOCKS(vector, lanes) \
	s0 += ((const vector *)w)[0] * z0 + ((const vector *)w)[1] * z1 + ((const vector *)w)[2] * z2; \
	s1 += ((const vector *)w)[3] * z0 + ((const vector *)w)[4] * z1 + ((const vector *)w)[5] * z2; \
	s2 += ((const vector *)w)[6] * z0 + ((const vector *)w)[7] * z1 + ((const vector *)w)[8] * z2;

#define STORE_ROWS(lanes) \
	for (int l = 0; l < lanes; l += 1) { \
		double *to = y + 3 * (int64_t)row_of[lanes * c + l]; \
		to[0] = s0[l]; \
		to[1] = s1[l]; \
		to[2] = s2[l]; \
	}

static void twos(void)
{
	for (int64_t c = 0; c < chunks; c += 1) {
		two s0 = {0}, s1 = {0}, s2 = {0};
		for (int64_t s = start[c]; s < start[c + 1]; s += 1) {
			const double *w = stored + 18 * s;
			const double *a = x + index_of[2 * s], *b = x + index_of[2 * s + 1];
			const two a01 = *(const two *)a, b01 = *(const two *)b;
			const two z0 = __builtin_shuffle(a01, b01, (pick2){0, 2}), z1 = __builtin_shuffle(a01, b01, (pick2){1, 3});
			const two z2 = {a[2], b[2]};
			ADD_BLOCKS(two, 2)
		}
		STORE_ROWS(2)
	}
}

static void fours(void)
{
	for (int64_t c = 0; c < chunks; c += 1) {
		four s0 = {0}, s1 = {0}, s2 = {0};
		for (int64_t s = start[c]; s < start[c + 1]; s += 1) {
			const double *w = stored + 36 * s;
			const int32_t *i = index_of + 4 * s;
			const four a = *(const four *)(x + i[0]), b = *(const four *)(x + i[1]);
			const four d = *(const four *)(x + i[2]), e = *(const four *)(x + i[3]);
			const four ab02 = __builtin_shuffle(a, b, (pick4){0, 4, 2, 6}), de02 = __builtin_shuffle(d, e, (pick4){0, 4, 2, 6});
			const four ab1 = __builtin_shuffle(a, b, (pick4){1, 5, 3, 7}), de1 = __builtin_shuffle(d, e, (pick4){1, 5, 3, 7});
			const four z0 = __builtin_shuffle(ab02, de02, (pick4){0, 1, 4, 5});
			const four z1 = __builtin_shuffle(ab1, de1, (pick4){0, 1, 4, 5});
			const four z2 = __builtin_shuffle(ab02, de02, (pick4){2, 3, 6, 7});
			ADD_BLOCKS(four, 4)
		}
		STORE_ROWS(4)
	}
}

/* The halves of one vector: four numbers at p, four at q. */
static inline eight both(const double *p, const double *q)
{
	const four a = *(const four *)p, b = *(const four *)q;
	return (eight){a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
}

static void eights(void)
{
	for (int64_t c = 0; c < chunks; c += 1) {
		eight s0 = {0}, s1 = {0}, s2 = {0};
		for (int64_t s = start[c]; s < start[c + 1]; s += 1) {
			const double *w = stored + 72 * s;
			const int32_t *i = index_of + 8 * s;
			const eight a = both(x + i[0], x + i[4]), b = both(x + i[1], x + i[5]);
			const eight d = both(x + i[2], x + i[6]), e = both(x + i[3], x + i[7]);
			const eight ab02 = __builtin_shuffle(a, b, (pick8){0, 8, 2, 10, 4, 12, 6, 14});
			const eight de02 = __builtin_shuffle(d, e, (pick8){0, 8, 2, 10, 4, 12, 6, 14});
			const eight ab1 = __builtin_shuffle(a, b, (pick8){1, 9, 3, 11, 5, 13, 7, 15});
			const eight de1 = __builtin_shuffle(d, e, (pick8){1, 9, 3, 11, 5, 13, 7, 15});
			const eight z0 = __builtin_shuffle(ab02, de02, (pick8){0, 1, 8, 9, 4, 5, 12, 13});
			const eight z1 = __builtin_shuffle(ab1, de1, (pick8){0, 1, 8, 9, 4, 5, 12, 13});
			const eight z2 = __builtin_shuffle(ab02, de02, (pick8){2, 3, 10, 11, 6, 7, 14, 15});
			ADD_BLOCKS(eight, 8)
		}
		STORE_ROWS(8)
	}
}

#ifdef __AVX512F__
#include <immintrin.h>

/* The same with the processor's gather. */
static void gathered_eights(void)
{
	for (int64_t c = 0; c < chunks; c += 1) {
		__m512d s0 = _mm512_setzero_pd(), s1 = s0, s2 = s0;
		for (int64_t s = start[c]; s < start[c + 1]; s += 1) {
			const double *w = stored + 72 * s;
			const __m256i i = _mm256_loadu_si256((const __m256i *)(index_of + 8 * s));
			const __m512d z0 = _mm512_i32gather_pd(i, x, 8), z1 = _mm512_i32gather_pd(i, x + 1, 8);
			const __m512d z2 = _mm512_i32gather_pd(i, x + 2, 8);
			ADD_BLOCKS(__m512d, 8)
		}
		STORE_ROWS(8)
	}
}
#endif

static const struct kernel {
	const char *name;
	size_t (*store)(void);
	void (*multiply)(void);
} kernels[] = {
	{"plain rows", by_rows, plain},
	{"columns of 3", by_tight_columns, tight_columns},
	{"columns of 4", by_padded_columns, padded_columns},
	{"2 rows", in_twos, twos},
	{"4 rows", in_fours, fours},
	{"8 rows", in_eights, eights},
#ifdef __AVX512F__
	{"8 rows gathered", in_eights, gathered_eights},
#endif
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static const struct kernel *use(const char *name)
{
	free(stored);
	free(start);
	free(index_of);
	free(row_of);
	stored = NULL;
	start = index_of = row_of = NULL;
	for (int i = 0; i < KERNELS; i += 1)
		if (strcmp(name, kernels[i].name) == 0) {
			printf("%zu\n", kernels[i].store());
			return &kernels[i];
		}
	fprintf(stderr, "kernels: no kernel is named %s\n", name);
	exit(2);
}

static void run(const struct kernel *kernel, long count)
{
	struct timespec before, after;
	kernel->multiply();
	clock_gettime(CLOCK_MONOTONIC, &before);
	for (long i = 0; i < count; i += 1) {
		kernel->multiply();
		__asm__ volatile("" ::: "memory");
	}
	clock_gettime(CLOCK_MONOTONIC, &after);
	double sum = 0;
	for (int64_t i = 0; i < 3 * rows; i += 1) sum += y[i] * (1 + i % 7);
	const int64_t seconds = after.tv_sec - before.tv_sec;
	printf("%lld %.17g\n", (long long)(1000000000 * seconds + (after.tv_nsec - before.tv_nsec)), sum);
}

static void get(void *to, size_t bytes, FILE *file)
{
	if (fread(to, 1, bytes, file) != bytes) {
		fprintf(stderr, "kernels: the problem file is too short\n");
		exit(2);
	}
}

static int32_t *get_integers(int64_t count, FILE *file)
{
	const size_t bytes = (4 * count + 7) / 8 * 8;
	int32_t *numbers = room(bytes);
	get(numbers, bytes, file);
	return numbers;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	if (file == NULL) {
		fprintf(stderr, "kernels FILE\n");
		return 2;
	}
	get(&rows, 8, file);
	get(&blocks, 8, file);
	row_start = get_integers(rows + 1, file);
	column = get_integers(blocks, file);
	values = room(72 * blocks);
	get(values, 72 * blocks, file);
	x = room(24 * rows);
	get(x, 24 * rows, file);
	fclose(file);
	y = room(24 * (rows + 8));

	for (int i = 0; i < KERNELS; i += 1) printf("%s%s", i > 0 ? "," : "", kernels[i].name);
	printf("\n");
	fflush(stdout);
	const struct kernel *kernel = NULL;
	char line[64];
	while (fgets(line, sizeof line, stdin) != NULL) {
		line[strcspn(line, "\n")] = 0;
		if (strncmp(line, "use ", 4) == 0) kernel = use(line + 4);
		else if (kernel != NULL && strncmp(line, "run ", 4) == 0) run(kernel, atol(line + 4));
		else return 2;
		fflush(stdout);
	}
	return 0;
}
