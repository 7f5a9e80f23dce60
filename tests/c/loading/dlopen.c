/* dlopen LIBRARY TIMES : loads it that often, uses it, and unloads it; threads that used it end after that. */
#include <dlfcn.h>
#include <hcl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BETWEEN_THREADS = 100 };

/* The functions that this program uses, looked up by name. */
struct library {
    void *handle;
    hcl_status (*expr_parse)(const char *, size_t, const char *, size_t, const hcl_pos *, uint32_t, const hcl_parse_opts *,
                             hcl_expr **, hcl_diags **);
    hcl_status (*scope_new)(const hcl_scope *, hcl_scope **);
    hcl_status (*scope_builtins)(hcl_scope *, uint32_t);
    hcl_status (*scope_seal)(hcl_scope *);
    hcl_status (*frame_new)(const hcl_scope *, hcl_frame **);
    hcl_status (*expr_eval)(const hcl_expr *, hcl_frame *, hcl_value **, hcl_diags **);
    hcl_status (*as_i64)(const hcl_value *, int64_t *);
    void (*expr_free)(hcl_expr *);
    void (*scope_free)(hcl_scope *);
    void (*frame_free)(hcl_frame *);
    void (*value_free)(hcl_value *);
    void (*diags_free)(hcl_diags *);
};

static int missing;

/* A pointer to a function out of one to an object, as POSIX has it. */
#define LOOK_UP(library, member, name) look_up((library)->handle, name, &(library)->member)

static void look_up(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    if (found == NULL)
        missing++;
    memcpy(function, &found, sizeof found);
}

static int load(const char *path, struct library *library)
{
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library->handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    LOOK_UP(library, expr_parse, "hcl_expr_parse");
    LOOK_UP(library, scope_new, "hcl_scope_new");
    LOOK_UP(library, scope_builtins, "hcl_scope_builtins");
    LOOK_UP(library, scope_seal, "hcl_scope_seal");
    LOOK_UP(library, frame_new, "hcl_frame_new");
    LOOK_UP(library, expr_eval, "hcl_expr_eval");
    LOOK_UP(library, as_i64, "hcl_value_as_i64");
    LOOK_UP(library, expr_free, "hcl_expr_free");
    LOOK_UP(library, scope_free, "hcl_scope_free");
    LOOK_UP(library, frame_free, "hcl_frame_free");
    LOOK_UP(library, value_free, "hcl_value_free");
    LOOK_UP(library, diags_free, "hcl_diags_free");
    return missing;
}

/* Everything once, with functions, a regular expression and a mistake. */
static int use(const struct library *hcl)
{
    const char *right = "length(regexall(\"[a-z]+\", \"one two\")) + length([for i in range(5) : i])";
    hcl_expr *expr = NULL, *wrong = NULL;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    int64_t number = 0;

    int ok = hcl->scope_new(NULL, &scope) == HCL_OK && hcl->scope_builtins(scope, HCL_BUILTINS_TERRAFORM) == HCL_OK
          && hcl->scope_seal(scope) == HCL_OK && hcl->frame_new(scope, &frame) == HCL_OK
          && hcl->expr_parse("e", HCL_NUL, right, HCL_NUL, NULL, 0, NULL, &expr, NULL) == HCL_OK
          && hcl->expr_eval(expr, frame, &value, NULL) == HCL_OK && hcl->as_i64(value, &number) == HCL_OK && number == 7
          && hcl->expr_parse("e", HCL_NUL, "1 +", HCL_NUL, NULL, 0, NULL, &wrong, &diags) == HCL_ERR_DIAGNOSTICS;
    hcl->diags_free(diags);
    hcl->value_free(value);
    hcl->expr_free(expr);
    hcl->frame_free(frame);
    hcl->scope_free(scope);
    return ok ? 0 : 1;
}

/* A thread that ends only when the library is closed: what it left behind for its end must still be there. */
static pthread_barrier_t used, closed;

static void *use_and_wait(void *library)
{
    static int failed;
    failed = use(library);
    pthread_barrier_wait(&used);
    pthread_barrier_wait(&closed);
    return failed != 0 ? &failed : NULL;
}

int main(int argc, char **argv)
{
    int failed = 0;

    if (argc != 3)
        return 2;
    for (int i = 0, times = atoi(argv[2]); i < times && failed == 0; i++) {
        struct library library;
        pthread_t thread;
        void *thread_failed = NULL;
        bool with_thread = i % BETWEEN_THREADS == 0;
        failed = load(argv[1], &library);
        if (failed != 0)
            break;
        if (with_thread) {
            pthread_barrier_init(&used, NULL, 2);
            pthread_barrier_init(&closed, NULL, 2);
            failed |= pthread_create(&thread, NULL, use_and_wait, &library);
            pthread_barrier_wait(&used);
        } else {
            failed |= use(&library);
        }
        failed |= dlclose(library.handle);
        if (with_thread) {
            pthread_barrier_wait(&closed);
            failed |= pthread_join(thread, &thread_failed) != 0 || thread_failed != NULL;
            pthread_barrier_destroy(&used);
            pthread_barrier_destroy(&closed);
        }
    }
    return failed;
}
