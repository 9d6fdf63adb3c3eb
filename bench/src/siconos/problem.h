/*
 * The problem as the bench hands it over, as Siconos wants it, and its natural error.
 */
#ifndef STICKSLIP_BENCH_SICONOS_PROBLEM_H
#define STICKSLIP_BENCH_SICONOS_PROBLEM_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <NumericsMatrix.h>
#include <SparseBlockMatrix.h>

typedef struct
{
	int contacts, blocks;
	int *row_start, *column;
	double *values, *q, *mu;
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
	b.values = take(file, 9 * (size_t)b.blocks, sizeof(double));
	b.q = take(file, 3 * (size_t)b.contacts, sizeof(double));
	b.mu = take(file, (size_t)b.contacts, sizeof(double));
	free(head);
	fclose(file);
	return b;
}

/* Siconos' sparse-block form: columns ascending in a row, and its blocks are by columns where ours are by rows. */
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
	m->index1_data[0] = 0;
	for (size_t row = 0; row < rows; row++)
	{
		m->blocksize0[row] = m->blocksize1[row] = (unsigned)(3 * (row + 1));
		size_t begin = (size_t)b->row_start[row], end = (size_t)b->row_start[row + 1];
		m->index1_data[row + 1] = end;
		for (size_t k = begin; k < end; k++)
		{
			size_t place = begin;
			for (size_t other = begin; other < end; other++) place += b->column[other] < b->column[k];
			m->index2_data[place] = (size_t)b->column[k];
			double *block = m->block[place] = malloc(9 * sizeof(double));
			for (int i = 0; i < 3; i++)
				for (int j = 0; j < 3; j++) block[3 * j + i] = b->values[9 * k + (size_t)(3 * i + j)];
		}
	}
	NumericsMatrix *matrix = NM_create_from_data(NM_SPARSE_BLOCK, 3 * b->contacts, 3 * b->contacts, m);
	SBM_diagonal_block_indices(m);
	return matrix;
}

/* | R - proj_K(R - F(R)) | / max(|q|, |R|, |U|): only to choose among attempts here, the bench scores the answers itself. */
static double natural_error(const Blocks *b, const double *r)
{
	double sum = 0, qq = 0, rr = 0, uu = 0;
	for (int a = 0; a < b->contacts; a++)
	{
		double u[3], s[3];
		for (int i = 0; i < 3; i++) u[i] = b->q[3 * a + i];
		for (int k = b->row_start[a]; k < b->row_start[a + 1]; k++)
			for (int i = 0; i < 3; i++)
				for (int j = 0; j < 3; j++) u[i] += b->values[9 * (size_t)k + (size_t)(3 * i + j)] * r[3 * b->column[k] + j];
		double mu = b->mu[a];
		for (int i = 0; i < 3; i++) s[i] = r[3 * a + i] - u[i];
		s[0] -= mu * sqrt(u[1] * u[1] + u[2] * u[2]);
		double t = sqrt(s[1] * s[1] + s[2] * s[2]);
		if (mu * t <= -s[0])
			s[0] = s[1] = s[2] = 0;
		else if (t > mu * s[0])
		{
			double n = (s[0] + mu * t) / (1 + mu * mu), scale = mu * n / t;
			s[0] = n;
			s[1] *= scale;
			s[2] *= scale;
		}
		for (int i = 0; i < 3; i++)
		{
			double e = r[3 * a + i] - s[i];
			sum += e * e;
			qq += b->q[3 * a + i] * b->q[3 * a + i];
			rr += r[3 * a + i] * r[3 * a + i];
			uu += u[i] * u[i];
		}
	}
	double scale = sqrt(fmax(qq, fmax(rr, uu)));
	return sqrt(sum) / (scale > 0 ? scale : 1);
}

#endif
