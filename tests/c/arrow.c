/* Programs over tables of Apache Arrow: columns of every type, slices and nulls, results of every type, rows that fail, limits,
 * and structs that are not as they should be. The tables are made by hand, as any Arrow library makes them. */
#include "check.h"
#include "table.h"

#include <math.h>

enum { ROWS = 5 };

static void plain(field *f, const char *format, const char *name, const void *values)
{
    make(f, format, name, ROWS, 2);
    f->buffers[1] = values;
}

/* The columns; the frame has `limit`, which is no column. */
static field table, i8, u64, f16, f32, f64, yes, text, large, view, zone, entries, date, date64, at, time_, money, wide, none, list, item,
    fixed, pair, each, key, tags, tags_entries, tags_key, tags_value, decoy;

static const uint8_t all_but_third[] = {0xfb};
static const uint8_t odd[] = {0x2a};
static const int8_t i8s[] = {99, 99, -128, 0, 7, 17, 127};
static const uint64_t u64s[] = {0, 1, 5, UINT64_MAX, 1000};
static const uint16_t f16s[] = {0x3c00, 0xc000, 0x7bff, 0x0001, 0x3555};
static const float f32s[] = {0.5f, -1.5f, 0.1f, 1e30f, 0};
static const double f64s[] = {0.1, 0.3, 1e300, -2.5, 4};
static const int32_t text_offsets[] = {0, 3, 3, 6, 9, 12};
static const char texts[] = "annbobe\xcc\x81""eve";
static const int64_t large_offsets[] = {0, 3, 3, 6, 9, 12};
static const uint8_t keys[] = {0, 1, 0, 2, 1};
static const int32_t entry_offsets[] = {0, 2, 4, 6};
static const char entry_texts[] = "euusap";
static const int32_t dates[] = {0, 11016, -1, 19000, 2932896};
static const int64_t date64s[] = {0, 951782400000, -86400000, 0, 0};
static const int64_t seconds[] = {0, 1700000000, -1, 1, 2};
static const int64_t nanos[] = {0, 1500000000, 1, 2, 3};
static const int64_t cents[] = {12345, 0, 1, 0, -5, -1, 100, 0, 0, 0};
static const int64_t hugely[] = {1, 0, 0, 0, 0, 0, 0, 1, -1, -1, -1, -1, 5, 0, 0, 0, 6, 0, 0, 0};
static const int32_t list_offsets[] = {0, 2, 2, 3, 5, 6};
static const int32_t items[] = {1, 2, 3, 4, 5, 6};
static const int16_t pairs[] = {-1, 1, -2, 2, -3, 3, -4, 4, -5, 5};
static const char tag_names[] = "abcabc";
static const int32_t tag_offsets[] = {0, 1, 2, 3, 4, 5, 6};
static unsigned char views[ROWS][16];
static const char long_text[] = "a text of more than twelve bytes";
static const int64_t long_lengths[] = {sizeof long_text - 1};

static void make_view(int row, const char *chars, int32_t len)
{
    int32_t place = 0;
    memcpy(views[row], &len, sizeof len);
    if (len <= 12) {
        memcpy(views[row] + 4, chars, (size_t)len);
        return;
    }
    memcpy(views[row] + 4, chars, 4);
    memcpy(views[row] + 8, &place, sizeof place);
    memcpy(views[row] + 12, &place, sizeof place);
}

