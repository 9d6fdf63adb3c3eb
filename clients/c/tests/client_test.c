/*
 * The client against a real service with --limit-requests 20 --limit-message 8M: `client_test CONNECTION_FILE [FOLDER]`. FOLDER has a problem as raw arrays and the hash of its
 * reactions. Each check that fails is printed; the exit code is 1 then.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <stickslip.h>

static int failures, checks;

#define CHECK(condition) check(condition, #condition, __LINE__)

static void check(int is_so, const char *what, int line)
{
	checks += 1;
	if (is_so) return;
	failures += 1;
	fprintf(stderr, "line %d: not so: %s\n", line, what);
}

static void check_error(const stickslip_error *error, const char *code, const char *field, const char *message, int line)
{
	int before = failures;
	check(strcmp(error->code, code) == 0, code, line);
	check(strstr(error->field, field) != NULL, field, line);
	check(strstr(error->message, message) != NULL, message, line);
	if (failures > before) fprintf(stderr, "  error was %s: %s: %s; %s\n", error->code, error->field, error->message, error->remedy);
}

static int is_near(const double *found, double first, double second, double third)
{
	return fabs(found[0] - first) < 1e-9 && fabs(found[1] - second) < 1e-9 && fabs(found[2] - third) < 1e-9;
}

/*
 * A ball of mass 2 that does not turn, W = 1/2, comes down with velocity 1. It sticks where |q_T| <= mu, with R = (2, -2 q_T); else it
 * slides with |R_T| = 2 mu.
 */
static const int32_t row_start[] = {0, 1}, column[] = {0};
static const double values[] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
static const double sticking[] = {-1, 0.25, 0}, sliding[] = {-1, 1, 0}, mu[] = {0.5};

static stickslip_problem ball(const double *q)
{
	stickslip_problem problem = {0};
	problem.contacts = 1;
	problem.q = q;
	problem.mu = mu;
	problem.row_start = row_start;
	problem.column = column;
	problem.values = values;
	return problem;
}

static stickslip_options tight(void)
{
	stickslip_options options = {0};
	options.tolerance = 1e-12;
	return options;
}

