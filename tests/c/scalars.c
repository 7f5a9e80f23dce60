/* Scalars on every way in and out: values, builders, frames, callbacks; handles counted; marks and order; versions. */
#include "check.h"

#include <math.h>
#include <stdint.h>

static void versions(void)
{
    CHECK(hcl_version() == HCL_VERSION);
    CHECK(hcl_version_string().len > 7 && memcmp(hcl_version_string().ptr, "libhcl ", 7) == 0);
    CHECK(hcl_compatible(HCL_VERSION));
    CHECK(!hcl_compatible(HCL_VERSION + 1)); /* compiled with a newer header */
    CHECK(!hcl_compatible(HCL_VERSION + (1u << 16)));
    CHECK(!hcl_compatible(0));
}

static void built(void)
{
    hcl_builder *builder = NULL;
    hcl_value *list = NULL, *truth = NULL;
    double d = 0;
    bool exact = false, b = false;

    STATUS(HCL_OK, hcl_builder_new(&builder));
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_LIST));
    STATUS(HCL_OK, hcl_builder_f64(builder, 0.5));
    STATUS(HCL_ERR_RANGE, hcl_builder_f64(builder, NAN));
    STATUS(HCL_OK, hcl_builder_f64(builder, -2));
    STATUS(HCL_OK, hcl_builder_end(builder));
    STATUS(HCL_OK, hcl_builder_finish(builder, &list));
    STATUS(HCL_OK, hcl_value_as_f64(hcl_value_at(list, 0), &d, &exact));
    CHECK(d == 0.5 && exact);
    STATUS(HCL_OK, hcl_value_bool(true, &truth));
    STATUS(HCL_OK, hcl_value_as_bool(truth, &b));
    CHECK(b && hcl_value_kind(truth) == HCL_KIND_BOOL);
    STATUS(HCL_ERR_ARGUMENT, hcl_value_bool(true, NULL));
    hcl_value_free(truth);
    hcl_value_free(list);
    hcl_builder_free(builder);
}

static hcl_value *text(const char *content)
{
    hcl_value *value = NULL;
    STATUS(HCL_OK, hcl_value_string(content, HCL_NUL, &value));
    return value;
}

static void ordered(void)
{
    hcl_value *one = NULL, *two = NULL, *no = NULL, *yes = NULL, *nothing = NULL, *secret = NULL;
    hcl_value *a = text("a"), *b = text("b");
    int32_t order = 7;

    STATUS(HCL_OK, hcl_value_i64(1, &one));
    STATUS(HCL_OK, hcl_value_f64(1.5, &two));
    STATUS(HCL_OK, hcl_value_bool(false, &no));
    STATUS(HCL_OK, hcl_value_bool(true, &yes));
    STATUS(HCL_OK, hcl_value_unknown(NULL, &nothing));
    STATUS(HCL_OK, hcl_value_mark(one, "secret", HCL_NUL, &secret));
    STATUS(HCL_OK, hcl_value_compare(one, two, &order));
    CHECK(order == -1);
    STATUS(HCL_OK, hcl_value_compare(b, a, &order));
    CHECK(order == 1);
    STATUS(HCL_OK, hcl_value_compare(no, yes, &order));
    CHECK(order == -1);
    STATUS(HCL_OK, hcl_value_compare(a, a, &order));
    CHECK(order == 0);
    STATUS(HCL_ERR_TYPE, hcl_value_compare(one, a, &order));
    STATUS(HCL_ERR_UNKNOWN, hcl_value_compare(one, nothing, &order));
    STATUS(HCL_ERR_MARKED, hcl_value_compare(one, secret, &order));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_compare(one, NULL, &order));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_compare(one, one, NULL));
    hcl_value *all[] = {one, two, no, yes, nothing, secret, a, b};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) hcl_value_free(all[i]);
}

static void marked(void)
{
    hcl_value *plain = text("x"), *first = NULL, *second = NULL, *tree = NULL, *bare = NULL;
    hcl_builder *builder = NULL;
    hcl_marks *marks = NULL;
    hcl_str path = {"", 0}, name = {"", 0};

    STATUS(HCL_OK, hcl_value_mark(plain, "sensitive", HCL_NUL, &first));
    STATUS(HCL_OK, hcl_value_mark(first, "audited", HCL_NUL, &second));
    CHECK(hcl_value_mark_count(plain) == 0 && hcl_value_mark_count(first) == 1 && hcl_value_mark_count(second) == 2);
    CHECK(str_is(hcl_value_mark_at(second, 0), "audited") && str_is(hcl_value_mark_at(second, 1), "sensitive"));
    CHECK(hcl_value_mark_at(second, 2).len == 0 && hcl_value_mark_at(NULL, 0).len == 0 && hcl_value_mark_count(NULL) == 0);

    STATUS(HCL_OK, hcl_builder_new(&builder));
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_OBJECT));
    STATUS(HCL_OK, hcl_builder_key(builder, "users", HCL_NUL));
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_TUPLE));
    STATUS(HCL_OK, hcl_builder_value(builder, plain));
    STATUS(HCL_OK, hcl_builder_value(builder, first));
    STATUS(HCL_OK, hcl_builder_end(builder));
    STATUS(HCL_OK, hcl_builder_end(builder));
    STATUS(HCL_OK, hcl_builder_finish(builder, &tree));
    STATUS(HCL_OK, hcl_value_unmark_deep(tree, NULL, &bare, &marks, NULL));
    CHECK(!hcl_value_contains_marks(bare) && hcl_marks_count(marks) == 1);
    STATUS(HCL_OK, hcl_marks_at(marks, 0, &path, &name));
    CHECK(str_is(path, ".users[1]") && str_is(name, "sensitive"));
    STATUS(HCL_ERR_RANGE, hcl_marks_at(marks, 1, &path, &name));
    STATUS(HCL_ERR_ARGUMENT, hcl_marks_at(NULL, 0, &path, &name));
    CHECK(hcl_marks_count(NULL) == 0);
    hcl_marks_free(marks);
    hcl_marks_free(NULL);
    hcl_builder_free(builder);
    hcl_value *all[] = {plain, first, second, tree, bare};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) hcl_value_free(all[i]);
}

