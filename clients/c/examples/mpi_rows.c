/*
 * A distributed program hands its contacts to the service: balls in a box-shaped lattice, each rank with the layers that are its own.
 * A rank makes the rows of W of its own contacts, sends them as its part, and gets back their reactions; nobody has the whole.
 *
 *     mpicc -o mpi_rows mpi_rows.c ../stickslip.c -I.. -lzmq -lm
 *     mpirun -n 4 ./mpi_rows CONNECTION_FILE 20 20 20 [REACTION_FILE]
 *
 * With --whole before the file, rank 0 makes and sends all of it, to compare with: the hash is the same. The reactions are gathered and
 * written to REACTION_FILE where one is named. On Linux each rank prints what its memory grew by.
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stickslip.h>

#define RADIUS 0.5
#define INVERSE_MASS 2.0
/* Of a full ball: 5 / (2 m r^2). */
#define INVERSE_INERTIA (2.5 * INVERSE_MASS / (RADIUS * RADIUS))
#define FRICTION 0.3
#define FALL 0.1
/* Contacts of a ball at most: one in each direction. */
#define NEIGHBOURS 6

typedef struct
{
	long x, y, z;
} lattice;

/* A contact is between a ball and the next one along an axis; along z it is the one above. -1 is the ground. */
typedef struct
{
	long id, ball[2];
	int axis;
} contact;

static long balls_of(const lattice *size)
{
	return size->x * size->y * size->z;
}

/* Contacts are numbered by their ball: the one below, then those to the next ball along x and along y. */
static long contacts_before(const lattice *size, long ball)
{
	long layer = size->x * size->y, x = ball % size->x, y = ball % layer / size->x, z = ball / layer;
	long per_row = 3 * size->x - 1, per_layer = size->y * per_row - size->x;
	long before_in_layer = y * per_row + x * (y + 1 < size->y ? 3 : 2);
	return z * per_layer + before_in_layer;
}

static int contact_below(const lattice *size, long ball, contact *found)
{
	long layer = size->x * size->y;
	found->id = contacts_before(size, ball);
	found->ball[0] = ball < layer ? -1 : ball - layer;
	found->ball[1] = ball;
	found->axis = 2;
	return 1;
}

/* With the next ball along x (0) or y (1), where there is one. */
static int contact_beside(const lattice *size, long ball, int axis, contact *found)
{
	long x = ball % size->x, y = ball / size->x % size->y;
	int has_x = x + 1 < size->x;
	if (axis == 0 ? !has_x : y + 1 >= size->y) return 0;
	found->id = contacts_before(size, ball) + 1 + (axis == 1 && has_x);
	found->ball[0] = ball;
	found->ball[1] = ball + (axis == 0 ? 1 : size->x);
	found->axis = axis;
	return 1;
}

/* The contacts that belong to a ball. */
static int own_contacts(const lattice *size, long ball, contact *found)
{
	int count = contact_below(size, ball, found);
	count += contact_beside(size, ball, 0, found + count);
	return count + contact_beside(size, ball, 1, found + count);
}

/* All contacts that a ball has, its own and those of the balls before and above it. */
static int all_contacts(const lattice *size, long ball, contact *found)
{
	int count = own_contacts(size, ball, found);
	if (ball % size->x > 0) count += contact_beside(size, ball - 1, 0, found + count);
	if (ball / size->x % size->y > 0) count += contact_beside(size, ball - size->x, 1, found + count);
	if (ball + size->x * size->y < balls_of(size)) count += contact_below(size, ball + size->x * size->y, found + count);
	return count;
}

/* The contacts that couple with one, ascending: those of both of its balls. */
static int coupled_contacts(const lattice *size, const contact *of, contact *found)
{
	int count = of->ball[0] < 0 ? 0 : all_contacts(size, of->ball[0], found), other, k, unique = 0;
	other = all_contacts(size, of->ball[1], found + count);
	for (k = 1; k < count + other; k += 1)
	{
		contact moved = found[k];
		int to = k;
		for (; to > 0 && found[to - 1].id > moved.id; to -= 1) found[to] = found[to - 1];
		found[to] = moved;
	}
	for (k = 0; k < count + other; k += 1)
		if (unique == 0 || found[unique - 1].id != found[k].id) found[unique++] = found[k];
	return unique;
}

