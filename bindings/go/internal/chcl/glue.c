/* See glue.h. */
#include "wire.h"

#include <stdlib.h>
#include <string.h>

void hclgo_free(void *bytes) { free(bytes); }

#define MADE(type, call)                          \
    do {                                          \
        hclgo_made made = {NULL, NULL, 0};        \
        type *object = NULL;                      \
        made.status = (call);                     \
        made.object = object;                     \
        return made;                              \
    } while (0)

hclgo_made hclgo_expr_parse(const char *name, size_t name_len, const char *src, size_t src_len, uint32_t flags,
                            const hcl_parse_opts *opts)
{
    MADE(hcl_expr, hcl_expr_parse(name, name_len, src, src_len, NULL, flags, opts, &object, &made.diags));
}

hclgo_made hclgo_file_parse(const char *name, size_t name_len, const char *src, size_t src_len, const hcl_parse_opts *opts)
{
    MADE(hcl_file, hcl_file_parse(name, name_len, src, src_len, opts, &object, &made.diags));
}

hclgo_made hclgo_program_compile(const hcl_expr *expr, const hcl_scope *scope)
{
    MADE(hcl_program, hcl_program_compile(expr, scope, 0, &object, &made.diags));
}

hclgo_made hclgo_scope_new(const hcl_scope *parent) { MADE(hcl_scope, hcl_scope_new(parent, &object)); }
hclgo_made hclgo_scope_ref(const hcl_scope *scope) { MADE(hcl_scope, hcl_scope_ref(scope, &object)); }
hclgo_made hclgo_frame_new(const hcl_scope *scope) { MADE(hcl_frame, hcl_frame_new(scope, &object)); }
hclgo_made hclgo_cancel_new(void) { MADE(hcl_cancel, hcl_cancel_new(&object)); }
hclgo_made hclgo_value_ref(const hcl_value *value) { MADE(hcl_value, hcl_value_ref(value, &object)); }

hclgo_made hclgo_value_mark(const hcl_value *value, const char *name, size_t name_len)
{
    MADE(hcl_value, hcl_value_mark(value, name, name_len, &object));
}

hclgo_made hclgo_value_unmark(const hcl_value *value) { MADE(hcl_value, hcl_value_unmark_deep(value, NULL, &object, NULL, &made.diags)); }

hclgo_made hclgo_value_equal(const hcl_value *a, const hcl_value *b)
{
    MADE(hcl_value, hcl_value_equal(a, b, NULL, &object, &made.diags));
}

/* The type that a text says; null for the empty text. */
static int32_t type_of(const char *text, size_t len, hcl_type **type, hcl_diags **diags)
{
    *type = NULL;
    return len == 0 ? HCL_OK : hcl_type_parse(text, len, type, diags);
}

hclgo_made hclgo_value_unknown(const char *type_text, size_t type_len)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_type *type;
    hcl_value *object = NULL;
    made.status = type_of(type_text, type_len, &type, &made.diags);
    if (made.status == HCL_OK) made.status = hcl_value_unknown(type, &object);
    hcl_type_free(type);
    made.object = object;
    return made;
}

hclgo_made hclgo_value_convert(const hcl_value *value, const char *type_text, size_t type_len)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_type *type;
    hcl_value *object = NULL;
    made.status = type_of(type_text, type_len, &type, &made.diags);
    if (made.status == HCL_OK && type == NULL) made.status = hcl_value_ref(value, &object);
    else if (made.status == HCL_OK) made.status = hcl_value_convert(value, type, NULL, &object, &made.diags);
    hcl_type_free(type);
    made.object = object;
    return made;
}

hclgo_made hclgo_value_decode(uint32_t format, const char *text, size_t text_len)
{
    MADE(hcl_value, hcl_value_decode(format, text, text_len, NULL, NULL, &object, &made.diags));
}

hclgo_bytes hclgo_buf_take(hcl_buf *buf)
{
    out o = {NULL, 0, 0};
    hcl_str text = hcl_buf_str(buf);
    if (text.len != 0) memcpy(hclgo_grow(&o, text.len), text.ptr, text.len);
    hcl_buf_free(buf);
    return hclgo_bytes_of(&o, HCL_OK);
}

static hclgo_bytes taken(int32_t status, hcl_buf *buf)
{
    hclgo_bytes bytes = hclgo_buf_take(buf);
    bytes.status = status;
    return bytes;
}

hclgo_bytes hclgo_value_encode(const hcl_value *value, uint32_t format)
{
    hcl_buf *buf = NULL;
    int32_t status = hcl_value_encode(value, format, 0, NULL, &buf, NULL);
    return taken(status, buf);
}

