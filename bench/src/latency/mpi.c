/*
 * What two ranks do over MPI, as C has it: arguments are the number of windows of each kind and their milliseconds; rank 0 prints
 * "kind bytes nanoseconds" for each window, the nanoseconds of one operation.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES_MAX 8192
/* A window on a busy machine still has enough operations that neither rank is ahead by a share of it. */
#define COUNT_MIN 1000

static double out[BYTES_MAX / 8], in[BYTES_MAX / 8];
static int rank, other;
static MPI_Comm ring;

static void reduction(int bytes) { MPI_Allreduce(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }

static void barrier(int bytes) {
	(void)bytes;
	MPI_Barrier(MPI_COMM_WORLD);
}

static void exchange(int bytes) {
	int count = bytes / 8, start = 0;
	MPI_Neighbor_alltoallv(out, &count, &start, MPI_DOUBLE, in, &count, &start, MPI_DOUBLE, ring);
}

static void round_trip(int bytes) {
	if (rank == 0) MPI_Send(out, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);
	MPI_Recv(in, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 1) MPI_Send(out, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);
}

static double run(void (*once)(int), int bytes, int count) {
	MPI_Barrier(MPI_COMM_WORLD);
	double start = MPI_Wtime();
	for (int i = 0; i < count; i++) once(bytes);
	return 1e9 * (MPI_Wtime() - start) / count;
}

static void measure(const char *name, void (*once)(int), int bytes, int windows, double window_ms) {
	run(once, bytes, 1000);
	int count = (int)(1e6 * window_ms / run(once, bytes, 1000)) + COUNT_MIN;
	MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
	for (int window = 0; window < windows; window++) {
		double nanoseconds = run(once, bytes, count);
		if (rank == 0) printf("%s %d %.3f\n", name, bytes, nanoseconds);
	}
}

int main(int argc, char **argv) {
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = 1 - rank;
	int weight[1] = {1}, neighbour[1] = {other};
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, neighbour, weight, 1, neighbour, weight, MPI_INFO_NULL, 0, &ring);
	int windows = argc > 1 ? atoi(argv[1]) : 1;
	double window_ms = argc > 2 ? atof(argv[2]) : 1;
	measure("reduction", reduction, 8, windows, window_ms);
	measure("reduction", reduction, 32, windows, window_ms);
	measure("exchange", exchange, 1024, windows, window_ms);
	measure("round-trip", round_trip, 8, windows, window_ms);
	measure("barrier", barrier, 0, windows, window_ms);
	MPI_Finalize();
	return 0;
}
