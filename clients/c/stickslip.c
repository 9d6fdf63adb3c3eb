/*
 * Client of the Stickslip service; stickslip.h has its interface, docs/protocol.md what is said here.
 *
 * In order: errors, MessagePack written and read, the connection file, problems (checks and arrays), messages sent and received,
 * requests, and the interface.
 */
#define _POSIX_C_SOURCE 200809L
#include "stickslip.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#define PROTOCOL_VERSION 1
#define CLIENT_NAME "stickslip-c 0.1.0"

/* Encrypted and sent piece by piece, a long array needs no second copy. */
#define PIECE_BYTES ((size_t)1 << 18)
#define ARRAY_FRAMES_MAX 4096
#define ARRAYS_MAX 64
#define FILE_BYTES_MAX 65536
/* While nothing is heard, the service is asked so often whether it is there. */
#define PING_SECONDS 1.0
#define PATIENCE_SECONDS 60.0
/* Answers that need not be kept are told to the service so many at a time. */
#define FORGET_MANY 64
/* What closing waits for at most, so that the service hears the last messages. */
#define LINGER_MS 200
/* What is left of arrays inside libzmq goes out by itself for so long before the connection is closed to get them back. */
#define RETURN_SECONDS 1.0
#define KEY_MAX 9007199254740992.0

/* ---- Errors ---- */

static const char *const VERSIONS_REMEDY = "use versions of client and service that fit together";
static const char *const SIZES_REMEDY = "make the sizes agree";

static int fail(stickslip_error *error, const char *code, const char *remedy, const char *field, const char *format, ...)
{
	va_list values;
	if (error == NULL) return -1;
	memset(error, 0, sizeof *error);
	snprintf(error->code, sizeof error->code, "%s", code);
	snprintf(error->field, sizeof error->field, "%s", field);
	snprintf(error->remedy, sizeof error->remedy, "%s", remedy);
	va_start(values, format);
	vsnprintf(error->message, sizeof error->message, format, values);
	va_end(values);
	return -1;
}

/* The same for an entry of an array. */
static int fail_at(stickslip_error *error, const char *field, size_t index, const char *remedy, const char *format, double value)
{
	char place[128];
	snprintf(place, sizeof place, "%s[%lu]", field, (unsigned long)index);
	return fail(error, "bad-input", remedy, place, format, value);
}

