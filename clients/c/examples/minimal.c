/*
 * A ball of mass 2 comes down on the ground with velocity 1 and slides: what it feels.
 *
 *     gcc -o minimal minimal.c ../stickslip.c -I.. -lzmq -lm
 *     ./minimal CONNECTION_FILE
 */
#include <stdio.h>
#include <stickslip.h>

static int complain(const stickslip_error *error)
{
	fprintf(stderr, "%s: %s: %s; %s\n", error->code, error->field, error->message, error->remedy);
	return 2;
}

int main(int count, char **words)
{
	/* W = 1/2 in every direction, as of a ball that does not turn; it comes down, and slides along T1. */
	const int32_t row_start[] = {0, 1}, column[] = {0};
	const double values[] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
	const double q[] = {-1, 1, 0}, mu[] = {0.25};
	stickslip_problem problem = {0};
	stickslip_options options = {0};
	stickslip_answer answer;
	stickslip_error error;
	stickslip_client *client;

	if (count != 2)
	{
		fprintf(stderr, "usage: %s CONNECTION_FILE\n", words[0]);
		return 2;
	}
	client = stickslip_connect(words[1], 10, &error);
	if (client == NULL) return complain(&error);

	problem.contacts = 1;
	problem.q = q;
	problem.mu = mu;
	problem.row_start = row_start;
	problem.column = column;
	problem.values = values;
	options.tolerance = 1e-12;
	if (stickslip_solve(client, &problem, &options, -1, &answer, &error) < 0)
	{
		stickslip_close(client);
		return complain(&error);
	}
	printf("%s: reaction %.6f %.6f %.6f, velocity %.6f %.6f %.6f\n", answer.status, answer.reaction[0], answer.reaction[1],
	       answer.reaction[2], answer.velocity[0], answer.velocity[1], answer.velocity[2]);
	stickslip_answer_free(&answer);
	stickslip_close(client);
	return 0;
}
