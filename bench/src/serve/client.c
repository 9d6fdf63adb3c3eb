/*
 * A client process: CONNECTION PROBLEMS REQUESTS SECONDS UNDER_WAY. Sends the problems of the file in turn, so many at a time, until it has sent
 * so many or the seconds are over, and compares each answer with the known one. Prints what came of them as JSON.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <stickslip.h>

#define UNDER_WAY_MAX 256

typedef struct
{
	stickslip_problem problem;
	const double *reaction;
	char hash[STICKSLIP_HASH_SIZE];
} known_problem;

static unsigned char *data;
static size_t at;

static const void *take(size_t bytes)
{
	const void *values = data + at;
	at += (bytes + 7) / 8 * 8;
	return values;
}

static known_problem *read_problems(const char *file, int *count)
{
	FILE *in = fopen(file, "rb");
	known_problem *known;
	long size;
	int k;
	if (in == NULL) return NULL;
	fseek(in, 0, SEEK_END);
	size = ftell(in);
	rewind(in);
	data = malloc((size_t)size);
	if (data == NULL || fread(data, 1, (size_t)size, in) != (size_t)size) return NULL;
	fclose(in);
	*count = *(const int32_t *)take(4);
	known = calloc((size_t)*count, sizeof *known);
	for (k = 0; known != NULL && k < *count; k += 1)
	{
		const int32_t *sizes = take(8);
		const size_t contacts = (size_t)sizes[0], blocks = (size_t)sizes[1];
		stickslip_problem *problem = &known[k].problem;
		problem->contacts = sizes[0];
		memcpy(known[k].hash, take(64), 64);
		problem->row_start = take(4 * (contacts + 1));
		problem->column = take(4 * blocks);
		problem->values = take(72 * blocks);
		problem->q = take(24 * contacts);
		problem->mu = take(8 * contacts);
		known[k].reaction = take(24 * contacts);
	}
	return known;
}

static int is_right(const known_problem *known, const stickslip_answer *answer)
{
	size_t k;
	if (strcmp(answer->hash, known->hash) != 0 || answer->contacts != (size_t)known->problem.contacts) return 0;
	for (k = 0; k < 3 * answer->contacts; k += 1)
		if (answer->reaction[k] != known->reaction[k]) return 0;
	return 1;
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int words_count, char **words)
{
	static char ids[UNDER_WAY_MAX][STICKSLIP_ID_SIZE];
	static int problem_of[UNDER_WAY_MAX];
	long requests, sent = 0, right = 0, wrong = 0, failed = 0;
	int count = 0, under_way, waiting = 0, k;
	stickslip_client *client;
	stickslip_error error;
	known_problem *known;
	double end;
	if (words_count < 6) return 2;
	requests = atol(words[3]);
	end = now() + atof(words[4]);
	under_way = atoi(words[5]);
	known = read_problems(words[2], &count);
	if (known == NULL || under_way > UNDER_WAY_MAX) return 2;
	client = stickslip_connect(words[1], 20, &error);
	if (client == NULL)
	{
		fprintf(stderr, "%s: %s\n", error.code, error.message);
		return 1;
	}
	stickslip_set_patience(client, 120);
	for (;;)
	{
		stickslip_answer answer;
		int status;
		for (k = 0; k < under_way && waiting < under_way && sent < requests && now() < end; k += 1)
		{
			if (ids[k][0] != 0) continue;
			problem_of[k] = (int)(sent % count);
			if (stickslip_send(client, &known[problem_of[k]].problem, NULL, ids[k], &error) < 0) return 1;
			sent += 1;
			waiting += 1;
		}
		if (waiting == 0) break;
		status = stickslip_receive(client, NULL, -1, &answer, &error);
		waiting -= 1;
		for (k = 0; k < under_way && strcmp(ids[k], answer.id) != 0; k += 1)
			;
		if (status != 0 || k == under_way)
		{
			failed += 1;
			fprintf(stderr, "%s: %s: %s\n", error.code, error.field, error.message);
			if (k == under_way) return 1;
		}
		else
		{
			if (is_right(&known[problem_of[k]], &answer)) right += 1;
			else wrong += 1;
			stickslip_answer_free(&answer);
		}
		ids[k][0] = 0;
	}
	stickslip_close(client);
	printf("{\"sent\":%ld,\"right\":%ld,\"wrong\":%ld,\"failed\":%ld}\n", sent, right, wrong, failed);
	return 0;
}
