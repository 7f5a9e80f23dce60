/* See wire.h; the form of the bytes stands in encode.go and decode.go. */
#include "wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *hclgo_grow(out *o, size_t more)
{
    if (more > o->room - o->len) {
        size_t room = o->room ? o->room : 256;
        while (room - o->len < more) {
            if (room > SIZE_MAX / 2) abort();
            room *= 2;
        }
        char *bytes = realloc(o->bytes, room);
        if (bytes == NULL) abort();
        o->bytes = bytes;
        o->room = room;
    }
    char *place = o->bytes + o->len;
    o->len += more;
    return place;
}

void hclgo_put_byte(out *o, char byte) { *hclgo_grow(o, 1) = byte; }
void hclgo_put_word(out *o, uint64_t word) { memcpy(hclgo_grow(o, sizeof word), &word, sizeof word); }

void hclgo_put_text(out *o, hcl_str text)
{
    hclgo_put_word(o, text.len);
    if (text.len != 0) memcpy(hclgo_grow(o, text.len), text.ptr, text.len);
}

void hclgo_put_range(out *o, const hcl_range *range)
{
    hclgo_put_word(o, range->start.line);
    hclgo_put_word(o, range->start.column);
    hclgo_put_word(o, range->start.byte);
    hclgo_put_word(o, range->end.line);
    hclgo_put_word(o, range->end.column);
    hclgo_put_word(o, range->end.byte);
}

hclgo_bytes hclgo_bytes_of(out *o, int32_t status)
{
    hclgo_bytes bytes = {o->bytes, o->len, status};
    return bytes;
}

typedef struct {
    const hcl_value *container;
    size_t next, len;
    bool keys;
} level;

static int32_t put_number(out *o, const hcl_value *value)
{
    int64_t integer;
    double real;
    bool exact = false;
    hcl_buf *text = NULL;
    if (hcl_value_as_i64(value, &integer) == HCL_OK) {
        hclgo_put_byte(o, 'i');
        hclgo_put_word(o, (uint64_t)integer);
        return HCL_OK;
    }
    int32_t status = hcl_value_as_f64(value, &real, &exact);
    if (status != HCL_OK) return status;
    if (exact || isinf(real)) {
        uint64_t word;
        memcpy(&word, &real, sizeof word);
        hclgo_put_byte(o, 'd');
        hclgo_put_word(o, word);
        return HCL_OK;
    }
    status = hcl_value_number_text(value, &text);
    if (status == HCL_OK) {
        hclgo_put_byte(o, 'N');
        hclgo_put_text(o, hcl_buf_str(text));
    }
    hcl_buf_free(text);
    return status;
}

static char container_tag(uint32_t kind)
{
    switch (kind) {
    case HCL_KIND_LIST: return 'l';
    case HCL_KIND_SET: return 'e';
    case HCL_KIND_TUPLE: return 'p';
    case HCL_KIND_MAP: return 'm';
    case HCL_KIND_OBJECT: return 'o';
    default: return 0;
    }
}

/* Writes one value; for a container only its head, and *inside says that its elements follow. */
static int32_t put_head(out *o, const hcl_value *value, bool with_pointers, level *inside)
{
    inside->container = NULL;
    if (with_pointers) hclgo_put_word(o, (uint64_t)(uintptr_t)value);
    if (hcl_value_is_marked(value)) {
        hclgo_put_byte(o, 'M');
        return HCL_OK;
    }
    uint32_t kind = hcl_value_kind(value);
    switch (kind) {
    case HCL_KIND_NULL: hclgo_put_byte(o, 'n'); return HCL_OK;
    case HCL_KIND_UNKNOWN: hclgo_put_byte(o, 'u'); return HCL_OK;
    case HCL_KIND_NUMBER: return put_number(o, value);
    case HCL_KIND_BOOL: {
        bool truth = false;
        int32_t status = hcl_value_as_bool(value, &truth);
        hclgo_put_byte(o, truth ? 't' : 'f');
        return status;
    }
    case HCL_KIND_STRING: {
        hcl_str text = {"", 0};
        int32_t status = hcl_value_as_str(value, &text);
        hclgo_put_byte(o, 's');
        hclgo_put_text(o, text);
        return status;
    }
    default: break;
    }
    char tag = container_tag(kind);
    if (tag == 0) {
        hclgo_put_byte(o, 'c');
        return HCL_OK;
    }
    int32_t status = hcl_value_len(value, &inside->len);
    if (status != HCL_OK) return status;
    inside->container = value;
    inside->next = 0;
    inside->keys = tag == 'm' || tag == 'o';
    hclgo_put_byte(o, tag);
    hclgo_put_word(o, inside->len);
    return HCL_OK;
}

