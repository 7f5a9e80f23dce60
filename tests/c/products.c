/* Templates of Packer and jobs of Nomad, loaded and asked as modules are. */
#include "check.h"

static const char web[] =
    "variable \"release\" {\n  type = string\n}\n"
    "variable \"token\" {\n  type      = string\n  default   = \"hush\"\n  sensitive = true\n}\n"
    "locals {\n  name = \"web-${var.release}\"\n}\n"
    "data \"http\" \"motd\" {}\n"
    "source \"docker\" \"web\" {\n  image  = \"debian\"\n  commit = true\n}\n";
static const char build[] =
    "build {\n  name = \"all\"\n  source \"docker.web\" {\n    tag = local.name\n  }\n"
    "  provisioner \"shell\" {\n    inline = [\"echo ${source.name}\"]\n  }\n"
    "  post-processor \"manifest\" {\n    output = file(\"out.txt\")\n  }\n}\n";
static const char job[] =
    "variable \"count\" {\n  type    = number\n  default = 1\n}\n"
    "job \"web\" {\n  dynamic \"group\" {\n    for_each = range(var.count)\n    labels   = [\"g${group.value}\"]\n"
    "    content {\n      count = 2\n      meta {\n        node = \"${node.unique.name}\"\n      }\n    }\n  }\n}\n";

static hcl_module_loader *loader_of(const char *dialect)
{
    hcl_module_loader *loader = NULL;
    STATUS(HCL_OK, hcl_module_loader_new(dialect, HCL_NUL, &loader, NULL));
    return loader;
}

/* True if a value has this JSON; it is released. */
static bool reads(hcl_value *value, const char *expected)
{
    hcl_buf *text = NULL;
    STATUS(HCL_OK, hcl_value_encode(value, HCL_FORMAT_JSON, 0, NULL, &text, NULL));
    bool same = str_is(hcl_buf_str(text), expected);
    if (!same) fprintf(stderr, "%s\n", hcl_buf_str(text).ptr);
    hcl_buf_free(text);
    hcl_value_free(value);
    return same;
}

static bool answers(const hcl_module *module, const char *source, const char *expected)
{
    hcl_value *value = NULL;
    STATUS(HCL_OK, hcl_module_eval(module, source, HCL_NUL, NULL, &value, NULL));
    return reads(value, expected);
}

/* True if the first diagnostic has a summary, and a line if it is not 0; the list is released. */
static bool says(hcl_diags *diags, const char *summary, uint64_t line)
{
    hcl_diag diag = {0};
    diag.size = sizeof diag;
    bool same = hcl_diags_get(diags, 0, &diag) == HCL_OK && str_is(diag.summary, summary);
    same = same && (line == 0 || diag.subject.start.line == line) && diag.detail.len > 0;
    if (!same) fprintf(stderr, "%.*s\n", (int)diag.summary.len, diag.summary.ptr);
    hcl_diags_free(diags);
    return same;
}

static hcl_module_loader *template_of(const char *dialect)
{
    hcl_module_loader *loader = loader_of(dialect);
    STATUS(HCL_OK, hcl_module_loader_folder(loader, "images", HCL_NUL));
    STATUS(HCL_OK, hcl_module_loader_text(loader, "images/web.pkr.hcl", HCL_NUL, web, HCL_NUL));
    STATUS(HCL_OK, hcl_module_loader_text(loader, "images/build.pkr.hcl", HCL_NUL, build, HCL_NUL));
    return loader;
}