static void make_table(void)
{
    make(&table, "+s", "", ROWS, 1);
    /* A slice: two cells before it, and its bitmap begins with them. */
    plain(&i8, "c", "i8", i8s);
    i8.array.offset = 2;
    i8.buffers[0] = odd; /* 101010: rows 1 and 3 are valid, seen from cell 2 on. */
    plain(&u64, "L", "u64", u64s);
    u64.buffers[0] = all_but_third;
    plain(&f16, "e", "f16", f16s);
    plain(&f32, "f", "f32", f32s);
    plain(&f64, "g", "f64", f64s);
    plain(&yes, "b", "yes", odd);
    plain(&text, "u", "text", text_offsets);
    text.array.n_buffers = 3;
    text.buffers[2] = texts;
    plain(&large, "U", "large", large_offsets);
    large.array.n_buffers = 3;
    large.buffers[2] = "anncarboteve";
    make_view(0, "ann", 3);
    make_view(1, long_text, (int32_t)sizeof long_text - 1);
    for (int row = 2; row < ROWS; row++) make_view(row, "", 0);
    plain(&view, "vu", "view", views);
    view.array.n_buffers = 4;
    view.buffers[2] = long_text;
    view.buffers[3] = long_lengths;
    plain(&zone, "C", "zone", keys);
    make(&entries, "u", "", 3, 3);
    entries.buffers[1] = entry_offsets;
    entries.buffers[2] = entry_texts;
    zone.array.dictionary = &entries.array;
    zone.schema.dictionary = &entries.schema;
    plain(&date, "tdD", "date", dates);
    plain(&date64, "tdm", "date64", date64s);
    plain(&at, "tss:Europe/Berlin", "at", seconds);
    plain(&time_, "ttn", "time", nanos);
    plain(&money, "d:10,2", "money", cents);
    plain(&wide, "d:70,5,256", "wide", hugely);
    make(&none, "n", "none", ROWS, 0);
    plain(&list, "+l", "list", list_offsets);
    make(&item, "i", "item", 6, 2);
    item.buffers[1] = items;
    with_child(&list, &item);
    make(&fixed, "+w:2", "fixed", ROWS, 1);
    make(&pair, "s", "item", 2 * ROWS, 2);
    pair.buffers[1] = pairs;
    with_child(&fixed, &pair);
    make(&each, "+s", "each", ROWS, 1);
    each.buffers[0] = all_but_third;
    plain(&key, "l", "key", seconds);
    with_child(&each, &key);
    plain(&tags, "+m", "tags", list_offsets);
    make(&tags_entries, "+s", "entries", 6, 1);
    make(&tags_key, "u", "key", 6, 3);
    tags_key.buffers[1] = tag_offsets;
    tags_key.buffers[2] = tag_names;
    make(&tags_value, "i", "value", 6, 2);
    tags_value.buffers[1] = items;
    with_child(&tags_entries, &tags_key);
    with_child(&tags_entries, &tags_value);
    with_child(&tags, &tags_entries);
}

/* A table of some columns, with one that nobody reads and nobody could. */
static void table_of(field **columns, int n)
{
    make(&table, "+s", "", ROWS, 1);
    plain(&decoy, "not a format", "decoy", NULL);
    with_child(&table, &decoy);
    for (int k = 0; k < n; k++) with_child(&table, columns[k]);
}

static hcl_scope *scope;
static hcl_frame *frame;
static struct ArrowArray out;
static struct ArrowSchema out_type;
static uint64_t n_failed;
static hcl_diags *diags;

static const char *const names[] = {"i8", "u64", "f16", "f32", "f64", "yes", "text", "large", "view", "zone", "date", "date64", "at",
                                    "time", "money", "wide", "none", "list", "fixed", "each", "each.key", "tags", "limit"};

