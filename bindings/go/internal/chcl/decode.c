/* Bodies read by plans: one walk over a body and the blocks in it.
 *
 * The form of its output, for the reader in decodebody.go; words are 64 bits, texts a length and bytes, pointers are borrowed
 * from what the walk holds:
 *
 *   body        diagnostics, pointers to the body and to its content; then a body by `whole` if the plan has it, a pointer to
 *               what remains and a body by `rest` if it has that, the attributes of the plan, and its blocks
 *               A plan without schema: diagnostics and pointers; the number of attributes, a name and an attribute each.
 *               A plan that leaves bodies alone: nothing.
 *   diagnostics one pointer, 0 for none
 *   attribute   - missing   A there: if more is wanted than its plain value, its pointer and its ranges if wanted; then a
 *               value if wanted
 *   value       V value     a text that holds a value as decode.go reads it
 *               D pointer   diagnostics of the evaluation
 *               C word, pointer   the status of the conversion, and its diagnostics
 *   blocks      their number; where one is too many, pointers to the first two and no more. Each: pointers to it and to its
 *               body, the number of its labels, these, its ranges if wanted, a body
 */
#include "decode.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

/* As deep as values of Go may nest: encode.go. */
#define MAX_DEPTH 1000

/* Flags of attributes and blocks, as in decode.go of this package. */
enum { WANT_VALUE = 1, WANT_POINTERS = 2, WANT_RANGES = 4, MAY_BE_NULL = 8, ONLY_ONE = 16, WANT_ATTRIBUTE = 32 };

/* True if only the plain value of an attribute is wanted. */
#define IS_PLAIN(flags) (((flags) & (WANT_VALUE | WANT_POINTERS | WANT_RANGES | WANT_ATTRIBUTE)) == WANT_VALUE)

typedef struct {
    hcl_str name;
    hcl_type *type; /* null for what the value itself tells */
    uint32_t kind;  /* of values that need no conversion; HCL_KIND_INVALID for none */
    uint64_t flags;
} plan_attr;

typedef struct {
    hcl_str type;
    const hclgo_plan *inner;
    uint64_t flags;
} plan_block;

struct hclgo_plan {
    hcl_schema *schema;
    const hclgo_plan *whole, *rest;
    plan_attr *attrs;
    hcl_str *plain; /* the names of attributes that are plain values */
    plan_block *blocks;
    size_t n_attrs, n_plain, n_blocks;
    char *texts;
    bool leaves_alone, is_partial;
};

static void *room_of(size_t count, size_t each)
{
    void *room = calloc(count + 1, each);
    if (room == NULL) abort();
    return room;
}

hclgo_plan *hclgo_plan_new(void) { return room_of(0, sizeof(hclgo_plan)); }

