/* A process that may ask the system for memory and nothing else can use the library: expressions of all kinds, each in a
 * child with a filter for system calls that was set before the first call. */
#define _GNU_SOURCE
#include "check.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct expected {
    const char *source, *result;
};

static const struct expected EXPRESSIONS[] = {
    { "1 + 2 * 3", "7" },
    { "0.1 + 0.2", "0.3" },
    { "-7 % 3", "-1" },
    { "2 > 1 && !(1 == 2) ? \"yes\" : \"no\"", "\"yes\"" },
    { "\"a${1 + 1}b\"", "\"a2b\"" },
    { "\"%{ for x in [1, 2] }${x},%{ endfor }\"", "\"1,2,\"" },
    { "<<-E\n  a\n   b\n  E\n", "<<EOT\na\n b\n\nEOT" },
    { "[for x in [1, 2, 3] : x * x if x > 1]", "[\n  4,\n  9,\n]" },
    { "{ for k, v in { a = 1, b = 2 } : v => k }", NULL },
    { "{ for x in [\"a\", \"b\", \"a\"] : x => x... }", NULL },
    { "[{ a = 1 }, { a = 2 }][*].a", "[\n  1,\n  2,\n]" },
    { "{ a = [1, { b = 2 }] }.a[1].b", "2" },
    { "try({}.a, \"none\")", "\"none\"" },
    { "can(1 + \"a\")", "false" },
    { "toset([\"b\", \"a\", \"b\"])", "toset([\n  \"a\",\n  \"b\",\n])" },
    { "setproduct([1, 2], [\"a\", \"b\"])", NULL },
    { "setunion([1], [2], [3])", NULL },
    { "distinct([1, 2, 1])", NULL },
    { "merge({ a = 1 }, { b = 2 })", NULL },
    { "zipmap([\"a\", \"b\"], [1, 2])", NULL },
    { "transpose({ a = [\"x\", \"y\"], b = [\"x\"] })", NULL },
    { "sort([\"c\", \"a\", \"b\"])", NULL },
    { "range(1, 1000, 7)", NULL },
    { "join(\"-\", [\"a\", \"b\"])", "\"a-b\"" },
    { "format(\"%-5s|%05.1f|%x\", \"a\", 3.14159, 255)", "\"a    |003.1|ff\"" },
    { "replace(\"hello\", \"/l+/\", \"L\")", "\"heLo\"" },
    { "regexall(\"(?P<n>[a-z])[0-9]\", \"a1b2\")", NULL },
    { "title(\"ab cd\")", "\"Ab Cd\"" },
    { "jsonencode({ a = [1, true, null], b = \"x\" })", NULL },
    { "jsondecode(\"{\\\"a\\\": [1, 2.5]}\")", NULL },
    { "yamldecode(\"a: &x [1]\\nb: *x\\n\")", NULL },
    { "yamlencode({ a = [1, \"b\"] })", NULL },
    { "csvdecode(\"a,b\\n1,2\\n\")", NULL },
    { "base64gzip(\"some text to be compressed\")", NULL },
    { "base64decode(base64encode(\"text\"))", "\"text\"" },
    { "textencodebase64(\"text\", \"SHIFT_JIS\")", NULL },
    { "sha512(\"a\") == sha256(\"a\") || md5(\"a\") != \"\"", "true" },
    { "uuidv5(\"dns\", \"example.com\")", NULL },
    { "cidrsubnets(\"10.0.0.0/8\", 8, 4)", NULL },
    { "timeadd(\"2024-01-31T00:00:00Z\", \"36h\")", "\"2024-02-01T12:00:00Z\"" },
    { "templatestring(\"x\", {})", NULL },
    { "cidrhost(\"10.0.0.0/16\", 258)", "\"10.0.1.2\"" },
    { "pow(2, 100) / 3", NULL },
    { "parseint(\"zz\", 36)", "1295" },
    { "sensitive(\"a\")", NULL },
    { "tomap({ a = 1, b = \"x\" })", NULL },
    { "1 + [", NULL },
    { "nosuch + {}.missing", NULL },
};

