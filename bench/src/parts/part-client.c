/*
 * A process that brings its part of the lattice (lattice.ts) to a service: `part-client CONNECTION_FILE GROUP SIDE INDEX OF`. Prints the
 * hash of the answer, and what it held beyond what it had before it made its part, as a JSON line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stickslip.h>

static const double coupling[9] = {0.25, 0.0625, 0, -0.0625, 0.25, 0.03125, 0, -0.03125, 0.125};
static const double diagonal[9] = {4, 0.25, 0, 0.25, 5, 0.5, 0, 0.5, 6};

static long kibibytes(const char *name)
{
	char line[256];
	long found = -1;
	FILE *file = fopen("/proc/self/status", "r");
	if (file == NULL) return -1;
	while (fgets(line, sizeof line, file) != NULL)
		if (strncmp(line, name, strlen(name)) == 0) found = strtol(line + strlen(name) + 1, NULL, 10);
	fclose(file);
	return found;
}

static void *room(size_t bytes)
{
	void *memory = malloc(bytes > 0 ? bytes : 1);
	if (memory == NULL) exit(2);
	return memory;
}

static void put(double *block, const double *given, double scale, int is_transposed)
{
	int i, j;
	for (i = 0; i < 3; i += 1)
		for (j = 0; j < 3; j += 1) block[3 * i + j] = scale * given[is_transposed ? 3 * j + i : 3 * i + j];
}

/* The row of a contact; returns its blocks. Without room they are counted only. */
static int32_t write_row(int32_t id, int32_t side, int32_t *column, double *values)
{
	const int32_t step[3] = {side * side, side, 1};
	const int32_t at[3] = {id / (side * side), id / side % side, id % side};
	int32_t blocks = 0;
	int axis;
	for (axis = 0; axis < 3; axis += 1)
	{
		if (at[axis] == 0) continue;
		if (column != NULL)
		{
			int32_t other = id - step[axis];
			column[blocks] = other;
			put(values + 9 * blocks, coupling, 1 + ((7 * (int64_t)other + axis) % 5) / 16.0, 1);
		}
		blocks += 1;
	}
	if (column != NULL)
	{
		column[blocks] = id;
		put(values + 9 * blocks, diagonal, 1, 0);
	}
	blocks += 1;
	for (axis = 2; axis >= 0; axis -= 1)
	{
		if (at[axis] + 1 == side) continue;
		if (column != NULL)
		{
			column[blocks] = id + step[axis];
			put(values + 9 * blocks, coupling, 1 + ((7 * (int64_t)id + axis) % 5) / 16.0, 0);
		}
		blocks += 1;
	}
	return blocks;
}

int main(int count, char **words)
{
	stickslip_problem problem = {0};
	stickslip_options options = {0};
	stickslip_answer answer;
	stickslip_error error;
	stickslip_part part = {0};
	stickslip_array more;
	stickslip_client *client;
	int32_t side, first, end, i, *ids, *row_start, *column;
	double *q, *mu, *point, *values;
	long before;
	size_t bytes;
	if (count != 6) return 2;
	client = stickslip_connect(words[1], 60, &error);
	if (client == NULL) goto failed;
	before = kibibytes("VmRSS");
	side = (int32_t)atoi(words[3]);
	part.group = words[2];
	part.index = (int32_t)atoi(words[4]);
	part.of = (int32_t)atoi(words[5]);
	problem.contacts = side * side * side;
	first = (int32_t)((int64_t)part.index * problem.contacts / part.of);
	end = (int32_t)((int64_t)(part.index + 1) * problem.contacts / part.of);
	part.rows = end - first;
	ids = room(sizeof *ids * (size_t)part.rows);
	row_start = room(sizeof *row_start * ((size_t)part.rows + 1));
	q = room(3 * sizeof *q * (size_t)part.rows);
	mu = room(sizeof *mu * (size_t)part.rows);
	point = room(3 * sizeof *point * (size_t)part.rows);
	row_start[0] = 0;
	for (i = 0; i < part.rows; i += 1)
	{
		int64_t id = first + i;
		ids[i] = (int32_t)id;
		row_start[i + 1] = row_start[i] + write_row(ids[i], side, NULL, NULL);
		q[3 * i] = -(1 + (double)(id % 7) / 8);
		q[3 * i + 1] = (double)((3 * id) % 5 - 2) / 4;
		q[3 * i + 2] = (double)((5 * id) % 3 - 1) / 4;
		mu[i] = 0.5;
		point[3 * i] = (double)(id % side);
		point[3 * i + 1] = (double)(id / side % side);
		point[3 * i + 2] = (double)(id / side / side);
	}
	column = room(sizeof *column * (size_t)row_start[part.rows]);
	values = room(9 * sizeof *values * (size_t)row_start[part.rows]);
	for (i = 0; i < part.rows; i += 1) write_row(ids[i], side, column + row_start[i], values + 9 * (size_t)row_start[i]);
	part.ids = ids;
	problem.part = &part;
	problem.q = q;
	problem.mu = mu;
	problem.row_start = row_start;
	problem.column = column;
	problem.values = values;
	more.name = "geometry.point";
	more.type = STICKSLIP_F64;
	more.data = point;
	more.count = 3 * (size_t)part.rows;
	problem.more = &more;
	problem.more_count = 1;
	options.name = "lattice";
	options.max_iterations = 3;
	bytes = (size_t)part.rows * (2 * sizeof(int32_t) + 7 * sizeof(double)) + sizeof(int32_t) +
	        (size_t)row_start[part.rows] * (sizeof(int32_t) + 9 * sizeof(double));
	if (stickslip_solve(client, &problem, &options, -1, &answer, &error) < 0) goto failed;
	printf("{\"contacts\":%ld,\"partBytes\":%lu,\"peakBytes\":%ld,\"hash\":\"%s\"}\n", (long)answer.contacts, (unsigned long)bytes,
	       1024 * (kibibytes("VmHWM") - before), answer.hash);
	stickslip_answer_free(&answer);
	stickslip_close(client);
	return 0;
failed:
	fprintf(stderr, "%s: %s: %s; %s\n", error.code, error.field, error.message, error.remedy);
	return 1;
}
