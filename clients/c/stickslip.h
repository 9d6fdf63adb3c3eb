/*
 * Client of the Stickslip service: sends frictional contact problems, and receives reactions and velocities.
 *
 * C99 over libzmq (4.2 or later): compile stickslip.c with your program and link with -lzmq. There is no global state; a client is
 * used by one thread at a time. All numbers have three components per contact in the order N, T1, T2; docs/conventions.md has
 * signs and units, docs/protocol.md what is said to the service.
 *
 * Functions that can fail return 0, or -1 with the error filled in; `error` may be NULL.
 */
#ifndef STICKSLIP_H
#define STICKSLIP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STICKSLIP_ID_SIZE 65
#define STICKSLIP_HASH_SIZE 65

typedef struct stickslip_client stickslip_client;

typedef struct
{
	/* A code of docs/protocol.md, or of the client: timeout, connection-lost, out-of-memory. */
	char code[32];
	/* What is wrong: an array with an index, an option, a file. */
	char field[128];
	char message[512];
	/* What to do. */
	char remedy[512];
} stickslip_error;

typedef enum
{
	STICKSLIP_F64,
	STICKSLIP_I32,
	STICKSLIP_U8
} stickslip_type;

/* An array of a problem by its name in docs/protocol.md, such as global.M.values. */
typedef struct
{
	const char *name;
	stickslip_type type;
	const void *data;
	size_t count;
} stickslip_array;

/* The rows that this process brings, where several bring a problem together, each from a client of its own. */
typedef struct
{
	/* The name of the problem, the same for all parts and used once: at most 64 of A-Z a-z 0-9 . _ : - */
	const char *group;
	int32_t index, of;
	/* The numbers of the contacts in the whole problem, ascending. There may be none. */
	int32_t rows;
	const int32_t *ids;
	/* Where there are bodies: the numbers of those that these contacts touch, ascending; `body` has two of these numbers per contact. */
	const int32_t *body_ids;
	/* Where the contacts are, 3 numbers each: they are shared out by it. In all parts, or in none. */
	const double *point;
} stickslip_part;

/*
 * Arrays that are not used are NULL. They are sent as they stand, without a copy: they must stay as they are until the answer
 * was received or the request dropped.
 */
typedef struct
{
	/* Of the whole problem; with a part the arrays below are of its rows alone, with columns numbered in the whole. */
	int32_t contacts;
	/* Free velocity, 3 per contact, and friction, 1 per contact. */
	const double *q, *mu;
	/*
	 * W in compressed rows of 3 x 3 blocks: contacts + 1 starts, and the column and 9 values (by rows) of each block. With a prepared
	 * pattern row_start says how many values there are, and is not sent.
	 */
	const int32_t *row_start, *column;
	const double *values;
	/* Or bodies: 2 per contact (-1: an obstacle), 9 and 6 per contact, 1 and 6 per body. */
	int32_t bodies;
	const int32_t *body;
	const double *frame, *arm, *inverse_mass, *inverse_inertia;
	/* A reaction to start from, and the numbers by which warm starts know contacts again (whole, one per contact). */
	const double *start, *keys;
	/*
	 * Other arrays of a problem by their names in docs/protocol.md: the global form, equality rows, and `geometry.point`, where the contacts
	 * are (3 numbers each): from 65,537 contacts on they are swept by it. A pattern has it from stickslip_prepare. Laws of contacts that are not
	 * Coulomb's are `laws.law` (STICKSLIP_I32) and `laws.parameters`; with a part those of its contacts, in all parts or in none.
	 */
	const stickslip_array *more;
	size_t more_count;
	const stickslip_part *part;
} stickslip_problem;

typedef struct
{
	int64_t iterations, products;
	/* In the measure of the tolerance; taken, or estimated. */
	double error;
	int exact;
	double seconds;
	char method[64];
} stickslip_progress;

/* An option of the method by the name in its paper; its value is the text, or the number where there is no text. */
typedef struct
{
	const char *name, *text;
	double number;
} stickslip_setting;