hclgo_bytes hclgo_value_type(const hcl_value *value)
{
    hcl_type *type = NULL;
    hcl_buf *buf = NULL;
    int32_t status = hcl_value_type(value, &type);
    if (status == HCL_OK) status = hcl_type_text(type, &buf);
    hcl_type_free(type);
    return taken(status, buf);
}

hclgo_bytes hclgo_diags_render(const hcl_diags *diags, uint32_t flags, uint32_t width, uint32_t max_count)
{
    hcl_render_opts opts;
    hcl_buf *buf = NULL;
    memset(&opts, 0, sizeof opts);
    opts.size = sizeof opts;
    opts.flags = flags;
    opts.width = width;
    opts.max_count = max_count;
    int32_t status = hcl_diags_render(diags, &opts, &buf);
    return taken(status, buf);
}

hclgo_bytes hclgo_diags_dump(const hcl_diags *diags)
{
    out o = {NULL, 0, 0};
    size_t count = hcl_diags_count(diags);
    hclgo_put_word(&o, count);
    for (size_t i = 0; i < count; i++) {
        hcl_diag diag;
        memset(&diag, 0, sizeof diag);
        diag.size = sizeof diag;
        int32_t status = hcl_diags_get(diags, i, &diag);
        if (status != HCL_OK) return hclgo_bytes_of(&o, status);
        hclgo_put_word(&o, diag.severity);
        hclgo_put_text(&o, diag.code);
        hclgo_put_text(&o, diag.summary);
        hclgo_put_text(&o, diag.detail);
        hclgo_put_text(&o, diag.filename);
        hclgo_put_range(&o, &diag.subject);
        hclgo_put_range(&o, &diag.context);
        hclgo_put_text(&o, diag.expression);
        hclgo_put_word(&o, diag.n_values);
        for (uint32_t v = 0; v < diag.n_values; v++) {
            hcl_str expression = {"", 0}, description = {"", 0};
            status = hcl_diags_value(diags, i, v, &expression, &description);
            if (status != HCL_OK) return hclgo_bytes_of(&o, status);
            hclgo_put_text(&o, expression);
            hclgo_put_text(&o, description);
        }
        hclgo_put_word(&o, diag.n_extra);
        for (uint32_t e = 0; e < diag.n_extra; e++) {
            hcl_str key = {"", 0}, value = {"", 0};
            status = hcl_diags_extra(diags, i, e, &key, &value);
            if (status != HCL_OK) return hclgo_bytes_of(&o, status);
            hclgo_put_text(&o, key);
            hclgo_put_text(&o, value);
        }
    }
    return hclgo_bytes_of(&o, HCL_OK);
}

/* Writes an expression that the reader of the bytes owns. */
static int32_t put_expr(out *o, const hcl_expr *expr)
{
    hcl_expr *own = NULL;
    int32_t status = hcl_expr_ref(expr, &own);
    hclgo_put_word(o, (uint64_t)(uintptr_t)own);
    return status;
}

hclgo_bytes hclgo_expr_static(const hcl_expr *expr, uint32_t kind)
{
    out o = {NULL, 0, 0};
    hcl_static *form = NULL;
    int32_t status = hcl_expr_static(expr, kind, &form);
    size_t count = hcl_static_count(form);
    if (status == HCL_OK) hclgo_put_text(&o, hcl_static_name(form));
    hclgo_put_word(&o, count);
    for (size_t i = 0; status == HCL_OK && i < count; i++) {
        if (kind == HCL_STATIC_MAP) status = put_expr(&o, hcl_static_key(form, i));
        if (status == HCL_OK) status = put_expr(&o, hcl_static_at(form, i));
    }
    hcl_static_free(form);
    return hclgo_bytes_of(&o, status);
}

static hclgo_bytes references(hcl_traversals *list, int32_t status)
{
    out o = {NULL, 0, 0};
    size_t count = hcl_traversals_count(list);
    hclgo_put_word(&o, count);
    for (size_t i = 0; status == HCL_OK && i < count; i++) {
        hcl_range range;
        hclgo_put_text(&o, hcl_traversals_root(list, i));
        hclgo_put_text(&o, hcl_traversals_text(list, i));
        status = hcl_traversals_range(list, i, &range);
        if (status == HCL_OK) hclgo_put_range(&o, &range);
    }
    hcl_traversals_free(list);
    return hclgo_bytes_of(&o, status);
}

hclgo_bytes hclgo_expr_variables(const hcl_expr *expr)
{
    hcl_traversals *list = NULL;
    int32_t status = hcl_expr_variables(expr, &list);
    return references(list, status);
}

