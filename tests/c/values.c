/* Values: made, built, read, converted, marked, written and read as JSON. */
#include "check.h"

#include <stdint.h>

static hcl_value *json(const char *text)
{
    hcl_value *value = NULL;
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, text, HCL_NUL, NULL, NULL, &value, NULL));
    return value;
}

static bool encodes(const hcl_value *value, uint32_t format, const char *expected)
{
    hcl_buf *text = NULL;
    STATUS(HCL_OK, hcl_value_encode(value, format, 0, NULL, &text, NULL));
    bool same = str_is(hcl_buf_str(text), expected);
    if (!same)
        fprintf(stderr, "  got %s\n", hcl_buf_str(text).ptr);
    hcl_buf_free(text);
    return same;
}

static void scalars(void)
{
    hcl_value *v = NULL;
    hcl_buf *text = NULL;
    int64_t i;
    uint64_t u;
    double d;
    bool b, exact;
    hcl_str s;

    STATUS(HCL_OK, hcl_value_u64(UINT64_MAX, &v));
    STATUS(HCL_OK, hcl_value_as_u64(v, &u));
    CHECK(u == UINT64_MAX);
    STATUS(HCL_ERR_RANGE, hcl_value_as_i64(v, &i));
    STATUS(HCL_OK, hcl_value_as_f64(v, &d, &exact));
    CHECK(!exact && d == 18446744073709551616.0);
    STATUS(HCL_ERR_TYPE, hcl_value_as_bool(v, &b));
    STATUS(HCL_ERR_TYPE, hcl_value_as_str(v, &s));
    hcl_value_free(v);

    STATUS(HCL_OK, hcl_value_i64(INT64_MIN, &v));
    STATUS(HCL_OK, hcl_value_as_i64(v, &i));
    CHECK(i == INT64_MIN);
    STATUS(HCL_ERR_RANGE, hcl_value_as_u64(v, &u));
    hcl_value_free(v);

    STATUS(HCL_OK, hcl_value_number("0.1", 3, &v));
    STATUS(HCL_OK, hcl_value_as_f64(v, &d, &exact));
    CHECK(!exact && d == 0.1);
    STATUS(HCL_OK, hcl_value_number_text(v, &text));
    CHECK(str_is(hcl_buf_str(text), "0.1"));
    hcl_buf_free(text);
    hcl_value_free(v);

    STATUS(HCL_OK, hcl_value_number("1e999999999", HCL_NUL, &v));
    STATUS(HCL_ERR_RANGE, hcl_value_as_i64(v, &i));
    hcl_value_free(v);

    STATUS(HCL_OK, hcl_value_string("a\0b", 3, &v));
    STATUS(HCL_OK, hcl_value_as_str(v, &s));
    CHECK(s.len == 3 && memcmp(s.ptr, "a\0b", 3) == 0);
    STATUS(HCL_ERR_TYPE, hcl_value_as_i64(v, &i));
    CHECK(hcl_value_at(v, 0) == NULL);
    hcl_value_free(v);

    STATUS(HCL_OK, hcl_value_string("e\xcc\x81", 3, &v)); /* e and a combining accent become one letter */
    STATUS(HCL_OK, hcl_value_as_str(v, &s));
    CHECK(str_is(s, "\xc3\xa9"));
    hcl_value_free(v);

    STATUS(HCL_OK, hcl_value_null(NULL, &v));
    CHECK(hcl_value_is_null(v) && hcl_value_is_known(v) && hcl_value_kind(v) == HCL_KIND_NULL);
    STATUS(HCL_ERR_TYPE, hcl_value_as_bool(v, &b));
    hcl_value_free(v);

    STATUS(HCL_OK, hcl_value_unknown(NULL, &v));
    CHECK(!hcl_value_is_known(v) && !hcl_value_is_wholly_known(v) && hcl_value_kind(v) == HCL_KIND_UNKNOWN);
    STATUS(HCL_ERR_UNKNOWN, hcl_value_as_bool(v, &b));
    STATUS(HCL_ERR_UNKNOWN, hcl_value_encode(v, HCL_FORMAT_JSON, 0, NULL, &text, NULL));
    hcl_value_free(v);
}