/* The velocity that a contact gets of a unit impulse at another one, through the balls that they share. N, T1, T2 are axes in turn. */
static void block_of(const contact *one, const contact *other, double *block)
{
	int mine, theirs, row, column;
	memset(block, 0, 9 * sizeof *block);
	for (mine = 0; mine < 2; mine += 1)
		for (theirs = 0; theirs < 2; theirs += 1)
		{
			/* The arm of ball 0 points along the normal, that of ball 1 against it; so does the sign of its velocity. */
			double sign = mine == theirs ? 1 : -1, turn = INVERSE_INERTIA * RADIUS * RADIUS;
			if (one->ball[mine] < 0 || one->ball[mine] != other->ball[theirs]) continue;
			for (row = 0; row < 3; row += 1)
				for (column = 0; column < 3; column += 1)
				{
					int along = (one->axis + row) % 3, across = (other->axis + column) % 3;
					double value = along == across ? sign * INVERSE_MASS : 0;
					/* [n]x [m]x^T has n.m on the diagonal less m n^T; signs of arms and of velocities cancel. */
					if (along == across && one->axis == other->axis) value += turn;
					if (along == other->axis && across == one->axis) value -= turn;
					block[3 * row + column] += value;
				}
		}
}

/* Balls fall, and move a little in a way that depends on their number alone. */
static double velocity_of(long ball, int axis)
{
	unsigned long mixed = (unsigned long)(3 * ball + axis + 1) * 2654435761u & 0xffffffffu;
	if (ball < 0) return 0;
	return 0.02 * ((double)mixed / 4294967296.0 - 0.5) - (axis == 2 ? FALL : 0);
}