hclgo_bytes hclgo_expr_functions(const hcl_expr *expr)
{
    hcl_traversals *list = NULL;
    int32_t status = hcl_expr_functions(expr, &list);
    return references(list, status);
}

hclgo_bytes hclgo_expr_reference(const hcl_expr *expr)
{
    hcl_traversals *list = NULL;
    int32_t status = hcl_expr_static_traversal(expr, &list);
    return references(list, status);
}

hclgo_bytes hclgo_expr_place(const hcl_expr *expr)
{
    out o = {NULL, 0, 0};
    hcl_range range;
    int32_t status = hcl_expr_range(expr, &range);
    if (status == HCL_OK) {
        hclgo_put_text(&o, hcl_expr_source(expr));
        hclgo_put_text(&o, hcl_expr_filename(expr));
        hclgo_put_range(&o, &range);
    }
    return hclgo_bytes_of(&o, status);
}

hclgo_bytes hclgo_value_dump(const hcl_value *value, bool with_pointers)
{
    out o = {NULL, 0, 0};
    int32_t status = hclgo_put_value(&o, value, with_pointers);
    return hclgo_bytes_of(&o, status);
}

hclgo_made hclgo_value_build(const char *wire, size_t len)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_builder *builder = NULL;
    hcl_value *value = NULL;
    in i = {wire, wire + len};
    made.status = hcl_builder_new(&builder);
    if (made.status == HCL_OK) made.status = hclgo_build(builder, &i, &value);
    hcl_builder_free(builder);
    made.object = value;
    return made;
}

/* A scalar goes into its slot without a value in between. */
static int32_t fill(hcl_frame *frame, size_t slot, hcl_builder **builder, in *i)
{
    hcl_str text;
    switch (*i->at) {
    case 'n': i->at++; return hcl_frame_set_null(frame, slot);
    case 't': i->at++; return hcl_frame_set_bool(frame, slot, true);
    case 'f': i->at++; return hcl_frame_set_bool(frame, slot, false);
    case 'i': i->at++; return hcl_frame_set_i64(frame, slot, (int64_t)hclgo_get_word(i));
    case 's': i->at++; text = hclgo_get_text(i); return hcl_frame_set_str(frame, slot, text.ptr, text.len);
    case 'v': i->at++; return hcl_frame_set(frame, slot, (const hcl_value *)(uintptr_t)hclgo_get_word(i));
    default: break;
    }
    hcl_value *value = NULL;
    int32_t status = *builder == NULL ? hcl_builder_new(builder) : HCL_OK;
    if (status == HCL_OK) status = hclgo_build(*builder, i, &value);
    if (status == HCL_OK) status = hcl_frame_set(frame, slot, value);
    hcl_value_free(value);
    return status;
}

int32_t hclgo_frame_fill(hcl_frame *frame, const char *wire, size_t len, const size_t *slots, size_t n_slots)
{
    hcl_builder *builder = NULL;
    in i = {wire, wire + len};
    int32_t status = HCL_OK;
    for (size_t s = 0; status == HCL_OK && s < n_slots; s++) {
        if (i.at == i.end) abort();
        status = fill(frame, slots[s], &builder, &i);
    }
    hcl_builder_free(builder);
    return status;
}

int32_t hclgo_frame_limits(hcl_frame *frame, uint32_t depth, uint64_t steps, uint64_t elements, uint64_t output,
                           uint64_t memory, uint64_t timeout_ns)
{
    hcl_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;
    limits.max_depth = depth;
    limits.max_steps = steps;
    limits.max_elements = elements;
    limits.max_output_bytes = output;
    limits.max_memory = memory;
    limits.timeout_ns = timeout_ns;
    return hcl_frame_set_limits(frame, &limits);
}

int32_t hclgo_frame_used(const hcl_frame *frame, hcl_limits *used)
{
    memset(used, 0, sizeof *used);
    used->size = sizeof *used;
    return hcl_frame_used(frame, used);
}

/* ---- Evaluation and callbacks ---- */

/* The evaluation that is going on on this thread. Callbacks run on the thread of the call, inside it, so they find
 * theirs here; evaluations inside callbacks put it back when they are done. */
static _Thread_local uintptr_t current_env;

uintptr_t hclgo_enter(uintptr_t env)
{
    uintptr_t outer = current_env;
    current_env = env;
    return outer;
}

uintptr_t hclgo_current(void) { return current_env; }

/* Without an env there are no functions of Go that could be called. */
#define INSIDE(statement)                                         \
    do {                                                          \
        uintptr_t outer_env = env == 0 ? 0 : hclgo_enter(env);    \
        statement;                                                \
        if (env != 0) hclgo_enter(outer_env);                     \
    } while (0)