static void make_scope(void)
{
    size_t slot;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        STATUS(HCL_OK, hcl_scope_slot(scope, names[k], HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_i64(frame, slot, 5));
}

static void done(void)
{
    if (out.release != NULL) out.release(&out);
    if (out_type.release != NULL) out_type.release(&out_type);
    CHECK(out.release == NULL && out_type.release == NULL);
    hcl_diags_free(diags);
    diags = NULL;
}

static hcl_status evaluate_as(const char *expression, const char *format, uint32_t flags)
{
    hcl_program *program = compile_in(scope, expression);
    hcl_arrow_opts opts = {.size = sizeof opts, .flags = flags};
    hcl_status status;
    opts.format.ptr = format;
    opts.format.len = HCL_NUL;
    n_failed = 77;
    status = hcl_eval_arrow(program, frame, &table.array, &table.schema, &opts, &out, &out_type, &n_failed, &diags);
    hcl_program_free(program);
    return status;
}

static bool is_valid(const struct ArrowArray *array, int row)
{
    const uint8_t *bits = array->n_buffers == 0 ? NULL : array->buffers[0];
    return bits == NULL || (bits[row / 8] >> (row % 8) & 1) != 0;
}

/* A cell as text. */
static const char *cell(const struct ArrowSchema *type, const struct ArrowArray *array, int row)
{
    static char said[4][256];
    static int next;
    char *to = said[next = (next + 1) % 4];
    const void *values = array->n_buffers < 2 ? NULL : array->buffers[1];
    if (strcmp(type->format, "n") == 0 || !is_valid(array, row)) return "null";
    switch (type->format[0]) {
    case 'b': return ((const uint8_t *)values)[row / 8] >> (row % 8) & 1 ? "true" : "false";
    case 'c': sprintf(to, "%d", ((const int8_t *)values)[row]); break;
    case 'S': sprintf(to, "%u", (unsigned)((const uint16_t *)values)[row]); break;
    case 'i': sprintf(to, "%d", (int)((const int32_t *)values)[row]); break;
    case 'l': sprintf(to, "%lld", (long long)((const int64_t *)values)[row]); break;
    case 'L': sprintf(to, "%llu", (unsigned long long)((const uint64_t *)values)[row]); break;
    case 'f': sprintf(to, "%g", (double)((const float *)values)[row]); break;
    case 'g': sprintf(to, "%g", ((const double *)values)[row]); break;
    case 'd': sprintf(to, "%lld", (long long)((const int64_t *)values)[2 * row]); break;
    case 'u': {
        const int32_t *offsets = values;
        sprintf(to, "%.*s", (int)(offsets[row + 1] - offsets[row]), (const char *)array->buffers[2] + offsets[row]);
        break;
    }
    case 'U': {
        const int64_t *offsets = values;
        sprintf(to, "%.*s", (int)(offsets[row + 1] - offsets[row]), (const char *)array->buffers[2] + offsets[row]);
        break;
    }
    default: return type->format;
    }
    return to;
}

/* The results of an expression: the format, then the cells. */
static void expect_as(const char *expression, const char *wanted, uint32_t flags, const char *expected)
{
    char found[512] = "";
    hcl_status status = evaluate_as(expression, wanted, flags);
    if (status != HCL_OK) {
        failures++;
        fprintf(stderr, "%s gave %d\n", expression, (int)status);
        done();
        return;
    }
    CHECK(out.length == ROWS && out.offset == 0 && n_failed == 0 && diags == NULL);
    strcat(found, out_type.format);
    for (int row = 0; row < ROWS; row++) {
        strcat(found, " ");
        strcat(found, cell(&out_type, &out, row));
    }
    if (strcmp(found, expected) != 0) {
        failures++;
        fprintf(stderr, "%s gave %s, not %s\n", expression, found, expected);
    }
    done();
}

static void expect(const char *expression, const char *expected) { expect_as(expression, "", 0, expected); }

static void columns_of_every_type(void)
{
    field *all[] = {&i8, &u64, &f16, &f32, &f64, &yes, &text, &large, &view, &zone, &date, &date64, &at,
                    &time_, &money, &wide, &none, &list, &fixed, &each, &tags};
    table_of(all, sizeof all / sizeof *all);
    expect("i8", "l null 0 null 17 null");
    expect("u64", "g 0 1 null 1.84467e+19 1000");
    expect_as("u64", "L", 0, "L 0 1 null 18446744073709551615 1000");
    expect("f16", "g 1 -2 65504 5.96046e-08 0.333252");
    expect("f32", "g 0.5 -1.5 0.1 1e+30 0");
    expect("f64", "g 0.1 0.3 1e+300 -2.5 4");
    expect("yes", "b false true false true false");
    expect("text", "u ann  bob \xc3\xa9 eve");
    expect("large", "u ann  car bot eve");
    expect("view", "u ann a text of more than twelve bytes   ");
    expect("zone", "u eu us eu ap us");
    expect("date", "u 1970-01-01 2000-02-29 1969-12-31 2022-01-08 9999-12-31");
    expect("date64", "u 1970-01-01 2000-02-29 1969-12-31 1970-01-01 1970-01-01");
    expect("at", "u 1970-01-01T00:00:00Z 2023-11-14T22:13:20Z 1969-12-31T23:59:59Z 1970-01-01T00:00:01Z 1970-01-01T00:00:02Z");
    expect("time", "u 00:00:00 00:00:01.5 00:00:00.000000001 00:00:00.000000002 00:00:00.000000003");
    expect_as("at + 1", "", HCL_ARROW_TIMES_AS_NUMBERS, "l 1 1700000001 0 2 3");
    expect_as("date", "i", HCL_ARROW_TIMES_AS_NUMBERS, "i 0 11016 -1 19000 2932896");
    expect("money", "g 123.45 0.01 -0.05 1 0");
    expect_as("money * 2", "d:10,2", 0, "d:10,2 24690 2 -10 200 0");
    expect("wide", "g 1e-05 6.2771e+52 -1e-05 5e-05 6e-05");
    expect("none", "n null null null null null");
    expect("none == null", "b true true true true true");
    expect("length(list)", "l 2 0 1 2 1");
    expect("sum(fixed)", "l 0 0 0 0 0");
    expect("fixed[1]", "l 1 2 3 4 5");
    expect("each.key", "l 0 1700000000 null 1 2");
    expect("each == null", "b false false true false false");
    expect("join(\",\", keys(tags))", "u a,b  c a,b c");
    expect("tags", "+m +m +m +m +m +m");
    expect("[text, zone]", "+l +l +l +l +l +l");
    expect("{a = f64, b = [i8]}", "+s +s +s +s +s +s");
    /* What the frame holds, and what a test over whole columns answers, with and without nulls. */
    expect("limit", "l 5 5 5 5 5");
    expect("f64 > 0.25 && zone == \"us\"", "b false true false false true");
    expect("f64 >= 0.3 || !yes", "b true true true false true");
    expect("text == \"\xc3\xa9\"", "b false false false true false");
    expect("text == \"e\xcc\x81\"", "b false false false true false");
    expect("view == large", "b true false false false false");
    expect("f64 == 0.1", "b true false false false false");
    expect("i8 == null", "b true false true false true");
    expect("f64 < limit", "b true true false true true");
    expect_as("f64 < limit", "u", 0, "u true true false true true");
    expect_as("f64", "f", 0, "f 0.1 0.3 inf -2.5 4");
    expect_as("text", "U", 0, "U ann  bob \xc3\xa9 eve");
    expect_as("limit", "c", 0, "c 5 5 5 5 5");
    expect_as("limit", "S", 0, "S 5 5 5 5 5");
    expect("i8 == null ? null : text", "u null  null \xc3\xa9 null");
}

static void results_with_parts(void)
{
    field *some[] = {&text, &f64, &yes};
    hcl_program *program = compile_in(scope, "{name = text, odd = [f64, yes ? 1 : null]}");
    hcl_arrow_opts opts = {.size = sizeof opts};
    hcl_type *type = NULL;
    struct ArrowArray moved;

    table_of(some, 3);
    STATUS(HCL_OK, hcl_eval_arrow(program, frame, &table.array, &table.schema, NULL, &out, &out_type, NULL, &diags));
    CHECK(strcmp(out_type.format, "+s") == 0 && out.n_children == 2);
    CHECK(strcmp(out_type.children[0]->name, "name") == 0 && strcmp(out_type.children[1]->name, "odd") == 0);
    CHECK(strcmp(cell(out_type.children[0], out.children[0], 4), "eve") == 0);
    CHECK(strcmp(out_type.children[1]->format, "+l") == 0);
    CHECK(((const int32_t *)out.children[1]->buffers[1])[ROWS] == 2 * ROWS);
    CHECK(strcmp(cell(out_type.children[1]->children[0], out.children[1]->children[0], 0), "0.1") == 0);
    CHECK(strcmp(cell(out_type.children[1]->children[0], out.children[1]->children[0], 1), "null") == 0);
    CHECK(strcmp(cell(out_type.children[1]->children[0], out.children[1]->children[0], 3), "1") == 0);
    /* A child may be moved out, and lives on. */
    moved = *out.children[0];
    out.children[0]->release = NULL;
    done();
    CHECK(((const int32_t *)moved.buffers[1])[ROWS] == 11);
    moved.release(&moved);

    STATUS(HCL_OK, hcl_type_parse("object({name = string, odd = list(string)})", HCL_NUL, &type, NULL));
    opts.ty = type;
    STATUS(HCL_OK, hcl_eval_arrow(program, frame, &table.array, &table.schema, &opts, &out, &out_type, &n_failed, &diags));
    CHECK(strcmp(out_type.children[1]->children[0]->format, "u") == 0 && n_failed == 0);
    done();
    hcl_type_free(type);
    STATUS(HCL_OK, hcl_type_parse("object({name = string, kind = optional(string, \"user\")})", HCL_NUL, &type, NULL));
    opts.ty = type;
    STATUS(HCL_OK, hcl_eval_arrow(program, frame, &table.array, &table.schema, &opts, &out, &out_type, &n_failed, &diags));
    CHECK(strcmp(out_type.children[0]->name, "kind") == 0 && strcmp(cell(out_type.children[0], out.children[0], 4), "user") == 0);
    done();
    opts.format.ptr = "b";
    opts.format.len = 1;
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_arrow(program, frame, &table.array, &table.schema, &opts, &out, &out_type, &n_failed, &diags));
    done();
    hcl_type_free(type);
    hcl_program_free(program);
}