static void trees(void)
{
    hcl_builder *builder = NULL;
    hcl_value *v = NULL, *keep = NULL;
    size_t n;
    int64_t i;
    hcl_str s;

    STATUS(HCL_OK, hcl_builder_new(&builder));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_finish(builder, &v));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_begin(builder, HCL_KIND_STRING));
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_OBJECT));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_i64(builder, 1)); /* a key is missing */
    STATUS(HCL_OK, hcl_builder_key(builder, "b", 1));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_end(builder)); /* its element is missing */
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_LIST));
    STATUS(HCL_OK, hcl_builder_i64(builder, 1));
    STATUS(HCL_OK, hcl_builder_string(builder, "x", 1));
    STATUS(HCL_OK, hcl_builder_end(builder));
    STATUS(HCL_OK, hcl_builder_key(builder, "a", 1));
    STATUS(HCL_OK, hcl_builder_null(builder));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_finish(builder, &v));
    STATUS(HCL_OK, hcl_builder_end(builder));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_bool(builder, true)); /* all is complete */
    STATUS(HCL_OK, hcl_builder_finish(builder, &v));
    hcl_builder_free(builder);

    CHECK(encodes(v, HCL_FORMAT_JSON, "{\"a\":null,\"b\":[\"1\",\"x\"]}"));
    STATUS(HCL_OK, hcl_value_len(v, &n));
    CHECK(n == 2);
    STATUS(HCL_OK, hcl_value_key_at(v, 1, &s));
    CHECK(str_is(s, "b"));
    STATUS(HCL_ERR_RANGE, hcl_value_key_at(v, 2, &s));
    CHECK(hcl_value_get(v, "nope", HCL_NUL) == NULL);
    CHECK(hcl_value_kind(hcl_value_get(v, "b", 1)) == HCL_KIND_LIST);
    STATUS(HCL_ERR_TYPE, hcl_value_key_at(hcl_value_get(v, "b", 1), 0, &s));

    /* A borrowed child becomes a handle of its own and outlives its parent. */
    STATUS(HCL_OK, hcl_value_ref(hcl_value_at(hcl_value_get(v, "b", 1), 1), &keep));
    hcl_value_free(v);
    STATUS(HCL_OK, hcl_value_as_str(keep, &s));
    CHECK(str_is(s, "x"));
    hcl_value_free(keep);

    v = json("{\"n\":[1,2.5,1e400],\"s\":\"\\u00e9\\n\",\"t\":true}");
    STATUS(HCL_OK, hcl_value_as_i64(hcl_value_at(hcl_value_get(v, "n", 1), 0), &i));
    CHECK(i == 1);
    STATUS(HCL_ERR_RANGE, hcl_value_as_i64(hcl_value_at(hcl_value_get(v, "n", 1), 1), &i));
    CHECK(hcl_value_at(hcl_value_get(v, "n", 1), 3) == NULL);
    hcl_value_free(v);
}

