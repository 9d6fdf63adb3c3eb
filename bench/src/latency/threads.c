/*
 * The reduction of two threads as C has it: each writes its numbers into its slot, the last to arrive turns a generation, the
 * other spins on it, and both add up. Commands on stdin, "run NUMBERS COUNT"; for each, the nanoseconds of all of them on
 * stdout. Arguments: the cores of the two threads, -1 for any. Between commands both threads sleep.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 2, NUMBERS_MAX = 8192 };

static _Alignas(64) atomic_int arrived;
static _Alignas(64) atomic_uint generation;
/* Slots of rounds in turn, so that one round is read while the next is written. */
static _Alignas(64) double slots[2][SIZE][NUMBERS_MAX + 8];

static sem_t start, done;
static long count;
static int numbers;

static void reduce(double *values, int rank, unsigned *round) {
	unsigned mine = ++*round;
	memcpy(slots[mine & 1][rank], values, (size_t)numbers * sizeof *values);
	if (atomic_fetch_add(&arrived, 1) == SIZE - 1) {
		atomic_store(&arrived, 0);
		atomic_store(&generation, mine);
	} else {
		while (atomic_load(&generation) != mine) {}
	}
	for (int other = 0; other < SIZE; other += 1) {
		if (other == rank) continue;
		for (int i = 0; i < numbers; i += 1) values[i] += slots[mine & 1][other][i];
	}
}

static void stay_on(int core) {
	if (core < 0) return;
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(core, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static void many(int rank, unsigned *round) {
	static double all[SIZE][NUMBERS_MAX + 8];
	double *values = all[rank];
	for (long i = 0; i < count; i += 1) {
		for (int k = 0; k < numbers; k += 1) values[k] = (double)(i + k);
		reduce(values, rank, round);
	}
	for (int k = 0; k < numbers && count > 0; k += 1) {
		if (values[k] == 2.0 * (double)(count - 1 + k)) continue;
		fprintf(stderr, "threads: a wrong sum\n");
		exit(1);
	}
}

static void *other(void *core) {
	stay_on(*(int *)core);
	unsigned round = 0;
	for (;;) {
		sem_wait(&start);
		double first[NUMBERS_MAX] = {0};
		reduce(first, 1, &round);
		many(1, &round);
		sem_post(&done);
	}
	return NULL;
}

int main(int arguments, char **argument) {
	int cores[2] = {arguments > 1 ? atoi(argument[1]) : -1, arguments > 2 ? atoi(argument[2]) : -1};
	sem_init(&start, 0, 0);
	sem_init(&done, 0, 0);
	pthread_t thread;
	if (pthread_create(&thread, NULL, other, &cores[1]) != 0) return 1;
	stay_on(cores[0]);
	unsigned round = 0;
	while (scanf(" run %d %ld", &numbers, &count) == 2 && numbers >= 0 && numbers <= NUMBERS_MAX) {
		struct timespec began, ended;
		sem_post(&start);
		/* One that is not timed: by its end the other thread is awake. */
		double first[NUMBERS_MAX] = {0};
		reduce(first, 0, &round);
		clock_gettime(CLOCK_MONOTONIC, &began);
		many(0, &round);
		clock_gettime(CLOCK_MONOTONIC, &ended);
		sem_wait(&done);
		printf("%.0f\n", 1e9 * (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec));
		fflush(stdout);
	}
	return 0;
}
