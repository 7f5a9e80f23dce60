/* The bytes that are held of malloc, counted between the library and it, and refused beyond a bound. Programs that include this
 * are linked with --wrap for the functions of malloc. */
#include <errno.h>
#include <malloc.h>

/* The bytes that are held, the most of them so far, and how many there are. */
static size_t live, peak, most_live = SIZE_MAX;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
int __real_posix_memalign(void **block, size_t alignment, size_t size);

static bool is_left(size_t size)
{
    return size <= most_live && live <= most_live - size;
}

static void *came(void *block)
{
    live += malloc_usable_size(block);
    if (live > peak)
        peak = live;
    return block;
}

void *__wrap_malloc(size_t size) { return is_left(size) ? came(__real_malloc(size)) : NULL; }
void *__wrap_calloc(size_t n, size_t size) { return is_left(n * size) ? came(__real_calloc(n, size)) : NULL; }

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    int error = is_left(size) ? __real_posix_memalign(block, alignment, size) : ENOMEM;
    if (error == 0)
        came(*block);
    return error;
}

void *__wrap_realloc(void *block, size_t size)
{
    size_t before = malloc_usable_size(block);
    void *moved = is_left(size > before ? size - before : 0) ? __real_realloc(block, size) : NULL;
    if (moved != NULL) {
        live -= before;
        came(moved);
    }
    return moved;
}

void __wrap_free(void *block)
{
    live -= malloc_usable_size(block);
    __real_free(block);
}
