/* Values and words as runs of bytes, inside this package. Their form stands in encode.go and decode.go. */
#ifndef HCLGO_WIRE_H
#define HCLGO_WIRE_H

#include "glue.h"

/* Bytes that grow. */
typedef struct {
    char *bytes;
    size_t len, room;
} out;

char *hclgo_grow(out *o, size_t more);
void hclgo_put_byte(out *o, char byte);
void hclgo_put_word(out *o, uint64_t word);
void hclgo_put_text(out *o, hcl_str text);
void hclgo_put_range(out *o, const hcl_range *range);
hclgo_bytes hclgo_bytes_of(out *o, int32_t status);

/* A value with all that is inside. */
int32_t hclgo_put_value(out *o, const hcl_value *value, bool with_pointers);

/* Bytes that are left to read. They come from the Go side of this package, which writes them in full; a torn run is a
 * defect there and ends the process. */
typedef struct {
    const char *at, *end;
} in;

uint64_t hclgo_get_word(in *i);
hcl_str hclgo_get_text(in *i);

/* The next value of a run. */
int32_t hclgo_build(hcl_builder *builder, in *i, hcl_value **value);

/* Names the evaluation that begins on this thread, for callbacks; what it gives back is named again afterwards. */
uintptr_t hclgo_enter(uintptr_t env);
/* The evaluation that is going on on this thread. */
uintptr_t hclgo_current(void);

#endif
