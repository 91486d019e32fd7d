// Sends prepared HTTP/1.1 requests over keep-alive connections and measures the answers.
//
//     load PORT REQUESTS CONNECTIONS RATE WARM SECONDS SKIP
//
// REQUESTS is a file of [uint32 length][bytes], sent in turn from number SKIP on, again from the start at the end.
// RATE 0 is a closed loop: every connection asks again as soon as it is answered. Any other RATE is an open loop:
// requests fall due at random (Poisson) with that many a second on average, whether or not the server keeps up, and
// an answer's time counts from when its request was due. So a server that stalls is charged for everyone it kept
// waiting, which a closed loop forgives.
//
// What is due in the first WARM seconds is sent but not counted. Prints one line of JSON; times are microseconds.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define GRACE (3 * SECOND) // how long to wait for the last answers
#define FIRST_ROOM (1 << 16)

typedef struct {
    char *bytes;
    size_t length;
} Request;

typedef struct {
    int fd;
    const Request *request; // under way, or NULL
    uint64_t due;
    size_t sent, received, room;
    size_t expected; // bytes of the whole answer; 0 while its head is not complete
    char *answer;
} Connection;

static Request *requests;
static size_t request_count, request_next;
static Connection *connections;
static int connection_count;
static uint64_t counted_from, ends;
static uint64_t *latencies;
static size_t latency_count, latency_room;
static long answered, failed, not_200;

static void give_up(const char *what) {
    perror(what);
    exit(2);
}

static void *grown(void *memory, size_t bytes) {
    void *larger = realloc(memory, bytes);
    if (!larger)
        give_up("memory");
    return larger;
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static void read_requests(const char *path) {
    FILE *file = fopen(path, "rb");
    uint32_t length;
    size_t room = 0;
    if (!file)
        give_up(path);
    while (fread(&length, sizeof length, 1, file) == 1) {
        if (request_count == room)
            requests = grown(requests, (room = room ? room * 2 : 1024) * sizeof *requests);
        requests[request_count] = (Request){grown(NULL, length), length};
        if (fread(requests[request_count++].bytes, 1, length, file) != length)
            give_up(path);
    }
    fclose(file);
}

static void dial(Connection *c, int port) {
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int yes = 1;
    inet_pton(AF_INET, "127.0.0.1", &server.sin_addr);
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(c->fd, (struct sockaddr *)&server, sizeof server) < 0)
        give_up("connect");
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    c->request = NULL;
}

static void send_more(Connection *c) {
    const Request *r = c->request;
    while (c->sent < r->length) {
        ssize_t n = send(c->fd, r->bytes + c->sent, r->length - c->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0)
            return; // full: poll says when it goes on; broken: receive finds out
        c->sent += (size_t)n;
    }
}

static void start(Connection *c, uint64_t due) {
    c->request = &requests[request_next++ % request_count];
    c->due = due;
    c->sent = c->received = c->expected = 0;
    send_more(c);
}

static void read_head(Connection *c) {
    char *end = memmem(c->answer, c->received, "\r\n\r\n", 4), *length;
    if (!end)
        return;
    *end = 0;
    length = strcasestr(c->answer, "\r\ncontent-length:");
    c->expected = (size_t)(end - c->answer) + 4 + (length ? strtoul(length + 17, NULL, 10) : 0);
    not_200 += strncmp(c->answer + 9, "200", 3) != 0;
}

static void note(uint64_t latency) {
    if (latency_count == latency_room)
        latencies = grown(latencies, (latency_room = latency_room ? latency_room * 2 : 65536) * sizeof *latencies);
    latencies[latency_count++] = latency;
}

static void finish(Connection *c) {
    answered++;
    if (c->due >= counted_from)
        note(now() - c->due);
    c->request = NULL;
}

