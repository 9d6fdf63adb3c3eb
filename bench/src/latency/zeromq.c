/*
 * Round trips over libzmq as C has them: two processes, a PAIR socket each, loopback TCP, blocking calls. Commands on stdin,
 * "run BYTES COUNT"; for each, the nanoseconds of all of them on stdout. Arguments: the cores of the two sides, -1 for any.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#define BYTES_MAX (1 << 22)

static char buffer[BYTES_MAX];

/* Before the context is made: its thread inherits the core, as in the other program. */
static void stay_on(int core) {
	if (core < 0) return;
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(core, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static void must(int good, const char *what) {
	if (good) return;
	fprintf(stderr, "%s: %s\n", what, zmq_strerror(zmq_errno()));
	exit(1);
}

static int echo(int core, int told) {
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stay_on(core);
	void *socket = zmq_socket(zmq_ctx_new(), ZMQ_PAIR);
	must(zmq_bind(socket, "tcp://127.0.0.1:*") == 0, "bind");
	char endpoint[256];
	size_t length = sizeof endpoint;
	must(zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, endpoint, &length) == 0, "endpoint");
	must(write(told, endpoint, length) == (ssize_t)length, "tell");
	for (;;) {
		int bytes = zmq_recv(socket, buffer, BYTES_MAX, 0);
		must(bytes >= 0, "receive");
		must(zmq_send(socket, buffer, (size_t)bytes, 0) == bytes, "send");
	}
}

int main(int count, char **arguments) {
	int cores[2] = {count > 1 ? atoi(arguments[1]) : -1, count > 2 ? atoi(arguments[2]) : -1};
	int ends[2];
	must(pipe(ends) == 0, "pipe");
	pid_t child = fork();
	if (child == 0) return echo(cores[1], ends[1]);
	char endpoint[256] = {0};
	must(read(ends[0], endpoint, sizeof endpoint - 1) > 0, "listen");
	stay_on(cores[0]);
	void *socket = zmq_socket(zmq_ctx_new(), ZMQ_PAIR);
	must(zmq_connect(socket, endpoint) == 0, "connect");
	size_t bytes;
	long rounds;
	while (scanf(" run %zu %ld", &bytes, &rounds) == 2 && bytes <= BYTES_MAX) {
		struct timespec start, end;
		clock_gettime(CLOCK_MONOTONIC, &start);
		for (long i = 0; i < rounds; i += 1) {
			must(zmq_send(socket, buffer, bytes, 0) == (int)bytes, "send");
			must(zmq_recv(socket, buffer, BYTES_MAX, 0) == (int)bytes, "receive");
		}
		clock_gettime(CLOCK_MONOTONIC, &end);
		printf("%.0f\n", 1e9 * (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec));
		fflush(stdout);
	}
	kill(child, SIGKILL);
	return 0;
}
