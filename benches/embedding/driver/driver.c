/* Loads a library and measures what that costs a C program. One process measures one library, once.
 *
 *   driver libhcl PATH      driver reference PATH      (the reference as a Go c-shared library)
 *
 * Compiled with -DFIRST_ONLY it ends after the first evaluation and prints how many KiB of memory came with it.
 *
 * Prints one line of JSON: microseconds from dlopen to the end of the first call, and of the first evaluation (variables
 * from JSON, parsing, evaluating); memory, threads and signal handlers that came with it; then the cost of a prepared
 * evaluation to a bool and to JSON in nanoseconds of processor time, all threads included.
 */
#define _GNU_SOURCE
#include <hcl.h>

#include <dlfcn.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const source = "var.env == \"prod\" && var.count > 3";
static const char *const text_source = "\"${var.prefix}-${var.region}-${var.env}-${var.count}.${var.a.b.c}\"";
static const char *const variables =
    "{\"env\":\"prod\",\"count\":5,\"prefix\":\"acme\",\"region\":\"eu-west-1\",\"a\":{\"b\":{\"c\":42}}}";

static void *library;

static void fail(const char *what)
{
    fprintf(stderr, "driver: %s\n", what);
    exit(1);
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The memory of this process that is its own or shared, in KiB. */
static long resident(void)
{
    long pages = 0, size = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f == NULL || fscanf(f, "%ld %ld", &size, &pages) != 2) fail("no /proc/self/statm");
    fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int threads(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/task");
    if (d == NULL) fail("no /proc/self/task");
    for (struct dirent *e; (e = readdir(d)) != NULL;) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

/* How many signals have a handler. */
static int handlers(void)
{
    char line[256];
    int n = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        unsigned long long mask;
        if (sscanf(line, "SigCgt: %llx", &mask) == 1) n = __builtin_popcountll(mask);
    }
    if (f != NULL) fclose(f);
    return n;
}

/* A function of the library, by the type that hcl.h says. */
#define FIND(name) __typeof__(&name) p_##name = (__typeof__(&name))(uintptr_t)dlsym(library, #name)

typedef struct {
    void (*prepare)(const char *source);
    bool (*truth)(void);
    size_t (*json)(void);
} side;

/* ---- libhcl ---- */

static hcl_program *program;
static hcl_frame *frame;
static __typeof__(&hcl_eval_bool) eval_bool;
static __typeof__(&hcl_eval) eval;
static __typeof__(&hcl_value_encode) encode;
static __typeof__(&hcl_buf_str) buf_str;
static __typeof__(&hcl_buf_free) buf_free;
static __typeof__(&hcl_value_free) value_free;

static void our_prepare(const char *text)
{
    FIND(hcl_value_decode); FIND(hcl_scope_new); FIND(hcl_scope_slot); FIND(hcl_scope_seal); FIND(hcl_frame_new);
    FIND(hcl_frame_set); FIND(hcl_expr_parse); FIND(hcl_program_compile);
    hcl_value *value = NULL;
    hcl_scope *scope = NULL;
    hcl_expr *expr = NULL;
    size_t slot = 0;
    eval_bool = (__typeof__(eval_bool))(uintptr_t)dlsym(library, "hcl_eval_bool");
    eval = (__typeof__(eval))(uintptr_t)dlsym(library, "hcl_eval");
    encode = (__typeof__(encode))(uintptr_t)dlsym(library, "hcl_value_encode");
    buf_str = (__typeof__(buf_str))(uintptr_t)dlsym(library, "hcl_buf_str");
    buf_free = (__typeof__(buf_free))(uintptr_t)dlsym(library, "hcl_buf_free");
    value_free = (__typeof__(value_free))(uintptr_t)dlsym(library, "hcl_value_free");
    int32_t status = p_hcl_value_decode(HCL_FORMAT_JSON, variables, HCL_NUL, NULL, NULL, &value, NULL);
    if (status == HCL_OK) status = p_hcl_scope_new(NULL, &scope);
    if (status == HCL_OK) status = p_hcl_scope_slot(scope, "var", HCL_NUL, &slot);
    if (status == HCL_OK) status = p_hcl_scope_seal(scope);
    if (status == HCL_OK) status = p_hcl_frame_new(scope, &frame);
    if (status == HCL_OK) status = p_hcl_frame_set(frame, slot, value);
    if (status == HCL_OK) status = p_hcl_expr_parse("expression", HCL_NUL, text, HCL_NUL, NULL, 0, NULL, &expr, NULL);
    if (status == HCL_OK) status = p_hcl_program_compile(expr, scope, 0, &program, NULL);
    if (status != HCL_OK) fail("libhcl does not prepare");
}

static bool our_truth(void)
{
    bool truth = false;
    if (eval_bool(program, frame, &truth, NULL) != HCL_OK) fail("libhcl does not evaluate");
    return truth;
}

static size_t our_json(void)
{
    hcl_value *value = NULL;
    hcl_buf *buf = NULL;
    if (eval(program, frame, &value, NULL) != HCL_OK || encode(value, HCL_FORMAT_JSON, 0, NULL, &buf, NULL) != HCL_OK)
        fail("libhcl does not evaluate");
    size_t len = buf_str(buf).len;
    buf_free(buf);
    value_free(value);
    return len;
}

/* ---- The reference ---- */

static int (*ref_bool)(void);
static char *(*ref_json)(void);

static void their_prepare(const char *text)
{
    int (*prepare)(const char *, const char *) = (int (*)(const char *, const char *))(uintptr_t)dlsym(library, "ref_prepare");
    ref_bool = (int (*)(void))(uintptr_t)dlsym(library, "ref_bool");
    ref_json = (char *(*)(void))(uintptr_t)dlsym(library, "ref_json");
    if (prepare(text, variables) != 0) fail("the reference does not prepare");
}

static bool their_truth(void) { return ref_bool() == 1; }

static size_t their_json(void)
{
    char *text = ref_json();
    if (text == NULL) fail("the reference does not evaluate");
    size_t len = strlen(text);
    free(text);
    return len;
}

/* The least of some rounds. */
static double cost(size_t (*one)(void), int times)
{
    double least = 1e18;
    for (int round = 0; round < 5; round++) {
        double start = now(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < times; i++) one();
        double took = (now(CLOCK_PROCESS_CPUTIME_ID) - start) / times;
        if (took < least) least = took;
    }
    return least;
}

static bool (*measured)(void);
static size_t truth_once(void)
{
    if (!measured()) fail("the condition does not hold");
    return 1;
}

int main(int argc, char **argv)
{
    const side ours = {our_prepare, our_truth, our_json}, theirs = {their_prepare, their_truth, their_json};
    if (argc != 3) fail("driver libhcl|reference PATH");
    const side *s = strcmp(argv[1], "libhcl") == 0 ? &ours : &theirs;
    long memory = resident();
    int had_threads = threads(), had_handlers = handlers();

    double start = now(CLOCK_MONOTONIC);
    library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail(dlerror());
    uint32_t (*version)(void) = (uint32_t (*)(void))(uintptr_t)dlsym(library, s == &ours ? "hcl_version" : "ref_version");
    if (version() == 0) fail("no version");
    double loaded = now(CLOCK_MONOTONIC);
    s->prepare(source);
    if (!s->truth()) fail("the condition does not hold");
    double evaluated = now(CLOCK_MONOTONIC);
    long memory_after = resident();
#ifdef FIRST_ONLY
    printf("%ld\n", memory_after - memory);
    return 0;
#endif

    measured = s->truth;
    double bool_ns = cost(truth_once, 20000);
    s->prepare(text_source);
    if (s->json() != strlen("\"acme-eu-west-1-prod-5.42\"")) fail("another text");
    double json_ns = cost(s->json, 5000);

    printf("{\"load_us\": %.1f, \"first_us\": %.1f, \"rss_kib\": %ld, \"rss_end_kib\": %ld, \"threads\": %d, "
           "\"handlers\": %d, \"bool_ns\": %.1f, \"json_ns\": %.1f}\n",
           (loaded - start) / 1e3, (evaluated - loaded) / 1e3, memory_after - memory, resident() - memory,
           threads() - had_threads, handlers() - had_handlers, bool_ns, json_ns);
    return 0;
}
