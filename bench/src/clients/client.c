/*
 * The C client's side of the bench: `client CONNECTION_FILE FOLDER`. FOLDER has a problem as raw arrays. For each line of its input,
 * a kind of request, it makes one and prints what it took from call to answer as a JSON line.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <stickslip.h>

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *read_file(const char *folder, const char *name, size_t *size)
{
	char path[4096];
	FILE *file;
	void *data;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "rb");
	if (file == NULL) exit(2);
	fseek(file, 0, SEEK_END);
	*size = (size_t)ftell(file);
	rewind(file);
	data = malloc(*size);
	if (fread(data, 1, *size, file) != *size) exit(2);
	fclose(file);
	return data;
}

static int complain(const stickslip_error *error)
{
	fprintf(stderr, "%s: %s: %s; %s\n", error->code, error->field, error->message, error->remedy);
	return 1;
}

int main(int count, char **words)
{
	stickslip_problem whole = {0}, changed;
	stickslip_options none = {0}, prepared = {0};
	stickslip_answer answer;
	stickslip_error error;
	stickslip_client *client;
	size_t size;
	char kind[16];
	if (count != 3) return 2;
	whole.q = read_file(words[2], "q.f64", &size);
	whole.mu = read_file(words[2], "mu.f64", &size);
	whole.contacts = (int32_t)(size / sizeof(double));
	whole.row_start = read_file(words[2], "rowStart.i32", &size);
	whole.column = read_file(words[2], "column.i32", &size);
	whole.values = read_file(words[2], "values.f64", &size);
	client = stickslip_connect(words[1], 30, &error);
	if (client == NULL || stickslip_prepare(client, &whole, "bench", &error) < 0) return complain(&error);
	prepared.pattern = "bench";
	printf("{\"ready\":true}\n");
	fflush(stdout);
	while (scanf("%15s", kind) == 1)
	{
		int is_whole = strcmp(kind, "whole") == 0;
		double began = now();
		changed = whole;
		if (strcmp(kind, "q") == 0) changed.values = NULL;
		if (!is_whole) changed.mu = NULL;
		if (stickslip_solve(client, &changed, is_whole ? &none : &prepared, -1, &answer, &error) < 0) return complain(&error);
		printf("{\"seconds\":%.9f,\"hash\":\"%s\"}\n", now() - began, answer.hash);
		fflush(stdout);
		stickslip_answer_free(&answer);
	}
	stickslip_close(client);
	return 0;
}