static void *allocate(size_t count, size_t size)
{
	void *found = malloc(count * size + 1);
	if (found == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
	return found;
}

/* The rows of the contacts of some balls. */
static void make_rows(const lattice *size, long first, long end, stickslip_problem *problem, stickslip_part *part, void *arrays[6])
{
	long from = contacts_before(size, first), rows = contacts_before(size, end) - from, ball;
	size_t row = 0, blocks = 0, room = (size_t)(2 * NEIGHBOURS) * (size_t)rows;
	int32_t *ids = allocate((size_t)rows, sizeof *ids), *start = allocate((size_t)rows + 1, sizeof *start);
	double *q = allocate(3 * (size_t)rows, sizeof *q), *mu = allocate((size_t)rows, sizeof *mu);
	int32_t *column = allocate(room, sizeof *column);
	double *values = allocate(9 * room, sizeof *values);
	start[0] = 0;
	for (ball = first; ball < end; ball += 1)
	{
		contact own[NEIGHBOURS], coupled[2 * NEIGHBOURS];
		int count = own_contacts(size, ball, own), k, each, axis;
		for (k = 0; k < count; k += 1, row += 1)
		{
			int neighbours = coupled_contacts(size, &own[k], coupled);
			for (each = 0; each < neighbours; each += 1, blocks += 1)
			{
				column[blocks] = (int32_t)coupled[each].id;
				block_of(&own[k], &coupled[each], values + 9 * blocks);
			}
			for (axis = 0; axis < 3; axis += 1)
			{
				int along = (own[k].axis + axis) % 3;
				q[3 * row + (size_t)axis] = velocity_of(own[k].ball[1], along) - velocity_of(own[k].ball[0], along);
			}
			mu[row] = FRICTION;
			ids[row] = (int32_t)own[k].id;
			start[row + 1] = (int32_t)blocks;
		}
	}
	problem->q = q;
	problem->mu = mu;
	problem->row_start = start;
	problem->column = column;
	problem->values = values;
	part->rows = (int32_t)rows;
	part->ids = ids;
	arrays[0] = ids;
	arrays[1] = start;
	arrays[2] = q;
	arrays[3] = mu;
	arrays[4] = column;
	arrays[5] = values;
}

static double bytes_of(const stickslip_problem *problem, int32_t rows)
{
	return 76.0 * problem->row_start[rows] + 40.0 * rows;
}

/* Bytes of the memory that this process has (VmRSS) or had at most (VmHWM); 0 where the system does not say. */
static double memory(const char *field)
{
	char line[256];
	double kilobytes = 0;
	FILE *file = fopen("/proc/self/status", "r");
	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		if (strncmp(line, field, strlen(field)) == 0) kilobytes = atof(line + strlen(field) + 1);
	if (file != NULL) fclose(file);
	return 1024 * kilobytes;
}

/* What memory grows by is counted from here. */
static double begin_growth(void)
{
	FILE *file = fopen("/proc/self/clear_refs", "w");
	if (file != NULL)
	{
		fputs("5", file);
		fclose(file);
	}
	return memory("VmRSS");
}

static void gather(const stickslip_answer *answer, int rank, int ranks, const char *path)
{
	int count = (int)(3 * answer->contacts), total = 0, k;
	int *counts = allocate((size_t)ranks, sizeof *counts), *offsets = allocate((size_t)ranks, sizeof *offsets);
	double *whole = NULL;
	MPI_Gather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
	for (k = 0; k < ranks && rank == 0; k += 1)
	{
		offsets[k] = total;
		total += counts[k];
	}
	if (rank == 0) whole = allocate((size_t)total, sizeof *whole);
	MPI_Gatherv(answer->reaction, count, MPI_DOUBLE, whole, counts, offsets, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	if (rank == 0)
	{
		FILE *file = fopen(path, "wb");
		if (file == NULL || fwrite(whole, sizeof *whole, (size_t)total, file) != (size_t)total || fclose(file) != 0)
		{
			fprintf(stderr, "%s cannot be written\n", path);
			MPI_Abort(MPI_COMM_WORLD, 2);
		}
	}
	free(whole);
	free(counts);
	free(offsets);
}

static void complain(const stickslip_error *error)
{
	fprintf(stderr, "%s: %s: %s; %s\n", error->code, error->field, error->message, error->remedy);
	MPI_Abort(MPI_COMM_WORLD, 2);
}

/* Solves the part of this rank; the name of the problem is one that no other run has. */
static void solve(const char *connection, const lattice *size, int rank, int ranks, const char *path, const char *group)
{
	long balls = balls_of(size), first = size->z * rank / ranks * (size->x * size->y);
	long end = size->z * (rank + 1) / ranks * (size->x * size->y);
	stickslip_problem problem = {0};
	stickslip_part part = {0};
	stickslip_answer answer;
	stickslip_error error;
	double before, grown, bytes;
	void *arrays[6];
	size_t k;
	stickslip_client *client = stickslip_connect(connection, 30, &error);
	if (client == NULL) complain(&error);
	before = begin_growth();
	make_rows(size, first, end, &problem, &part, arrays);
	problem.contacts = (int32_t)contacts_before(size, balls);
	part.group = group;
	part.index = rank;
	part.of = ranks;
	if (ranks > 1) problem.part = &part;
	bytes = bytes_of(&problem, part.rows);
	if (stickslip_solve(client, &problem, NULL, -1, &answer, &error) < 0) complain(&error);
	grown = memory("VmHWM") - before;
	printf("rank %d: %ld contacts, %.1f MB, memory grew by %.2f of it; %s, hash %s\n", rank, (long)part.rows, 1e-6 * bytes,
	       grown / bytes, answer.status, answer.hash);
	if (path != NULL) gather(&answer, rank, ranks, path);
	stickslip_answer_free(&answer);
	stickslip_close(client);
	for (k = 0; k < sizeof arrays / sizeof *arrays; k += 1) free(arrays[k]);
}

int main(int count, char **words)
{
	int rank, ranks, is_whole;
	lattice size;
	char group[64];
	MPI_Init(&count, &words);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	is_whole = count > 1 && strcmp(words[1], "--whole") == 0;
	words += is_whole;
	count -= is_whole;
	size.x = count > 2 ? atol(words[2]) : 0;
	size.y = count > 3 ? atol(words[3]) : 0;
	size.z = count > 4 ? atol(words[4]) : 0;
	if (count < 5 || count > 6 || size.x < 1 || size.y < 1 || size.z < ranks)
	{
		if (rank == 0) fprintf(stderr, "usage: mpi_rows [--whole] CONNECTION_FILE X Y Z [REACTION_FILE], with a layer for each rank\n");
		MPI_Finalize();
		return 2;
	}
	snprintf(group, sizeof group, "mpi-rows-%.6f", MPI_Wtime());
	MPI_Bcast(group, (int)sizeof group, MPI_CHAR, 0, MPI_COMM_WORLD);
	if (!is_whole) solve(words[1], &size, rank, ranks, count > 5 ? words[5] : NULL, group);
	else if (rank == 0) solve(words[1], &size, 0, 1, NULL, group);
	MPI_Finalize();
	return 0;
}
