/* Objects that several threads may use at once: lists of diagnostics, documents, places of decoded values, capsules, and calls
 * that do everything at once. Each thread has its own text of the last failure. */
#include "check.h"

#include <pthread.h>

#define THREADS 4
#define TURNS 100

static struct {
    hcl_diags *diags;
    hcl_document *document;
    hcl_file *file;
    hcl_spec *spec;
    hcl_type *type;
    hcl_value *capsule;
    int object, drops;
} shared;

static void drop(void *pointer) { (void)pointer, shared.drops++; }

static void look_at_diagnostics(void)
{
    hcl_buf *text = NULL;
    hcl_diag diag;
    hcl_str key, value;

    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    CHECK(hcl_diags_count(shared.diags) == 1);
    STATUS(HCL_OK, hcl_diags_get(shared.diags, 0, &diag));
    STATUS(HCL_OK, hcl_diags_extra(shared.diags, 0, 0, &key, &value));
    CHECK(str_is(diag.code, "host.odd") && str_is(key, "port") && str_is(value, "70000"));
    STATUS(HCL_OK, hcl_diags_render(shared.diags, NULL, &text));
    CHECK(strstr(hcl_buf_str(text).ptr, "port = 70000") != NULL);
    hcl_buf_free(text);
}

static void look_at_others(int turn)
{
    hcl_buf *text = NULL;
    hcl_range range;
    hcl_value *value = NULL, *same = NULL;
    hcl_diags *diags = NULL;
    void *object = NULL;
    char vars[32], expected[32];

    STATUS(HCL_OK, hcl_document_get(shared.document, "port", HCL_NUL, &value, NULL));
    CHECK(hcl_document_text(shared.document).len > 0);
    hcl_value_free(value);
    STATUS(HCL_OK, hcl_decoded_range(shared.spec, hcl_file_body(shared.file), NULL, "port", HCL_NUL, HCL_PLACE_VALUE, NULL, &range));
    CHECK(range.start.column == 8);

    STATUS(HCL_OK, hcl_value_ref(shared.capsule, &same));
    STATUS(HCL_OK, hcl_value_as_capsule(same, shared.type, &object));
    CHECK(object == &shared.object);
    hcl_value_free(same);

    snprintf(vars, sizeof vars, "{\"n\": %d}", turn);
    snprintf(expected, sizeof expected, "%d", turn + 1);
    STATUS(HCL_OK, hcl_evaluate("n + 1", HCL_NUL, vars, HCL_NUL, NULL, &text, NULL));
    CHECK(str_is(hcl_buf_str(text), expected));
    hcl_buf_free(text);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_evaluate("m + 1", HCL_NUL, vars, HCL_NUL, NULL, &text, &diags));
    CHECK(strstr(hcl_status_detail().ptr, "\"m\"") != NULL);
    hcl_diags_free(diags);
}

static void *use(void *which)
{
    for (int turn = 0; turn < TURNS; turn++) {
        if (*(int *)which % 2 == 0) {
            STATUS(HCL_ERR_ARGUMENT, hcl_value_ref(NULL, NULL));
            CHECK(str_is(hcl_status_detail(), "out is a null pointer."));
        }
        look_at_diagnostics();
        look_at_others(turn);
    }
    return NULL;
}

int main(void)
{
    static const char text[] = "port = 70000\n";
    pthread_t threads[THREADS];
    int numbers[THREADS];
    hcl_place place;
    hcl_diag diag;

    STATUS(HCL_OK, hcl_file_parse("f", 1, text, HCL_NUL, NULL, &shared.file, NULL));
    STATUS(HCL_OK, hcl_document_parse("f", 1, text, HCL_NUL, NULL, &shared.document, NULL));
    STATUS(HCL_OK, hcl_spec_parse("s", 1, "object {\n  attr \"port\" {\n    type = number\n  }\n}\n", HCL_NUL, NULL, &shared.spec, NULL));
    STATUS(HCL_OK, hcl_type_capsule("object", HCL_NUL, &shared.type));
    STATUS(HCL_OK, hcl_value_capsule(shared.type, &shared.object, drop, &shared.capsule));
    memset(&place, 0, sizeof place);
    place.size = sizeof place;
    place.attr = hcl_body_attr_at(hcl_file_body(shared.file), 0);
    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    diag.severity = HCL_SEVERITY_ERROR;
    diag.code = (hcl_str){"host.odd", HCL_NUL};
    diag.summary = (hcl_str){"Odd", HCL_NUL};
    STATUS(HCL_OK, hcl_diags_add(&shared.diags, &diag, &place, NULL));
    STATUS(HCL_OK, hcl_diags_note(shared.diags, "port", HCL_NUL, "70000", HCL_NUL));

    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, use, &numbers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);

    hcl_diags_free(shared.diags);
    hcl_document_free(shared.document);
    hcl_file_free(shared.file);
    hcl_spec_free(shared.spec);
    hcl_type_free(shared.type);
    CHECK(shared.drops == 0);
    hcl_value_free(shared.capsule);
    CHECK(shared.drops == 1);
    return failures != 0;
}
