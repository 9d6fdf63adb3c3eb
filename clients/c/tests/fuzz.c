/*
 * Damaged messages and connection files, by seed: each is read or refused, and nothing is read or written outside of it, as the sanitizers that
 * this is compiled with would say. `fuzz SEED ROUNDS`.
 */
#include "../stickslip.c"

#define FRAMES_MAX 8
#define BYTES_MAX 2048

static uint64_t state;

/* xorshift64* */
static uint32_t chance(uint32_t below)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (uint32_t)((state * 2685821657736338717ull) >> 32) % below;
}

typedef struct
{
	unsigned char bytes[FRAMES_MAX][BYTES_MAX];
	size_t sizes[FRAMES_MAX], count;
} sample;

static void put_frame(sample *to, const void *bytes, size_t size)
{
	memcpy(to->bytes[to->count], bytes, size);
	to->sizes[to->count++] = size;
}

static void put_head(sample *to, writer *head)
{
	memset(to, 0, sizeof *to);
	put_frame(to, head->data, head->size);
	free(head->data);
}

static void put_name(writer *out, const char *name, const char *type)
{
	put_tag(out, 0x92, 0, 0);
	put_text(out, name);
	put_text(out, type);
}

static size_t begin_message(writer *out, const char *type)
{
	size_t map;
	memset(out, 0, sizeof *out);
	map = begin_map(out);
	put_text_field(out, map, "type", type);
	return map;
}

static void make_result(sample *to)
{
	static const double numbers[6] = {1, 2, 3, 4, 5, 6};
	writer head;
	size_t report, map = begin_message(&head, "result");
	put_text_field(&head, map, "id", "a.1");
	put_field(&head, map, "report");
	report = begin_map(&head);
	put_text_field(&head, report, "status", "solved");
	put_text_field(&head, report, "reason", "energy is within the tolerance, and this is a text of more than thirty-one bytes");
	put_real_field(&head, report, "energy", 1e-7);
	put_text_field(&head, report, "hash", "00");
	put_field(&head, map, "arrays");
	put_tag(&head, 0x94, 0, 0);
	put_name(&head, "reaction", "f64");
	put_name(&head, "reaction", "f64");
	put_name(&head, "velocity", "f64");
	put_name(&head, "multiplier", "f64");
	put_head(to, &head);
	put_frame(to, numbers, 20);
	put_frame(to, (const char *)numbers + 20, 28);
	put_frame(to, numbers, 48);
	put_frame(to, numbers, 8);
}

static void make_other(sample *to, uint32_t which)
{
	writer head;
	size_t limits, map = begin_message(&head, which == 0 ? "welcome" : which == 1 ? "error" : "progress");
	if (which != 0) put_text_field(&head, map, "id", "a.1");
	if (which == 0)
	{
		put_field(&head, map, "limits");
		limits = begin_map(&head);
		put_real_field(&head, limits, "requests", 5);
		put_field(&head, limits, "message");
		put_tag(&head, 0xcf, 1u << 30, 8);
	}
	if (which == 1)
	{
		put_text_field(&head, map, "code", "bad-input");
		put_text_field(&head, map, "field", "W");
		put_text_field(&head, map, "message", "is \xc3\xa9trange");
		put_text_field(&head, map, "remedy", "make the sizes agree");
	}
	if (which == 2)
	{
		put_field(&head, map, "iterations");
		put_tag(&head, 0xd1, 300, 2);
		put_real_field(&head, map, "products", 3);
		put_real_field(&head, map, "error", 0.5);
		put_field(&head, map, "exact");
		put_bool(&head, 1);
		put_real_field(&head, map, "seconds", 0.1);
		put_text_field(&head, map, "method", "pqn");
	}
	put_head(to, &head);
}

static void damage(sample *to)
{
	uint32_t times;
	for (times = chance(4); times > 0; times -= 1)
	{
		size_t frame = chance(4) > 0 ? 0 : chance((uint32_t)to->count);
		if (to->sizes[frame] > 0) to->bytes[frame][chance((uint32_t)to->sizes[frame])] = (unsigned char)chance(256);
	}
	if (chance(4) == 0) to->sizes[0] = chance((uint32_t)to->sizes[0] + 1);
	if (chance(8) == 0) to->sizes[to->count - 1] = chance((uint32_t)to->sizes[to->count - 1] + 1);
	if (chance(8) == 0 && to->count > 1) to->count -= 1;
}

