/* 24 threads share programs, scopes and values, while another one cancels at random: no error but that. HCL_STRESS_SECONDS
 * says for how long, 1 without it. */
#define _DEFAULT_SOURCE
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 24 };

static hcl_scope *scope;
static hcl_program *quick, *texts, *slow;
static hcl_value *servers;
static size_t servers_slot, n_slot, asked_slot;
static atomic_bool over;
static atomic_uint evaluations, cancellations, wrong;

/* The switch of what each thread is at; the lock lets nobody throw one that is being released. */
static struct {
    pthread_mutex_t lock;
    hcl_cancel *cancel;
} at_work[THREADS];

static int inside;

/* Only one thread at a time may be here, also though it evaluates. */
static int32_t serial(void *user, hcl_call *call)
{
    int64_t n = 0;
    (void)user;
    if (++inside != 1)
        atomic_fetch_add(&wrong, 1);
    if (hcl_call_arg_i64(call, 0, &n) != HCL_OK)
        atomic_fetch_add(&wrong, 1);
    inside--;
    return hcl_call_cancelled(call) ? HCL_ERR_CANCELLED : hcl_call_return_i64(call, n + 1);
}

static int32_t look_up(void *user, size_t slot, hcl_str name, hcl_call *call)
{
    (void)user;
    (void)slot;
    return hcl_call_return_str(call, name.ptr, name.len);
}

static void expect(hcl_status status, bool right)
{
    atomic_fetch_add(&evaluations, 1);
    if (status == HCL_ERR_CANCELLED)
        atomic_fetch_add(&cancellations, 1);
    else if (status != HCL_OK || !right)
        atomic_fetch_add(&wrong, 1);
}

static void rows(hcl_frame *frame)
{
    hcl_cell cells[50], out[50];
    hcl_buf *buf = NULL;
    bool right = true;

    memset(cells, 0, sizeof cells);
    for (int i = 0; i < 50; i++) {
        cells[i].kind = HCL_CELL_I64;
        cells[i].payload.integer = i;
    }
    hcl_status status = hcl_eval_rows(quick, frame, &n_slot, 1, cells, 50, out, &buf, NULL);
    for (int i = 0; i < 50 && status == HCL_OK; i++)
        right = right && out[i].kind == HCL_CELL_I64 && out[i].payload.integer == 2 * (i + 1) + 3;
    expect(status, right);
    hcl_buf_free(buf);
}

static void once(hcl_frame *frame, int64_t round)
{
    int64_t answer = 0;
    hcl_str text = {"", 0};
    hcl_status status;

    if (hcl_frame_set(frame, servers_slot, servers) != HCL_OK || hcl_frame_set_i64(frame, n_slot, round) != HCL_OK)
        atomic_fetch_add(&wrong, 1);
    status = hcl_eval_i64(quick, frame, &answer, NULL);
    expect(status, answer == 2 * (round + 1) + 3);
    status = hcl_eval_str(texts, frame, &text, NULL);
    expect(status, status != HCL_OK || str_is(text, "alpha=1,beta=2,gamma=3 asked"));
    status = hcl_eval_i64(slow, frame, &answer, NULL);
    expect(status, answer == 10000);
    rows(frame);
}

static void *work(void *index)
{
    size_t me = (size_t)(uintptr_t)index;
    hcl_frame *frame = NULL;
    hcl_resolver resolver;

    memset(&resolver, 0, sizeof resolver);
    resolver.size = sizeof resolver;
    resolver.look_up = look_up;
    if (hcl_frame_new(scope, &frame) != HCL_OK || hcl_frame_set_resolver(frame, &resolver) != HCL_OK)
        atomic_fetch_add(&wrong, 1);
    for (int64_t round = 0; !atomic_load(&over); round++) {
        hcl_cancel *cancel = NULL, *before;
        if (hcl_cancel_new(&cancel) != HCL_OK || hcl_frame_set_cancel(frame, cancel) != HCL_OK)
            atomic_fetch_add(&wrong, 1);
        pthread_mutex_lock(&at_work[me].lock);
        before = at_work[me].cancel;
        at_work[me].cancel = cancel;
        pthread_mutex_unlock(&at_work[me].lock);
        hcl_cancel_free(before);
        once(frame, round);
    }
    hcl_frame_free(frame);
    return NULL;
}

static void *throw_switches(void *nothing)
{
    unsigned random = 1;
    (void)nothing;
    while (!atomic_load(&over)) {
        random = random * 1103515245u + 12345u;
        size_t who = (random >> 16) % THREADS;
        pthread_mutex_lock(&at_work[who].lock);
        hcl_cancel_trigger(at_work[who].cancel);
        pthread_mutex_unlock(&at_work[who].lock);
        usleep(200);
    }
    return NULL;
}

static void set_up(void)
{
    hcl_param n;
    hcl_function function;

    memset(&n, 0, sizeof n);
    memset(&function, 0, sizeof function);
    n.name = (hcl_str){"n", 1};
    n.type_text = (hcl_str){"number", 6};
    function.size = sizeof function;
    function.name = (hcl_str){"next", 4};
    function.params = &n;
    function.n_params = 1;
    function.call = serial;
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, "{\"alpha\":1,\"beta\":2,\"gamma\":3}", HCL_NUL, NULL, NULL, &servers, NULL));
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
    STATUS(HCL_OK, hcl_scope_slot(scope, "servers", HCL_NUL, &servers_slot));
    STATUS(HCL_OK, hcl_scope_slot(scope, "n", HCL_NUL, &n_slot));
    STATUS(HCL_OK, hcl_scope_slot(scope, "asked", HCL_NUL, &asked_slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    quick = compile_in(scope, "2 * next(n) + length([for x in [1, 2, 3] : \"${x}\"])");
    texts = compile_in(scope, "\"${join(\",\", [for k, v in servers : \"${k}=${v}\"])} ${asked}\"");
    slow = compile_in(scope, "length(flatten([for a in range(100) : [for b in range(100) : a * b * n]]))");
}

int main(void)
{
    const char *seconds = getenv("HCL_STRESS_SECONDS");
    time_t end = time(NULL) + (seconds != NULL ? atoi(seconds) : 1);
    pthread_t threads[THREADS + 1];

    set_up();
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_mutex_init(&at_work[i].lock, NULL) == 0);
        CHECK(pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i) == 0);
    }
    CHECK(pthread_create(&threads[THREADS], NULL, throw_switches, NULL) == 0);
    while (time(NULL) < end || atomic_load(&cancellations) == 0) usleep(10000);
    atomic_store(&over, true);
    for (size_t i = 0; i <= THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    for (size_t i = 0; i < THREADS; i++) hcl_cancel_free(at_work[i].cancel);
    fprintf(stderr, "%u evaluations, %u cancelled, %u wrong\n", atomic_load(&evaluations), atomic_load(&cancellations), atomic_load(&wrong));
    CHECK(atomic_load(&wrong) == 0);
    hcl_program_free(slow);
    hcl_program_free(texts);
    hcl_program_free(quick);
    hcl_value_free(servers);
    hcl_scope_free(scope);
    return failures != 0;
}
