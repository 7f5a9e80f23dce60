/* table.h - tables of Apache Arrow that a test program makes by hand, as any Arrow library makes them. */
#ifndef TABLE_H
#define TABLE_H

#include <hcl.h>

#include <stdint.h>
#include <string.h>

static int n_releases;

static void count_array(struct ArrowArray *array) { array->release = NULL, n_releases++; }
static void count_schema(struct ArrowSchema *schema) { schema->release = NULL, n_releases++; }

/* A field with its buffers; children are set by `with_child`. */
typedef struct {
    struct ArrowArray array;
    struct ArrowSchema schema;
    const void *buffers[8];
    struct ArrowArray *arrays[24];
    struct ArrowSchema *schemas[24];
} field;

static void make(field *f, const char *format, const char *name, int64_t length, int64_t n_buffers)
{
    memset(f, 0, sizeof *f);
    f->array.length = length;
    f->array.null_count = -1;
    f->array.n_buffers = n_buffers;
    f->array.buffers = f->buffers;
    f->array.children = f->arrays;
    f->array.release = count_array;
    f->schema.format = format;
    f->schema.name = name;
    f->schema.flags = ARROW_FLAG_NULLABLE;
    f->schema.children = f->schemas;
    f->schema.release = count_schema;
}

static void with_child(field *parent, field *child)
{
    parent->arrays[parent->array.n_children++] = &child->array;
    parent->schemas[parent->schema.n_children++] = &child->schema;
}

#endif