static hcl_str code_at(size_t index)
{
    hcl_diag diag = {.size = sizeof diag};
    STATUS(HCL_OK, hcl_diags_get(diags, index, &diag));
    return diag.code;
}

static void rows_that_fail(void)
{
    static const double bad[] = {1, NAN, 3, INFINITY, 5};
    field *some[] = {&text, &f64, &u64};
    table_of(some, 3);
    f64.buffers[1] = bad;
    STATUS(HCL_OK, evaluate_as("f64 > 2", "", 0));
    CHECK(n_failed == 1 && hcl_diags_count(diags) == 1 && out.null_count == 1);
    CHECK(hcl_diags_row(diags, 0) == 1 && hcl_diags_row(diags, 1) == UINT64_MAX && hcl_diags_row(NULL, 0) == UINT64_MAX);
    CHECK(str_is(code_at(0), "api.column"));
    CHECK(strcmp(cell(&out_type, &out, 1), "null") == 0 && strcmp(cell(&out_type, &out, 3), "true") == 0);
    done();
    f64.buffers[1] = f64s;
    STATUS(HCL_OK, evaluate_as("u64 > 0 || text == \"nobody\"", "", 0));
    CHECK(n_failed == 1 && hcl_diags_row(diags, 0) == 2 && str_is(code_at(0), "eval.operation_failed"));
    done();
    STATUS(HCL_ERR_DIAGNOSTICS, evaluate_as("u64 + 1", "", HCL_ARROW_FIRST_ERROR_ENDS));
    CHECK(n_failed == 77 && hcl_diags_row(diags, hcl_diags_count(diags) - 1) == 2 && out.release == NULL);
    done();
    STATUS(HCL_OK, evaluate_as("u64", "c", 0));
    CHECK(n_failed == 2 && str_is(code_at(0), "api.result") && hcl_diags_row(diags, 1) == 4);
    done();
    STATUS(HCL_OK, evaluate_as("sensitive(text)", "", 0));
    CHECK(n_failed == ROWS && strcmp(out_type.format, "n") == 0);
    done();
    STATUS(HCL_OK, evaluate_as("f64", "d:3,1", 0));
    CHECK(n_failed == 1 && hcl_diags_row(diags, 0) == 2);
    done();
    STATUS(HCL_ERR_DIAGNOSTICS, evaluate_as("{a = 1, b = true}[text == \"ann\" ? \"a\" : \"b\"]", "", 0));
    done();
    STATUS(HCL_OK, evaluate_as("text == \"ann\" ? \"x\" : 5", "", 0));
    CHECK(strcmp(out_type.format, "u") == 0);
    done();
    STATUS(HCL_ERR_DIAGNOSTICS, evaluate_as("try(u64 > 0 ? tonumber(f64) : f64, text)", "b", HCL_ARROW_FIRST_ERROR_ENDS));
    done();
    STATUS(HCL_ERR_UNBOUND, evaluate_as("yes", "", 0));
    CHECK(str_is(code_at(0), "api.unbound"));
    done();
    STATUS(HCL_ERR_ARGUMENT, evaluate_as("text", "vu", 0));
    done();
}

