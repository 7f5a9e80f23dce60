/* measure.h - what programs that measure have in common: calls that must work, conditions as programs, processor time. */
#ifndef MEASURE_H
#define MEASURE_H

#include <hcl.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHECK(call) \
    do { \
        if ((call) != HCL_OK) { \
            fprintf(stderr, "%s failed\n", #call); \
            exit(1); \
        } \
    } while (0)

static inline hcl_program *compiled(const char *condition, const hcl_scope *scope)
{
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;
    CHECK(hcl_expr_parse("condition", HCL_NUL, condition, HCL_NUL, NULL, 0, NULL, &expr, NULL));
    CHECK(hcl_program_compile(expr, scope, 0, &program, NULL));
    hcl_expr_free(expr);
    return program;
}

static inline double processor_nanos(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

#endif