static void receive(Connection *c, int port) {
    for (;;) {
        if (c->room - c->received < FIRST_ROOM / 2)
            c->answer = grown(c->answer, c->room = c->room ? c->room * 2 : FIRST_ROOM);
        ssize_t n = recv(c->fd, c->answer + c->received, c->room - c->received - 1, MSG_DONTWAIT);
        if (n > 0) {
            c->received += (size_t)n;
            c->answer[c->received] = 0;
            continue;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            failed += c->request != NULL;
            close(c->fd);
            dial(c, port);
            return;
        }
        break;
    }
    if (c->request && !c->expected)
        read_head(c);
    if (c->request && c->expected && c->received >= c->expected)
        finish(c);
}

// The time between two requests of an open loop.
static uint64_t gap(double rate) { return (uint64_t)(-log(1 - drand48()) / rate * (double)SECOND); }

// Start what is due on every idle connection; how many requests are under way.
static int start_due(double rate, uint64_t *due) {
    int busy = 0;
    for (int i = 0; i < connection_count; i++) {
        uint64_t t = now();
        if (!connections[i].request && rate == 0 && t < ends)
            start(&connections[i], t);
        else if (!connections[i].request && rate > 0 && *due <= t && *due < ends) {
            start(&connections[i], *due);
            *due += gap(rate);
        }
        busy += connections[i].request != NULL;
    }
    return busy;
}

static void wait_for_answers(int port, double rate, int busy, uint64_t due) {
    struct pollfd polled[connection_count];
    uint64_t t = now(), until = t + SECOND / 10;
    if (rate > 0 && busy < connection_count && due < until)
        until = due > t ? due : t;
    struct timespec patience = {(time_t)((until - t) / SECOND), (long)((until - t) % SECOND)};
    for (int i = 0; i < connection_count; i++) {
        Connection *c = &connections[i];
        short sending = c->request && c->sent < c->request->length ? POLLOUT : 0;
        polled[i] = (struct pollfd){.fd = c->fd, .events = (short)(POLLIN | sending)};
    }
    if (ppoll(polled, (nfds_t)connection_count, &patience, NULL) <= 0)
        return;
    for (int i = 0; i < connection_count; i++) {
        if (polled[i].revents & POLLOUT)
            send_more(&connections[i]);
        if (polled[i].revents & (POLLIN | POLLHUP | POLLERR))
            receive(&connections[i], port);
    }
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static double percentile(double part) {
    if (!latency_count)
        return 0;
    size_t rank = (size_t)ceil(part * (double)latency_count);
    return (double)latencies[rank ? rank - 1 : 0] / 1000;
}

int main(int count, char **words) {
    if (count != 8) {
        fprintf(stderr, "load PORT REQUESTS CONNECTIONS RATE WARM SECONDS SKIP\n");
        return 2;
    }
    int port = atoi(words[1]);
    double rate = atof(words[4]);
    read_requests(words[2]);
    connection_count = atoi(words[3]);
    connections = calloc((size_t)connection_count, sizeof *connections);
    request_next = strtoul(words[7], NULL, 10);
    srand48((long)now());
    for (int i = 0; i < connection_count; i++)
        dial(&connections[i], port);

    uint64_t begins = now(), due = begins;
    counted_from = begins + (uint64_t)(atof(words[5]) * (double)SECOND);
    ends = counted_from + (uint64_t)(atof(words[6]) * (double)SECOND);
    for (;;) {
        int busy = start_due(rate, &due);
        if (now() >= ends && (!busy || now() >= ends + GRACE))
            break;
        wait_for_answers(port, rate, busy, due);
    }
    for (int i = 0; i < connection_count; i++)
        failed += connections[i].request != NULL;

    qsort(latencies, latency_count, sizeof *latencies, ascending);
    printf("{\"answered\": %ld, \"failed\": %ld, \"not_200\": %ld, \"seconds\": %.6f, "
           "\"per_second\": %.2f, \"p50\": %.1f, \"p95\": %.1f, \"p99\": %.1f}\n",
           answered, failed, not_200, (double)(now() - begins) / (double)SECOND,
           (double)latency_count / ((double)(now() - counted_from) / (double)SECOND),
           percentile(.50), percentile(.95), percentile(.99));
    return 0;
}
