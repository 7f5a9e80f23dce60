/* fork() before the library is used, after, and while other threads use it: parent and children go on as if alone. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static hcl_scope *scope;
static hcl_program *program;
static size_t slot;
static atomic_bool ended;

/* Everything once, from nothing. */
static int use_all(void)
{
    char text[64];
    hcl_scope *own = plain_scope();
    CHECK(strcmp(console(own, "join(\"-\", [for i in range(3) : upper(\"a${i}\")])", text, sizeof text), "\"A0-A1-A2\"") == 0);
    CHECK(strcmp(console(own, "regexall(\"[a-z]+\", \"ab 1 cd\")[1]", text, sizeof text), "\"cd\"") == 0);
    hcl_scope_free(own);
    return failures;
}

/* What was made before the fork. */
static int use_shared(void)
{
    hcl_frame *frame = NULL;
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    for (int64_t i = 0; i < 100; i++) {
        int64_t answer = 0;
        STATUS(HCL_OK, hcl_frame_set_i64(frame, slot, i));
        STATUS(HCL_OK, hcl_eval_i64(program, frame, &answer, NULL));
        CHECK(answer == 3 * i);
    }
    hcl_frame_free(frame);
    return failures;
}

/* Runs `work` in a child; 0 when it went well there. */
static int in_child(int (*work)(void))
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        int failed = work();
        hcl_program_free(program);
        hcl_scope_free(scope);
        /* Not _exit(): valgrind would count what the threads of the parent held, who are no more here. */
        execl(failed == 0 ? "/bin/true" : "/bin/false", "end", (char *)NULL);
        _exit(2);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    return status;
}

static void *keep_using(void *unused)
{
    (void)unused;
    hcl_frame *frame = NULL;
    int64_t answer = 0;
    bool right = hcl_frame_new(scope, &frame) == HCL_OK && hcl_frame_set_i64(frame, slot, 14) == HCL_OK;
    while (right && !atomic_load(&ended))
        right = hcl_eval_i64(program, frame, &answer, NULL) == HCL_OK && answer == 42;
    hcl_frame_free(frame);
    return right ? NULL : &slot;
}

int main(void)
{
    pthread_t threads[2];

    CHECK(in_child(use_all) == 0);
    CHECK(use_all() == 0);
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_slot(scope, "n", 1, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    program = compile_in(scope, "sum([for i in [1, 1, 1] : n * i])");
    CHECK(in_child(use_shared) == 0);
    CHECK(use_shared() == 0);
    CHECK(in_child(use_all) == 0);

    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, keep_using, NULL) == 0);
#ifndef __SANITIZE_ADDRESS__ /* its malloc is not made to be forked while other threads are in it */
    for (int i = 0; i < 10; i++)
        CHECK(in_child(use_shared) == 0);
#endif
    atomic_store(&ended, true);
    for (int i = 0; i < 2; i++) {
        void *wrong = NULL;
        CHECK(pthread_join(threads[i], &wrong) == 0 && wrong == NULL);
    }
    hcl_program_free(program);
    hcl_scope_free(scope);
    return failures != 0;
}