/* Each frame in memory of its own size, so that a byte beyond its end is noticed. */
static void fill(message *in, const sample *from)
{
	size_t k;
	in->count = in->room = from->count;
	in->frames = malloc(from->count * sizeof *in->frames);
	for (k = 0; k < from->count; k += 1)
	{
		zmq_msg_init_size(&in->frames[k], from->sizes[k]);
		memcpy(zmq_msg_data(&in->frames[k]), from->bytes[k], from->sizes[k]);
	}
}

static int progressed, answered, failed, refused, ignored;

static void count_progress(const stickslip_progress *progress, void *context)
{
	(void)context;
	progressed += progress->method[0] == 'p';
}

static void fuzz_message(stickslip_client *client)
{
	sample made;
	message in;
	stickslip_error error;
	stickslip_answer answer;
	request *each = new_request(client, "a.1", NULL);
	uint32_t which = chance(6);
	int before = progressed, result;
	each->is_solve = 1;
	each->is_kept = 1;
	each->on_progress = count_progress;
	if (which < 3) make_result(&made);
	else make_other(&made, which - 3);
	damage(&made);
	fill(&in, &made);
	result = take_message(client, &in, &error);
	free_message(&in);
	if (result < 0) refused += 1;
	else if (each->state == UNDER_WAY) ignored += before == progressed;
	if (each->state == UNDER_WAY)
	{
		free_request(client, each);
		return;
	}
	result = settle(client, each, &answer, &error);
	if (result == 0)
	{
		double number, sum = 0;
		char text[16];
		size_t k;
		answered += 1;
		for (k = 0; k < 3 * answer.contacts; k += 1) sum += answer.reaction[k] + answer.velocity[k];
		for (k = 0; k < answer.multipliers; k += 1) sum += answer.multiplier[k];
		stickslip_report_number(&answer, "energy", &number);
		stickslip_report_text(&answer, "reason", text, sizeof text);
		failed += sum == 12345;
	}
	else failed += 1;
	stickslip_answer_free(&answer);
}

static int fuzz_connection(void)
{
	static const char good[] =
		"{\n  \"name\": \"me\", \"zeromq\": \"tcp://127.0.0.1:1\",\"serviceKey\":\"a<b\\u0041\\/\",\n\"publicKey\": \"b\", \"secretKey\": \"c\", \"token\": \"t\\\"\" }";
	size_t size = sizeof good, times;
	char *text;
	connection to;
	int parsed;
	if (chance(4) == 0) size = chance((uint32_t)sizeof good) + 1;
	text = malloc(size);
	memcpy(text, good, size);
	for (times = chance(4); times > 0; times -= 1) text[chance((uint32_t)size)] = (char)chance(128);
	text[size - 1] = '\0';
	parsed = parse_connection(text, &to) == 0;
	free(text);
	return parsed;
}

int main(int count, char **words)
{
	unsigned long rounds, k, parsed = 0;
	stickslip_client *client;
	if (count != 3) return 2;
	state = strtoul(words[1], NULL, 10) * 2 + 1;
	rounds = strtoul(words[2], NULL, 10);
	client = calloc(1, sizeof *client);
	client->zmq = zmq_ctx_new();
	client->socket = zmq_socket(client->zmq, ZMQ_DEALER);
	client->forgotten = malloc(FORGET_MANY * sizeof *client->forgotten);
	for (k = 0; k < rounds; k += 1) fuzz_message(client);
	for (k = 0; k < rounds; k += 1) parsed += (unsigned long)fuzz_connection();
	stickslip_close(client);
	printf("answered %d, failed %d, progressed %d, refused %d, ignored %d; %lu of %lu connection files read\n", answered, failed, progressed,
	       refused, ignored, parsed, rounds);
	/* Some of every kind, or it says little. */
	return !(answered > 0 && failed > 0 && progressed > 0 && refused > 0 && ignored > 0 && parsed > 0 && parsed < rounds);
}