static void test_closed_forms(stickslip_client *client)
{
	static const int32_t body[] = {-1, 0};
	static const double frame[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, arm[6], inverse_mass[] = {0.5}, inverse_inertia[6];
	stickslip_array point = {"geometry.point", STICKSLIP_F64, sticking, 3};
	stickslip_problem problem = ball(sticking);
	stickslip_options options = tight();
	stickslip_answer answer;
	stickslip_error error;
	double number;
	char text[8];

	CHECK(stickslip_solve(client, &problem, &options, 60, &answer, &error) == 0);
	CHECK(answer.solved && answer.contacts == 1 && is_near(answer.reaction, 2, -0.5, 0) && is_near(answer.velocity, 0, 0, 0));
	CHECK(strlen(answer.hash) == 64 && answer.multipliers == 0);
	CHECK(stickslip_report_number(&answer, "contacts", &number) == 0 && number == 1);
	CHECK(stickslip_report_text(&answer, "measure", text, sizeof text) == 0 && strcmp(text, "energy") == 0);
	CHECK(stickslip_report_text(&answer, "reason", text, sizeof text) == 0 && strlen(text) < sizeof text);
	CHECK(stickslip_report_number(&answer, "reason", &number) < 0 && stickslip_report_number(&answer, "none", &number) < 0);
	stickslip_answer_free(&answer);
	problem.more = &point;
	problem.more_count = 1;
	CHECK(stickslip_solve(client, &problem, &options, 60, &answer, &error) == 0);
	stickslip_answer_free(&answer);
	point.count = 2;
	CHECK(stickslip_solve(client, &problem, &options, 60, &answer, &error) < 0);
	check_error(&error, "bad-input", "geometry.point", "has 2 values instead of 3", __LINE__);

	problem = ball(sliding);
	problem.row_start = NULL;
	problem.column = NULL;
	problem.values = NULL;
	problem.bodies = 1;
	problem.body = body;
	problem.frame = frame;
	problem.arm = arm;
	problem.inverse_mass = inverse_mass;
	problem.inverse_inertia = inverse_inertia;
	CHECK(stickslip_solve(client, &problem, &options, 60, &answer, &error) == 0);
	CHECK(is_near(answer.reaction, 2, -1, 0) && is_near(answer.velocity, 0, 0.5, 0));
	stickslip_answer_free(&answer);
}

#define COUNT 20

static void test_several_under_way(stickslip_client *client)
{
	static double velocities[COUNT][3];
	char ids[COUNT][STICKSLIP_ID_SIZE];
	stickslip_options options = tight();
	stickslip_answer answer;
	stickslip_error error;
	int k, seen;

	for (k = 0; k < COUNT; k += 1)
	{
		stickslip_problem problem;
		velocities[k][0] = -1;
		velocities[k][1] = 0.01 * k;
		problem = ball(velocities[k]);
		CHECK(stickslip_send(client, &problem, &options, ids[k], &error) == 0);
	}
	/* Half of them by name, the other half as they come. */
	for (k = COUNT - 1; k >= COUNT / 2; k -= 1)
	{
		CHECK(stickslip_receive(client, ids[k], 60, &answer, &error) == 0);
		CHECK(strcmp(answer.id, ids[k]) == 0 && is_near(answer.reaction, 2, -0.02 * k, 0));
		stickslip_answer_free(&answer);
	}
	for (seen = 0; seen < COUNT / 2; seen += 1)
	{
		CHECK(stickslip_receive(client, NULL, 60, &answer, &error) == 0);
		k = 0;
		while (k < COUNT / 2 && strcmp(answer.id, ids[k]) != 0) k += 1;
		CHECK(k < COUNT / 2 && is_near(answer.reaction, 2, -0.02 * k, 0));
		stickslip_answer_free(&answer);
	}
	CHECK(stickslip_receive(client, NULL, 0, &answer, &error) < 0);
	check_error(&error, "unknown-request", "id", "no such request", __LINE__);
}

static void test_pattern(stickslip_client *client)
{
	static const double heavier[] = {0.25, 0, 0, 0, 0.25, 0, 0, 0, 0.25}, keys[] = {42};
	stickslip_problem pattern = ball(NULL), changed = {0};
	stickslip_options options = tight();
	stickslip_answer answer;
	stickslip_error error;

	pattern.mu = NULL;
	CHECK(stickslip_prepare(client, &pattern, "ball", &error) == 0);
	options.pattern = "ball";
	changed.contacts = 1;
	changed.q = sticking;
	changed.mu = mu;
	changed.keys = keys;
	CHECK(stickslip_solve(client, &changed, &options, 60, &answer, &error) == 0);
	CHECK(answer.contacts == 1 && is_near(answer.reaction, 2, -0.5, 0));
	stickslip_answer_free(&answer);
	changed.values = heavier;
	CHECK(stickslip_solve(client, &changed, &options, 60, &answer, &error) < 0);
	check_error(&error, "bad-input", "W.rowStart", "is missing", __LINE__);
	changed.row_start = row_start;
	CHECK(stickslip_solve(client, &changed, &options, 60, &answer, &error) == 0);
	CHECK(answer.contacts == 1 && is_near(answer.reaction, 4, -1, 0));
	stickslip_answer_free(&answer);
	CHECK(stickslip_release(client, "ball", &error) == 0);
	CHECK(stickslip_solve(client, &changed, &options, 60, &answer, &error) < 0);
	check_error(&error, "unknown-pattern", "pattern", "", __LINE__);
	stickslip_answer_free(&answer);
}

static void test_kept_answer(stickslip_client *client)
{
	stickslip_problem problem = ball(sticking);
	stickslip_options options = tight();
	stickslip_answer answer;
	stickslip_error error;
	char id[STICKSLIP_ID_SIZE];

	options.keep = 1;
	CHECK(stickslip_send(client, &problem, &options, id, &error) == 0);
	CHECK(stickslip_receive(client, id, 60, &answer, &error) == 0);
	stickslip_answer_free(&answer);
	CHECK(stickslip_fetch(client, id, 60, &answer, &error) == 0 && is_near(answer.reaction, 2, -0.5, 0));
	stickslip_answer_free(&answer);
	CHECK(stickslip_forget(client, id, &error) == 0);
	CHECK(stickslip_fetch(client, id, 60, &answer, &error) < 0);
	check_error(&error, "unknown-request", "", "", __LINE__);
	stickslip_answer_free(&answer);
}

#define REFUSED(change, code, field, message)                                        \
	do                                                                               \
	{                                                                                \
		stickslip_problem problem = ball(sticking);                                  \
		stickslip_options options = tight();                                         \
		change;                                                                      \
		CHECK(stickslip_solve(client, &problem, &options, 60, &answer, &error) < 0); \
		check_error(&error, code, field, message, __LINE__);                         \
		stickslip_answer_free(&answer);                                              \
	} while (0)

static void test_bad_input(stickslip_client *client)
{
	static const double nan_q[] = {0, NAN, 0}, inf_values[] = {INFINITY, 0, 0, 0, 1, 0, 0, 0, 1}, negative[] = {-0.5};
	static const double half[] = {0.5}, indefinite[] = {-1, 0, 0, 0, -1, 0, 0, 0, -1};
	static const int32_t outside[] = {1}, late[] = {1, 2}, none[] = {0, 0};
	static const stickslip_array nameless = {NULL, STICKSLIP_F64, NULL, 0};
	stickslip_answer answer;
	stickslip_error error;

	REFUSED(problem.contacts = 0, "bad-input", "contacts", "is 0");
	REFUSED(problem.contacts = -1, "bad-input", "contacts", "is -1");
	CHECK(strcmp(error.remedy, "give the number of contacts") == 0);
	REFUSED(options.pattern = "nowhere", "unknown-pattern", "pattern", "there is no pattern nowhere");
	CHECK(strstr(error.remedy, "prepare it again") != NULL);
	REFUSED(problem.q = NULL, "bad-input", "q", "is missing");
	REFUSED(problem.q = nan_q, "bad-input", "q[1]", "is nan");
	REFUSED(problem.mu = negative, "bad-input", "mu[0]", "is -0.5");
	REFUSED(problem.row_start = NULL, "bad-input", "W", "is missing");
	REFUSED(problem.values = NULL, "bad-input", "W.values", "is missing");
	REFUSED(problem.values = inf_values, "bad-input", "W.values[0]", "is inf");
	REFUSED(problem.column = outside, "bad-input", "W.column[0]", "is 1, out of range");
	REFUSED(problem.row_start = late, "bad-input", "W.rowStart[0]", "is 1");
	REFUSED(problem.keys = half, "bad-input", "keys[0]", "is 0.5");
	REFUSED((problem.more = &nameless, problem.more_count = 1), "bad-input", "more", "without a name");
	REFUSED(options.pattern = "a b", "bad-input", "pattern", "no such name");
	REFUSED(options.deadline = -1, "bad-input", "deadline", "is -1");
	/* What only the service sees. */
	REFUSED(options.method = "alchemy", "bad-input", "method", "");
	REFUSED(problem.values = indefinite, "bad-input", "W", "");
	REFUSED(problem.row_start = none, "bad-input", "W", "");
	CHECK(stickslip_cancel(client, "nobody", &error) < 0 && strcmp(error.code, "unknown-request") == 0);
}

/* The service of this test lets a client have 20 requests under way, and messages of 8 MB. */
static void test_limits(stickslip_client *client)
{
	static double large[1 << 20];
	const stickslip_array more = {"equalities.s", STICKSLIP_F64, large, sizeof large / sizeof *large};
	stickslip_problem problem = ball(sticking);
	stickslip_options options = tight();
	stickslip_answer answer;
	stickslip_error error;
	int sent = 0;

	problem.more = &more;
	problem.more_count = 1;
	CHECK(stickslip_solve(client, &problem, &options, 60, &answer, &error) < 0);
	check_error(&error, "too-large", "message", "bytes of at most", __LINE__);
	CHECK(strstr(error.remedy, "--limit-message") != NULL);
	problem.more_count = 0;
	while (sent < 100 && stickslip_send(client, &problem, &options, NULL, &error) == 0) sent += 1;
	CHECK(sent == COUNT);
	check_error(&error, "too-many", "requests", "20 are under way", __LINE__);
	for (; sent > 0; sent -= 1)
	{
		CHECK(stickslip_receive(client, NULL, 60, &answer, &error) == 0);
		stickslip_answer_free(&answer);
	}
}

static void count_progress(const stickslip_progress *progress, void *context)
{
	if (progress->iterations >= 0 && progress->method[0] != '\0') *(int *)context += 1;
}

static void *read_file(const char *folder, const char *name, size_t *size)
{
	char path[1024];
	FILE *file;
	char *data;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "rb");
	if (file == NULL)
	{
		fprintf(stderr, "cannot read %s\n", path);
		exit(2);
	}
	fseek(file, 0, SEEK_END);
	*size = (size_t)ftell(file);
	rewind(file);
	data = malloc(*size + 1);
	data[fread(data, 1, *size, file)] = '\0';
	fclose(file);
	return data;
}