hclgo_made hclgo_eval(const hcl_program *program, hcl_frame *frame, uintptr_t env)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_value *value = NULL;
    INSIDE(made.status = hcl_eval(program, frame, &value, &made.diags));
    made.object = value;
    return made;
}

hclgo_made hclgo_expr_eval(const hcl_expr *expr, hcl_frame *frame, uintptr_t env)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_value *value = NULL;
    INSIDE(made.status = hcl_expr_eval(expr, frame, &value, &made.diags));
    made.object = value;
    return made;
}

#define SCALAR(function, field)                                                        \
    hclgo_scalar scalar;                                                               \
    memset(&scalar, 0, sizeof scalar);                                                 \
    INSIDE(scalar.status = function(program, frame, &scalar.field, &scalar.diags));    \
    return scalar

hclgo_scalar hclgo_eval_bool(const hcl_program *program, hcl_frame *frame, uintptr_t env)
{
    SCALAR(hcl_eval_bool, truth);
}

hclgo_scalar hclgo_eval_i64(const hcl_program *program, hcl_frame *frame, uintptr_t env)
{
    SCALAR(hcl_eval_i64, integer);
}

hclgo_scalar hclgo_eval_f64(const hcl_program *program, hcl_frame *frame, uintptr_t env)
{
    SCALAR(hcl_eval_f64, real);
}

hclgo_scalar hclgo_eval_str(const hcl_program *program, hcl_frame *frame, uintptr_t env)
{
    SCALAR(hcl_eval_str, text);
}

/* Exported by callback.go. */
extern int32_t hclgo_on_call(uintptr_t user, uintptr_t env, hcl_call *call, char *wire, size_t len);
extern int32_t hclgo_on_lookup(uintptr_t user, char *name, size_t name_len, hcl_call *call);
extern void hclgo_on_drop(uintptr_t user);

static int32_t on_call(void *user, hcl_call *call)
{
    out o = {NULL, 0, 0};
    size_t count = hcl_call_count(call);
    int32_t status = HCL_OK;
    for (size_t i = 0; status == HCL_OK && i < count; i++) status = hclgo_put_value(&o, hcl_call_arg(call, i), true);
    if (status == HCL_OK) status = hclgo_on_call((uintptr_t)user, current_env, call, o.bytes, o.len);
    free(o.bytes);
    return status;
}

static int32_t on_lookup(void *user, size_t slot, hcl_str name, hcl_call *call)
{
    (void)slot;
    return hclgo_on_lookup((uintptr_t)user, (char *)name.ptr, name.len, call);
}

int32_t hclgo_frame_resolver(hcl_frame *frame, uintptr_t user)
{
    hcl_resolver resolver;
    memset(&resolver, 0, sizeof resolver);
    resolver.size = sizeof resolver;
    resolver.look_up = on_lookup;
    resolver.user = (void *)user;
    return hcl_frame_set_resolver(frame, &resolver);
}

static void on_drop(void *user) { hclgo_on_drop((uintptr_t)user); }

int32_t hclgo_scope_function(hcl_scope *scope, const char *texts, const size_t *lens, const uint32_t *flags,
                             size_t n_params, uintptr_t user)
{
    hcl_function function;
    hcl_str parts[3];
    hcl_param *params = calloc(n_params + 1, sizeof *params);
    if (params == NULL) abort();
    for (size_t p = 0; p < 3; p++) {
        parts[p].ptr = texts;
        parts[p].len = *lens;
        texts += *lens++;
    }
    for (size_t p = 0; p < n_params; p++) {
        params[p].name.ptr = texts;
        params[p].name.len = *lens;
        texts += *lens++;
        params[p].type_text.ptr = texts;
        params[p].type_text.len = *lens;
        texts += *lens++;
        params[p].flags = flags[p + 1];
    }
    memset(&function, 0, sizeof function);
    function.size = sizeof function;
    function.name = parts[0];
    function.description = parts[1];
    function.result_type = parts[2];
    function.params = params;
    function.n_params = n_params;
    function.flags = flags[0];
    function.call = on_call;
    function.user = (void *)user;
    function.drop_user = on_drop;
    int32_t status = hcl_scope_function(scope, &function);
    free(params);
    return status;
}

int32_t hclgo_call_return(hcl_call *call, const char *wire, size_t len)
{
    hclgo_made made = hclgo_value_build(wire, len);
    int32_t status = made.status;
    if (status == HCL_OK) status = hcl_call_return(call, made.object);
    hcl_value_free(made.object);
    return status;
}