static void limits(void)
{
    static int64_t many[100000];
    const int64_t n_rows = in_valgrind() ? 10000 : 100000;
    field numbers, *some[] = {&numbers};
    hcl_limits tight = {.size = sizeof tight}, used = {.size = sizeof used};
    hcl_cancel *cancel = NULL;

    plain(&numbers, "l", "u64", many);
    numbers.array.length = n_rows;
    table_of(some, 1);
    table.array.length = n_rows;
    STATUS(HCL_OK, evaluate_as("u64 == 0 && u64 < limit", "", 0));
    STATUS(HCL_OK, hcl_frame_used(frame, &used));
    CHECK(used.max_steps >= 6 * (uint64_t)n_rows && out.length == n_rows);
    done();
    tight.max_steps = (uint64_t)n_rows * 5;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &tight));
    STATUS(HCL_ERR_LIMIT, evaluate_as("u64 == 0 && u64 < limit && u64 != 9", "", 0));
    CHECK(str_is(code_at(0), "limit.steps"));
    done();
    STATUS(HCL_ERR_LIMIT, evaluate_as("abs(u64) + abs(u64) + abs(u64)", "", 0));
    done();
    tight.max_steps = 0;
    tight.max_memory = 100000;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &tight));
    STATUS(HCL_ERR_LIMIT, evaluate_as("\"a text of some length: ${u64}\"", "", 0));
    CHECK(str_is(code_at(0), "limit.memory"));
    done();
    tight.max_memory = 0;
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    hcl_cancel_trigger(cancel);
    tight.cancel = cancel;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &tight));
    STATUS(HCL_ERR_CANCELLED, evaluate_as("u64 == 0", "", 0));
    done();
    tight.cancel = NULL;
    STATUS(HCL_OK, hcl_frame_set_cancel(frame, NULL));
    tight.timeout_ns = 1;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &tight));
    STATUS(HCL_ERR_DEADLINE, evaluate_as("abs(u64) == 0", "", 0));
    done();
    STATUS(HCL_OK, hcl_frame_set_limits(frame, NULL));
    hcl_cancel_free(cancel);
    /* More rows fail than diagnostics are kept. */
    STATUS(HCL_OK, evaluate_as("u64 == 0 ? \"x\" + 1 : 2", "", 0));
    CHECK(n_failed == (uint64_t)n_rows && hcl_diags_count(diags) == 1000 && hcl_diags_row(diags, 999) == 999);
    done();
}

