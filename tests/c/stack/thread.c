/* Runs a test program, whose main is compiled as `program_main`, on a thread with little stack: HCL_STACK_KIB, 64 without
 * it. Says how much of that was used, and ends by a signal if it was not enough. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int program_main(int argc, char **argv);

static char **arguments;
static int n_arguments, result;

static void *run(void *unused)
{
    result = program_main(n_arguments, arguments);
    return unused;
}

int main(int argc, char **argv)
{
    const size_t guard = 1 << 16;
    const char *wanted = getenv("HCL_STACK_KIB");
    const size_t size = (wanted == NULL ? 64 : strtoul(wanted, NULL, 10)) << 10;
    size_t untouched = 0;
    unsigned char *mapping, *stack;
    pthread_attr_t attributes;
    pthread_t thread;

    arguments = argv;
    n_arguments = argc;
    mapping = mmap(NULL, guard + size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack = mapping + guard;
    if (mapping == MAP_FAILED || mprotect(stack, size, PROT_READ | PROT_WRITE) != 0)
        return 2;
    memset(stack, 0xa5, size);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack, size) != 0 || pthread_create(&thread, &attributes, run, NULL) != 0)
        return 2;
    pthread_join(thread, NULL);
    while (untouched < size && stack[untouched] == 0xa5)
        untouched++;
    printf("%zu KiB of a stack of %zu KiB\n", (size - untouched + 1023) >> 10, size >> 10);
    return result;
}