static int no_memory(stickslip_error *error)
{
	return fail(error, "out-of-memory", "use a machine with more memory", "", "there is no memory left");
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void pause_ms(long milliseconds)
{
	struct timespec time;
	time.tv_sec = milliseconds / 1000;
	time.tv_nsec = milliseconds % 1000 * 1000000L;
	nanosleep(&time, NULL);
}

/* ---- MessagePack, written ---- */

typedef struct
{
	unsigned char *data;
	size_t size, room;
	int failed;
} writer;

static void put_bytes(writer *out, const void *bytes, size_t size)
{
	if (out->size + size > out->room && !out->failed)
	{
		size_t room = 2 * (out->size + size) + 256;
		unsigned char *data = realloc(out->data, room);
		if (data == NULL) out->failed = 1;
		else
		{
			out->data = data;
			out->room = room;
		}
	}
	if (out->failed) return;
	memcpy(out->data + out->size, bytes, size);
	out->size += size;
}

static void put_tag(writer *out, unsigned char tag, uint64_t value, int bytes)
{
	unsigned char packed[9];
	int k;
	packed[0] = tag;
	for (k = 0; k < bytes; k += 1) packed[1 + k] = (unsigned char)(value >> (8 * (bytes - 1 - k)));
	put_bytes(out, packed, (size_t)(1 + bytes));
}

static void put_text(writer *out, const char *text)
{
	size_t size = strlen(text);
	if (size < 32) put_tag(out, (unsigned char)(0xa0 | size), 0, 0);
	else put_tag(out, 0xdb, size, 4);
	put_bytes(out, text, size);
}

static void put_real(writer *out, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_tag(out, 0xcb, bits, 8);
}

static void put_count(writer *out, uint32_t value)
{
	put_tag(out, 0xce, value, 4);
}

static void put_bool(writer *out, int value)
{
	put_tag(out, value ? 0xc3 : 0xc2, 0, 0);
}

/* A map whose fields are counted while they are written; returns where it begins. */
static size_t begin_map(writer *out)
{
	put_tag(out, 0xde, 0, 2);
	return out->size;
}

static void put_field(writer *out, size_t map, const char *name)
{
	put_text(out, name);
	if (out->failed) return;
	if (++out->data[map - 1] == 0) out->data[map - 2] += 1;
}

static void put_text_field(writer *out, size_t map, const char *name, const char *text)
{
	if (text == NULL) return;
	put_field(out, map, name);
	put_text(out, text);
}

/* Zero stands for what is not given. */
static void put_real_field(writer *out, size_t map, const char *name, double value)
{
	if (value == 0) return;
	put_field(out, map, name);
	put_real(out, value);
}

static void put_flag_field(writer *out, size_t map, const char *name, int value)
{
	if (!value) return;
	put_field(out, map, name);
	put_bool(out, 1);
}

/* ---- MessagePack, read: every function looks at the end before it reads ---- */

typedef struct
{
	const unsigned char *at, *end;
} reader;

typedef enum
{
	NIL,
	BOOLEAN,
	NUMBER,
	TEXT,
	BYTES,
	ARRAY,
	MAP
} kind;

/* Of arrays and maps only the number of their entries is read. */
typedef struct
{
	kind kind;
	double number;
	const unsigned char *bytes;
	uint64_t size;
} token;

static int read_uint(reader *in, int bytes, uint64_t *value)
{
	if (in->end - in->at < bytes) return -1;
	for (*value = 0; bytes > 0; bytes -= 1) *value = *value << 8 | *in->at++;
	return 0;
}

static int read_bytes(reader *in, token *out, kind kind, uint64_t size)
{
	if ((uint64_t)(in->end - in->at) < size) return -1;
	out->kind = kind;
	out->bytes = in->at;
	out->size = size;
	in->at += size;
	return 0;
}

/* Text, bytes, arrays and maps whose length stands in 1 << `power` bytes. */
static int read_sized(reader *in, token *out, kind kind, int power, unsigned extra)
{
	uint64_t size;
	if (read_uint(in, 1 << power, &size) < 0) return -1;
	if (kind == TEXT || kind == BYTES) return read_bytes(in, out, kind, size + extra);
	out->kind = kind;
	out->size = size;
	return 0;
}

static int read_real(reader *in, token *out, int bytes)
{
	uint64_t bits;
	out->kind = NUMBER;
	if (read_uint(in, bytes, &bits) < 0) return -1;
	if (bytes == 8) memcpy(&out->number, &bits, sizeof bits);
	else
	{
		uint32_t half = (uint32_t)bits;
		float number;
		memcpy(&number, &half, sizeof half);
		out->number = number;
	}
	return 0;
}

static int read_integer(reader *in, token *out, int bytes, int is_signed)
{
	uint64_t bits, sign;
	out->kind = NUMBER;
	if (read_uint(in, bytes, &bits) < 0) return -1;
	sign = (uint64_t)1 << (8 * bytes - 1);
	if (is_signed && (bits & sign)) out->number = -(double)((~bits + 1) & (sign | (sign - 1)));
	else out->number = (double)bits;
	return 0;
}

static int read_token(reader *in, token *out)
{
	unsigned char tag;
	memset(out, 0, sizeof *out);
	if (in->at == in->end) return -1;
	tag = *in->at++;
	if (tag < 0x80 || tag >= 0xe0)
	{
		out->kind = NUMBER;
		out->number = tag < 0x80 ? tag : tag - 256;
		return 0;
	}
	if (tag < 0xa0)
	{
		out->kind = tag < 0x90 ? MAP : ARRAY;
		out->size = tag & 0x0f;
		return 0;
	}
	if (tag < 0xc0) return read_bytes(in, out, TEXT, tag & 0x1f);
	if (tag == 0xc0) return 0;
	if (tag == 0xc1) return -1;
	if (tag <= 0xc3)
	{
		out->kind = BOOLEAN;
		out->number = tag - 0xc2;
		return 0;
	}
	if (tag <= 0xc6) return read_sized(in, out, BYTES, tag - 0xc4, 0);
	/* Extensions have a byte for their type. */
	if (tag <= 0xc9) return read_sized(in, out, BYTES, tag - 0xc7, 1);
	if (tag <= 0xcb) return read_real(in, out, tag == 0xca ? 4 : 8);
	if (tag <= 0xcf) return read_integer(in, out, 1 << (tag - 0xcc), 0);
	if (tag <= 0xd3) return read_integer(in, out, 1 << (tag - 0xd0), 1);
	if (tag <= 0xd8) return read_bytes(in, out, BYTES, ((uint64_t)1 << (tag - 0xd4)) + 1);
	if (tag <= 0xdb) return read_sized(in, out, TEXT, tag - 0xd9, 0);
	if (tag <= 0xdd) return read_sized(in, out, ARRAY, tag - 0xdc + 1, 0);
	return read_sized(in, out, MAP, tag - 0xde + 1, 0);
}

/* Over a value with all that is in it. Each step reads a byte at least, so it ends with the message. */
static int skip_value(reader *in)
{
	uint64_t left;
	for (left = 1; left > 0; left -= 1)
	{
		token value;
		if (read_token(in, &value) < 0) return -1;
		if (value.kind == ARRAY) left += value.size;
		if (value.kind == MAP) left += 2 * value.size;
	}
	return 0;
}

static int is_text(const token *value, const char *text)
{
	return value->kind == TEXT && value->size == strlen(text) && memcmp(value->bytes, text, strlen(text)) == 0;
}

/* The value of a field of a map; 1 where there is none, -1 where it is no map with names. */
static int find_field(reader map, const char *name, reader *value)
{
	token head, key;
	uint64_t k;
	if (read_token(&map, &head) < 0 || head.kind != MAP) return -1;
	for (k = 0; k < head.size; k += 1)
	{
		if (read_token(&map, &key) < 0 || key.kind != TEXT) return -1;
		*value = map;
		if (skip_value(&map) < 0) return -1;
		if (!is_text(&key, name)) continue;
		value->end = map.at;
		return 0;
	}
	return 1;
}

/* A field that has to be a number or a text; -1 where it is not. */
static int find_token(reader map, const char *name, kind kind, token *value)
{
	reader found;
	return find_field(map, name, &found) == 0 && read_token(&found, value) == 0 && value->kind == kind ? 0 : -1;
}

static int find_text(reader map, const char *name, char *text, size_t size)
{
	token value;
	size_t length;
	if (find_token(map, name, TEXT, &value) < 0) return -1;
	length = value.size < size ? (size_t)value.size : size - 1;
	/* Not in the middle of a character. */
	while (length < value.size && length > 0 && (value.bytes[length] & 0xc0) == 0x80) length -= 1;
	memcpy(text, value.bytes, length);
	text[length] = '\0';
	return 0;
}

static int find_number(reader map, const char *name, double *number)
{
	token value;
	if (find_token(map, name, NUMBER, &value) < 0) return -1;
	*number = value.number;
	return 0;
}

/* ---- The connection file: a flat object of texts ---- */

typedef struct
{
	char address[256], local[256], service_key[64], public_key[64], secret_key[64], token[256];
} connection;

static void skip_space(const char **at)
{
	while (**at == ' ' || **at == '\t' || **at == '\n' || **at == '\r') *at += 1;
}

/* A text in quotes. Escapes beyond ASCII stand for no character of a key, a token or an address. */
static int read_json_text(const char **at, char *text, size_t size)
{
	static const char *const escapes = "\"\\/bfnrt", *const meant = "\"\\/\b\f\n\r\t";
	size_t length = 0;
	skip_space(at);
	if (*(*at)++ != '"') return -1;
	while (**at != '"')
	{
		char character = *(*at)++;
		if ((unsigned char)character < 0x20) return -1;
		if (character == '\\')
		{
			const char *escape = **at == '\0' ? NULL : strchr(escapes, **at);
			if (escape != NULL) character = meant[escape - escapes];
			else if (**at == 'u' && strspn(*at + 1, "0123456789abcdefABCDEF") >= 4)
			{
				char digits[5] = {0};
				memcpy(digits, *at + 1, 4);
				character = (char)strtol(digits, NULL, 16);
				if (strtol(digits, NULL, 16) > 0x7f || character == '\0') return -1;
				*at += 4;
			}
			else return -1;
			*at += 1;
		}
		if (length + 1 < size) text[length++] = character;
	}
	*at += 1;
	text[length] = '\0';
	return 0;
}

static char *json_target(connection *to, const char *name, size_t *size)
{
	*size = sizeof to->public_key;
	if (strcmp(name, "serviceKey") == 0) return to->service_key;
	if (strcmp(name, "publicKey") == 0) return to->public_key;
	if (strcmp(name, "secretKey") == 0) return to->secret_key;
	*size = sizeof to->token;
	if (strcmp(name, "token") == 0) return to->token;
	if (strcmp(name, "local") == 0) return to->local;
	return strcmp(name, "zeromq") == 0 ? to->address : NULL;
}

static int parse_connection(const char *text, connection *to)
{
	char name[64], other[1024];
	const char *at = text;
	memset(to, 0, sizeof *to);
	skip_space(&at);
	if (*at++ != '{') return -1;
	for (;;)
	{
		size_t size;
		char *target;
		if (read_json_text(&at, name, sizeof name) < 0) return -1;
		skip_space(&at);
		if (*at++ != ':') return -1;
		target = json_target(to, name, &size);
		if (target != NULL && *target != '\0') return -2;
		if (read_json_text(&at, target ? target : other, target ? size : sizeof other) < 0) return -1;
		skip_space(&at);
		if (*at == '}') break;
		if (*at++ != ',') return -1;
	}
	at += 1;
	skip_space(&at);
	return *at == '\0' ? 0 : -1;
}

/* Whoever has what is in the file is this client. A file of another user may be shared with a group, as in a pod. Devices are no such files. */
static int is_private(FILE *stream)
{
	struct stat found;
	if (fstat(fileno(stream), &found) != 0 || !S_ISREG(found.st_mode)) return 1;
	return (found.st_mode & (found.st_uid == geteuid() ? S_IRWXG | S_IRWXO : S_IRWXO)) == 0;
}

static int read_connection(const char *file, connection *to, stickslip_error *error)
{
	static const char *const remedy = "give the connection file that stickslip serve has written";
	static const char *const lock = "chmod 600 it; if others have read it, remove it and let the service write another (--client)";
	char *text = malloc(FILE_BYTES_MAX + 1);
	FILE *stream = text == NULL ? NULL : fopen(file, "rb");
	size_t size;
	int parsed;
	if (stream == NULL)
	{
		free(text);
		return text == NULL ? no_memory(error) : fail(error, "bad-input", remedy, file, "cannot be read");
	}
	if (!is_private(stream))
	{
		fclose(stream);
		free(text);
		return fail(error, "bad-input", lock, file, "is accessible to other users");
	}
	size = fread(text, 1, FILE_BYTES_MAX, stream);
	text[size] = '\0';
	fclose(stream);
	parsed = parse_connection(text, to);
	memset(text, 0, size);
	free(text);
	if (parsed == -2) return fail(error, "bad-input", remedy, file, "has a key twice");
	if (parsed < 0) return fail(error, "bad-input", remedy, file, "is not a JSON object of texts");
	if (!to->address[0]) return fail(error, "bad-input", remedy, file, "has no address (zeromq)");
	if (!to->service_key[0] || !to->public_key[0] || !to->secret_key[0] || !to->token[0])
		return fail(error, "bad-input", remedy, file, "lacks one of serviceKey, publicKey, secretKey, token");
	return 0;
}

/* ---- Problems: their arrays, with the checks of what would make no sense ---- */

/* What a message has of a problem: all, who couples with whom and what may come along, or only what is new. */
typedef enum
{
	WHOLE_PROBLEM,
	PATTERN,
	NEW_VALUES
} purpose;

typedef struct
{
	stickslip_array items[ARRAYS_MAX];
	size_t count, bytes;
} array_list;

static const size_t SIZES[] = {sizeof(double), sizeof(int32_t), 1};
static const char *const TYPES[] = {"f64", "i32", "u8"};

static int add_array(array_list *list, const char *name, stickslip_type type, const void *data, size_t count, stickslip_error *error)
{
	stickslip_array *item;
	if (list->count == ARRAYS_MAX) return fail(error, "bad-input", "give fewer", "more", "has too many arrays");
	if (name == NULL || (unsigned)type > STICKSLIP_U8)
		return fail(error, "bad-input", "give the names and types of docs/protocol.md", "more", "has an array without a name or a type");
	if (data == NULL && count > 0) return fail(error, "bad-input", "give all arrays that belong together", name, "is missing");
	item = &list->items[list->count++];
	item->name = name;
	item->type = type;
	item->data = data;
	item->count = count;
	list->bytes += count * SIZES[type];
	return 0;
}

/* Numbers that have to be finite. */
static int add_reals(array_list *list, const char *name, const double *data, size_t count, stickslip_error *error)
{
	size_t k;
	if (add_array(list, name, STICKSLIP_F64, data, count, error) < 0) return -1;
	for (k = 0; k < count; k += 1)
		if (!isfinite(data[k])) return fail_at(error, name, k, "give finite numbers only", "is %g", data[k]);
	return 0;
}

static int add_indices(array_list *list, const char *name, const int32_t *data, size_t count, int32_t from, int32_t to,
                       stickslip_error *error)
{
	size_t k;
	char remedy[64];
	if (add_array(list, name, STICKSLIP_I32, data, count, error) < 0) return -1;
	snprintf(remedy, sizeof remedy, "indices here go from %ld to %ld", (long)from, (long)to - 1);
	for (k = 0; k < count; k += 1)
		if (data[k] < from || data[k] >= to) return fail_at(error, name, k, remedy, "is %.0f, out of range", data[k]);
	return 0;
}

/* With a prepared pattern the rows only say how many values there are. */
static int add_blocks(array_list *list, const stickslip_problem *problem, size_t rows, purpose purpose, stickslip_error *error)
{
	const int32_t *start = problem->row_start;
	size_t row, blocks;
	if (start == NULL && problem->values != NULL)
		return fail(error, "bad-input", "give row_start too, which says how many blocks there are", "W.rowStart", "is missing");
	if (start == NULL) return 0;
	for (row = 0; row <= rows; row += 1)
		if (row == 0 ? start[0] != 0 : start[row] < start[row - 1])
			return fail_at(error, "W.rowStart", row, "begin at 0, and do not decrease", "is %.0f", start[row]);
	blocks = (size_t)start[rows];
	if (purpose != NEW_VALUES)
	{
		if (add_array(list, "W.rowStart", STICKSLIP_I32, start, rows + 1, error) < 0) return -1;
		if (add_indices(list, "W.column", problem->column, blocks, 0, problem->contacts, error) < 0) return -1;
	}
	if (problem->values == NULL && purpose != WHOLE_PROBLEM) return 0;
	return add_reals(list, "W.values", problem->values, 9 * blocks, error);
}

static int add_bodies(array_list *list, const stickslip_problem *problem, size_t rows, purpose purpose, stickslip_error *error)
{
	size_t bodies = (size_t)problem->bodies;
	/* With a part these are numbers of the whole problem. */
	int32_t end = problem->part != NULL ? INT32_MAX : problem->bodies;
	if (problem->body != NULL && purpose != NEW_VALUES && add_indices(list, "rigid.body", problem->body, 2 * rows, -1, end, error) < 0) return -1;
	if (problem->body != NULL && problem->part != NULL &&
	    add_indices(list, "rigid.ids", problem->part->body_ids, bodies, 0, INT32_MAX, error) < 0)
		return -1;
	if (problem->frame != NULL && add_reals(list, "rigid.frame", problem->frame, 9 * rows, error) < 0) return -1;
	if (problem->arm != NULL && add_reals(list, "rigid.arm", problem->arm, 6 * rows, error) < 0) return -1;
	if (problem->inverse_mass != NULL && add_reals(list, "rigid.inverseMass", problem->inverse_mass, bodies, error) < 0) return -1;
	if (problem->inverse_inertia == NULL) return 0;
	return add_reals(list, "rigid.inverseInertia", problem->inverse_inertia, 6 * bodies, error);
}

static int add_keys(array_list *list, const double *keys, size_t rows, stickslip_error *error)
{
	size_t k;
	if (keys == NULL) return 0;
	for (k = 0; k < rows; k += 1)
		if (keys[k] != floor(keys[k]) || fabs(keys[k]) >= KEY_MAX)
			return fail_at(error, "keys", k, "give whole numbers below 2^53, each once", "is %g", keys[k]);
	return add_array(list, "keys", STICKSLIP_F64, keys, rows, error);
}

static int add_part(array_list *list, const stickslip_part *part, int32_t contacts, stickslip_error *error)
{
	int32_t k;
	if (part->rows < 0) return fail(error, "bad-input", SIZES_REMEDY, "part.rows", "is %ld", (long)part->rows);
	if (add_indices(list, "ids", part->ids, (size_t)part->rows, 0, contacts, error) < 0) return -1;
	if (part->point != NULL && add_reals(list, "geometry.point", part->point, 3 * (size_t)part->rows, error) < 0) return -1;
	for (k = 1; k < part->rows; k += 1)
		if (part->ids[k] <= part->ids[k - 1])
			return fail_at(error, "ids", (size_t)k, "sort the rows by the numbers of their contacts, each once", "is %.0f", part->ids[k]);
	return 0;
}

static int list_arrays(array_list *list, const stickslip_problem *problem, purpose purpose, stickslip_error *error)
{
	size_t k, rows;
	int is_whole = purpose == WHOLE_PROBLEM;
	memset(list, 0, sizeof *list);
	if (problem->contacts < 0)
		return fail(error, "bad-input", "give the number of contacts", "contacts", "is %ld", (long)problem->contacts);
	if (problem->contacts == 0)
		return fail(error, "bad-input", "nothing touches, so there is nothing to solve", "contacts", "is %ld", (long)problem->contacts);
	rows = problem->part != NULL ? (size_t)problem->part->rows : (size_t)problem->contacts;
	if (problem->part != NULL && add_part(list, problem->part, problem->contacts, error) < 0) return -1;
	if ((problem->q != NULL || is_whole) && add_reals(list, "q", problem->q, 3 * rows, error) < 0) return -1;
	if (problem->mu != NULL || is_whole)
	{
		if (add_reals(list, "mu", problem->mu, rows, error) < 0) return -1;
		for (k = 0; k < rows; k += 1)
			if (problem->mu[k] < 0) return fail_at(error, "mu", k, "give friction that is zero or positive", "is %g", problem->mu[k]);
	}
	if (is_whole && problem->row_start == NULL && problem->body == NULL && problem->more_count == 0)
		return fail(error, "bad-input", "give row_start, column and values, or bodies, or the global form", "W", "is missing");
	if (add_blocks(list, problem, rows, purpose, error) < 0 || add_bodies(list, problem, rows, purpose, error) < 0) return -1;
	if (problem->start != NULL && add_reals(list, "start", problem->start, 3 * rows, error) < 0) return -1;
	if (add_keys(list, problem->keys, rows, error) < 0) return -1;
	for (k = 0; k < problem->more_count; k += 1)
	{
		const stickslip_array *item = &problem->more[k];
		if (add_array(list, item->name, item->type, item->data, item->count, error) < 0) return -1;
	}
	return 0;
}

/*
 * The bytes of a piece: as many as always, or more where a message would have too many frames. What is not encrypted goes whole, which
 * saves the service a copy.
 */
static size_t piece_size(const array_list *list, int is_local)
{
	size_t least = 8 * (list->bytes / (8 * (ARRAY_FRAMES_MAX - ARRAYS_MAX)) + 1);
	if (is_local) return list->bytes + 1;
	return least > PIECE_BYTES ? least : PIECE_BYTES;
}

static size_t pieces_of(const stickslip_array *item, size_t size)
{
	size_t bytes = item->count * SIZES[item->type];
	return bytes == 0 ? 1 : (bytes + size - 1) / size;
}

/* The head's list of what its frames are. */
static void put_array_names(writer *out, size_t map, const array_list *list, size_t size)
{
	size_t k, piece, pieces = 0;
	if (list->count == 0) return;
	for (k = 0; k < list->count; k += 1) pieces += pieces_of(&list->items[k], size);
	put_field(out, map, "arrays");
	put_tag(out, 0xdd, pieces, 4);
	for (k = 0; k < list->count; k += 1)
		for (piece = 0; piece < pieces_of(&list->items[k], size); piece += 1)
		{
			put_tag(out, 0x92, 0, 0);
			put_text(out, list->items[k].name);
			put_text(out, TYPES[list->items[k].type]);
		}
}

static void put_set(writer *out, size_t map, const stickslip_options *options)
{
	size_t k, set;
	if (options->set_count == 0) return;
	put_field(out, map, "set");
	set = begin_map(out);
	for (k = 0; k < options->set_count; k += 1)
	{
		const stickslip_setting *setting = &options->set[k];
		put_field(out, set, setting->name);
		if (setting->text != NULL) put_text(out, setting->text);
		else put_real(out, setting->number);
	}
}

static void put_options(writer *out, size_t map, const stickslip_problem *problem, const stickslip_options *options)
{
	size_t solver;
	put_text_field(out, map, "name", options->name);
	put_text_field(out, map, "pattern", options->pattern);
	put_flag_field(out, map, "progress", options->on_progress != NULL);
	put_flag_field(out, map, "keep", options->keep);
	put_real_field(out, map, "deadline", options->deadline);
	if (problem->keys != NULL) put_text_field(out, map, "series", options->series ? options->series : "default");
	put_field(out, map, "options");
	solver = begin_map(out);
	put_text_field(out, solver, "method", options->method);
	put_text_field(out, solver, "measure", options->measure);
	put_text_field(out, solver, "worseStart", options->worse_start);
	put_real_field(out, solver, "tolerance", options->tolerance);
	put_real_field(out, solver, "maxIterations", options->max_iterations);
	put_real_field(out, solver, "timeLimit", options->time_limit);
	put_flag_field(out, solver, "history", options->history);
	put_set(out, solver, options);
}

static void put_part(writer *out, size_t map, const stickslip_part *part)
{
	size_t fields;
	if (part == NULL) return;
	put_field(out, map, "part");
	fields = begin_map(out);
	put_text_field(out, fields, "group", part->group);
	put_field(out, fields, "index");
	put_count(out, (uint32_t)part->index);
	put_field(out, fields, "of");
	put_count(out, (uint32_t)part->of);
}

/* ---- Requests: what waits for its answer ---- */

typedef enum
{
	UNDER_WAY,
	ANSWERED,
	FAILED
} request_state;

typedef struct request
{
	struct request *next;
	char id[STICKSLIP_ID_SIZE];
	writer head;
	array_list arrays;
	size_t piece;
	/* How many pieces of the arrays libzmq still has. */
	void *lent;
	void (*on_progress)(const stickslip_progress *, void *);
	void *context;
	int is_solve, is_kept, is_cancelled;
	request_state state;
	stickslip_answer answer;
	stickslip_error error;
} request;

struct stickslip_client
{
	connection connection;
	void *zmq, *socket;
	/* In the order in which they were made. */
	request *requests;
	char prefix[24];
	unsigned long count;
	double heard, pinged, pinged_since, patience;
	int is_ready, was_ready, is_local;
	double requests_max, message_max;
	char (*forgotten)[STICKSLIP_ID_SIZE];
	size_t forgotten_count;
};

static request *new_request(stickslip_client *client, const char *id, stickslip_error *error)
{
	request **at = &client->requests, *made = calloc(1, sizeof *made);
	if (made != NULL) made->lent = zmq_atomic_counter_new();
	if (made == NULL || made->lent == NULL)
	{
		free(made);
		no_memory(error);
		return NULL;
	}
	if (id != NULL) snprintf(made->id, sizeof made->id, "%s", id);
	else snprintf(made->id, sizeof made->id, "%s.%lu", client->prefix, ++client->count);
	while (*at != NULL) at = &(*at)->next;
	*at = made;
	return made;
}

static request *find_request(stickslip_client *client, const char *id)
{
	request *each;
	for (each = client->requests; each != NULL; each = each->next)
		if (strcmp(each->id, id) == 0) return each;
	return NULL;
}

/* ---- Messages, sent ---- */

static int send_head(stickslip_client *client, const writer *head, int flags, stickslip_error *error)
{
	if (head->failed) return no_memory(error);
	if (zmq_send(client->socket, head->data, head->size, flags) >= 0) return 0;
	return fail(error, "connection-lost", "connect again", client->connection.address, "cannot be sent to: %s", zmq_strerror(zmq_errno()));
}

/* A message with a type, and the id or other text that it is about. */
static int send_simple(stickslip_client *client, const char *type, const char *field, const char *value, stickslip_error *error)
{
	writer out = {0};
	size_t map = begin_map(&out);
	int result;
	put_text_field(&out, map, "type", type);
	if (field != NULL) put_text_field(&out, map, field, value);
	result = send_head(client, &out, 0, error);
	free(out.data);
	return result;
}

static int send_hello(stickslip_client *client, stickslip_error *error)
{
	writer out = {0};
	size_t map = begin_map(&out);
	int result;
	put_text_field(&out, map, "type", "hello");
	put_field(&out, map, "version");
	put_count(&out, PROTOCOL_VERSION);
	put_text_field(&out, map, "client", CLIENT_NAME);
	put_text_field(&out, map, "token", client->connection.token);
	client->is_ready = 0;
	result = send_head(client, &out, 0, error);
	free(out.data);
	return result;
}

static void give_back(void *data, void *counter)
{
	(void)data;
	zmq_atomic_counter_dec(counter);
}

/*
 * The arrays without a copy: libzmq gives each piece back when it is encrypted. Between hello and welcome nothing is sent: the
 * welcome sends all that is under way.
 */
static int send_request(stickslip_client *client, request *each, stickslip_error *error)
{
	size_t k, at, size = each->piece;
	if (!client->is_ready) return 0;
	if (send_head(client, &each->head, each->arrays.count > 0 ? ZMQ_SNDMORE : 0, error) < 0) return -1;
	for (k = 0; k < each->arrays.count; k += 1)
	{
		const stickslip_array *item = &each->arrays.items[k];
		size_t bytes = item->count * SIZES[item->type];
		int is_last = k + 1 == each->arrays.count;
		for (at = 0; at == 0 || at < bytes; at += size)
		{
			zmq_msg_t piece;
			size_t length = bytes - at < size ? bytes - at : size;
			int flags = is_last && at + length == bytes ? 0 : ZMQ_SNDMORE;
			/* libzmq takes no const, and writes nothing. */
			union { const void *constant; void *plain; } data;
			data.constant = length == 0 ? "" : (const char *)item->data + at;
			zmq_atomic_counter_inc(each->lent);
			if (zmq_msg_init_data(&piece, data.plain, length, give_back, each->lent) != 0)
			{
				zmq_atomic_counter_dec(each->lent);
				return no_memory(error);
			}
			if (zmq_msg_send(&piece, client->socket, flags) >= 0) continue;
			zmq_msg_close(&piece);
			return fail(error, "connection-lost", "connect again", client->connection.address, "cannot be sent to: %s",
			            zmq_strerror(zmq_errno()));
		}
	}
	return each->is_cancelled ? send_simple(client, "cancel", "id", each->id, error) : 0;
}

/* Whether somebody listens at the socket that only processes of the service's own user and machine can reach. */
static int is_local(const connection *to)
{
	struct sockaddr_un address;
	const char *path = to->local + strlen("ipc://");
	int probe, result;
	if (strncmp(to->local, "ipc://", strlen("ipc://")) != 0 || strlen(path) >= sizeof address.sun_path) return 0;
	memset(&address, 0, sizeof address);
	address.sun_family = AF_UNIX;
	strcpy(address.sun_path, path);
	probe = socket(AF_UNIX, SOCK_STREAM, 0);
	if (probe < 0) return 0;
	result = connect(probe, (const struct sockaddr *)(const void *)&address, sizeof address);
	close(probe);
	return result == 0;
}

static int open_socket(stickslip_client *client, stickslip_error *error)
{
	const connection *to = &client->connection;
	int linger = LINGER_MS, none = 0, heartbeat = 1000, silence = 10000, pause = 50, pause_max = 1000, ipv6 = 1, failed = 0;
	client->socket = zmq_socket(client->zmq, ZMQ_DEALER);
	if (client->socket == NULL) return no_memory(error);
	client->is_local = is_local(to);
	if (!client->is_local)
	{
		failed |= zmq_setsockopt(client->socket, ZMQ_CURVE_SERVERKEY, to->service_key, strlen(to->service_key) + 1);
		failed |= zmq_setsockopt(client->socket, ZMQ_CURVE_PUBLICKEY, to->public_key, strlen(to->public_key) + 1);
		failed |= zmq_setsockopt(client->socket, ZMQ_CURVE_SECRETKEY, to->secret_key, strlen(to->secret_key) + 1);
	}
	failed |= zmq_setsockopt(client->socket, ZMQ_LINGER, &linger, sizeof linger);
	failed |= zmq_setsockopt(client->socket, ZMQ_SNDHWM, &none, sizeof none);
	failed |= zmq_setsockopt(client->socket, ZMQ_RCVHWM, &none, sizeof none);
	failed |= zmq_setsockopt(client->socket, ZMQ_HEARTBEAT_IVL, &heartbeat, sizeof heartbeat);
	failed |= zmq_setsockopt(client->socket, ZMQ_HEARTBEAT_TIMEOUT, &silence, sizeof silence);
	failed |= zmq_setsockopt(client->socket, ZMQ_RECONNECT_IVL, &pause, sizeof pause);
	failed |= zmq_setsockopt(client->socket, ZMQ_RECONNECT_IVL_MAX, &pause_max, sizeof pause_max);
	failed |= zmq_setsockopt(client->socket, ZMQ_IPV6, &ipv6, sizeof ipv6);
	failed |= zmq_connect(client->socket, client->is_local ? to->local : to->address);
	if (failed == 0) return send_hello(client, error);
	return fail(error, "bad-input", "give the connection file that stickslip serve has written", "connection",
	            "the address %s or a key cannot be used: %s", to->address, zmq_strerror(zmq_errno()));
}

/* Another connection: what is under way is sent again when the service has said welcome. */
static int reopen(stickslip_client *client, stickslip_error *error)
{
	int none = 0;
	if (client->socket != NULL)
	{
		zmq_setsockopt(client->socket, ZMQ_LINGER, &none, sizeof none);
		zmq_close(client->socket);
	}
	return open_socket(client, error);
}

/* Takes the arrays back from libzmq, which has them no longer once they were sent or the socket is closed. */
static void free_request(stickslip_client *client, request *each)
{
	request **at = &client->requests;
	double since = now();
	int is_reopened = 0;
	while (*at != each) at = &(*at)->next;
	*at = each->next;
	while (zmq_atomic_counter_value(each->lent) > 0)
	{
		if (!is_reopened && (client->socket == NULL || now() - since > RETURN_SECONDS))
		{
			is_reopened = 1;
			if (client->socket != NULL) reopen(client, NULL);
		}
		pause_ms(1);
	}
	zmq_atomic_counter_destroy(&each->lent);
	free(each->head.data);
	stickslip_answer_free(&each->answer);
	free(each);
}

static int send_forgotten(stickslip_client *client, stickslip_error *error)
{
	writer out = {0};
	size_t k, map = begin_map(&out);
	int result;
	put_text_field(&out, map, "type", "forget");
	put_field(&out, map, "ids");
	put_tag(&out, 0xdd, client->forgotten_count, 4);
	for (k = 0; k < client->forgotten_count; k += 1) put_text(&out, client->forgotten[k]);
	result = send_head(client, &out, 0, error);
	free(out.data);
	client->forgotten_count = 0;
	return result;
}

static int forget(stickslip_client *client, const char *id, stickslip_error *error)
{
	snprintf(client->forgotten[client->forgotten_count++], STICKSLIP_ID_SIZE, "%s", id);
	return client->forgotten_count < FORGET_MANY ? 0 : send_forgotten(client, error);
}

/* ---- Messages, received ---- */

typedef struct
{
	zmq_msg_t *frames;
	size_t count, room;
} message;

static void free_message(message *in)
{
	size_t k;
	for (k = 0; k < in->count; k += 1) zmq_msg_close(&in->frames[k]);
	free(in->frames);
}

static int receive_message(stickslip_client *client, message *in, stickslip_error *error)
{
	int more = 1;
	memset(in, 0, sizeof *in);
	while (more)
	{
		if (in->count == in->room)
		{
			size_t room = in->room == 0 ? 8 : 2 * in->room;
			zmq_msg_t *frames = malloc(room * sizeof *frames);
			size_t k;
			if (frames == NULL) return no_memory(error);
			/* A message of libzmq is moved by its own function alone. */
			for (k = 0; k < in->count; k += 1)
			{
				zmq_msg_init(&frames[k]);
				zmq_msg_move(&frames[k], &in->frames[k]);
				zmq_msg_close(&in->frames[k]);
			}
			free(in->frames);
			in->frames = frames;
			in->room = room;
		}
		zmq_msg_init(&in->frames[in->count]);
		in->count += 1;
		while (zmq_msg_recv(&in->frames[in->count - 1], client->socket, 0) < 0)
			if (zmq_errno() != EINTR)
				return fail(error, "connection-lost", "connect again", client->connection.address, "%s", zmq_strerror(zmq_errno()));
		more = zmq_msg_more(&in->frames[in->count - 1]);
	}
	return 0;
}

static reader reader_of(message *in, size_t frame)
{
	reader bytes;
	bytes.at = zmq_msg_data(&in->frames[frame]);
	bytes.end = bytes.at + zmq_msg_size(&in->frames[frame]);
	return bytes;
}

/* The pieces of an array as one; none where the message does not have it. */
static int join_array(message *in, const char *name, double **numbers, size_t *count, stickslip_error *error)
{
	reader list;
	token head, each, type;
	size_t frame, bytes = 0;
	unsigned char *to;
	*numbers = NULL;
	*count = 0;
	if (find_field(reader_of(in, 0), "arrays", &list) != 0) return in->count == 1 ? 0 : -1;
	if (read_token(&list, &head) < 0 || head.kind != ARRAY || head.size != in->count - 1) return -1;
	to = NULL;
	for (frame = 1; frame < in->count; frame += 1)
	{
		size_t size = zmq_msg_size(&in->frames[frame]);
		if (read_token(&list, &each) < 0 || each.kind != ARRAY || each.size != 2) return -1;
		if (read_token(&list, &each) < 0 || read_token(&list, &type) < 0) return -1;
		if (!is_text(&each, name)) continue;
		if (!is_text(&type, "f64")) return -1;
		to = realloc(*numbers, bytes + size + 1);
		if (to == NULL) return no_memory(error);
		*numbers = (double *)(void *)to;
		memcpy(to + bytes, zmq_msg_data(&in->frames[frame]), size);
		bytes += size;
	}
	*count = bytes / sizeof(double);
	return bytes % sizeof(double) == 0 ? 0 : -1;
}

static int read_result(message *in, stickslip_answer *answer, stickslip_error *error)
{
	reader report;
	size_t count, velocities;
	memset(error, 0, sizeof *error);
	if (find_field(reader_of(in, 0), "report", &report) != 0) return -1;
	answer->report_size = (size_t)(report.end - report.at);
	answer->report = malloc(answer->report_size);
	if (answer->report == NULL) return no_memory(error);
	memcpy(answer->report, report.at, answer->report_size);
	if (find_text(report, "status", answer->status, sizeof answer->status) < 0) return -1;
	if (find_text(report, "hash", answer->hash, sizeof answer->hash) < 0) return -1;
	answer->solved = strcmp(answer->status, "solved") == 0;
	if (join_array(in, "reaction", &answer->reaction, &count, error) < 0) return -1;
	if (join_array(in, "velocity", &answer->velocity, &velocities, error) < 0) return -1;
	if (join_array(in, "multiplier", &answer->multiplier, &answer->multipliers, error) < 0) return -1;
	answer->contacts = count / 3;
	if (answer->reaction == NULL || answer->velocity == NULL) return -1;
	return count % 3 == 0 && velocities == count ? 0 : -1;
}

static int read_service_error(reader head, stickslip_error *error)
{
	if (find_text(head, "code", error->code, sizeof error->code) < 0) return -1;
	if (find_text(head, "field", error->field, sizeof error->field) < 0) return -1;
	if (find_text(head, "message", error->message, sizeof error->message) < 0) return -1;
	return find_text(head, "remedy", error->remedy, sizeof error->remedy);
}

static void read_progress(reader head, const request *each)
{
	stickslip_progress progress;
	token exact;
	double iterations, products;
	memset(&progress, 0, sizeof progress);
	if (each->on_progress == NULL || find_number(head, "iterations", &iterations) < 0) return;
	if (find_number(head, "products", &products) < 0 || find_token(head, "exact", BOOLEAN, &exact) < 0) return;
	if (find_number(head, "error", &progress.error) < 0 || find_number(head, "seconds", &progress.seconds) < 0) return;
	if (find_text(head, "method", progress.method, sizeof progress.method) < 0) return;
	progress.iterations = (int64_t)iterations;
	progress.products = (int64_t)products;
	progress.exact = exact.number != 0;
	each->on_progress(&progress, each->context);
}

static int read_welcome(stickslip_client *client, reader head, stickslip_error *error)
{
	reader limits;
	request *each;
	if (find_field(head, "limits", &limits) != 0 || find_number(limits, "requests", &client->requests_max) < 0 ||
	    find_number(limits, "message", &client->message_max) < 0)
		return fail(error, "bad-message", VERSIONS_REMEDY, "limits", "are not in the service's welcome");
	if (client->is_ready) return 0;
	client->is_ready = 1;
	if (client->was_ready)
		for (each = client->requests; each != NULL; each = each->next)
			if (each->state == UNDER_WAY && send_request(client, each, error) < 0) return -1;
	client->was_ready = 1;
	return 0;
}

/* Whether the service does not know the connection that libzmq has made by itself. */
static int is_unknown_connection(const stickslip_client *client, const stickslip_error *refused)
{
	return client->was_ready && strcmp(refused->code, "unauthorized") == 0 && strcmp(refused->field, "hello") == 0;
}

static void read_answer(request *each, const char *type, message *in)
{
	int read = each->is_solve ? read_result(in, &each->answer, &each->error) : 0;
	each->state = read == 0 ? ANSWERED : FAILED;
	if (read < 0 && each->error.code[0] == '\0')
		fail(&each->error, "bad-message", VERSIONS_REMEDY, type, "is not complete, or not as it should be");
}

static int take_error(stickslip_client *client, request *each, message *in, stickslip_error *error)
{
	stickslip_error found = {{0}, {0}, {0}, {0}};
	int read = read_service_error(reader_of(in, 0), &found);
	if (read < 0) fail(&found, "bad-message", VERSIONS_REMEDY, "error", "is not complete");
	else if (is_unknown_connection(client, &found)) return reopen(client, error);
	if (each == NULL)
	{
		if (error != NULL) *error = found;
		return -1;
	}
	if (each->state != UNDER_WAY) return 0;
	each->state = FAILED;
	each->error = found;
	return 0;
}

/* Takes one message in. Fails where the connection as a whole is of no use. */
static int take_message(stickslip_client *client, message *in, stickslip_error *error)
{
	char type[16], id[STICKSLIP_ID_SIZE];
	reader head = reader_of(in, 0);
	request *each;
	int has_id;
	if (find_text(head, "type", type, sizeof type) < 0)
		return fail(error, "bad-message", VERSIONS_REMEDY, "type", "is missing in what the service sent");
	if (strcmp(type, "welcome") == 0) return read_welcome(client, head, error);
	has_id = find_text(head, "id", id, sizeof id) == 0;
	each = has_id ? find_request(client, id) : NULL;
	if (strcmp(type, "error") == 0 && (each != NULL || !has_id)) return take_error(client, each, in, error);
	if (each == NULL || each->state != UNDER_WAY) return 0;
	if (strcmp(type, "progress") == 0) read_progress(head, each);
	if (strcmp(type, "result") == 0 || strcmp(type, "prepared") == 0 || strcmp(type, "released") == 0) read_answer(each, type, in);
	return 0;
}

static int look_for_life(stickslip_client *client, stickslip_error *error)
{
	double time = now(), last = client->heard > client->pinged ? client->heard : client->pinged;
	if (client->was_ready && time - last >= PING_SECONDS)
	{
		client->pinged = time;
		if (client->pinged_since == 0) client->pinged_since = time;
		if (send_simple(client, "ping", NULL, NULL, error) < 0) return -1;
	}
	if (client->pinged_since == 0 || time - client->pinged_since <= client->patience) return 0;
	client->pinged_since = 0;
	return fail(error, "connection-lost", "see whether the service runs; what is under way can still be waited for",
	            client->connection.address, "has been silent for %.0f s", client->patience);
}

/* Waits for a message until a time, or negative for ever: 1 where none came. */
static int receive_one(stickslip_client *client, double until, stickslip_error *error)
{
	for (;;)
	{
		zmq_pollitem_t item;
		message in;
		int result;
		double left = until < 0 ? PING_SECONDS : until - now();
		if (look_for_life(client, error) < 0) return -1;
		item.socket = client->socket;
		item.fd = 0;
		item.events = ZMQ_POLLIN;
		if (left < 0) left = 0;
		if (left > PING_SECONDS) left = PING_SECONDS;
		if (zmq_poll(&item, 1, (long)(1000 * left) + (left > 0)) <= 0)
		{
			if (until >= 0 && now() >= until) return 1;
			continue;
		}
		client->heard = now();
		client->pinged_since = 0;
		result = receive_message(client, &in, error);
		if (result == 0) result = take_message(client, &in, error);
		free_message(&in);
		return result;
	}
}

/* Until it is answered: 1 where it is not by then. */
static int wait_for(stickslip_client *client, const request *each, double until, stickslip_error *error)
{
	while (each->state == UNDER_WAY)
	{
		int result = receive_one(client, until, error);
		if (result != 0) return result;
	}
	return 0;
}

static double until_of(double seconds)
{
	return seconds < 0 ? -1 : now() + seconds;
}

/* Hands out what became of a request, and ends it. */
static int settle(stickslip_client *client, request *each, stickslip_answer *answer, stickslip_error *error)
{
	int result = each->state == ANSWERED ? 0 : -1;
	if (answer != NULL)
	{
		*answer = each->answer;
		memset(&each->answer, 0, sizeof each->answer);
		snprintf(answer->id, sizeof answer->id, "%s", each->id);
	}
	if (result < 0 && error != NULL) *error = each->error;
	if (each->is_solve && !each->is_kept) forget(client, each->id, NULL);
	free_request(client, each);
	return result;
}

/* A message that is answered at once. */
static int ask(stickslip_client *client, request *each, stickslip_error *error)
{
	if (each == NULL) return -1;
	if (send_request(client, each, error) < 0 || wait_for(client, each, -1, error) < 0)
	{
		free_request(client, each);
		return -1;
	}
	return settle(client, each, NULL, error);
}

/* ---- The interface ---- */

static int is_id(const char *text)
{
	size_t size = text == NULL ? 0 : strlen(text);
	return size >= 1 && size < STICKSLIP_ID_SIZE &&
	       strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-") == size;
}

static int check_id(const char *field, const char *text, stickslip_error *error)
{
	if (is_id(text)) return 0;
	return fail(error, "bad-input", "give 1 to 64 of the characters A-Z a-z 0-9 . _ : -", field, "is %s", text ? "no such name" : "missing");
}

/* Ids are used once among all connections of a client: keys that libzmq makes are as random as can be. */
static int make_prefix(stickslip_client *client)
{
	char public_key[41], secret_key[41];
	size_t k, size = 0;
	if (zmq_curve_keypair(public_key, secret_key) != 0) return -1;
	for (k = 0; k < 40 && size < 20; k += 1)
		if ((public_key[k] >= 'a' && public_key[k] <= 'z') || (public_key[k] >= '0' && public_key[k] <= '9') ||
		    (public_key[k] >= 'A' && public_key[k] <= 'Z'))
			client->prefix[size++] = public_key[k];
	memset(secret_key, 0, sizeof secret_key);
	return size >= 8 ? 0 : make_prefix(client);
}

stickslip_client *stickslip_connect(const char *file, double seconds, stickslip_error *error)
{
	stickslip_client *client = calloc(1, sizeof *client);
	double until = until_of(seconds);
	int result;
	if (client != NULL) client->forgotten = malloc(FORGET_MANY * sizeof *client->forgotten);
	if (client == NULL || client->forgotten == NULL || (client->zmq = zmq_ctx_new()) == NULL)
	{
		no_memory(error);
		stickslip_close(client);
		return NULL;
	}
	client->patience = PATIENCE_SECONDS;
	client->heard = now();
	result = read_connection(file, &client->connection, error);
	if (result == 0 && make_prefix(client) < 0)
		result = fail(error, "bad-input", "install a libzmq with CURVE", "libzmq", "has no encryption");
	if (result == 0) result = open_socket(client, error);
	while (result == 0 && !client->is_ready) result = receive_one(client, until, error);
	if (result == 1)
		fail(error, "connection-lost", "see that the service runs, and that the connection file is the one it has written last",
		     client->connection.address, "does not answer within %g s", seconds);
	if (result == 0) return client;
	stickslip_close(client);
	return NULL;
}

void stickslip_close(stickslip_client *client)
{
	if (client == NULL) return;
	if (client->socket != NULL)
	{
		if (client->is_ready && client->forgotten_count > 0) send_forgotten(client, NULL);
		zmq_close(client->socket);
		client->socket = NULL;
	}
	while (client->requests != NULL) free_request(client, client->requests);
	if (client->zmq != NULL) zmq_ctx_term(client->zmq);
	memset(&client->connection, 0, sizeof client->connection);
	free(client->forgotten);
	free(client);
}

void stickslip_set_patience(stickslip_client *client, double seconds)
{
	client->patience = seconds;
}

static size_t under_way(const stickslip_client *client)
{
	const request *each;
	size_t count = 0;
	for (each = client->requests; each != NULL; each = each->next) count += each->state == UNDER_WAY;
	return count;
}

int stickslip_send(stickslip_client *client, const stickslip_problem *problem, const stickslip_options *options,
                   char id[STICKSLIP_ID_SIZE], stickslip_error *error)
{
	static const stickslip_options none = {0};
	const stickslip_options *given = options == NULL ? &none : options;
	request *each;
	size_t map;
	if (given->pattern != NULL && check_id("pattern", given->pattern, error) < 0) return -1;
	if (given->series != NULL && check_id("series", given->series, error) < 0) return -1;
	if (problem->part != NULL && check_id("part.group", problem->part->group, error) < 0) return -1;
	if (given->deadline < 0) return fail(error, "bad-input", "give seconds from now", "deadline", "is %g", given->deadline);
	if ((double)under_way(client) >= client->requests_max)
		return fail(error, "too-many", "receive an answer first, or start the service with a larger --limit-requests", "requests", "%.0f are under way", client->requests_max);
	each = new_request(client, NULL, error);
	if (each == NULL) return -1;
	each->is_solve = 1;
	each->is_kept = given->keep;
	each->on_progress = given->on_progress;
	each->context = given->context;
	if (list_arrays(&each->arrays, problem, given->pattern != NULL ? NEW_VALUES : WHOLE_PROBLEM, error) < 0) goto failed;
	if ((double)each->arrays.bytes > client->message_max)
	{
		fail(error, "too-large", "send it in parts, or start the service with a larger --limit-message", "message",
		     "has %.0f bytes of at most %.0f", (double)each->arrays.bytes, client->message_max);
		goto failed;
	}
	map = begin_map(&each->head);
	put_text_field(&each->head, map, "type", "solve");
	put_text_field(&each->head, map, "id", each->id);
	put_field(&each->head, map, "contacts");
	put_count(&each->head, (uint32_t)problem->contacts);
	put_options(&each->head, map, problem, given);
	put_part(&each->head, map, problem->part);
	each->piece = piece_size(&each->arrays, client->is_local);
	put_array_names(&each->head, map, &each->arrays, each->piece);
	if (send_request(client, each, error) < 0) goto failed;
	if (id != NULL) memcpy(id, each->id, STICKSLIP_ID_SIZE);
	return 0;
failed:
	free_request(client, each);
	return -1;
}

static request *find_done(stickslip_client *client)
{
	request *each;
	for (each = client->requests; each != NULL; each = each->next)
		if (each->state != UNDER_WAY) return each;
	return NULL;
}

int stickslip_receive(stickslip_client *client, const char *id, double seconds, stickslip_answer *answer, stickslip_error *error)
{
	double until = until_of(seconds);
	request *each = id == NULL ? find_done(client) : find_request(client, id);
	memset(answer, 0, sizeof *answer);
	if (each == NULL && (id != NULL || client->requests == NULL))
		return fail(error, "unknown-request", "send one first", "id", "there is no such request under way");
	while (each == NULL || each->state == UNDER_WAY)
	{
		int result = receive_one(client, until, error);
		if (result != 0) return result;
		if (id == NULL) each = find_done(client);
	}
	return settle(client, each, answer, error);
}

int stickslip_solve(stickslip_client *client, const stickslip_problem *problem, const stickslip_options *options, double seconds,
                    stickslip_answer *answer, stickslip_error *error)
{
	char id[STICKSLIP_ID_SIZE];
	int result;
	memset(answer, 0, sizeof *answer);
	if (stickslip_send(client, problem, options, id, error) < 0) return -1;
	result = stickslip_receive(client, id, seconds, answer, error);
	if (result == 1) fail(error, "timeout", "wait longer", "", "no answer within %g s", seconds);
	if (result != 0) stickslip_drop(client, id);
	return result == 0 ? 0 : -1;
}

int stickslip_cancel(stickslip_client *client, const char *id, stickslip_error *error)
{
	request *each = find_request(client, id);
	if (each == NULL) return fail(error, "unknown-request", "send one first", "id", "there is no such request under way");
	if (each->state != UNDER_WAY || each->is_cancelled) return 0;
	each->is_cancelled = 1;
	return send_simple(client, "cancel", "id", id, error);
}

void stickslip_drop(stickslip_client *client, const char *id)
{
	request *each = find_request(client, id);
	if (each == NULL) return;
	stickslip_cancel(client, id, NULL);
	forget(client, each->id, NULL);
	free_request(client, each);
}

int stickslip_prepare(stickslip_client *client, const stickslip_problem *problem, const char *pattern, stickslip_error *error)
{
	request *each;
	size_t map;
	if (check_id("pattern", pattern, error) < 0) return -1;
	if (problem->row_start == NULL && problem->body == NULL)
		return fail(error, "bad-input", "give row_start and column, or body", "W", "is missing");
	each = new_request(client, NULL, error);
	if (each == NULL) return -1;
	if (list_arrays(&each->arrays, problem, PATTERN, error) < 0)
	{
		free_request(client, each);
		return -1;
	}
	map = begin_map(&each->head);
	put_text_field(&each->head, map, "type", "prepare");
	put_text_field(&each->head, map, "id", each->id);
	put_text_field(&each->head, map, "pattern", pattern);
	put_field(&each->head, map, "contacts");
	put_count(&each->head, (uint32_t)problem->contacts);
	each->piece = piece_size(&each->arrays, client->is_local);
	put_array_names(&each->head, map, &each->arrays, each->piece);
	return ask(client, each, error);
}

int stickslip_release(stickslip_client *client, const char *pattern, stickslip_error *error)
{
	request *each;
	size_t map;
	if (check_id("pattern", pattern, error) < 0) return -1;
	each = new_request(client, NULL, error);
	if (each == NULL) return -1;
	map = begin_map(&each->head);
	put_text_field(&each->head, map, "type", "release");
	put_text_field(&each->head, map, "id", each->id);
	put_text_field(&each->head, map, "pattern", pattern);
	return ask(client, each, error);
}

int stickslip_fetch(stickslip_client *client, const char *id, double seconds, stickslip_answer *answer, stickslip_error *error)
{
	request *each;
	size_t map;
	int result;
	memset(answer, 0, sizeof *answer);
	if (check_id("id", id, error) < 0) return -1;
	each = find_request(client, id);
	if (each == NULL)
	{
		each = new_request(client, id, error);
		if (each == NULL) return -1;
		each->is_solve = each->is_kept = 1;
		map = begin_map(&each->head);
		put_text_field(&each->head, map, "type", "fetch");
		put_text_field(&each->head, map, "id", id);
		if (send_request(client, each, error) < 0)
		{
			free_request(client, each);
			return -1;
		}
	}
	result = wait_for(client, each, until_of(seconds), error);
	return result == 0 ? settle(client, each, answer, error) : result;
}

int stickslip_forget(stickslip_client *client, const char *id, stickslip_error *error)
{
	if (check_id("id", id, error) < 0 || forget(client, id, error) < 0) return -1;
	return client->forgotten_count > 0 ? send_forgotten(client, error) : 0;
}

static reader report_of(const stickslip_answer *answer)
{
	reader report;
	report.at = answer->report;
	report.end = answer->report + answer->report_size;
	return report;
}

int stickslip_report_number(const stickslip_answer *answer, const char *field, double *value)
{
	return find_number(report_of(answer), field, value);
}

int stickslip_report_text(const stickslip_answer *answer, const char *field, char *text, size_t size)
{
	return find_text(report_of(answer), field, text, size);
}

void stickslip_answer_free(stickslip_answer *answer)
{
	if (answer == NULL) return;
	free(answer->reaction);
	free(answer->velocity);
	free(answer->multiplier);
	free(answer->report);
	memset(answer, 0, sizeof *answer);
}