/* What is NULL or 0 is left to the service. */
typedef struct
{
	/* Of the problem, for reports. */
	const char *name;
	/* auto, or one that `stickslip methods` lists; energy, natural or merit; drop: start from zero where a start is worse. */
	const char *method, *measure, *worse_start;
	double tolerance, max_iterations, time_limit;
	/* Have one number per iteration in the report. */
	int history;
	const stickslip_setting *set;
	size_t set_count;
	/* A prepared pattern: the problem then has only what is new. */
	const char *pattern;
	/* The name of the solves that the problem's keys belong to. */
	const char *series;
	/* Seconds from arrival at the service. */
	double deadline;
	/* The request goes on where the connection is lost; stickslip_fetch has its answer. */
	int keep;
	/* Called while an answer is waited for; it may call stickslip_cancel, and nothing else of the client. */
	void (*on_progress)(const stickslip_progress *progress, void *context);
	void *context;
} stickslip_options;

typedef struct
{
	char id[STICKSLIP_ID_SIZE];
	/* 1 where the status is solved. An outcome is not an error: stalled, iteration-limit, time-limit, diverged, infeasible, cancelled. */
	int solved;
	char status[32];
	/* SHA-256 of the reactions of the whole problem as little-endian doubles, in hexadecimal. */
	char hash[STICKSLIP_HASH_SIZE];
	/* Contacts that the arrays are of, and 3 numbers for each. */
	size_t contacts;
	double *reaction, *velocity;
	/* Of the equality rows. */
	size_t multipliers;
	double *multiplier;
	/* MessagePack: what `stickslip solve --json` prints. */
	unsigned char *report;
	size_t report_size;
} stickslip_answer;

/* Connects by the connection file that `stickslip serve` wrote, in at most so many seconds. NULL on failure. */
stickslip_client *stickslip_connect(const char *file, double seconds, stickslip_error *error);

/* What is under way is cancelled, except where `keep` was given. */
void stickslip_close(stickslip_client *client);

/* How long the service may be silent while it is waited for, in seconds; then calls fail as connection-lost. 60 at first. */
void stickslip_set_patience(stickslip_client *client, double seconds);

/* Sends a problem and waits for its answer; after `seconds` (negative: no limit) it is dropped, as a timeout. */
int stickslip_solve(stickslip_client *client, const stickslip_problem *problem, const stickslip_options *options, double seconds,
                    stickslip_answer *answer, stickslip_error *error);

/* Sends without waiting: several may be under way. `id` is filled in. */
int stickslip_send(stickslip_client *client, const stickslip_problem *problem, const stickslip_options *options,
                   char id[STICKSLIP_ID_SIZE], stickslip_error *error);

/*
 * Waits for the answer of one request, or with NULL for that of any. Returns 1 where there is none after `seconds`: it can be
 * waited for again. answer->id says whose answer, or whose error, it is.
 */
int stickslip_receive(stickslip_client *client, const char *id, double seconds, stickslip_answer *answer, stickslip_error *error);

/* Asks the service to stop; stickslip_receive then has the error `cancelled`, or an answer with the status cancelled. */
int stickslip_cancel(stickslip_client *client, const char *id, stickslip_error *error);

/* Cancels what nobody will wait for. On return its arrays are free again. */
void stickslip_drop(stickslip_client *client, const char *id);

/* Has the service look once at which contacts couple, under a name; the problem's values are the first ones. */
int stickslip_prepare(stickslip_client *client, const stickslip_problem *problem, const char *pattern, stickslip_error *error);
int stickslip_release(stickslip_client *client, const char *pattern, stickslip_error *error);

/* The answer of an earlier request, also of another process with the same connection file; kept until it is forgotten. */
int stickslip_fetch(stickslip_client *client, const char *id, double seconds, stickslip_answer *answer, stickslip_error *error);
int stickslip_forget(stickslip_client *client, const char *id, stickslip_error *error);

/* A field of the report: 0 where it is there. A text that is longer than the room is cut. */
int stickslip_report_number(const stickslip_answer *answer, const char *field, double *value);
int stickslip_report_text(const stickslip_answer *answer, const char *field, char *text, size_t size);

void stickslip_answer_free(stickslip_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
