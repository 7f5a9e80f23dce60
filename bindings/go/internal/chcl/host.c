/* Hosts of Go, and functions that a configuration defines. */
#include "wire.h"

#include <stdlib.h>
#include <string.h>

/* Exported by host.go and callback.go. */
extern int32_t hclgo_on_ask(uintptr_t user, uintptr_t env, uint32_t what, char *text, size_t len, uint64_t most, hcl_answer *answer);
extern int32_t hclgo_on_store(uintptr_t user, uintptr_t env, char *name, size_t name_len, hcl_call *call, char *wire, size_t len);
extern void hclgo_on_drop(uintptr_t user);

/* One callback for each kind of question; the numbers are those of host.go. */
#define ASK(name, number)                                                                                      \
    static int32_t name(void *user, hcl_str what, uint64_t most, hcl_answer *answer)                           \
    {                                                                                                          \
        return hclgo_on_ask((uintptr_t)user, hclgo_current(), number, (char *)what.ptr, what.len, most, answer); \
    }

ASK(read_file, 0)
ASK(file_kind, 1)
ASK(list_directory, 2)
ASK(working_directory, 3)
ASK(home_directory, 4)
ASK(environment_variable, 5)
ASK(now, 6)
ASK(start_time, 7)
ASK(random_bytes, 8)

static int32_t store(void *user, hcl_str name, hcl_call *call)
{
    out o = {NULL, 0, 0};
    size_t count = hcl_call_count(call);
    int32_t status = HCL_OK;
    for (size_t i = 0; status == HCL_OK && i < count; i++) status = hclgo_put_value(&o, hcl_call_arg(call, i), true);
    if (status == HCL_OK)
        status = hclgo_on_store((uintptr_t)user, hclgo_current(), (char *)name.ptr, name.len, call, o.bytes, o.len);
    free(o.bytes);
    return status;
}

static void on_drop(void *user) { hclgo_on_drop((uintptr_t)user); }

hclgo_made hclgo_host_new(uint32_t allows, uintptr_t user)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_host_callbacks callbacks;
    hcl_host *host = NULL;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.size = sizeof callbacks;
    callbacks.flags = HCL_HOST_THREADED;
    if (allows & 1) callbacks.read_file = read_file, callbacks.file_kind = file_kind, callbacks.list_directory = list_directory;
    if (allows & 2) callbacks.working_directory = working_directory;
    if (allows & 4) callbacks.home_directory = home_directory;
    if (allows & 8) callbacks.environment_variable = environment_variable;
    if (allows & 16) callbacks.now = now, callbacks.start_time = start_time;
    if (allows & 32) callbacks.random_bytes = random_bytes;
    if (allows & 64) callbacks.store = store;
    callbacks.user = (void *)user;
    callbacks.drop_user = on_drop;
    made.status = hcl_host_new(&callbacks, &host);
    made.object = host;
    return made;
}

int32_t hclgo_frame_host(hcl_frame *frame, uint32_t allows, uintptr_t user)
{
    hclgo_made made = hclgo_host_new(allows, user);
    if (made.status == HCL_OK) made.status = hcl_frame_set_host(frame, made.object);
    hcl_host_free(made.object);
    return made.status;
}

hclgo_made hclgo_user_functions(hcl_scope *scope, const hcl_body *body, const char *type, size_t type_len, const hcl_scope *base,
                                bool caller)
{
    hclgo_made made = {NULL, NULL, 0};
    uint32_t flags = caller ? HCL_USER_FUNCTIONS_CALLER : 0;
    made.status = hcl_scope_user_functions(scope, body, type, type_len, flags, base, NULL, &made.diags);
    return made;
}
