/*
 * Times the 3D friction solvers of Siconos 4.4 on one problem: many configurations, each in a child process of its own, so
 * that one that hangs or crashes ends only itself. Plain C on libsiconos_numerics, so that nothing but Siconos is timed.
 *
 *     siconos PROBLEM FOLDER --tolerance T [--tolerance T] [--limit S] [--budget S] [--config NAME] [--all]
 *
 * PROBLEM is binary, little-endian: int32 contacts, blocks, rowStart[contacts + 1], column[blocks]; float64
 * values[9 blocks] (by rows inside a block), q[3 contacts], mu[contacts]. One JSON line per configuration and tolerance goes
 * to stdout; the reactions of those that reach the tolerance go to FOLDER/<configuration>_<tolerance>.f64.
 *
 * Fair to Siconos on purpose: its matrix is in its own sparse-block form before the clock starts and is kept between
 * repeats (so that its conversions are not in the minimum); each solver is tried with its own tolerance at 1, 0.3 and 0.1
 * times the wanted one, and the fastest answer that truly reaches the wanted one counts. Configurations slower than three
 * times the best so far are cut short ("slower") unless --all is given. All are tried for a short time first, and those that take longer
 * are tried again with the best so far known: most are then cut short, and which is the best does not change.
 */
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>

#include "configs.h"
#include "problem.h"

/* Above this the solver's own limit never ends a run: the time limit does. */
#define ITERATIONS_MAX 100000000
#define REPEATS_MAX 2000
#define TOLERANCES_MAX 4
#define CONFIGS (sizeof configs / sizeof *configs)
/* Seconds of the first try of a configuration. */
#define FIRST_LIMIT 0.5
/* As in ours.ts: the processor's clock ticks every 4 ms on some machines, so that only so many seconds tell anything. */
#define TOLD_SECONDS 0.1
#define LONG_SECONDS 0.01

/* What a child reports, in memory shared with its parent: valid up to the last finished solve even if it is killed. */
typedef struct
{
	int repeats, info, iterations;
	double seconds, seconds_first, processor;
	double reaction[];
} Outcome;

static double clock_seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The child: solve from R = 0 again and again until the budget is spent. Never returns. */
static void solve_repeatedly(const Blocks *b, const Config *config, double tolerance, double budget, double slow, Outcome *out)
{
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(3);
	numerics_set_verbose(0);
	size_t size = 3 * (size_t)b->contacts;
	double *r = malloc(size * sizeof(double)), *u = malloc(size * sizeof(double)), *q = malloc(size * sizeof(double));
	NumericsMatrix *matrix = NULL;
	double spent = 0;
	for (int repeat = 0; repeat < REPEATS_MAX && (repeat < 3 || spent < budget); repeat++)
	{
		/* the proximal point method adds to the diagonal of W and takes it off again, with rounding: a fresh W for each */
		if (!matrix || config->changes_matrix) matrix = to_siconos(b);
		memcpy(q, b->q, size * sizeof(double));
		FrictionContactProblem problem = {.dimension = 3, .numberOfContacts = b->contacts, .M = matrix, .q = q, .mu = b->mu};
		SolverOptions *options = config->create(config, tolerance, ITERATIONS_MAX);
		memset(r, 0, size * sizeof(double));
		memset(u, 0, size * sizeof(double));
		double start = clock_seconds(CLOCK_MONOTONIC), start_of_processor = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
		int info = fc3d_driver(&problem, r, u, options);
		double seconds = clock_seconds(CLOCK_MONOTONIC) - start;
		double of_processor = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start_of_processor;
		/* a long solve is not lengthened by others on the same core */
		if (seconds > TOLD_SECONDS && of_processor < seconds) seconds = of_processor;
		spent += seconds;
		if (repeat == 0)
		{
			memcpy(out->reaction, r, size * sizeof(double));
			out->seconds_first = seconds;
			out->processor = 0;
			out->info = info;
			out->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
		}
		if (repeat == 0 || seconds < out->seconds) out->seconds = seconds;
		out->processor += of_processor;
		out->repeats = repeat + 1;
		solver_options_delete(options);
		/* no contender, or no answer: no need for a better time of it */
		if (seconds > slow || (repeat == 0 && !(natural_error(b, r) <= config->wanted))) break;
	}
	_exit(0);
}

/* The fastest by the clock, or what the processor took for a solve in the mean, where that is told by enough of them. */
static double best_seconds(const Outcome *out)
{
	double mean = out->processor / out->repeats;
	return out->seconds > LONG_SECONDS && out->processor > TOLD_SECONDS && mean < out->seconds ? mean : out->seconds;
}

static int run_child(const Blocks *b, const Config *config, double tolerance, double budget, double cap, double slow, Outcome *out)
{
	out->repeats = 0;
	pid_t child = fork();
	if (child < 0) fail("fork failed");
	if (child == 0)
	{
		/* processor time, so that other load on the machine does not end a run; the wall clock only as the last resort */
		double all = cap + budget;
		struct itimerval limit = {{0, 0}, {(time_t)all, (suseconds_t)(1e6 * (all - floor(all)))}};
		signal(SIGPROF, SIG_DFL);
		setitimer(ITIMER_PROF, &limit, NULL);
		alarm((unsigned)(4 * all) + 2);
		solve_repeatedly(b, config, tolerance, budget, slow, out);
	}
	int status = 0;
	waitpid(child, &status, 0);
	return status;
}