static void types_and_conversion(void)
{
    hcl_type *list = NULL, *same = NULL, *object = NULL;
    hcl_value *v = json("[1, \"2\", true]"), *out = NULL, *bad = json("[{}]");
    hcl_buf *text = NULL;
    hcl_diags *diags = NULL;

    STATUS(HCL_OK, hcl_type_parse("list( string )", HCL_NUL, &list, NULL));
    STATUS(HCL_OK, hcl_value_convert(v, list, NULL, &out, &diags));
    CHECK(diags == NULL);
    CHECK(encodes(out, HCL_FORMAT_CONSOLE, "tolist([\n  \"1\",\n  \"2\",\n  \"true\",\n])"));
    STATUS(HCL_OK, hcl_value_type(out, &same));
    CHECK(hcl_type_equal(list, same));
    STATUS(HCL_OK, hcl_type_text(same, &text));
    CHECK(str_is(hcl_buf_str(text), "list(string)"));
    hcl_buf_free(text);
    hcl_value_free(out);
    out = NULL;
    STATUS(HCL_ERR_TYPE, hcl_value_convert(bad, list, NULL, &out, &diags));
    CHECK(out == NULL && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_type_parse("list(", HCL_NUL, &object, &diags));
    CHECK(hcl_diags_count(diags) > 0);
    hcl_diags_free(diags);

    STATUS(HCL_OK, hcl_type_parse("object({a=number})", HCL_NUL, &object, NULL));
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, "{\"a\":1}", HCL_NUL, object, NULL, &out, &diags));
    CHECK(encodes(out, HCL_FORMAT_TYPED_JSON, "{\"value\":{\"a\":1},\"type\":[\"object\",{\"a\":\"number\"}]}"));
    hcl_value_free(out);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_value_decode(HCL_FORMAT_JSON, "{\"a\":", HCL_NUL, NULL, NULL, &out, &diags));
    CHECK(hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);

    hcl_type_free(object);
    hcl_type_free(same);
    hcl_type_free(list);
    hcl_value_free(bad);
    hcl_value_free(v);
}

static void marks(void)
{
    hcl_value *v = json("{\"password\":\"hunter2\"}"), *secret = NULL, *open = NULL, *answer = NULL;
    hcl_buf *text = NULL;
    size_t n;

    STATUS(HCL_OK, hcl_value_mark(v, "sensitive", HCL_NUL, &secret));
    CHECK(hcl_value_is_marked(secret) && hcl_value_contains_marks(secret) && !hcl_value_is_marked(v));
    CHECK(hcl_value_has_mark(secret, "sensitive", HCL_NUL) && !hcl_value_has_mark(secret, "other", HCL_NUL));
    STATUS(HCL_ERR_MARKED, hcl_value_len(secret, &n));
    CHECK(hcl_value_get(secret, "password", HCL_NUL) == NULL);
    STATUS(HCL_ERR_MARKED, hcl_value_encode(secret, HCL_FORMAT_JSON, 0, NULL, &text, NULL));
    CHECK(encodes(secret, HCL_FORMAT_CONSOLE, "(sensitive value)"));
    STATUS(HCL_OK, hcl_value_unmark_deep(secret, NULL, &open, NULL, NULL));
    CHECK(hcl_value_identical(open, v) && !hcl_value_identical(open, secret));
    STATUS(HCL_OK, hcl_value_equal(secret, v, NULL, &answer, NULL));
    CHECK(hcl_value_is_marked(answer));
    hcl_value_free(answer);
    hcl_value_free(open);
    hcl_value_free(secret);
    hcl_value_free(v);
}

/* Values share their parts: what holds the one before twice is soon larger than anybody could look through. */
static void shared_parts(void)
{
    hcl_value *value = NULL, *next = NULL;
    hcl_builder *builder = NULL;
    hcl_status status = HCL_OK;
    int rounds = 0;

    STATUS(HCL_OK, hcl_value_i64(1, &value));
    while (status == HCL_OK && rounds < 64) {
        STATUS(HCL_OK, hcl_builder_new(&builder));
        STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_TUPLE));
        STATUS(HCL_OK, hcl_builder_value(builder, value));
        STATUS(HCL_OK, hcl_builder_value(builder, value));
        status = hcl_builder_end(builder);
        if (status == HCL_OK) {
            STATUS(HCL_OK, hcl_builder_finish(builder, &next));
            hcl_value_free(value);
            value = next;
            rounds++;
        }
        hcl_builder_free(builder);
    }
    STATUS(HCL_ERR_LIMIT, status);
    CHECK(rounds > 20 && rounds < 30);
    hcl_value_free(value);
}

