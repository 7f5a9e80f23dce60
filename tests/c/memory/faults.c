/* Memory that runs out, at every place: the n-th request fails, once or from then on, while a program parses, compiles,
 * evaluates, calls back, decodes, formats, renders and releases. A call that fails says HCL_ERR_MEMORY, nothing is lost, and
 * the program works afterwards. Linked with --wrap for the functions of malloc.
 *
 * HCL_EVERY: which requests fail, every so many; each without it. */
#define _GNU_SOURCE
#include "../check.h"

#include <errno.h>
#include <malloc.h>
#include <sys/mman.h>

/* Requests since `begin`, the one that fails, and whether all do from then on. */
static size_t n_requests, failing = SIZE_MAX, n_live;
static bool for_good;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void *__real_mmap(void *at, size_t size, int access, int flags, int file, off_t offset);

static bool fails(void)
{
    size_t n = n_requests++;
    return n == failing || (for_good && n > failing);
}

static void *came(void *block)
{
    n_live += block != NULL;
    return block;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : came(__real_malloc(size)); }
void *__wrap_calloc(size_t n, size_t size) { return fails() ? NULL : came(__real_calloc(n, size)); }

void *__wrap_realloc(void *block, size_t size)
{
    if (fails())
        return NULL;
    return block == NULL ? came(__real_realloc(block, size)) : __real_realloc(block, size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    int error;
    if (fails())
        return ENOMEM;
    error = __real_posix_memalign(block, alignment, size);
    n_live += error == 0;
    return error;
}

void *__wrap_mmap(void *at, size_t size, int access, int flags, int file, off_t offset)
{
    return fails() ? MAP_FAILED : __real_mmap(at, size, access, flags, file, offset);
}

void __wrap_free(void *block)
{
    n_live -= block != NULL;
    __real_free(block);
}

static const char FILE_TEXT[] =
    "name = \"gate-${env}\"\n"
    "ports = [for p in range(3) : 8000 + p]\n"
    "listen \"public\" {\n  port = double(4)\n  hosts = { for k, v in { a = 1, b = 2 } : upper(k) => v }\n}\n"
    "listen \"admin\" {\n  port = 9\n  hosts = {}\n}\n";
static const char BROKEN_TEXT[] = "a = [1, 2\nb = \"${\"\nc {\n  d = nosuch(1)\n";
static const char SPEC_TEXT[] =
    "object {\n  attr \"name\" { type = string }\n  attr \"ports\" { type = list(number) }\n"
    "  block_map \"listen\" {\n    labels = [\"name\"]\n    object {\n      attr \"port\" { type = number }\n"
    "      attr \"hosts\" { type = map(number) }\n    }\n  }\n}\n";
static const char *const EXPRESSIONS[] = {
    "format(\"%s-%d\", env, double(21))",
    "{ for x in range(20) : \"k${x % 3}\" => x... }",
    "regexall(\"[a-c]+\", \"abc def cab\")",
    "jsonencode(yamldecode(\"a: [1, 2, {b: c}]\"))",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[env]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
    "base64gunzip(base64gzip(\"text\"))",
    "merge({ a = 1 }, { b = toset([\"x\", \"y\"]) })",
    "env.nothing + 1",
};

#define works(status, otherwise) worked(__LINE__, status, otherwise)

static hcl_scope *scope;
static size_t n_refused, n_done;

/* Checks the status of a call while memory may run out. */
static bool worked(int line, hcl_status status, hcl_status otherwise)
{
    if (status != HCL_OK && status != otherwise && (status != HCL_ERR_MEMORY || failing == SIZE_MAX))
        check_status("faults.c", line, "request", HCL_ERR_MEMORY, status);
    n_refused += status == HCL_ERR_MEMORY;
    n_done += status == HCL_OK;
    return status == HCL_OK;
}

static int32_t double_it(void *user, hcl_call *call)
{
    int64_t n = 0;
    hcl_value *value = NULL;
    hcl_status status = hcl_call_arg_i64(call, 0, &n);

    (void)user;
    if (status == HCL_OK)
        status = hcl_value_i64(n, &value);
    hcl_value_free(value);
    return status == HCL_OK ? (int32_t)hcl_call_return_i64(call, 2 * n) : (int32_t)status;
}

static void render(hcl_diags *diags)
{
    hcl_buf *buf = NULL;

    (void)works(hcl_diags_render(diags, NULL, &buf), HCL_OK);
    hcl_buf_free(buf);
    hcl_diags_free(diags);
}

static hcl_frame *frame_of(void)
{
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;

    if (works(hcl_frame_new(scope, &frame), HCL_OK) && works(hcl_value_string("prod", HCL_NUL, &value), HCL_OK))
        (void)works(hcl_frame_set(frame, 0, value), HCL_OK);
    hcl_value_free(value);
    return frame;
}

static void evaluate(const char *source)
{
    hcl_frame *frame = frame_of();
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *buf = NULL;
    int round;

    if (frame != NULL && works(hcl_expr_parse("test", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL), HCL_OK)
        && works(hcl_program_compile(expr, scope, 0, &program, NULL), HCL_ERR_DIAGNOSTICS)) {
        /* A frame whose call failed is used again. */
        for (round = 0; round < 2; round++) {
            hcl_value_free(value);
            value = NULL;
            (void)works(hcl_eval(program, frame, &value, &diags), HCL_ERR_DIAGNOSTICS);
            render(diags);
            diags = NULL;
        }
        if (value != NULL)
            (void)works(hcl_value_encode(value, HCL_FORMAT_JSON, 0, NULL, &buf, NULL), HCL_OK);
    }
    hcl_buf_free(buf);
    hcl_value_free(value);
    hcl_program_free(program);
    hcl_expr_free(expr);
    hcl_frame_free(frame);
}

static void decode(void)
{
    hcl_frame *frame = frame_of();
    hcl_file *file = NULL;
    hcl_spec *spec = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *buf = NULL;

    if (frame != NULL && works(hcl_file_parse("file", HCL_NUL, FILE_TEXT, HCL_NUL, NULL, &file, NULL), HCL_OK)
        && works(hcl_spec_parse("spec", HCL_NUL, SPEC_TEXT, HCL_NUL, NULL, &spec, NULL), HCL_OK)
        && works(hcl_spec_decode(spec, hcl_file_body(file), frame, &value, &diags), HCL_OK))
        (void)works(hcl_value_encode(value, HCL_FORMAT_TYPED_JSON, 0, NULL, &buf, NULL), HCL_OK);
    hcl_buf_free(buf);
    buf = NULL;
    render(diags);
    (void)works(hcl_format("file", HCL_NUL, FILE_TEXT, HCL_NUL, HCL_STYLE_TERRAFORM, NULL, &buf, NULL), HCL_OK);
    hcl_buf_free(buf);
    hcl_value_free(value);
    hcl_spec_free(spec);
    hcl_file_free(file);
    hcl_frame_free(frame);
}

static void complain(void)
{
    hcl_file *file = NULL;
    hcl_diags *diags = NULL;
    hcl_status status = hcl_file_parse("broken", HCL_NUL, BROKEN_TEXT, HCL_NUL, NULL, &file, &diags);

    (void)works(status, HCL_ERR_DIAGNOSTICS);
    render(diags);
    hcl_file_free(file);
}

static void declare(void)
{
    hcl_param param = { 0 };
    hcl_function function = { 0 };
    hcl_scope *own = NULL;
    size_t slot;

    function.size = sizeof function;
    function.name.ptr = "double";
    function.name.len = strlen("double");
    function.params = &param;
    function.n_params = 1;
    function.call = double_it;
    param.name.ptr = "n";
    param.name.len = 1;
    param.type_text.ptr = "number";
    param.type_text.len = strlen("number");
    if (works(hcl_scope_new(NULL, &own), HCL_OK) && works(hcl_scope_builtins(own, HCL_BUILTINS_TERRAFORM), HCL_OK)
        && works(hcl_scope_slot(own, "env", HCL_NUL, &slot), HCL_OK)
        && works(hcl_scope_function(own, &function), HCL_OK) && works(hcl_scope_seal(own), HCL_OK))
        scope = own;
    else
        hcl_scope_free(own);
}

/* All of it, once. */
static void run(void)
{
    size_t i;

    scope = NULL;
    declare();
    if (scope != NULL) {
        for (i = 0; i < sizeof EXPRESSIONS / sizeof *EXPRESSIONS; i++)
            evaluate(EXPRESSIONS[i]);
        decode();
        complain();
    }
    hcl_scope_free(scope);
}

int main(void)
{
    const char *every = getenv("HCL_EVERY");
    const size_t stride = every == NULL ? 1 : strtoul(every, NULL, 10);
    size_t all, calls, live, n_runs = 0;

    /* The first runs make the things that stay for the process. */
    run();
    run();
    n_requests = n_done = 0;
    live = n_live;
    run();
    all = n_requests;
    calls = n_done;
    CHECK(n_live == live);
    for (n_refused = 0, failing = 0; failing < all; failing += stride) {
        for (for_good = false;; for_good = true) {
            n_requests = 0;
            run();
            /* A block that the library keeps for the next time may be one of its reserve. */
            if (n_live > live) {
                fprintf(stderr, "request %zu%s: %zu blocks, not %zu\n", failing, for_good ? " and all after it" : "",
                        n_live, live);
                failures++;
            }
            n_runs++;
            if (for_good)
                break;
        }
    }
    failing = SIZE_MAX;
    for_good = false;
    n_done = 0;
    run();
    CHECK(n_done == calls && n_live == live);
    CHECK(n_refused > n_runs / 2);
    printf("%zu of %zu requests fail, once and from then on: %zu calls of %zu runs refused\n", n_runs / 2, all, n_refused,
           n_runs);
    return failures != 0;
}
