/* Places of decoded values: from a path in the value to a range of the body, and to a diagnostic there. */
#include "check.h"

static const char spec_text[] =
    "object {\n"
    "  attr \"name\" { type = string }\n"
    "  attr \"absent\" { type = string }\n"
    "  literal \"constant\" { value = 1 }\n"
    "  block_map \"listen\" {\n"
    "    labels = [\"name\"]\n"
    "    object {\n"
    "      attr \"ports\" { type = list(number) }\n"
    "    }\n"
    "  }\n"
    "}\n";
static const char body_text[] =
    "name = \"a\"\n"
    "listen \"public\" {\n"
    "  ports = [80, 70000]\n"
    "}\n"
    "dynamic \"listen\" {\n"
    "  for_each = { private = 8080 }\n"
    "  labels   = [listen.key]\n"
    "  content {\n"
    "    ports = [listen.value]\n"
    "  }\n"
    "}\n";

struct setting {
    hcl_file *file;
    hcl_spec *spec;
    hcl_scope *scope;
    hcl_frame *frame;
    hcl_body *expanded;
    const hcl_body *body;
};

static void is_at(const struct setting *s, const hcl_body *body, const char *path, uint32_t part, const char *expected)
{
    hcl_range range;
    hcl_str name = {"", 0};
    memset(&range, 0, sizeof range);
    STATUS(HCL_OK, hcl_decoded_range(s->spec, body, s->frame, path, HCL_NUL, part, &name, &range));
    CHECK(str_is(name, "gateway.hcl"));
    size_t len = (size_t)(range.end.byte - range.start.byte);
    if (len != strlen(expected) || memcmp(body_text + range.start.byte, expected, len) != 0) {
        failures++;
        fprintf(stderr, "%s is at \"%.*s\", not \"%s\"\n", path, (int)len, body_text + range.start.byte, expected);
    }
}

static void test_ranges(const struct setting *s)
{
    is_at(s, s->body, "name", HCL_PLACE_VALUE, "\"a\"");
    is_at(s, s->body, "name", HCL_PLACE_NAME, "name");
    is_at(s, s->body, "name", HCL_PLACE_WHOLE, "name = \"a\"");
    is_at(s, s->body, "listen.public.ports[1]", HCL_PLACE_VALUE, "70000");
    is_at(s, s->body, "listen[\"public\"].ports", HCL_PLACE_NAME, "ports");
    is_at(s, s->body, "listen.public", HCL_PLACE_HEADER, "listen \"public\"");
    is_at(s, s->body, "absent", HCL_PLACE_VALUE, "");
    is_at(s, s->body, "", HCL_PLACE_VALUE, "");
    /* The place of a generated block is known with the frame that the body was expanded with. */
    is_at(s, s->expanded, "listen.private.ports[0]", HCL_PLACE_VALUE, "listen.value");
    is_at(s, s->expanded, "listen.public.ports[0]", HCL_PLACE_VALUE, "80");
}

static void test_a_diagnostic_there(const struct setting *s)
{
    hcl_place place;
    hcl_diag diag;
    hcl_diags *diags = NULL;
    memset(&place, 0, sizeof place);
    place.size = sizeof place;
    place.body = s->body;
    place.spec = s->spec;
    place.path = (hcl_str){"listen.public.ports[1]", HCL_NUL};
    place.part = HCL_PLACE_VALUE;
    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    diag.severity = HCL_SEVERITY_ERROR;
    diag.summary = (hcl_str){"Port out of range", HCL_NUL};
    STATUS(HCL_OK, hcl_diags_add(&diags, &diag, &place, NULL));
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(str_is(diag.expression, "70000") && diag.subject.start.line == 3);
    place.path = (hcl_str){"constant", HCL_NUL};
    STATUS(HCL_ERR_NOT_FOUND, hcl_diags_add(&diags, &diag, &place, NULL));
    place.path = (hcl_str){"\xff", 1};
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, &diag, &place, NULL));
    place.body = NULL;
    place.file = s->file;
    place.path = (hcl_str){"name", HCL_NUL};
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, &diag, &place, NULL)); /* a specification of no body */
    CHECK(hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
}

static void test_misuse(const struct setting *s)
{
    hcl_range range;
    STATUS(HCL_ERR_NOT_FOUND, hcl_decoded_range(s->spec, s->body, NULL, "constant", HCL_NUL, 1, NULL, &range));
    STATUS(HCL_ERR_NOT_FOUND, hcl_decoded_range(s->spec, s->body, NULL, "nothing", HCL_NUL, 1, NULL, &range));
    STATUS(HCL_ERR_NOT_FOUND, hcl_decoded_range(s->spec, s->body, NULL, "listen.other.ports", HCL_NUL, 1, NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_decoded_range(s->spec, s->body, NULL, "a + b", HCL_NUL, 1, NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_decoded_range(s->spec, s->body, NULL, "name", HCL_NUL, 99, NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_decoded_range(NULL, s->body, NULL, "name", HCL_NUL, 1, NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_decoded_range(s->spec, NULL, NULL, "name", HCL_NUL, 1, NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_decoded_range(s->spec, s->body, NULL, "name", HCL_NUL, 1, NULL, NULL));
}

int main(void)
{
    struct setting s;
    memset(&s, 0, sizeof s);
    STATUS(HCL_OK, hcl_file_parse("gateway.hcl", HCL_NUL, body_text, HCL_NUL, NULL, &s.file, NULL));
    STATUS(HCL_OK, hcl_spec_parse("spec", HCL_NUL, spec_text, HCL_NUL, NULL, &s.spec, NULL));
    s.scope = plain_scope();
    STATUS(HCL_OK, hcl_frame_new(s.scope, &s.frame));
    s.body = hcl_file_body(s.file);
    STATUS(HCL_OK, hcl_body_expand_dynamic(s.body, s.scope, NULL, &s.expanded));
    test_ranges(&s);
    test_a_diagnostic_there(&s);
    test_misuse(&s);
    hcl_body_free(s.expanded);
    hcl_frame_free(s.frame);
    hcl_scope_free(s.scope);
    hcl_spec_free(s.spec);
    hcl_file_free(s.file);
    return failures;
}