/* A problem of some size, several times at once; a timeout and a cancel on the way. */
static void test_stored(stickslip_client *client, const char *folder)
{
	size_t sizes[6];
	double *q = read_file(folder, "q.f64", &sizes[0]), *friction = read_file(folder, "mu.f64", &sizes[1]);
	int32_t *start = read_file(folder, "rowStart.i32", &sizes[2]), *columns = read_file(folder, "column.i32", &sizes[3]);
	double *blocks = read_file(folder, "values.f64", &sizes[4]);
	char *hash = read_file(folder, "hash", &sizes[5]), ids[3][STICKSLIP_ID_SIZE];
	int k, progressed = 0;
	stickslip_problem problem = {0};
	stickslip_options options = {0};
	stickslip_answer answer;
	stickslip_error error;

	problem.contacts = (int32_t)(sizes[1] / sizeof(double));
	problem.q = q;
	problem.mu = friction;
	problem.row_start = start;
	problem.column = columns;
	problem.values = blocks;
	options.on_progress = count_progress;
	options.context = &progressed;
	for (k = 0; k < 3; k += 1) CHECK(stickslip_send(client, &problem, &options, ids[k], &error) == 0);
	for (k = 2; k >= 0; k -= 1)
	{
		CHECK(stickslip_receive(client, ids[k], 120, &answer, &error) == 0);
		CHECK(strcmp(answer.hash, hash) == 0 && answer.contacts == (size_t)problem.contacts);
		stickslip_answer_free(&answer);
	}
	options.tolerance = 1e-300;
	options.max_iterations = 1e9;
	CHECK(stickslip_solve(client, &problem, &options, 0.001, &answer, &error) < 0);
	check_error(&error, "timeout", "", "no answer within 0.001 s", __LINE__);
	CHECK(stickslip_send(client, &problem, &options, ids[0], &error) == 0);
	CHECK(stickslip_receive(client, ids[0], 0.2, &answer, &error) == 1);
	CHECK(stickslip_cancel(client, ids[0], &error) == 0);
	if (stickslip_receive(client, ids[0], 60, &answer, &error) == 0) CHECK(strcmp(answer.status, "cancelled") == 0);
	else CHECK(strcmp(error.code, "cancelled") == 0);
	stickslip_answer_free(&answer);
	CHECK(progressed > 0);
	/* Left under way: closing takes its arrays back. */
	CHECK(stickslip_send(client, &problem, &options, ids[0], &error) == 0);
	stickslip_close(client);
	free(q);
	free(friction);
	free(start);
	free(columns);
	free(blocks);
	free(hash);
}