static int32_t yes(void *user, hcl_call *call)
{
    (void)user;
    return hcl_call_return_bool(call, true);
}

static int32_t half(void *user, hcl_call *call)
{
    (void)user;
    CHECK(hcl_call_return_f64(call, NAN) == HCL_ERR_RANGE);
    return hcl_call_return_f64(call, 0.5);
}

static int32_t most(void *user, hcl_call *call)
{
    (void)user;
    return hcl_call_return_u64(call, UINT64_MAX);
}

static void add(hcl_scope *scope, const char *name, hcl_callback call)
{
    hcl_function function;
    memset(&function, 0, sizeof function);
    function.size = sizeof function;
    function.name = (hcl_str){name, strlen(name)};
    function.call = call;
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
}

static void evaluated(void)
{
    hcl_scope *scope = NULL, *same = NULL;
    hcl_program *program = NULL, *again = NULL;
    hcl_frame *frame = NULL;
    hcl_cancel *cancel = NULL, *other = NULL;
    size_t b, f, n;
    double d = 0;

    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    add(scope, "yes", yes);
    add(scope, "half", half);
    add(scope, "most", most);
    STATUS(HCL_OK, hcl_scope_slot(scope, "b", 1, &b));
    STATUS(HCL_OK, hcl_scope_slot(scope, "f", 1, &f));
    STATUS(HCL_OK, hcl_scope_slot(scope, "n", 1, &n));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    program = compile_in(scope, "b && n == null && yes() && most() == 18446744073709551615 ? f + half() : 0");
    STATUS(HCL_OK, hcl_scope_ref(scope, &same));
    STATUS(HCL_OK, hcl_program_ref(program, &again));
    hcl_scope_free(scope);
    hcl_program_free(program);

    STATUS(HCL_OK, hcl_frame_new(same, &frame));
    STATUS(HCL_OK, hcl_frame_set_bool(frame, b, true));
    STATUS(HCL_OK, hcl_frame_set_f64(frame, f, 0.25));
    STATUS(HCL_OK, hcl_frame_set_null(frame, n));
    STATUS(HCL_OK, hcl_eval_f64(again, frame, &d, NULL));
    CHECK(d == 0.75);
    STATUS(HCL_ERR_RANGE, hcl_frame_set_f64(frame, 99, 0.25));
    STATUS(HCL_ERR_RANGE, hcl_frame_set_f64(frame, f, NAN));
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_f64(again, frame, NULL, NULL));

    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    STATUS(HCL_OK, hcl_cancel_ref(cancel, &other));
    STATUS(HCL_OK, hcl_frame_set_cancel(frame, cancel));
    hcl_cancel_free(cancel);
    hcl_cancel_trigger(other);
    STATUS(HCL_ERR_CANCELLED, hcl_eval_f64(again, frame, &d, NULL));
    hcl_cancel_free(other);
    hcl_frame_free(frame);
    hcl_program_free(again);
    hcl_scope_free(same);
}

/* The values of the names that take part in what is wrong. */
static void named_values(void)
{
    hcl_scope *scope = NULL;
    hcl_program *program = NULL;
    hcl_frame *frame = NULL;
    hcl_value *value = NULL, *secret = NULL, *marked_secret = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag;
    size_t port;
    hcl_str expression = {"", 0}, description = {"", 0};

    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_slot(scope, "port", HCL_NUL, &port));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    program = compile_in(scope, "port + 1");
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_str(frame, port, "http", HCL_NUL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval(program, frame, &value, &diags));
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(diag.n_values == 1 && str_is(diag.expression, "port"));
    STATUS(HCL_OK, hcl_diags_value(diags, 0, 0, &expression, &description));
    CHECK(str_is(expression, "port") && str_is(description, "is \"http\""));
    STATUS(HCL_ERR_RANGE, hcl_diags_value(diags, 0, 1, &expression, &description));
    STATUS(HCL_ERR_RANGE, hcl_diags_value(diags, 1, 0, &expression, &description));
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_value(diags, 0, 0, NULL, &description));
    hcl_diags_free(diags);
    diags = NULL;

    /* Of a marked value is told only that it is. */
    secret = text("hunter2");
    STATUS(HCL_OK, hcl_value_mark(secret, "sensitive", HCL_NUL, &marked_secret));
    STATUS(HCL_OK, hcl_frame_set(frame, port, marked_secret));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval(program, frame, &value, &diags));
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(diag.n_values == 1);
    STATUS(HCL_OK, hcl_diags_value(diags, 0, 0, &expression, &description));
    CHECK(str_is(expression, "port") && str_is(description, "is (sensitive value)"));
    hcl_value_free(secret);
    hcl_value_free(marked_secret);
    hcl_diags_free(diags);
    hcl_frame_free(frame);
    hcl_program_free(program);
    hcl_scope_free(scope);
}

int main(void)
{
    versions();
    built();
    ordered();
    marked();
    evaluated();
    named_values();
    return failures != 0;
}
