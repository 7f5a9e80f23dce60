/* table.c - a condition over rows: one call for each row, with slots set before it, beside `hcl_eval_arrow` over the same rows.
 *
 * Prints for each condition and number of rows the nanoseconds of processor time for a row, the least of several samples taken
 * in turn, and how many times as fast the table is. With two arguments, a way and a number of
 * rows, that is done once, for callgrind.
 */
#define _POSIX_C_SOURCE 199309L
#include "measure.h"

#include <string.h>

enum { MOST = 10000000 };

static const char *const conditions[] = {
    "env == \"prod\" && count > 3",
    "load < 0.5 || !ok",
    "upper(env) == \"PROD\" && count > 3",
};

static hcl_scope *scope;
static hcl_frame *frame;
static size_t env, count, load, ok;

/* The columns. */
static int32_t offsets[MOST + 1];
static char *texts;
static int64_t counts[MOST];
static double loads[MOST];
static uint8_t oks[MOST / 8 + 1];

static void keep_array(struct ArrowArray *array) { array->release = NULL; }
static void keep_schema(struct ArrowSchema *schema) { schema->release = NULL; }

static struct {
    struct ArrowArray array;
    struct ArrowSchema schema;
    const void *buffers[3];
} fields[5];
static struct ArrowArray *arrays[4];
static struct ArrowSchema *schemas[4];

static void make_field(int at, const char *format, const char *name, const void *values, const void *more)
{
    fields[at].array.n_buffers = more == NULL ? 2 : 3;
    fields[at].array.buffers = fields[at].buffers;
    fields[at].array.release = keep_array;
    fields[at].buffers[1] = values;
    fields[at].buffers[2] = more;
    fields[at].schema.format = format;
    fields[at].schema.name = name;
    fields[at].schema.release = keep_schema;
    if (at < 4) arrays[at] = &fields[at].array, schemas[at] = &fields[at].schema;
}

static void make_columns(void)
{
    static const char *const names[] = {"prod", "staging", "test"};
    texts = malloc((size_t)MOST * 7 + 1);
    if (texts == NULL) exit(1);
    for (int row = 0; row < MOST; row++) {
        const char *name = names[row % 3];
        memcpy(texts + offsets[row], name, strlen(name));
        offsets[row + 1] = offsets[row] + (int32_t)strlen(name);
        counts[row] = row % 7;
        loads[row] = (double)(row % 100) / 100;
        if (row % 5 != 0) oks[row / 8] |= (uint8_t)(1 << row % 8);
    }
    make_field(0, "u", "env", offsets, texts);
    make_field(1, "l", "count", counts, NULL);
    make_field(2, "g", "load", loads, NULL);
    make_field(3, "b", "ok", oks, NULL);
    make_field(4, "+s", "", NULL, NULL);
    fields[4].array.n_buffers = 1;
    fields[4].array.n_children = fields[4].schema.n_children = 4;
    fields[4].array.children = arrays;
    fields[4].schema.children = schemas;
}

/* How many rows the condition holds of. */
static long by_row(const hcl_program *program, int n)
{
    long holds = 0;
    for (int row = 0; row < n; row++) {
        bool result = false;
        CHECK(hcl_frame_set_str(frame, env, texts + offsets[row], (size_t)(offsets[row + 1] - offsets[row])));
        CHECK(hcl_frame_set_i64(frame, count, counts[row]));
        CHECK(hcl_frame_set_f64(frame, load, loads[row]));
        CHECK(hcl_frame_set_bool(frame, ok, oks[row / 8] >> row % 8 & 1));
        CHECK(hcl_eval_bool(program, frame, &result, NULL));
        holds += result;
    }
    return holds;
}

/* The slots that a program reads alone, as a program would set that knows them. */
static long by_row_of_two(const hcl_program *program, int n, int first)
{
    long holds = 0;
    for (int row = 0; row < n; row++) {
        bool result = false;
        if (first) {
            CHECK(hcl_frame_set_str(frame, env, texts + offsets[row], (size_t)(offsets[row + 1] - offsets[row])));
            CHECK(hcl_frame_set_i64(frame, count, counts[row]));
        } else {
            CHECK(hcl_frame_set_f64(frame, load, loads[row]));
            CHECK(hcl_frame_set_bool(frame, ok, oks[row / 8] >> row % 8 & 1));
        }
        CHECK(hcl_eval_bool(program, frame, &result, NULL));
        holds += result;
    }
    return holds;
}

static long by_table(const hcl_program *program, int n)
{
    struct ArrowArray out;
    struct ArrowSchema type;
    long holds = 0;
    for (int at = 0; at < 5; at++) fields[at].array.length = n;
    CHECK(hcl_eval_arrow(program, frame, &fields[4].array, &fields[4].schema, NULL, &out, &type, NULL, NULL));
    const uint64_t *bits = out.buffers[1];
    for (int row = 0; row < n; row++) holds += (long)(bits[row / 64] >> (row % 64) & 1);
    out.release(&out);
    type.release(&type);
    return holds;
}

int main(int argc, char **argv)
{
    hcl_program *programs[3] = {NULL, NULL, NULL};
    make_columns();
    CHECK(hcl_scope_new(NULL, &scope));
    CHECK(hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    CHECK(hcl_scope_slot(scope, "env", HCL_NUL, &env));
    CHECK(hcl_scope_slot(scope, "count", HCL_NUL, &count));
    CHECK(hcl_scope_slot(scope, "load", HCL_NUL, &load));
    CHECK(hcl_scope_slot(scope, "ok", HCL_NUL, &ok));
    CHECK(hcl_scope_seal(scope));
    CHECK(hcl_frame_new(scope, &frame));
    for (int k = 0; k < 3; k++) programs[k] = compiled(conditions[k], scope);
    if (argc == 3) {
        int n = atoi(argv[2]);
        printf("%ld\n", strcmp(argv[1], "rows") == 0 ? by_row_of_two(programs[0], n, 1) : by_table(programs[0], n));
    } else {
        for (int k = 0; k < 3; k++) {
            for (int n = 1000; n <= MOST; n *= 10) {
                double least[2] = {1e300, 1e300};
                int samples = n >= 1000000 ? 3 : 20;
                for (int sample = 0; sample < samples; sample++) {
                    double start = processor_nanos();
                    long rows = by_row_of_two(programs[k], n, k != 1);
                    double middle = processor_nanos();
                    long table = by_table(programs[k], n);
                    double end = processor_nanos();
                    if (rows != table || (n == 1000 && by_row(programs[k], n) != rows)) exit(1);
                    if (middle - start < least[0]) least[0] = middle - start;
                    if (end - middle < least[1]) least[1] = end - middle;
                }
                printf("%-36s %8d rows: %7.2f ns a row by slots, %6.2f by table, %5.1f times as fast\n", conditions[k], n,
                       least[0] / n, least[1] / n, least[0] / least[1]);
            }
        }
    }
    for (int k = 0; k < 3; k++) hcl_program_free(programs[k]);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    free(texts);
    return 0;
}