static void test_connection_files(const char *file)
{
	stickslip_error error;
	char twice[4096];
	FILE *stream;
	CHECK(stickslip_connect("no such file", 1, &error) == NULL);
	check_error(&error, "bad-input", "no such file", "cannot be read", __LINE__);
	CHECK(stickslip_connect("/dev/zero", 1, &error) == NULL);
	check_error(&error, "bad-input", "/dev/zero", "is not a JSON object of texts", __LINE__);
	CHECK(chmod(file, 0640) == 0);
	CHECK(stickslip_connect(file, 1, &error) == NULL);
	check_error(&error, "bad-input", file, "is accessible to other users", __LINE__);
	CHECK(chmod(file, 0600) == 0);
	CHECK(stickslip_connect(file, 0, NULL) == NULL);
	snprintf(twice, sizeof twice, "%s.twice", file);
	stream = fopen(twice, "w");
	CHECK(stream != NULL && fputs("{\"token\": \"a\", \"token\": \"b\"}", stream) >= 0 && fclose(stream) == 0);
	CHECK(chmod(twice, 0600) == 0);
	CHECK(stickslip_connect(twice, 1, &error) == NULL);
	check_error(&error, "bad-input", twice, "has a key twice", __LINE__);
	CHECK(remove(twice) == 0);
}

int main(int count, char **words)
{
	stickslip_error error;
	stickslip_client *client;
	if (count < 2 || count > 3) return 2;
	test_connection_files(words[1]);
	client = stickslip_connect(words[1], 10, &error);
	if (client == NULL)
	{
		fprintf(stderr, "%s: %s: %s; %s\n", error.code, error.field, error.message, error.remedy);
		return 1;
	}
	test_closed_forms(client);
	test_several_under_way(client);
	test_pattern(client);
	test_kept_answer(client);
	test_bad_input(client);
	test_limits(client);
	if (count == 3) test_stored(client, words[2]);
	else stickslip_close(client);
	printf("%d checks, %d failed\n", checks, failures);
	return failures > 0;
}