/* Values nest deeper than a thread's stack may be: the levels are on the heap. */
int32_t hclgo_put_value(out *o, const hcl_value *value, bool with_pointers)
{
    level *levels = NULL;
    size_t depth = 0, room = 0;
    level inside;
    int32_t status = put_head(o, value, with_pointers, &inside);
    while (status == HCL_OK) {
        if (inside.container != NULL) {
            if (depth == room) {
                room = room ? room * 2 : 16;
                level *more = realloc(levels, room * sizeof *levels);
                if (more == NULL) abort();
                levels = more;
            }
            levels[depth++] = inside;
        }
        while (depth != 0 && levels[depth - 1].next == levels[depth - 1].len) depth--;
        if (depth == 0) break;
        level *top = &levels[depth - 1];
        if (top->keys) {
            hcl_str key = {"", 0};
            status = hcl_value_key_at(top->container, top->next, &key);
            if (status != HCL_OK) break;
            hclgo_put_text(o, key);
        }
        status = put_head(o, hcl_value_at(top->container, top->next++), with_pointers, &inside);
    }
    free(levels);
    return status;
}

uint64_t hclgo_get_word(in *i)
{
    uint64_t word;
    if ((size_t)(i->end - i->at) < sizeof word) abort();
    memcpy(&word, i->at, sizeof word);
    i->at += sizeof word;
    return word;
}

hcl_str hclgo_get_text(in *i)
{
    hcl_str text;
    text.len = (size_t)hclgo_get_word(i);
    if ((size_t)(i->end - i->at) < text.len) abort();
    text.ptr = i->at;
    i->at += text.len;
    return text;
}

static int32_t build_number(hcl_builder *builder, hcl_str text)
{
    hcl_value *number = NULL;
    int32_t status = hcl_value_number(text.ptr, text.len, &number);
    if (status == HCL_OK) status = hcl_builder_value(builder, number);
    hcl_value_free(number);
    return status;
}

/* A value by its type and its JSON. */
static int32_t build_typed(hcl_builder *builder, hcl_str type_text, hcl_str json)
{
    hcl_type *type = NULL;
    hcl_value *value = NULL;
    int32_t status = hcl_type_parse(type_text.ptr, type_text.len, &type, NULL);
    if (status == HCL_OK) status = hcl_value_decode(HCL_FORMAT_JSON, json.ptr, json.len, type, NULL, &value, NULL);
    if (status == HCL_OK) status = hcl_builder_value(builder, value);
    hcl_value_free(value);
    hcl_type_free(type);
    return status;
}

static int32_t build_step(hcl_builder *builder, in *i, int *open)
{
    char tag = *i->at++;
    hcl_str text;
    switch (tag) {
    case 'n': return hcl_builder_null(builder);
    case 't': return hcl_builder_bool(builder, true);
    case 'f': return hcl_builder_bool(builder, false);
    case 'i': return hcl_builder_i64(builder, (int64_t)hclgo_get_word(i));
    case 'd': {
        uint64_t word = hclgo_get_word(i);
        double real;
        memcpy(&real, &word, sizeof real);
        return hcl_builder_f64(builder, real);
    }
    case 'N': text = hclgo_get_text(i); return build_number(builder, text);
    case 's': text = hclgo_get_text(i); return hcl_builder_string(builder, text.ptr, text.len);
    case 'k': text = hclgo_get_text(i); return hcl_builder_key(builder, text.ptr, text.len);
    case 'v': return hcl_builder_value(builder, (const hcl_value *)(uintptr_t)hclgo_get_word(i));
    case 'T': text = hclgo_get_text(i); return build_typed(builder, text, hclgo_get_text(i));
    case 'b': *open += 1; return hcl_builder_begin(builder, (uint32_t)hclgo_get_word(i));
    case 'x': *open -= 1; return hcl_builder_end(builder);
    default: abort();
    }
}

int32_t hclgo_build(hcl_builder *builder, in *i, hcl_value **value)
{
    int open = 0;
    do {
        if (i->at == i->end) abort();
        int32_t status = build_step(builder, i, &open);
        if (status != HCL_OK) return status;
    } while (open > 0);
    return hcl_builder_finish(builder, value);
}