/* Builder after builder, a value gets as deep as 10,000 levels and no deeper. */
static void deep(void)
{
    hcl_value *value = NULL, *next = NULL;
    hcl_builder *builder = NULL;

    STATUS(HCL_OK, hcl_value_i64(1, &value));
    STATUS(HCL_OK, hcl_builder_new(&builder));
    for (int level = 0; level < 10000; level++) {
        STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_TUPLE));
        STATUS(HCL_OK, hcl_builder_value(builder, value));
        STATUS(HCL_OK, hcl_builder_end(builder));
        STATUS(HCL_OK, hcl_builder_finish(builder, &next));
        hcl_value_free(value);
        value = next;
    }
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_TUPLE));
    STATUS(HCL_OK, hcl_builder_value(builder, value));
    STATUS(HCL_ERR_LIMIT, hcl_builder_end(builder));
    hcl_builder_free(builder);
    hcl_value_free(value);
}

static int drops;

static void drop(void *pointer) { ++*(int *)pointer, drops++; }

/* Numbers of any size and objects of the host in a value that is built. */
static void build_more(void)
{
    hcl_builder *builder = NULL;
    hcl_type *type = NULL, *other = NULL;
    hcl_value *value = NULL;
    hcl_buf *text = NULL;
    void *object = NULL;
    int dropped = 0;

    STATUS(HCL_OK, hcl_type_capsule("object", HCL_NUL, &type));
    STATUS(HCL_OK, hcl_type_parse("string", HCL_NUL, &other, NULL));
    STATUS(HCL_OK, hcl_builder_new(&builder));
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_TUPLE));
    STATUS(HCL_OK, hcl_builder_u64(builder, UINT64_MAX));
    STATUS(HCL_OK, hcl_builder_number(builder, "123456789012345678901234567890.25", HCL_NUL));
    STATUS(HCL_OK, hcl_builder_number(builder, "-1e3x", 4));
    STATUS(HCL_ERR_RANGE, hcl_builder_number(builder, "ten", HCL_NUL));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_number(builder, "\xff", HCL_NUL));
    STATUS(HCL_OK, hcl_builder_end(builder));
    STATUS(HCL_OK, hcl_builder_finish(builder, &value));
    STATUS(HCL_OK, hcl_value_encode(value, HCL_FORMAT_JSON, 0, NULL, &text, NULL));
    CHECK(str_is(hcl_buf_str(text), "[18446744073709551615,123456789012345678901234567890.25,-1000]"));
    hcl_buf_free(text);
    hcl_value_free(value);

    /* The object goes once: at once when nothing came of it, else with the last that holds it. */
    STATUS(HCL_ERR_TYPE, hcl_builder_capsule(builder, other, &dropped, drop));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_capsule(builder, NULL, &dropped, drop));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_capsule(NULL, type, &dropped, drop));
    CHECK(drops == 3 && dropped == 3);
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_OBJECT));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_capsule(builder, type, &dropped, drop));
    CHECK(drops == 4);
    STATUS(HCL_OK, hcl_builder_key(builder, "a", 1));
    STATUS(HCL_OK, hcl_builder_capsule(builder, type, &dropped, drop));
    STATUS(HCL_OK, hcl_builder_end(builder));
    STATUS(HCL_OK, hcl_builder_finish(builder, &value));
    STATUS(HCL_OK, hcl_value_as_capsule(hcl_value_get(value, "a", 1), type, &object));
    CHECK(object == &dropped && drops == 4);
    hcl_value_free(value);
    CHECK(drops == 5);
    STATUS(HCL_OK, hcl_builder_capsule(builder, type, &dropped, drop));
    hcl_builder_free(builder);
    CHECK(drops == 6 && dropped == 6);
    hcl_type_free(type);
    hcl_type_free(other);
}

int main(void)
{
    scalars();
    trees();
    shared_parts();
    deep();
    types_and_conversion();
    marks();
    build_more();
    return failures != 0;
}
