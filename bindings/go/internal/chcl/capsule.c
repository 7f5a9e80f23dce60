/* Objects of Go as values: a handle stands for each.
 *
 * Nearly every call may release a value, so that the library tells from inside calls that are made without Go's scheduler
 * (nocallback). So no Go runs then: what is released is put on a list, which Go empties between its calls. */
#include "wire.h"

#include <pthread.h>
#include <stdlib.h>

int64_t hclgo_released_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct released {
    struct released *next;
    uintptr_t user;
} *released;

hclgo_made hclgo_type_capsule(const char *name, size_t name_len)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_type *type = NULL;
    made.status = hcl_type_capsule(name, name_len, &type);
    made.object = type;
    return made;
}

static void drop(void *of)
{
    struct released *entry = of;
    pthread_mutex_lock(&lock);
    entry->next = released;
    released = entry;
    __atomic_add_fetch(&hclgo_released_count, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

uintptr_t hclgo_take_released(void)
{
    uintptr_t user = 0;
    pthread_mutex_lock(&lock);
    struct released *entry = released;
    if (entry != NULL) {
        released = entry->next;
        user = entry->user;
        __atomic_sub_fetch(&hclgo_released_count, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    free(entry);
    return user;
}

hclgo_made hclgo_value_capsule(const hcl_type *type, uintptr_t user)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_value *value = NULL;
    struct released *entry = malloc(sizeof *entry);
    if (entry == NULL) abort();
    entry->user = user;
    made.status = hcl_value_capsule(type, entry, drop, &value);
    made.object = value;
    return made;
}

hclgo_capsule hclgo_value_as_capsule(const hcl_value *value, const hcl_type *type)
{
    hclgo_capsule taken = {0, 0};
    void *entry = NULL;
    taken.status = hcl_value_as_capsule(value, type, &entry);
    if (taken.status == HCL_OK) taken.user = ((struct released *)entry)->user;
    return taken;
}