static void templates(void)
{
    hcl_module_loader *loader = template_of("packer");
    hcl_module *module = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_declared declared;
    size_t kinds[9] = {0};

    /* A variable without a value is an error of the template; its declarations can be listed. */
    hcl_parse_opts partial = {0};
    partial.size = sizeof partial;
    partial.flags = HCL_PARSE_PARTIAL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_load(loader, &partial, &module, &diags));
    CHECK(says(diags, "Unset variable \"release\"", 1));
    for (size_t i = 0; i < hcl_module_count(module); i++) {
        memset(&declared, 0, sizeof declared);
        declared.size = sizeof declared;
        STATUS(HCL_OK, hcl_module_at(module, i, &declared));
        CHECK(str_is(declared.file, "images/web.pkr.hcl") && declared.range.start.line > 0);
        kinds[declared.kind]++;
        if (str_is(declared.address, "var.release"))
            CHECK(declared.flags == HCL_DECLARED_MISSING && str_is(declared.type_text, "string"));
        if (str_is(declared.address, "var.token")) CHECK(declared.flags == HCL_DECLARED_SENSITIVE);
        if (declared.kind == HCL_DECLARED_SOURCE) CHECK(str_is(declared.address, "source.docker.web"));
    }
    CHECK(kinds[HCL_DECLARED_VARIABLE] == 2 && kinds[HCL_DECLARED_LOCAL] == 1);
    CHECK(kinds[HCL_DECLARED_DATA] == 1 && kinds[HCL_DECLARED_SOURCE] == 1);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_eval(module, "1", HCL_NUL, NULL, &value, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_evaluated(module, NULL, &value, NULL));
    hcl_module_free(module);

    STATUS(HCL_OK, hcl_module_loader_set_text(loader, "release", HCL_NUL, "1.2", HCL_NUL, 0));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    CHECK(answers(module, "[local.name, path.root, packer.version, upper(var.token)]",
                  "[\"web-1.2\",\"images\",\"1.16.0\",\"HUSH\"]"));
    STATUS(HCL_OK, hcl_module_value(module, "local.name", HCL_NUL, NULL, &value, NULL));
    CHECK(reads(value, "\"web-1.2\""));

    /* The post-processor reads a file, and there is no host. */
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_check(module, NULL, &diags));
    CHECK(says(diags, "Error in function call", 10));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_evaluated(module, NULL, &value, &diags));
    CHECK(says(diags, "Error in function call", 10));
    hcl_module_free(module);

    STATUS(HCL_OK, hcl_module_loader_text(loader, "images/build.pkr.hcl", HCL_NUL,
                                          "build {\n  source \"docker.web\" {\n    tag = local.name\n  }\n"
                                          "  provisioner \"shell\" {\n    inline = [source.name]\n  }\n}\n", HCL_NUL));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    STATUS(HCL_OK, hcl_module_check(module, NULL, NULL));
    STATUS(HCL_OK, hcl_module_evaluated(module, NULL, &value, NULL));
    CHECK(reads(value,
                "{\"builds\":[{\"description\":\"\",\"name\":\"\",\"sources\":[{\"body\":{\"attributes\":{\"commit\":true,"
                "\"image\":\"debian\",\"tag\":\"web-1.2\"}},\"name\":\"web\",\"post_processors\":[],\"provisioners\":[{\"body\":"
                "{\"attributes\":{\"inline\":[\"web\"]}},\"name\":\"\",\"type\":\"shell\"}],\"source\":\"web\",\"type\":\"docker\"}]}],"
                "\"sources\":[[\"docker\",\"web\"]]}"));
    hcl_module_free(module);

    /* The host says what a data source comes to. */
    const char more[] = "locals {\n  motd = data.http.motd.body\n}\n";
    STATUS(HCL_OK, hcl_module_loader_text(loader, "images/more.pkr.hcl", HCL_NUL, more, HCL_NUL));
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, "{\"body\":\"hello\"}", HCL_NUL, NULL, NULL, &value, NULL));
    STATUS(HCL_OK, hcl_module_loader_resource(loader, "data.http.motd", HCL_NUL, value));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    CHECK(answers(module, "local.motd", "\"hello\""));
    hcl_module_free(module);
    STATUS(HCL_OK, hcl_module_loader_resource(loader, "data.http.nope", HCL_NUL, value));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_load(loader, NULL, &module, &diags));
    CHECK(says(diags, "Reference to undeclared resource", 0));
    hcl_value_free(value);
    hcl_module_loader_free(loader);
}

static bool tells(const hcl_diags *diags, const char *detail)
{
    hcl_diag diag = {0};
    diag.size = sizeof diag;
    return hcl_diags_get(diags, 0, &diag) == HCL_OK && str_is(diag.detail, detail);
}