/* A table whose structs are wrong in one way: refused before the first row, with a diagnostic of this code. */
static void refused(const char *expression, const char *what)
{
    hcl_status status = evaluate_as(expression, "", 0);
    if (status != HCL_ERR_DIAGNOSTICS || !str_is(code_at(0), "api.column")) {
        failures++;
        fprintf(stderr, "%s: status %d\n", what, (int)status);
    }
    CHECK(hcl_diags_count(diags) == 0 || hcl_diags_row(diags, 0) == UINT64_MAX);
    done();
    make_table();
}

#define WRONG(expression, column, change) \
    do { \
        field *wrong_some[] = {&column}; \
        table_of(wrong_some, 1); \
        change; \
        refused(expression, #change); \
    } while (0)

static void wrong_structs(void)
{
    static const int32_t descending[] = {0, 3, 2, 6, 9, 12}, negative[] = {-1, 0, 0, 0, 0, 0}, far[] = {0, 2, 2, 3, 5, 60};
    static const uint8_t keys_beyond[] = {0, 1, 3, 2, 1};
    field twice, *two[] = {&text, &twice};

    WRONG("text", text, table.schema.format = "u");
    WRONG("text", text, table.schema.format = NULL);
    WRONG("text", text, table.schema.format = "\xff");
    WRONG("text", text, table.array.release = NULL);
    WRONG("text", text, table.schema.release = NULL);
    WRONG("text", text, table.array.length = -1);
    WRONG("text", text, table.array.offset = -1);
    WRONG("text", text, table.array.offset = INT64_MAX);
    WRONG("text", text, table.array.n_children = 1);
    WRONG("text", text, table.array.children = NULL);
    WRONG("text", text, table.arrays[1] = NULL);
    WRONG("text", text, text.array.length = 4);
    WRONG("text", text, text.array.offset = -3);
    WRONG("text", text, text.array.n_buffers = -1);
    WRONG("text", text, text.array.n_buffers = 2);
    WRONG("text", text, text.schema.format = "l");
    WRONG("text", text, text.array.buffers = NULL);
    WRONG("text", text, text.buffers[1] = NULL);
    WRONG("text", text, text.buffers[2] = NULL);
    WRONG("text", text, text.buffers[1] = descending);
    WRONG("text", text, text.buffers[1] = negative);
    WRONG("text", text, text.buffers[1] = (const char *)text_offsets + 1);
    WRONG("text", text, text.array.null_count = 2);
    WRONG("text", text, text.schema.format = "z");
    WRONG("text", text, text.schema.format = "tDs");
    WRONG("text", text, text.schema.format = "+us:0");
    WRONG("text", text, text.schema.format = "+vl");
    WRONG("text", text, text.schema.format = "d:99,2");
    WRONG("text", text, text.array.release = NULL);
    WRONG("zone", zone, zone.array.dictionary = NULL);
    WRONG("zone", zone, zone.buffers[1] = keys_beyond);
    WRONG("list", list, list.buffers[1] = far);
    WRONG("list", list, list.array.n_children = list.schema.n_children = 0);
    WRONG("fixed", fixed, pair.array.length = 9);
    WRONG("fixed", fixed, fixed.schema.format = "+w:9223372036854775807");
    WRONG("tags", tags, tags_key.schema.format = "i");
    WRONG("tags", tags, tags_entries.schema.format = "+l");
    WRONG("text", text, table.schemas[0] = NULL);
    WRONG("each", each, with_child(&each, &key));
    WRONG("each", each, (each.arrays[0] = &each.array, each.schemas[0] = &each.schema));
    WRONG("view", view, view.buffers[3] = NULL);
    plain(&twice, "c", "text", i8s);
    table_of(two, 2);
    refused("text", "two columns of one name");

    /* A column that is not read may be anything, with a name. */
    {
        field *one[] = {&text};
        table_of(one, 1);
        decoy.array.release = NULL;
        decoy.array.length = -1;
        table.arrays[0] = NULL;
        STATUS(HCL_OK, evaluate_as("text == \"eve\"", "", 0));
        CHECK(n_failed == 0);
        done();
        make_table();
    }

    /* Lists of nulls take no memory in a table, but do as values. */
    {
        field *one[] = {&fixed};
        table_of(one, 1);
        fixed.schema.format = "+w:1000000000";
        make(&pair, "n", "item", INT64_C(1000000000) * ROWS, 0);
        STATUS(HCL_ERR_LIMIT, evaluate_as("fixed", "", 0));
        done();
        make_table();
    }

    /* Not UTF-8 is a matter of the row, and a name that is none is the name of no slot. */
    {
        field *one[] = {&text};
        table_of(one, 1);
        text.buffers[2] = "ann\xff\xff\xff...eve";
        decoy.schema.name = "\xff";
        STATUS(HCL_OK, evaluate_as("text == \"eve\"", "", 0));
        CHECK(n_failed == 1 && hcl_diags_row(diags, 0) == 2);
        done();
        make_table();
    }
}

/* Tables without rows, and without anything in their buffers. */
static void no_rows(void)
{
    field *some[] = {&text, &list, &zone};
    table_of(some, 3);
    table.array.length = text.array.length = list.array.length = zone.array.length = 0;
    text.buffers[1] = text.buffers[2] = list.buffers[1] = zone.buffers[1] = NULL;
    STATUS(HCL_OK, evaluate_as("text == zone && length(list) > 1", "", 0));
    CHECK(out.length == 0 && n_failed == 0);
    done();
    STATUS(HCL_OK, evaluate_as("text == \"\"", "b", 0));
    CHECK(out.length == 0 && strcmp(out_type.format, "b") == 0);
    done();
    make_table();
}

int main(void)
{
    make_table();
    make_scope();
    columns_of_every_type();
    make_table();
    results_with_parts();
    rows_that_fail();
    limits();
    make_table();
    wrong_structs();
    no_rows();
    CHECK(n_releases == 0);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    return failures != 0;
}
