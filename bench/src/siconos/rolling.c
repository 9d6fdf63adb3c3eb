/*
 * Times a solver of Siconos 4.4 for rolling friction on one problem:
 *
 *     rolling PROBLEM ANSWER CONFIG TOLERANCE LIMIT BUDGET
 *
 * PROBLEM is binary, little-endian: int32 contacts, blocks, rowStart[contacts + 1], column[blocks], columns ascending in a row; float64
 * values[25 blocks] (by rows inside a block), q[5 contacts], mu[contacts], mu_r[contacts]. Solves from R = 0 again and again until BUDGET
 * seconds are spent, prints a line of JSON and writes R of the first solve to ANSWER. LIMIT seconds of processor time end it.
 *
 * Its matrix is in a form of its own before the clock starts: sparse blocks for ADMM, compressed columns or dense for Gauss-Seidel.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <NumericsVerbose.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#define SIZE 5
#define ITERATIONS_MAX 100000000
#define REPEATS_MAX 2000

typedef struct
{
	int contacts, blocks;
	int *row_start, *column;
	double *values, *q, *mu, *mu_r;
} Blocks;

static void fail(const char *what)
{
	fprintf(stderr, "siconos: %s\n", what);
	exit(2);
}

static void *take(FILE *file, size_t count, size_t size)
{
	void *data = malloc(count * size + 1);
	if (!data || fread(data, size, count, file) != count) fail("the problem file is too short");
	return data;
}

static Blocks read_blocks(const char *path)
{
	Blocks b;
	FILE *file = fopen(path, "rb");
	if (!file) fail("the problem file cannot be opened");
	int *head = take(file, 2, sizeof(int));
	b.contacts = head[0];
	b.blocks = head[1];
	b.row_start = take(file, (size_t)b.contacts + 1, sizeof(int));
	b.column = take(file, (size_t)b.blocks, sizeof(int));
	b.values = take(file, SIZE * SIZE * (size_t)b.blocks, sizeof(double));
	b.q = take(file, SIZE * (size_t)b.contacts, sizeof(double));
	b.mu = take(file, (size_t)b.contacts, sizeof(double));
	b.mu_r = take(file, (size_t)b.contacts, sizeof(double));
	free(head);
	fclose(file);
	return b;
}

/* Its blocks are by columns where ours are by rows. */
static NumericsMatrix *to_siconos(const Blocks *b)
{
	SparseBlockStructuredMatrix *m = SBM_new();
	size_t rows = (size_t)b->contacts, blocks = (size_t)b->blocks;
	m->nbblocks = (unsigned)blocks;
	m->blocknumber0 = m->blocknumber1 = (unsigned)rows;
	m->blocksize0 = malloc(rows * sizeof(unsigned));
	m->blocksize1 = malloc(rows * sizeof(unsigned));
	m->filled1 = rows + 1;
	m->filled2 = blocks;
	m->index1_data = malloc((rows + 1) * sizeof(size_t));
	m->index2_data = malloc(blocks * sizeof(size_t));
	m->block = malloc(blocks * sizeof(double *));
	for (size_t row = 0; row <= rows; row++) m->index1_data[row] = (size_t)b->row_start[row];
	for (size_t row = 0; row < rows; row++) m->blocksize0[row] = m->blocksize1[row] = (unsigned)(SIZE * (row + 1));
	for (size_t k = 0; k < blocks; k++)
	{
		m->index2_data[k] = (size_t)b->column[k];
		double *block = m->block[k] = malloc(SIZE * SIZE * sizeof(double));
		for (int i = 0; i < SIZE; i++)
			for (int j = 0; j < SIZE; j++) block[SIZE * j + i] = b->values[SIZE * SIZE * k + (size_t)(SIZE * i + j)];
	}
	NumericsMatrix *matrix = NM_create_from_data(NM_SPARSE_BLOCK, SIZE * b->contacts, SIZE * b->contacts, m);
	SBM_diagonal_block_indices(m);
	return matrix;
}