static void jobs(void)
{
    hcl_module_loader *loader = loader_of("nomad");
    hcl_module *module = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;

    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_load(loader, NULL, &module, &diags));
    CHECK(tells(diags, "The file of the job is not named. Give its path to hcl_module_loader_folder."));
    CHECK(says(diags, "Failed to read file", 0));

    STATUS(HCL_OK, hcl_module_loader_folder(loader, "web.nomad.hcl", HCL_NUL));
    STATUS(HCL_OK, hcl_module_loader_text(loader, "web.nomad.hcl", HCL_NUL, job, HCL_NUL));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    CHECK(hcl_module_count(module) == 2);
    hcl_declared declared = {0};
    declared.size = sizeof declared;
    STATUS(HCL_OK, hcl_module_at(module, 1, &declared));
    CHECK(declared.kind == HCL_DECLARED_JOB && str_is(declared.address, "job.web"));
    CHECK(answers(module, "\"${var.count}-${node.unique.name}\"", "\"1-${node.unique.name}\""));
    STATUS(HCL_OK, hcl_module_check(module, NULL, NULL));
    STATUS(HCL_OK, hcl_module_evaluated(module, NULL, &value, NULL));
    CHECK(reads(value,
                "{\"attributes\":{},\"blocks\":[{\"body\":{\"attributes\":{},\"blocks\":[{\"body\":{\"attributes\":{\"count\":2},"
                "\"blocks\":[{\"body\":{\"attributes\":{\"node\":\"${node.unique.name}\"}},\"labels\":null,\"type\":\"meta\"}]},"
                "\"labels\":[\"g0\"],\"type\":\"group\"}]},\"labels\":[\"web\"],\"type\":\"job\"}]}"));

    /* Limits and what makes no sense. */
    hcl_limits few = {0};
    few.size = sizeof few;
    few.max_steps = 2;
    STATUS(HCL_ERR_LIMIT, hcl_module_evaluated(module, &few, &value, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_module_evaluated(NULL, NULL, &value, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_module_evaluated(module, NULL, NULL, NULL));
    hcl_module_free(module);

    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, "1", HCL_NUL, NULL, NULL, &value, NULL));
    STATUS(HCL_OK, hcl_module_loader_resource(loader, "a.b", HCL_NUL, value));
    hcl_value_free(value);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_load(loader, NULL, &module, &diags));
    CHECK(says(diags, "Invalid address", 0));
    hcl_module_loader_free(loader);

    loader = loader_of("nomad");
    STATUS(HCL_OK, hcl_module_loader_folder(loader, "web.nomad.hcl", HCL_NUL));
    STATUS(HCL_OK, hcl_module_loader_text(loader, "web.nomad.hcl", HCL_NUL, job, HCL_NUL));
    STATUS(HCL_OK, hcl_module_loader_set_text(loader, "nope", HCL_NUL, "1", HCL_NUL, 0));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_load(loader, NULL, &module, &diags));
    CHECK(says(diags, "Undefined -var variable", 0));
    hcl_module_loader_free(loader);

    loader = loader_of("nomad");
    STATUS(HCL_OK, hcl_module_loader_folder(loader, "w", HCL_NUL));
    STATUS(HCL_OK, hcl_module_loader_text(loader, "w", HCL_NUL, "locals {\n  a = 1\n}\n", HCL_NUL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_load(loader, NULL, &module, &diags));
    CHECK(says(diags, "Missing job block", 0));

    /* A load has limits of its own, which nobody can raise. */
    static const char much[] = "locals {\n  a = join(\"\", [for x in range(80) : format(\"%1000000s\", \"\")])\n}\njob \"j\" {}\n";
    STATUS(HCL_OK, hcl_module_loader_text(loader, "w", HCL_NUL, much, HCL_NUL));
    STATUS(HCL_ERR_LIMIT, hcl_module_load(loader, NULL, &module, &diags));
    CHECK(tells(diags, "The evaluation makes more text than the limit of 67108864 bytes. Make less."));
    CHECK(says(diags, "Too much text", 0));
    hcl_module_loader_free(loader);
}

static void releases(void)
{
    hcl_module_loader *loader = NULL;
    hcl_module *module = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;

    /* A template or a job has a value as a whole; a module has none. */
    STATUS(HCL_OK, hcl_module_loader_new("terraform-1.12", HCL_NUL, &loader, NULL));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_module_evaluated(module, NULL, &value, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_eval(module, "convert(1, 2)", HCL_NUL, NULL, &value, &diags));
    CHECK(says(diags, "Call to unknown function", 1));
    hcl_module_free(module);
    hcl_module_loader_free(loader);

    STATUS(HCL_ERR_ARGUMENT, hcl_module_loader_new("packer-9.9", HCL_NUL, &loader, &diags));
    CHECK(says(diags, "Invalid argument", 0));

    loader = template_of("packer-1.12");
    STATUS(HCL_OK, hcl_module_loader_set_text(loader, "release", HCL_NUL, "1", HCL_NUL, 0));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    CHECK(answers(module, "packer.version", "\"1.12.0\""));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_eval(module, "sum([1])", HCL_NUL, NULL, &value, &diags));
    CHECK(says(diags, "Call to unknown function", 1));
    hcl_module_free(module);
    hcl_module_loader_free(loader);

    hcl_scope *scope = NULL;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_dialect(scope, "opentofu-1.10", HCL_NUL));
    STATUS(HCL_ERR_NOT_FOUND, hcl_scope_dialect(scope, "opentofu-1.99", HCL_NUL));
    hcl_scope_free(scope);

    /* Each name that is listed is one that a scope takes. */
    size_t n_dialects = 0;
    for (; hcl_dialect_name(n_dialects).len != 0; n_dialects++) {
        hcl_str name = hcl_dialect_name(n_dialects);
        STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
        STATUS(HCL_OK, hcl_scope_dialect(scope, name.ptr, name.len));
        hcl_scope_free(scope);
    }
    CHECK(n_dialects > 20);
    CHECK(hcl_dialect_name(n_dialects).len == 0 && hcl_dialect_name(SIZE_MAX).len == 0);
}

int main(void)
{
    templates();
    jobs();
    releases();
    return failures != 0;
}