static void refused(int signal, siginfo_t *info, void *context)
{
    char said[] = "refused system call 0000\n";
    int number = info->si_syscall;
    size_t at;

    (void)signal, (void)context;
    for (at = sizeof(said) - 3; number > 0; at--, number /= 10)
        said[at] = (char)('0' + number % 10);
    (void)!write(2, said, sizeof(said) - 1);
    _exit(3);
}

/* From here on the process may do what is listed; anything else ends it. */
static int shut(void)
{
    enum { ALLOWED = 11 };
    static const int calls[ALLOWED] = {
        SYS_mmap, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_clock_gettime,
        /* The program's own. */
        SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn,
    };
    struct sock_filter filter[ALLOWED + 3];
    struct sock_fprog program = { ALLOWED + 3, filter };
    struct sigaction action = { 0 };
    int i;

    filter[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (i = 0; i < ALLOWED; i++)
        filter[1 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], (unsigned char)(ALLOWED - i), 0);
    filter[ALLOWED + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    filter[ALLOWED + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    action.sa_sigaction = refused;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSYS, &action, NULL);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static char source[1 << 16], result[1 << 16];

/* Everything from a text to its result, with limits, and back to nothing. */
static void run(const char *text)
{
    hcl_limits limits = { .size = sizeof limits, .timeout_ns = UINT64_C(60000000000), .max_memory = 64 << 20 };
    hcl_scope *scope = NULL;
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *buf = NULL;

    snprintf(result, sizeof result, "(failed)");
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    if (hcl_expr_parse("test", HCL_NUL, text, HCL_NUL, NULL, 0, NULL, &expr, &diags) == HCL_OK
        && hcl_program_compile(expr, scope, HCL_COMPILE_NO_FOLDING, &program, &diags) == HCL_OK
        && hcl_frame_new(scope, &frame) == HCL_OK && hcl_frame_set_limits(frame, &limits) == HCL_OK
        && hcl_eval(program, frame, &value, &diags) == HCL_OK
        && hcl_value_encode(value, HCL_FORMAT_CONSOLE, 0, NULL, &buf, NULL) == HCL_OK)
        snprintf(result, sizeof result, "%s", hcl_buf_str(buf).ptr);
    else
        STATUS(HCL_OK, hcl_diags_render(diags, NULL, &buf));
    hcl_buf_free(buf);
    hcl_diags_free(diags);
    hcl_value_free(value);
    hcl_frame_free(frame);
    hcl_program_free(program);
    hcl_expr_free(expr);
    hcl_scope_free(scope);
}

/* `run` in a child of its own. */
static void check_in_child(const char *text, const char *expected)
{
    int status = 0;
    pid_t child;

    fflush(stderr);
    child = fork();
    if (child == 0) {
        failures = 0;
        /* The C library asks the system for things when they are first used. */
        char buffer[1 << 10];
        setvbuf(stderr, buffer, _IOLBF, sizeof buffer);
        fputs("", stderr);
        free(malloc(1));
        if (shut() != 0)
            _exit(2);
        run(text);
        if (expected != NULL && strcmp(result, expected) != 0) {
            failures++;
            fprintf(stderr, "%s gave %s\n", text, result);
        }
        fflush(stderr);
        _exit(failures == 0 ? 0 : 1);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        failures++;
        fprintf(stderr, "%.60s ended with %#x\n", text, (unsigned)status);
    }
}

static const char *nested(const char *open, const char *middle, const char *close, int depth)
{
    size_t length = 0;
    int i;

    for (i = 0; i < depth; i++)
        length += (size_t)snprintf(source + length, sizeof source - length, "%s", open);
    length += (size_t)snprintf(source + length, sizeof source - length, "%s", middle);
    for (i = 0; i < depth; i++)
        length += (size_t)snprintf(source + length, sizeof source - length, "%s", close);
    return source;
}

int main(void)
{
    size_t i;

    for (i = 0; i < sizeof EXPRESSIONS / sizeof *EXPRESSIONS; i++)
        check_in_child(EXPRESSIONS[i].source, EXPRESSIONS[i].result);
    check_in_child(nested("(", "1", ")", 500), "1");
    check_in_child(nested("[", "1", "]", 500), NULL);
    check_in_child(nested("abs(", "1", ")", 500), "1");
    check_in_child(nested("\"${", "1", "}\"", 500), "1");
    return failures != 0;
}

#else

int main(void)
{
    puts("no filters for system calls here");
    return 0;
}

#endif
