/* check.h - a test program counts what fails, says where, and returns it. */
#ifndef CHECK_H
#define CHECK_H

#include <hcl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/* Returns whether the program runs under valgrind, where work takes some fifty times as long. */
static inline bool in_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

#define STATUS(expected, call) check_status(__FILE__, __LINE__, #call, expected, call)

static inline void check_status(const char *file, int line, const char *call, hcl_status expected, hcl_status status)
{
    if (status != expected) {
        hcl_str want = hcl_status_name(expected), got = hcl_status_name(status);
        failures++;
        fprintf(stderr, "%s:%d: %s gave %.*s, not %.*s\n", file, line, call, (int)got.len, got.ptr, (int)want.len, want.ptr);
    }
}

static inline bool str_is(hcl_str text, const char *expected)
{
    return text.len == strlen(expected) && memcmp(text.ptr, expected, text.len) == 0;
}

/* A sealed scope of Terraform's functions and nothing else. */
static inline hcl_scope *plain_scope(void)
{
    hcl_scope *scope = NULL;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    return scope;
}

/* An expression compiled against a scope; null, with the diagnostics on standard error, when it is wrong. */
static inline hcl_program *compile_in(const hcl_scope *scope, const char *source)
{
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *text = NULL;

    if (hcl_expr_parse("test", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, &diags) == HCL_OK)
        (void)hcl_program_compile(expr, scope, 0, &program, &diags);
    if (program == NULL && hcl_diags_render(diags, NULL, &text) == HCL_OK)
        fputs(hcl_buf_str(text).ptr, stderr);
    hcl_buf_free(text);
    hcl_diags_free(diags);
    hcl_expr_free(expr);
    return program;
}

/* The value of an expression in the console's form, in a buffer of the caller. */
static inline const char *console(const hcl_scope *scope, const char *source, char *out, size_t room)
{
    hcl_program *program = compile_in(scope, source);
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;
    hcl_buf *text = NULL;

    snprintf(out, room, "(failed)");
    if (program != NULL && hcl_frame_new(scope, &frame) == HCL_OK && hcl_eval(program, frame, &value, NULL) == HCL_OK
        && hcl_value_encode(value, HCL_FORMAT_CONSOLE, 0, NULL, &text, NULL) == HCL_OK)
        snprintf(out, room, "%s", hcl_buf_str(text).ptr);
    hcl_buf_free(text);
    hcl_value_free(value);
    hcl_frame_free(frame);
    hcl_program_free(program);
    return out;
}

#endif
