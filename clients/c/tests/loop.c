/*
 * Solves the same ball over and over, several requests under way, and checks every answer: `loop CONNECTION_FILE SECONDS`. Meanwhile
 * the service may be killed and started again. Prints how many answers there were.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <stickslip.h>

#define UNDER_WAY 8

static const int32_t row_start[] = {0, 1}, column[] = {0};
static const double values[] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, mu[] = {0.5};

static double q[UNDER_WAY][3];
static char ids[UNDER_WAY][STICKSLIP_ID_SIZE];

static int complain(const stickslip_error *error)
{
	fprintf(stderr, "%s: %s: %s; %s\n", error->code, error->field, error->message, error->remedy);
	return 1;
}

static int send(stickslip_client *client, int k, long count, stickslip_error *error)
{
	stickslip_problem problem = {0};
	stickslip_options options = {0};
	q[k][0] = -1;
	q[k][1] = 0.4 * sin((double)count);
	problem.contacts = 1;
	problem.q = q[k];
	problem.mu = mu;
	problem.row_start = row_start;
	problem.column = column;
	problem.values = values;
	options.tolerance = 1e-12;
	options.keep = 1;
	return stickslip_send(client, &problem, &options, ids[k], error);
}

int main(int words_count, char **words)
{
	stickslip_error error;
	stickslip_answer answer;
	stickslip_client *client;
	time_t end;
	long count = 0, sent = 0, under_way;
	int k;
	if (words_count != 3) return 2;
	client = stickslip_connect(words[1], 20, &error);
	if (client == NULL) return complain(&error);
	end = time(NULL) + atol(words[2]);
	for (k = 0; k < UNDER_WAY; k += 1)
		if (send(client, k, sent++, &error) < 0) return complain(&error);
	for (under_way = UNDER_WAY; under_way > 0; under_way -= 1)
	{
		struct timespec pause = {0, 1000000};
		if (stickslip_receive(client, NULL, -1, &answer, &error) != 0) return complain(&error);
		k = 0;
		while (k < UNDER_WAY && strcmp(ids[k], answer.id) != 0) k += 1;
		if (k == UNDER_WAY || fabs(answer.reaction[0] - 2) > 1e-9 || fabs(answer.reaction[1] + 2 * q[k][1]) > 1e-9)
		{
			fprintf(stderr, "a wrong answer to request %ld\n", count);
			return 1;
		}
		count += 1;
		if (stickslip_forget(client, answer.id, &error) < 0) return complain(&error);
		stickslip_answer_free(&answer);
		nanosleep(&pause, NULL);
		if (time(NULL) >= end) continue;
		if (send(client, k, sent++, &error) < 0) return complain(&error);
		under_way += 1;
	}
	stickslip_close(client);
	printf("%ld\n", count);
	return count == sent ? 0 : 1;
}
