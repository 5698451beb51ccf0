/* Reads levels from a serial line and writes them to a ring of records. */

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING_SIZE   256
#define LINE_MAX    80
#define NO_LEVEL    INT32_MIN

enum quality { QUALITY_NONE = 0, QUALITY_GOOD = 1, QUALITY_BAD = 4 };

struct record {
    uint32_t time;    /* seconds since the epoch */
    int32_t level;    /* millimetres above the datum */
    uint8_t quality;
};

struct ring {
    struct record records[RING_SIZE];
    size_t head;
    size_t count;
    unsigned long dropped;
};

static void ring_init(struct ring *r)
{
    memset(r, 0, sizeof *r);
}

static void ring_put(struct ring *r, const struct record *rec)
{
    if (r->count == RING_SIZE) {
        r->dropped++;
    } else {
        r->count++;
    }
    r->records[r->head] = *rec;
    r->head = (r->head + 1) % RING_SIZE;
}

static const struct record *ring_get(const struct ring *r, size_t age)
{
    if (age >= r->count)
        return NULL;
    return &r->records[(r->head + RING_SIZE - 1 - age) % RING_SIZE];
}

/* Parses "@1699999999 +02843 Q1"; false when the line is something else. */
static bool parse_line(const char *line, struct record *out)
{
    unsigned long time;
    long level;
    unsigned quality;
    char end;

    int n = sscanf(line, "@%lu %ld Q%u%c", &time, &level, &quality, &end);
    if (n < 3 || (n == 4 && end != '\n' && end != '\r'))
        return false;
    if (quality > 9 || level < -20000 || level > 20000)
        return false;
    out->time = (uint32_t)time;
    out->level = (int32_t)level;
    out->quality = (uint8_t)quality;
    return true;
}

/* The mean of the good levels among the last n; NO_LEVEL when there are none. */
static int32_t recent_mean(const struct ring *r, size_t n)
{
    int64_t sum = 0;
    int good = 0;

    for (size_t age = 0; age < n; age++) {
        const struct record *rec = ring_get(r, age);
        if (rec == NULL)
            break;
        if (rec->quality != QUALITY_GOOD)
            continue;
        sum += rec->level;
        good++;
    }
    return good == 0 ? NO_LEVEL : (int32_t)(sum / good);
}

static int copy_out(const struct ring *r, FILE *to)
{
    for (size_t age = r->count; age-- > 0;) {
        const struct record *rec = ring_get(r, age);
        if (fprintf(to, "%lu,%ld,%u\n", (unsigned long)rec->time, (long)rec->level, rec->quality) < 0)
            return -errno;
    }
    if (fflush(to) != 0)
        return -errno;
    return 0;
}

static void usage(const char *name)
{
    fprintf(stderr, "usage: %s [-m COUNT] < DEVICE > FILE\n", name);
    fprintf(stderr, "  -m COUNT   print the mean of the last COUNT levels to standard error\n");
}

int main(int argc, char **argv)
{
    static struct ring ring;
    char line[LINE_MAX];
    unsigned long bad = 0;
    size_t mean_of = 0;

    if (argc == 3 && strcmp(argv[1], "-m") == 0) {
        mean_of = strtoul(argv[2], NULL, 10);
    } else if (argc != 1) {
        usage(argv[0]);
        return 2;
    }

    ring_init(&ring);
    while (fgets(line, sizeof line, stdin) != NULL) {
        struct record rec;
        if (!parse_line(line, &rec)) {
            bad++;
            continue;
        }
        ring_put(&ring, &rec);
    }
    if (mean_of > 0) {
        int32_t mean = recent_mean(&ring, mean_of);
        if (mean == NO_LEVEL)
            fprintf(stderr, "no good level among the last %zu\n", mean_of);
        else
            fprintf(stderr, "mean of the last %zu: %ld mm\n", mean_of, (long)mean);
    }
    if (bad > 0)
        fprintf(stderr, "%lu lines were not understood\n", bad);
    int err = copy_out(&ring, stdout);
    if (err != 0) {
        fprintf(stderr, "%s: %s\n", argv[0], strerror(-err));
        return 1;
    }
    return 0;
}
