/* Modules: folders of configuration files. */
#include "wire.h"

#include <string.h>

hclgo_made hclgo_module_loader_new(const char *dialect, size_t dialect_len)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_module_loader *object = NULL;
    made.status = hcl_module_loader_new(dialect, dialect_len, &object, &made.diags);
    made.object = object;
    return made;
}

hclgo_made hclgo_module_load(const hcl_module_loader *loader, hcl_parse_opts opts, uintptr_t env)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_module *object = NULL;
    uintptr_t outer = hclgo_enter(env);
    made.status = hcl_module_load(loader, &opts, &object, &made.diags);
    hclgo_enter(outer);
    made.object = object;
    return made;
}

static hcl_limits native(const hclgo_limits *from)
{
    hcl_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;
    limits.max_depth = from->depth;
    limits.max_steps = from->steps;
    limits.max_elements = from->elements;
    limits.max_output_bytes = from->output;
    limits.max_memory = from->memory;
    limits.timeout_ns = from->timeout_ns;
    limits.cancel = from->cancel;
    return limits;
}

hclgo_made hclgo_module_eval(const hcl_module *module, const hcl_expr *expr, hclgo_limits limits,
                             uintptr_t env)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_limits most = native(&limits);
    hcl_value *value = NULL;
    uintptr_t outer = hclgo_enter(env);
    made.status = hcl_module_eval_expr(module, expr, &most, &value, &made.diags);
    hclgo_enter(outer);
    made.object = value;
    return made;
}

hclgo_made hclgo_module_value(const hcl_module *module, const char *address, size_t address_len,
                              hclgo_limits limits, uintptr_t env)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_limits most = native(&limits);
    hcl_value *value = NULL;
    uintptr_t outer = hclgo_enter(env);
    made.status = hcl_module_value(module, address, address_len, &most, &value, &made.diags);
    hclgo_enter(outer);
    made.object = value;
    return made;
}

hclgo_made hclgo_module_check(const hcl_module *module, hclgo_limits limits, uintptr_t env)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_limits most = native(&limits);
    uintptr_t outer = hclgo_enter(env);
    made.status = hcl_module_check(module, &most, &made.diags);
    hclgo_enter(outer);
    return made;
}

hclgo_made hclgo_module_evaluated(const hcl_module *module, hclgo_limits limits, uintptr_t env)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_limits most = native(&limits);
    hcl_value *value = NULL;
    uintptr_t outer = hclgo_enter(env);
    made.status = hcl_module_evaluated(module, &most, &value, &made.diags);
    hclgo_enter(outer);
    made.object = value;
    return made;
}

hclgo_bytes hclgo_module_dump(const hcl_module *module)
{
    out o = {NULL, 0, 0};
    size_t count = hcl_module_count(module);
    int32_t status = HCL_OK;
    hclgo_put_word(&o, count);
    for (size_t i = 0; status == HCL_OK && i < count; i++) {
        hcl_declared declared;
        memset(&declared, 0, sizeof declared);
        declared.size = sizeof declared;
        status = hcl_module_at(module, i, &declared);
        hclgo_put_word(&o, declared.kind);
        hclgo_put_word(&o, declared.flags);
        hclgo_put_text(&o, declared.address);
        hclgo_put_text(&o, declared.type_text);
        hclgo_put_text(&o, declared.file);
        hclgo_put_range(&o, &declared.range);
    }
    return hclgo_bytes_of(&o, status);
}
