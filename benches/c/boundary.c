/* boundary.c - what crossing the C boundary costs: each piece is run many times inside `counted`.
 *
 * Prints name and repeats of each piece, in order, for callgrind's counts; with an argument it prints name and
 * nanoseconds of processor time instead, the least of several samples of that many repeats.
 */
#define _POSIX_C_SOURCE 199309L
#include "measure.h"

static const char condition[] = "env == \"prod\" && count > 3";

static hcl_scope *scope;
static hcl_frame *frame;
static hcl_program *prepared;
static size_t env, count;

static void eval_bool(void)
{
    bool result = false;
    CHECK(hcl_eval_bool(prepared, frame, &result, NULL));
    if (!result) exit(1);
}

static void set_and_eval_bool(void)
{
    CHECK(hcl_frame_set_str(frame, env, "prod", HCL_NUL));
    CHECK(hcl_frame_set_i64(frame, count, 5));
    eval_bool();
}

static void eval_to_json(void)
{
    hcl_value *value = NULL;
    hcl_buf *text = NULL;
    CHECK(hcl_eval(prepared, frame, &value, NULL));
    CHECK(hcl_value_encode(value, HCL_FORMAT_JSON, 0, NULL, &text, NULL));
    hcl_buf_free(text);
    hcl_value_free(value);
}

static void parse_and_compile(void)
{
    hcl_program_free(compiled(condition, scope));
}

static const struct piece {
    const char *name;
    void (*work)(void);
} pieces[] = {
    {"eval_bool", eval_bool},
    {"set_and_eval_bool", set_and_eval_bool},
    {"eval_to_json", eval_to_json},
    {"parse_and_compile", parse_and_compile},
};

__attribute__((noinline)) void counted(const struct piece *piece, long repeats)
{
    for (long i = 0; i < repeats; i++) piece->work();
}

/* Tells callgrind that a piece has ended. */
__attribute__((noinline)) void finished(const struct piece *piece)
{
    __asm__ volatile("" : : "r"(piece) : "memory");
}

static double least_nanos(const struct piece *piece, long repeats)
{
    double least = 1e300;
    for (int sample = 0; sample < 15; sample++) {
        double start = processor_nanos();
        counted(piece, repeats);
        double nanos = (processor_nanos() - start) / (double)repeats;
        if (nanos < least) least = nanos;
    }
    return least;
}

int main(int argc, char **argv)
{
    long repeats = argc > 1 ? atol(argv[1]) : 100;
    CHECK(hcl_scope_new(NULL, &scope));
    CHECK(hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    CHECK(hcl_scope_slot(scope, "env", HCL_NUL, &env));
    CHECK(hcl_scope_slot(scope, "count", HCL_NUL, &count));
    CHECK(hcl_scope_seal(scope));
    CHECK(hcl_frame_new(scope, &frame));
    prepared = compiled(condition, scope);
    set_and_eval_bool();
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        pieces[i].work();
        if (argc > 1) {
            printf("%s\t%.1f\n", pieces[i].name, least_nanos(&pieces[i], repeats));
        } else {
            counted(&pieces[i], repeats);
            finished(&pieces[i]);
            printf("%s\t%ld\n", pieces[i].name, repeats);
        }
    }
    hcl_program_free(prepared);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    return 0;
}
