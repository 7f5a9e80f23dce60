/* One file, scope and program, many threads with a frame each; a host function that is called one at a time; a
 * cancel from another thread. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 200 };

static hcl_scope *scope;
static hcl_program *program, *endless;
static size_t n_slot;
static int inside, overlaps, calls; /* touched only inside the host function */

static int32_t serial(void *user, hcl_call *call)
{
    int64_t n = 0;
    (void)user;
    if (++inside != 1)
        overlaps++;
    calls++;
    (void)hcl_call_arg_i64(call, 0, &n);
    inside--;
    return hcl_call_return_i64(call, n + 1);
}

static void *work(void *result)
{
    hcl_frame *frame = NULL;
    int wrong = hcl_frame_new(scope, &frame) != HCL_OK;
    for (int64_t round = 0; round < ROUNDS; round++) {
        int64_t answer = 0;
        wrong += hcl_frame_set_i64(frame, n_slot, round) != HCL_OK;
        wrong += hcl_eval_i64(program, frame, &answer, NULL) != HCL_OK || answer != 2 * (round + 1) + 3;
    }
    hcl_frame_free(frame);
    *(int *)result = wrong;
    return NULL;
}

static void *trigger(void *cancel)
{
    hcl_cancel_trigger(cancel);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int wrong[THREADS];
    hcl_param param;
    hcl_function f;
    hcl_cancel *cancel = NULL;
    hcl_frame *frame = NULL;
    hcl_limits limits;
    int64_t answer;

    memset(&param, 0, sizeof param);
    memset(&f, 0, sizeof f);
    param.name = (hcl_str){"n", 1};
    param.type_text = (hcl_str){"number", 6};
    f.size = sizeof f;
    f.name = (hcl_str){"next", 4};
    f.params = &param;
    f.n_params = 1;
    f.call = serial;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_function(scope, &f));
    STATUS(HCL_OK, hcl_scope_slot(scope, "n", 1, &n_slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    program = compile_in(scope, "2 * next(n) + length([for x in [1, 2, 3] : \"${x}\"])");
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, &wrong[i]) == 0);
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(wrong[i] == 0);
    }
    CHECK(overlaps == 0 && calls == THREADS * ROUNDS);

    /* Nothing but the cancel ends it, however late a loaded machine lets the other thread run. */
    endless = compile_in(scope, "length([for a in range(1000) : length([for b in range(1000) : length([for c in range(1000) : n + a * b * c])])])");
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_i64(frame, n_slot, 1));
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;
    limits.max_steps = limits.max_elements = limits.max_output_bytes = limits.max_memory = UINT64_MAX;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    STATUS(HCL_OK, hcl_frame_set_cancel(frame, cancel));
    CHECK(pthread_create(&threads[0], NULL, trigger, cancel) == 0);
    STATUS(HCL_ERR_CANCELLED, hcl_eval_i64(endless, frame, &answer, NULL));
    CHECK(pthread_join(threads[0], NULL) == 0);

    hcl_cancel_free(cancel);
    hcl_frame_free(frame);
    hcl_program_free(endless);
    hcl_program_free(program);
    hcl_scope_free(scope);
    return failures != 0;
}