/* Its Gauss-Seidel stops at the first diagonal block of the sparse-block form ("has to be checked"), so it gets one of the other two. */
static NumericsMatrix *to_entries(const Blocks *b, int is_dense)
{
	int size = SIZE * b->contacts;
	NumericsMatrix *matrix = NM_create(is_dense ? NM_DENSE : NM_SPARSE, size, size);
	if (!is_dense) NM_triplet_alloc(matrix, SIZE * SIZE * b->blocks);
	if (!is_dense) matrix->matrix2->origin = NSM_TRIPLET;
	for (int a = 0; a < b->contacts; a++)
		for (int k = b->row_start[a]; k < b->row_start[a + 1]; k++)
			for (int i = 0; i < SIZE * SIZE; i++)
				NM_entry(matrix, SIZE * a + i / SIZE, SIZE * b->column[k] + i % SIZE, b->values[SIZE * SIZE * (size_t)k + (size_t)i]);
	if (!is_dense) NM_csc(matrix);
	return matrix;
}

static SolverOptions *create(const char *config, double tolerance)
{
	int is_admm = strcmp(config, "admm") == 0;
	if (strncmp(config, "dense-", 6) == 0) config += 6;
	SolverOptions *o = solver_options_create(is_admm ? SICONOS_ROLLING_FRICTION_3D_ADMM : SICONOS_ROLLING_FRICTION_3D_NSGS);
	o->dparam[SICONOS_DPARAM_TOL] = tolerance;
	o->iparam[SICONOS_IPARAM_MAX_ITER] = ITERATIONS_MAX;
	if (is_admm || strcmp(config, "nsgs") == 0) return o;
	/* The real error every few sweeps, where the default waits for the change of a sweep. */
	o->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
	o->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY] = 5;
	if (strcmp(config, "nsgs-shuffle") == 0)
	{
		o->iparam[SICONOS_FRICTION_3D_NSGS_SHUFFLE] = SICONOS_FRICTION_3D_NSGS_SHUFFLE_TRUE;
		o->iparam[SICONOS_FRICTION_3D_NSGS_SHUFFLE_SEED] = 1;
	}
	else if (strcmp(config, "nsgs-full") != 0)
		fail("a configuration is nsgs, nsgs-full or nsgs-shuffle, with dense- before it or not, or admm");
	return o;
}

static double clock_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char **arguments)
{
	if (count != 7) fail("usage: rolling PROBLEM ANSWER CONFIG TOLERANCE LIMIT BUDGET");
	Blocks b = read_blocks(arguments[1]);
	double tolerance = atof(arguments[4]), limit = atof(arguments[5]), budget = atof(arguments[6]);
	struct itimerval timer = {{0, 0}, {(time_t)limit, (suseconds_t)(1e6 * (limit - floor(limit)))}};
	setitimer(ITIMER_PROF, &timer, NULL);
	numerics_set_verbose(0);
	size_t size = SIZE * (size_t)b.contacts;
	double *r = malloc(size * sizeof(double)), *u = malloc(size * sizeof(double)), *q = malloc(size * sizeof(double));
	int is_dense = strncmp(arguments[3], "dense-", 6) == 0;
	NumericsMatrix *matrix = strcmp(arguments[3], "admm") == 0 ? to_siconos(&b) : to_entries(&b, is_dense);
	double spent = 0, least = INFINITY;
	int repeats = 0, info = 0, iterations = 0;
	while (repeats < REPEATS_MAX && (repeats < 2 || spent < budget))
	{
		memcpy(q, b.q, size * sizeof(double));
		memset(r, 0, size * sizeof(double));
		memset(u, 0, size * sizeof(double));
		RollingFrictionContactProblem problem = {
			.dimension = SIZE, .numberOfContacts = b.contacts, .M = matrix, .q = q, .mu = b.mu, .mu_r = b.mu_r};
		SolverOptions *options = create(arguments[3], tolerance);
		double start = clock_seconds();
		info = rolling_fc3d_driver(&problem, r, u, options);
		double seconds = clock_seconds() - start;
		iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
		solver_options_delete(options);
		spent += seconds;
		if (seconds < least) least = seconds;
		if (repeats++ > 0) continue;
		FILE *file = fopen(arguments[2], "wb");
		if (!file || fwrite(r, sizeof(double), size, file) != size) fail("the answer cannot be written");
		fclose(file);
		if (seconds > 10 * budget) break;
	}
	printf("{\"seconds\":%.9g,\"iterations\":%d,\"repeats\":%d,\"info\":%d}\n", least, iterations, repeats, info);
	return 0;
}