/* The kind of all values of a type that is a scalar. */
static uint32_t kind_of(hcl_str type)
{
    static const struct { const char *name; uint32_t kind; } kinds[] = {
        {"string", HCL_KIND_STRING}, {"number", HCL_KIND_NUMBER}, {"bool", HCL_KIND_BOOL}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (type.len == strlen(kinds[k].name) && memcmp(type.ptr, kinds[k].name, type.len) == 0) return kinds[k].kind;
    return HCL_KIND_INVALID;
}

int32_t hclgo_plan_fill(hclgo_plan *plan, hcl_schema *schema, const char *wire, size_t len)
{
    plan->texts = room_of(len, 1);
    memcpy(plan->texts, wire, len);
    in i = {plan->texts, plan->texts + len};
    int32_t status = HCL_OK;
    plan->schema = schema;
    plan->leaves_alone = hclgo_get_word(&i) != 0;
    plan->is_partial = hclgo_get_word(&i) != 0;
    plan->whole = (const hclgo_plan *)(uintptr_t)hclgo_get_word(&i);
    plan->rest = (const hclgo_plan *)(uintptr_t)hclgo_get_word(&i);
    plan->n_attrs = (size_t)hclgo_get_word(&i);
    plan->attrs = room_of(plan->n_attrs, sizeof *plan->attrs);
    plan->plain = room_of(plan->n_attrs, sizeof *plan->plain);
    for (size_t a = 0; status == HCL_OK && a < plan->n_attrs; a++) {
        plan->attrs[a].name = hclgo_get_text(&i);
        plan->attrs[a].flags = hclgo_get_word(&i);
        if (IS_PLAIN(plan->attrs[a].flags)) plan->plain[plan->n_plain++] = plan->attrs[a].name;
        hcl_str type = hclgo_get_text(&i);
        if (type.len != 0) status = hcl_type_parse(type.ptr, type.len, &plan->attrs[a].type, NULL);
        plan->attrs[a].kind = kind_of(type);
    }
    if (status != HCL_OK) return status;
    plan->n_blocks = (size_t)hclgo_get_word(&i);
    plan->blocks = room_of(plan->n_blocks, sizeof *plan->blocks);
    for (size_t b = 0; b < plan->n_blocks; b++) {
        plan->blocks[b].type = hclgo_get_text(&i);
        plan->blocks[b].flags = hclgo_get_word(&i);
        plan->blocks[b].inner = (const hclgo_plan *)(uintptr_t)hclgo_get_word(&i);
    }
    return HCL_OK;
}

/* The objects that the bytes point to. */
typedef struct {
    void *object;
    void (*release)(void *);
} held_object;

typedef struct {
    held_object *objects;
    size_t count, room;
} held_objects;

static void release_body(void *body) { hcl_body_free(body); }
static void release_value(void *value) { hcl_value_free(value); }
static void release_diags(void *diags) { hcl_diags_free(diags); }

typedef struct {
    out o;
    held_objects *held;
    hcl_frame *frame;
    hcl_diags *diags; /* of the call that ended the walk */
    size_t depth;
} walk;

static void hold(walk *w, void *object, void (*release)(void *))
{
    if (object == NULL) return;
    held_objects *held = w->held;
    if (held->count == held->room) {
        held->room = held->room ? held->room * 2 : 64;
        held_object *more = realloc(held->objects, held->room * sizeof *more);
        if (more == NULL) abort();
        held->objects = more;
    }
    held->objects[held->count].object = object;
    held->objects[held->count].release = release;
    held->count++;
}

void hclgo_read_free(char *bytes, void *all)
{
    held_objects *held = all;
    for (size_t h = held->count; h > 0; h--) held->objects[h - 1].release(held->objects[h - 1].object);
    free(held->objects);
    free(held);
    free(bytes);
}

static void put_pointer(walk *w, const void *pointer) { hclgo_put_word(&w->o, (uint64_t)(uintptr_t)pointer); }

static void put_held(walk *w, void *object, void (*release)(void *))
{
    hold(w, object, release);
    put_pointer(w, object);
}

/* A value as a text, whose length is known when it has been written. */
static int32_t put_value(walk *w, hcl_value *value, bool with_pointers)
{
    hclgo_put_byte(&w->o, 'V');
    size_t at = w->o.len;
    hclgo_put_word(&w->o, 0);
    int32_t status = hclgo_put_value(&w->o, value, with_pointers);
    uint64_t len = w->o.len - at - sizeof len;
    memcpy(w->o.bytes + at, &len, sizeof len);
    if (with_pointers)
        hold(w, value, release_value);
    else
        hcl_value_free(value);
    return status;
}

static int32_t put_converted(walk *w, const plan_attr *plan, hcl_value *value)
{
    hcl_value *converted = NULL;
    hcl_diags *diags = NULL;
    int32_t status = hcl_value_convert(value, plan->type, NULL, &converted, &diags);
    hcl_value_free(value);
    if (status == HCL_OK) {
        if (diags != NULL) hcl_diags_free(diags);
        return put_value(w, converted, plan->flags & WANT_POINTERS);
    }
    hclgo_put_byte(&w->o, 'C');
    hclgo_put_word(&w->o, (uint64_t)(int64_t)status);
    put_held(w, diags, release_diags);
    return HCL_OK;
}

static int32_t put_evaluated(walk *w, const plan_attr *plan, const hcl_attr *attr)
{
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    int32_t status = hcl_attr_eval(attr, w->frame, &value, &diags);
    if (status == HCL_ERR_DIAGNOSTICS) {
        hclgo_put_byte(&w->o, 'D');
        put_held(w, diags, release_diags);
        return HCL_OK;
    }
    if (status != HCL_OK) {
        w->diags = diags;
        return status;
    }
    if (diags != NULL) hcl_diags_free(diags);
    bool is_right = plan->type == NULL || hcl_value_kind(value) == plan->kind;
    if (is_right || ((plan->flags & MAY_BE_NULL) != 0 && hcl_value_is_null(value))) return put_value(w, value, plan->flags & WANT_POINTERS);
    return put_converted(w, plan, value);
}

static int32_t put_attr(walk *w, const plan_attr *plan, const hcl_attr *attr)
{
    int32_t status = HCL_OK;
    if (attr == NULL) {
        hclgo_put_byte(&w->o, '-');
        return HCL_OK;
    }
    hclgo_put_byte(&w->o, 'A');
    put_pointer(w, attr);
    if (plan->flags & WANT_RANGES) {
        hcl_range all, name, expr;
        const hcl_expr *expression = hcl_attr_expr(attr);
        status = hcl_attr_range(attr, &all);
        if (status == HCL_OK) status = hcl_attr_name_range(attr, &name);
        if (status == HCL_OK) status = hcl_expr_range(expression, &expr);
        if (status != HCL_OK) return status;
        hclgo_put_text(&w->o, hcl_expr_filename(expression));
        hclgo_put_range(&w->o, &all);
        hclgo_put_range(&w->o, &name);
        hclgo_put_range(&w->o, &expr);
    }
    return plan->flags & WANT_VALUE ? put_evaluated(w, plan, attr) : HCL_OK;
}

/* The value of a cell, owned. */
static int32_t value_of(const hcl_cell *cell, hcl_value **value)
{
    switch (cell->kind) {
    case HCL_CELL_NULL: return hcl_value_null(NULL, value);
    case HCL_CELL_BOOL: return hcl_value_bool(cell->payload.boolean != 0, value);
    case HCL_CELL_I64: return hcl_value_i64(cell->payload.integer, value);
    case HCL_CELL_U64: return hcl_value_u64(cell->payload.natural, value);
    case HCL_CELL_F64: return hcl_value_f64(cell->payload.number, value);
    case HCL_CELL_STR: return hcl_value_string(cell->payload.text.ptr, cell->payload.text.len, value);
    default: return hcl_value_ref(cell->payload.value, value);
    }
}

/* Writes a value of a word that is as it should be. */
static void put_word_value(walk *w, char tag, uint64_t word)
{
    hclgo_put_byte(&w->o, 'V');
    hclgo_put_word(&w->o, 1 + sizeof word);
    hclgo_put_byte(&w->o, tag);
    hclgo_put_word(&w->o, word);
}

static void put_tag_value(walk *w, char tag)
{
    hclgo_put_byte(&w->o, 'V');
    hclgo_put_word(&w->o, 1);
    hclgo_put_byte(&w->o, tag);
}

/* Writes what a cell holds if it needs no conversion and has a tag of its own. */
static bool put_scalar(walk *w, const plan_attr *plan, const hcl_cell *cell)
{
    bool any = plan->type == NULL;
    uint64_t word;
    switch (cell->kind) {
    case HCL_CELL_NULL:
        if (!any && (plan->flags & MAY_BE_NULL) == 0) return false;
        put_tag_value(w, 'n');
        return true;
    case HCL_CELL_BOOL:
        if (!any && plan->kind != HCL_KIND_BOOL) return false;
        put_tag_value(w, cell->payload.boolean ? 't' : 'f');
        return true;
    case HCL_CELL_I64:
        if (!any && plan->kind != HCL_KIND_NUMBER) return false;
        put_word_value(w, 'i', (uint64_t)cell->payload.integer);
        return true;
    case HCL_CELL_F64:
        if (!any && plan->kind != HCL_KIND_NUMBER) return false;
        memcpy(&word, &cell->payload.number, sizeof word);
        put_word_value(w, 'd', word);
        return true;
    case HCL_CELL_STR:
        if (!any && plan->kind != HCL_KIND_STRING) return false;
        hclgo_put_byte(&w->o, 'V');
        hclgo_put_word(&w->o, 1 + sizeof word + cell->payload.text.len);
        hclgo_put_byte(&w->o, 's');
        hclgo_put_text(&w->o, cell->payload.text);
        return true;
    default: return false;
    }
}

/* An attribute that is a plain value. The first that failed has the diagnostics of all. */
static int32_t put_cell(walk *w, const plan_attr *plan, const hcl_cell *cell, hcl_diags **diags)
{
    hcl_value *value = NULL;
    if (cell->kind == HCL_CELL_EMPTY) {
        hclgo_put_byte(&w->o, '-');
        return HCL_OK;
    }
    hclgo_put_byte(&w->o, 'A');
    if (cell->kind == HCL_CELL_ERROR) {
        hclgo_put_byte(&w->o, 'D');
        put_held(w, *diags, release_diags);
        *diags = NULL;
        return HCL_OK;
    }
    if (put_scalar(w, plan, cell)) return HCL_OK;
    int32_t status = value_of(cell, &value);
    if (status != HCL_OK) return status;
    if (plan->type == NULL) return put_value(w, value, false);
    return put_converted(w, plan, value);
}

/* The attributes that a plan wants of a content. Plain values are evaluated in one call. */
static int32_t put_attrs(walk *w, const hclgo_plan *plan, const hcl_body *content)
{
    hcl_cell *cells = room_of(plan->n_plain, sizeof *cells), *cell = cells;
    hcl_buf *buf = NULL;
    hcl_diags *diags = NULL;
    int32_t status = HCL_OK;
    if (plan->n_plain > 0) status = hcl_body_eval(content, plan->plain, plan->n_plain, w->frame, cells, &buf, &diags);
    if (status != HCL_OK) {
        w->diags = diags;
        diags = NULL;
    }
    for (size_t a = 0; status == HCL_OK && a < plan->n_attrs; a++) {
        const plan_attr *wanted = &plan->attrs[a];
        if (IS_PLAIN(wanted->flags))
            status = put_cell(w, wanted, cell++, &diags);
        else
            status = put_attr(w, wanted, hcl_body_attr_find(content, wanted->name.ptr, wanted->name.len));
    }
    if (diags != NULL) hcl_diags_free(diags);
    if (buf != NULL) hcl_buf_free(buf);
    free(cells);
    return status;
}

static int32_t put_body(walk *w, const hclgo_plan *plan, const hcl_body *body);

static int32_t put_block_ranges(walk *w, const hcl_block *block, size_t labels)
{
    hcl_range definition, type, label;
    int32_t status = hcl_block_definition_range(block, &definition);
    if (status == HCL_OK) status = hcl_block_type_range(block, &type);
    if (status != HCL_OK) return status;
    hclgo_put_text(&w->o, hcl_block_filename(block));
    hclgo_put_range(&w->o, &definition);
    hclgo_put_range(&w->o, &type);
    for (size_t l = 0; status == HCL_OK && l < labels; l++) {
        status = hcl_block_label_range(block, l, &label);
        if (status == HCL_OK) hclgo_put_range(&w->o, &label);
    }
    return status;
}

static int32_t put_block(walk *w, const plan_block *plan, const hcl_block *block)
{
    size_t labels = hcl_block_label_count(block);
    const hcl_body *body = hcl_block_body(block);
    int32_t status = HCL_OK;
    put_pointer(w, block);
    put_pointer(w, body);
    hclgo_put_word(&w->o, labels);
    for (size_t l = 0; l < labels; l++) hclgo_put_text(&w->o, hcl_block_label(block, l));
    if (plan->flags & WANT_RANGES) status = put_block_ranges(w, block, labels);
    return status == HCL_OK ? put_body(w, plan->inner, body) : status;
}

/* The blocks of a content, those of one type after those of another, as the plan has them. */
static int32_t put_blocks(walk *w, const hclgo_plan *plan, const hcl_body *content)
{
    size_t n = hcl_body_block_count(content);
    size_t *types = room_of(n, sizeof *types), *counts = room_of(plan->n_blocks, sizeof *counts);
    int32_t status = HCL_OK;
    for (size_t b = 0; b < n; b++) {
        hcl_str type = hcl_block_type(hcl_body_block_at(content, b));
        for (types[b] = 0; types[b] < plan->n_blocks; types[b]++) {
            hcl_str wanted = plan->blocks[types[b]].type;
            if (wanted.len == type.len && memcmp(wanted.ptr, type.ptr, type.len) == 0) break;
        }
        counts[types[b]]++;
    }
    for (size_t t = 0; status == HCL_OK && t < plan->n_blocks; t++) {
        const plan_block *wanted = &plan->blocks[t];
        bool is_too_many = (wanted->flags & ONLY_ONE) != 0 && counts[t] > 1;
        size_t left = is_too_many ? 2 : counts[t];
        hclgo_put_word(&w->o, counts[t]);
        for (size_t b = 0; status == HCL_OK && left > 0 && b < n; b++) {
            if (types[b] != t) continue;
            const hcl_block *block = hcl_body_block_at(content, b);
            left--;
            if (is_too_many)
                put_pointer(w, block);
            else
                status = put_block(w, wanted, block);
        }
    }
    free(types);
    free(counts);
    return status;
}

/* The head of a body that was read. */
static void put_content(walk *w, const hcl_body *body, hcl_body *content, hcl_diags *diags)
{
    put_held(w, diags, release_diags);
    put_pointer(w, body);
    put_held(w, content, release_body);
}

/* True if a call gave a content, perhaps with diagnostics. */
static bool was_read(walk *w, int32_t *status, hcl_diags *diags)
{
    if (*status == HCL_OK || *status == HCL_ERR_DIAGNOSTICS) {
        *status = HCL_OK;
        return true;
    }
    w->diags = diags;
    return false;
}

static int32_t put_just_attributes(walk *w, const hclgo_plan *plan, const hcl_body *body)
{
    hcl_body *content = NULL;
    hcl_diags *diags = NULL;
    int32_t status = hcl_body_just_attributes(body, HCL_CONTENT_WITH_ERRORS, &content, &diags);
    if (!was_read(w, &status, diags)) return status;
    put_content(w, body, content, diags);
    size_t n = hcl_body_attr_count(content);
    hclgo_put_word(&w->o, n);
    for (size_t a = 0; status == HCL_OK && a < n; a++) {
        const hcl_attr *attr = hcl_body_attr_at(content, a);
        hclgo_put_text(&w->o, hcl_attr_name(attr));
        status = put_attr(w, &plan->attrs[0], attr);
    }
    return status;
}

static int32_t put_body(walk *w, const hclgo_plan *plan, const hcl_body *body)
{
    hcl_body *content = NULL, *rest = NULL;
    hcl_diags *diags = NULL;
    if (plan->leaves_alone) return HCL_OK;
    if (plan->schema == NULL) return put_just_attributes(w, plan, body);
    if (w->depth == MAX_DEPTH) return HCL_ERR_LIMIT;
    uint32_t flags = HCL_CONTENT_WITH_ERRORS | (plan->is_partial ? HCL_CONTENT_PARTIAL : 0);
    int32_t status = hcl_body_content(body, plan->schema, flags, w->frame, &content, plan->is_partial ? &rest : NULL, &diags);
    if (!was_read(w, &status, diags)) return status;
    put_content(w, body, content, diags);
    w->depth++;
    if (plan->whole != NULL) status = put_body(w, plan->whole, body);
    if (plan->is_partial) {
        put_held(w, rest, release_body);
        if (status == HCL_OK) status = put_body(w, plan->rest, rest);
    }
    if (status == HCL_OK && plan->n_attrs > 0) status = put_attrs(w, plan, content);
    if (status == HCL_OK && plan->n_blocks > 0) status = put_blocks(w, plan, content);
    w->depth--;
    return status;
}

hclgo_read hclgo_body_read(const hcl_body *body, const hclgo_plan *plan, hcl_frame *frame, uintptr_t env)
{
    walk w = {{NULL, 0, 0}, room_of(0, sizeof(held_objects)), frame, NULL, 0};
    uintptr_t outer = hclgo_enter(env);
    int32_t status = put_body(&w, plan, body);
    hclgo_enter(outer);
    hclgo_read read = {w.o.bytes, w.o.len, w.held, w.diags, status};
    return read;
}

hclgo_made hclgo_body_ref(const hcl_body *body)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_body *same = NULL;
    made.status = hcl_body_ref(body, &same);
    made.object = same;
    return made;
}

hclgo_bytes hclgo_diags_detail(const hcl_diags *diags)
{
    out o = {NULL, 0, 0};
    hcl_diag first;
    memset(&first, 0, sizeof first);
    first.size = sizeof first;
    int32_t status = hcl_diags_get(diags, 0, &first);
    if (status == HCL_OK && first.detail.len != 0) memcpy(hclgo_grow(&o, first.detail.len), first.detail.ptr, first.detail.len);
    return hclgo_bytes_of(&o, status);
}

hclgo_bytes hclgo_block_definition(const hcl_block *block)
{
    out o = {NULL, 0, 0};
    hcl_range definition;
    int32_t status = hcl_block_definition_range(block, &definition);
    if (status == HCL_OK) {
        hclgo_put_text(&o, hcl_block_filename(block));
        hclgo_put_range(&o, &definition);
    }
    return hclgo_bytes_of(&o, status);
}