static void save(const char *folder, const char *name, double tolerance, const double *r, size_t size, char *path, size_t room)
{
	snprintf(path, room, "%s/%s_%g.f64", folder, name, tolerance);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(r, sizeof(double), size, file) != size) fail("an answer cannot be written");
	fclose(file);
}

/*
 * One configuration at one tolerance: attempts with ever stricter own tolerances; prints a line, returns the best seconds. A first try that
 * ran into its limit prints nothing: it is told by `later`.
 */
static double measure(const Blocks *b, Config config, double wanted, const char *folder, double limit, double budget, double best,
	int all, int first_try, int *hopeless, int *later, Outcome *out, double *reaction)
{
	static const double strictness[] = {1, 0.3, 0.1};
	size_t size = 3 * (size_t)b->contacts;
	double seconds = INFINITY, first = INFINITY, error = INFINITY, worst_error = INFINITY, own = 0;
	int iterations = 0, repeats = 0, info = -1;
	const char *outcome = "wrong";
	config.wanted = wanted;
	double slow = all || !isfinite(best) ? limit : fmin(limit, 3 * best + 0.03);
	for (int k = 0; k < 3; k++)
	{
		int status = run_child(b, &config, strictness[k] * wanted, budget, slow, slow, out);
		if (out->repeats == 0)
		{
			int timed = WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
			*hopeless = timed && slow >= limit;
			*later = first_try && *hopeless && !isfinite(seconds);
			if (*later) return INFINITY;
			if (!isfinite(seconds)) outcome = !timed ? "crash" : slow < limit ? "slower" : "limit";
			break;
		}
		double e = natural_error(b, out->reaction);
		if (!isfinite(seconds) && isfinite(e)) worst_error = e;
		if (!(e <= wanted)) continue;
		if (best_seconds(out) < seconds)
		{
			seconds = best_seconds(out), first = out->seconds_first, error = e, own = strictness[k];
			iterations = out->iterations, repeats = out->repeats, info = out->info;
			memcpy(reaction, out->reaction, size * sizeof(double));
		}
		outcome = "solved";
		break; /* a stricter own tolerance takes no less */
	}
	printf("{\"config\":\"%s\",\"tolerance\":%g,\"outcome\":\"%s\"", config.name, wanted, outcome);
	if (isfinite(seconds))
	{
		char path[4096];
		save(folder, config.name, wanted, reaction, size, path, sizeof path);
		printf(",\"seconds\":%.9g,\"secondsFirst\":%.9g,\"natural\":%.6g,\"iterations\":%d,\"repeats\":%d,\"info\":%d,"
			   "\"strictness\":%g,\"file\":\"%s\"", seconds, first, error, iterations, repeats, info, own, path);
	}
	else if (isfinite(worst_error))
		printf(",\"natural\":%.6g", worst_error);
	printf("}\n");
	fflush(stdout);
	return seconds;
}

int main(int count, char **arguments)
{
	double tolerance[TOLERANCES_MAX], best[TOLERANCES_MAX], limit = 10, budget = 0.2;
	int tolerances = 0, all = 0;
	const char *only = NULL;
	if (count < 3) fail("usage: siconos PROBLEM FOLDER --tolerance T [--limit S] [--budget S] [--config NAME] [--all]");
	for (int k = 3; k < count; k++)
	{
		const char *option = arguments[k];
		if (strcmp(option, "--all") == 0)
			all = 1;
		else if (k + 1 == count)
			fail("an option lacks its value");
		else if (strcmp(option, "--tolerance") == 0 && tolerances < TOLERANCES_MAX)
			best[tolerances] = INFINITY, tolerance[tolerances++] = atof(arguments[++k]);
		else if (strcmp(option, "--limit") == 0)
			limit = atof(arguments[++k]);
		else if (strcmp(option, "--budget") == 0)
			budget = atof(arguments[++k]);
		else if (strcmp(option, "--config") == 0)
			only = arguments[++k];
		else
			fail("unknown option");
	}
	Blocks b = read_blocks(arguments[1]);
	size_t size = 3 * (size_t)b.contacts;
	double *reaction = malloc(size * sizeof(double));
	Outcome *out = mmap(NULL, sizeof(Outcome) + size * sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (out == MAP_FAILED) fail("no shared memory");
	/* Configurations and tolerances that the first try left open. */
	char later[CONFIGS][TOLERANCES_MAX];
	memset(later, 1, sizeof later);
	for (int try = all || limit <= FIRST_LIMIT ? 1 : 0; try < 2; try++)
	{
		for (size_t c = 0; c < CONFIGS; c++)
		{
			if (only && strcmp(only, configs[c].name) != 0) continue;
			for (int t = 0; t < tolerances; t++)
			{
				if (!later[c][t]) continue;
				/* tolerances are given from loose to strict: what cannot reach one in the whole limit is spared the next */
				int hopeless = 0, open = 0;
				double most = try == 0 ? FIRST_LIMIT : limit;
				double seconds =
					measure(&b, configs[c], tolerance[t], arguments[2], most, budget, best[t], all, try == 0, &hopeless, &open, out, reaction);
				later[c][t] = (char)open;
				if (seconds < best[t]) best[t] = seconds;
				if (hopeless) break;
			}
		}
	}
	return 0;
}
