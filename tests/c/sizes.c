/* Functions that take no limits take time in proportion to what they are given, also at the largest there can be. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* `[x, x]` in itself, so many times over: the leaves double each time, the memory does not. */
static hcl_value *doubled(int times, hcl_status *ended)
{
    hcl_value *value = NULL;
    hcl_builder *builder = NULL;
    STATUS(HCL_OK, hcl_value_i64(1, &value));
    STATUS(HCL_OK, hcl_builder_new(&builder));
    *ended = HCL_OK;
    for (int i = 0; i < times && *ended == HCL_OK; i++) {
        hcl_value *both = NULL;
        *ended = hcl_builder_begin(builder, HCL_KIND_TUPLE);
        if (*ended == HCL_OK) *ended = hcl_builder_value(builder, value);
        if (*ended == HCL_OK) *ended = hcl_builder_value(builder, value);
        if (*ended == HCL_OK) *ended = hcl_builder_end(builder);
        if (*ended == HCL_OK) *ended = hcl_builder_finish(builder, &both);
        if (*ended == HCL_OK) {
            hcl_value_free(value);
            value = both;
        }
    }
    hcl_builder_free(builder);
    return value;
}

/* A type with so many attributes, as text. */
static char *wide_type(size_t n)
{
    char *text = malloc(n * 24 + 32), *at = text;
    at += sprintf(at, "object({");
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, "a%zu=list(string),", i);
    sprintf(at, "})");
    return text;
}

/* The shortest of a few times that a piece of work of this size takes. */
static double shortest(void (*work)(size_t), size_t size)
{
    double least = 1e9;
    for (int i = 0; i < 3; i++) {
        double begun = seconds();
        work(size);
        double taken = seconds() - begun;
        if (taken < least) least = taken;
    }
    return least;
}

static void identical(size_t doublings)
{
    hcl_status ended;
    hcl_value *a = doubled((int)doublings, &ended), *b = doubled((int)doublings, &ended);
    CHECK(ended == HCL_OK && hcl_value_identical(a, b));
    hcl_value_free(a);
    hcl_value_free(b);
}

static void types_of_values(size_t doublings)
{
    hcl_status ended;
    hcl_value *value = doubled((int)doublings, &ended);
    hcl_type *type = NULL, *again = NULL;
    hcl_buf *text = NULL;
    STATUS(HCL_OK, hcl_value_type(value, &type));
    STATUS(HCL_OK, hcl_type_text(type, &text));
    STATUS(HCL_OK, hcl_type_parse(hcl_buf_str(text).ptr, HCL_NUL, &again, NULL));
    CHECK(hcl_type_equal(type, again));
    hcl_buf_free(text);
    hcl_type_free(again);
    hcl_type_free(type);
    hcl_value_free(value);
}

static void types(size_t n)
{
    char *source = wide_type(n);
    hcl_type *type = NULL, *again = NULL;
    hcl_buf *text = NULL;
    STATUS(HCL_OK, hcl_type_parse(source, HCL_NUL, &type, NULL));
    STATUS(HCL_OK, hcl_type_text(type, &text));
    STATUS(HCL_OK, hcl_type_parse(hcl_buf_str(text).ptr, HCL_NUL, &again, NULL));
    CHECK(hcl_type_equal(type, again));
    hcl_buf_free(text);
    hcl_type_free(again);
    hcl_type_free(type);
    free(source);
}

static void numbers(size_t digits)
{
    char source[32];
    hcl_value *value = NULL;
    hcl_buf *text = NULL;
    snprintf(source, sizeof source, "7e%zu", digits);
    STATUS(HCL_OK, hcl_value_number(source, HCL_NUL, &value));
    STATUS(HCL_OK, hcl_value_number_text(value, &text));
    CHECK(hcl_buf_str(text).len == digits + 1);
    hcl_buf_free(text);
    hcl_value_free(value);
}

int main(int argc, char **argv)
{
    (void)argv;
    /* Four times as much takes about four times as long, not sixteen. With an argument the times are printed. */
    const struct { const char *name; void (*work)(size_t); size_t few, many; } works[] = {
        {"identical", identical, 14, 16},
        {"types of values", types_of_values, 12, 14},
        {"types", types, 4000, 16000},
        {"numbers", numbers, 50000, 200000},
    };
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        double few = shortest(works[i].work, works[i].few), many = shortest(works[i].work, works[i].many);
        if (argc > 1) printf("%s: %.1f ms, %.1f ms\n", works[i].name, few * 1e3, many * 1e3);
        if (many > 10 * few + 0.05) {
            failures++;
            fprintf(stderr, "%s: %f s for four times what takes %f s\n", works[i].name, many, few);
        }
    }

    /* Nothing is larger than values may be, however little memory it takes. */
    hcl_status ended;
    hcl_value *largest = doubled(100, &ended);
    CHECK(ended == HCL_ERR_LIMIT);
    CHECK(hcl_value_kind(largest) == HCL_KIND_TUPLE && hcl_value_identical(largest, largest));
    hcl_value_free(largest);
    return failures != 0;
}
