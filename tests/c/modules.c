/* Modules: folders of configuration files as objects. */
#include "check.h"

#include <pthread.h>

static const char root[] =
    "variable \"zone\" {\n  type = string\n}\n"
    "variable \"ports\" {\n  type    = list(number)\n  default = [80]\n}\n"
    "variable \"token\" {\n  type      = string\n  default   = \"t\"\n  sensitive = true\n}\n"
    "locals {\n  name = \"web-${var.zone}\"\n}\n"
    "module \"net\" {\n  source = \"./net\"\n  name   = local.name\n}\n"
    "resource \"terraform_data\" \"one\" {}\n"
    "output \"label\" {\n  value = module.net.label\n}\n"
    "output \"read\" {\n  value = file(\"motd.txt\")\n}\n";
static const char net[] =
    "variable \"name\" {}\n"
    "output \"label\" {\n  value = upper(var.name)\n}\n";

static hcl_module_loader *loader_of(const char *main_tf)
{
    hcl_module_loader *loader = NULL;
    STATUS(HCL_OK, hcl_module_loader_new("terraform", HCL_NUL, &loader, NULL));
    STATUS(HCL_OK, hcl_module_loader_text(loader, "main.tf", HCL_NUL, main_tf, HCL_NUL));
    STATUS(HCL_OK, hcl_module_loader_text(loader, "net/main.tf", HCL_NUL, net, HCL_NUL));
    return loader;
}

/* A value in the console's form. */
static bool shows(const hcl_value *value, const char *expected)
{
    hcl_buf *text = NULL;
    STATUS(HCL_OK, hcl_value_encode(value, HCL_FORMAT_CONSOLE, 0, NULL, &text, NULL));
    bool same = str_is(hcl_buf_str(text), expected);
    if (!same) fprintf(stderr, "%s\n", hcl_buf_str(text).ptr);
    hcl_buf_free(text);
    return same;
}

static bool answers(const hcl_module *module, const char *source, const char *expected)
{
    hcl_value *value = NULL;
    STATUS(HCL_OK, hcl_module_eval(module, source, HCL_NUL, NULL, &value, NULL));
    bool same = shows(value, expected);
    hcl_value_free(value);
    return same;
}

/* Whether the first diagnostic has a summary; the list is released. */
static bool says(hcl_diags *diags, const char *summary)
{
    hcl_diag diag = {0};
    diag.size = sizeof diag;
    bool same = hcl_diags_get(diags, 0, &diag) == HCL_OK && str_is(diag.summary, summary);
    if (!same) fprintf(stderr, "%.*s\n", (int)diag.summary.len, diag.summary.ptr);
    hcl_diags_free(diags);
    return same;
}

static void evaluates(void)
{
    hcl_module_loader *loader = loader_of(root);
    hcl_module *module = NULL, *again = NULL;
    hcl_value *value = NULL;
    hcl_expr *expr = NULL;
    hcl_diags *diags = NULL;

    STATUS(HCL_OK, hcl_module_loader_set_text(loader, "zone", HCL_NUL, "b", HCL_NUL, 0));
    STATUS(HCL_OK, hcl_module_loader_set_text(loader, "ports", HCL_NUL, "[1, 2]", HCL_NUL, 0));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    hcl_module_loader_free(loader);

    CHECK(answers(module, "local.name", "\"web-b\""));
    CHECK(answers(module, "[for p in var.ports : p + 1]", "[\n  2,\n  3,\n]"));
    CHECK(answers(module, "module.net.label", "\"WEB-B\""));
    CHECK(answers(module, "var.token", "(sensitive value)"));
    CHECK(answers(module, "terraform_data.one.id", "(known after apply)"));
    STATUS(HCL_OK, hcl_module_value(module, "output.label", HCL_NUL, NULL, &value, NULL));
    CHECK(shows(value, "\"WEB-B\""));
    hcl_value_free(value);

    /* A template, parsed by the caller. */
    STATUS(HCL_OK, hcl_expr_parse("motd", HCL_NUL, "in ${var.zone}", HCL_NUL, NULL, HCL_EXPR_TEMPLATE, NULL, &expr, NULL));
    STATUS(HCL_OK, hcl_module_eval_expr(module, expr, NULL, &value, NULL));
    CHECK(shows(value, "\"in b\""));
    hcl_value_free(value);
    hcl_expr_free(expr);

    /* Only what is asked for is evaluated: the output that reads a file fails alone. */
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_eval(module, "local.nome", HCL_NUL, NULL, &value, &diags));
    CHECK(says(diags, "Reference to undeclared local value"));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_check(module, NULL, &diags));
    CHECK(says(diags, "Error in function call"));

    /* A module is counted, and outlives its loader. */
    STATUS(HCL_OK, hcl_module_ref(module, &again));
    hcl_module_free(module);
    CHECK(answers(again, "var.zone", "\"b\""));
    hcl_module_free(again);
}

static void lists(void)
{
    hcl_module_loader *loader = loader_of(root);
    hcl_module *module = NULL;
    hcl_declared declared;
    size_t kinds[7] = {0};

    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    for (size_t i = 0; i < hcl_module_count(module); i++) {
        memset(&declared, 0, sizeof declared);
        declared.size = sizeof declared;
        STATUS(HCL_OK, hcl_module_at(module, i, &declared));
        CHECK(declared.kind < 7 && str_is(declared.file, "main.tf") && declared.range.start.line > 0);
        kinds[declared.kind]++;
        if (str_is(declared.address, "var.zone"))
            CHECK(declared.kind == HCL_DECLARED_VARIABLE && declared.flags == HCL_DECLARED_MISSING && str_is(declared.type_text, "string"));
        if (str_is(declared.address, "var.token")) CHECK(declared.flags == HCL_DECLARED_SENSITIVE);
        if (str_is(declared.address, "var.ports")) CHECK(str_is(declared.type_text, "list(number)"));
    }
    CHECK(kinds[HCL_DECLARED_VARIABLE] == 3 && kinds[HCL_DECLARED_LOCAL] == 1 && kinds[HCL_DECLARED_OUTPUT] == 2);
    CHECK(kinds[HCL_DECLARED_MODULE] == 1 && kinds[HCL_DECLARED_RESOURCE] == 1);
    CHECK(kinds[HCL_DECLARED_DATA] == 0 && kinds[HCL_DECLARED_EPHEMERAL] == 0 && hcl_module_count(NULL) == 0);
    STATUS(HCL_ERR_RANGE, hcl_module_at(module, hcl_module_count(module), &declared));
    /* A variable without a value is unknown of its type. */
    CHECK(answers(module, "local.name", "(known after apply)"));
    hcl_module_free(module);
    hcl_module_loader_free(loader);
}

/* The files of the host below. */
static int32_t read_file(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)most;
    if (str_is(path, "stack/main.tf")) return (int32_t)hcl_answer_bytes(answer, root, HCL_NUL);
    if (str_is(path, "stack/net/main.tf")) return (int32_t)hcl_answer_bytes(answer, net, HCL_NUL);
    if (str_is(path, "motd.txt")) return (int32_t)hcl_answer_bytes(answer, "hello", HCL_NUL);
    if (str_is(path, "more.tfvars")) return (int32_t)hcl_answer_bytes(answer, "zone = \"f\"\n", HCL_NUL);
    return HCL_ERR_NOT_FOUND;
}

static int32_t file_kind(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)path, (void)most;
    return (int32_t)hcl_answer_kind(answer, HCL_FILE_REGULAR);
}

static int32_t list_directory(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)most;
    if (!str_is(path, "stack") && !str_is(path, "stack/net")) return HCL_ERR_NOT_FOUND;
    return (int32_t)hcl_answer_entry(answer, "main.tf", HCL_NUL, HCL_FILE_REGULAR);
}

static int32_t environment(void *user, hcl_str name, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)most;
    return str_is(name, "TF_VAR_zone") ? (int32_t)hcl_answer_bytes(answer, "e", HCL_NUL) : HCL_ERR_NOT_FOUND;
}

static void comes_through_a_host(void)
{
    hcl_host_callbacks callbacks = {0};
    hcl_host *host = NULL;
    hcl_module_loader *loader = NULL;
    hcl_module *module = NULL;
    hcl_value *value = NULL;

    callbacks.size = sizeof callbacks;
    callbacks.read_file = read_file;
    callbacks.file_kind = file_kind;
    callbacks.list_directory = list_directory;
    callbacks.environment_variable = environment;
    STATUS(HCL_OK, hcl_host_new(&callbacks, &host));
    STATUS(HCL_OK, hcl_module_loader_new("terraform", HCL_NUL, &loader, NULL));
    STATUS(HCL_OK, hcl_module_loader_folder(loader, "stack", HCL_NUL));
    STATUS(HCL_OK, hcl_module_loader_host(loader, host));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    CHECK(answers(module, "local.name", "\"web-e\""));
    CHECK(answers(module, "path.module", "\"stack\""));
    STATUS(HCL_OK, hcl_module_value(module, "output.read", HCL_NUL, NULL, &value, NULL));
    CHECK(shows(value, "\"hello\""));
    hcl_value_free(value);
    STATUS(HCL_OK, hcl_module_check(module, NULL, NULL));
    hcl_module_free(module);

    /* What is given counts more than the environment, the last most. */
    hcl_value *given = NULL;
    STATUS(HCL_OK, hcl_module_loader_values(loader, "more.tfvars", HCL_NUL));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    CHECK(answers(module, "var.zone", "\"f\""));
    hcl_module_free(module);
    STATUS(HCL_OK, hcl_value_string("v", HCL_NUL, &given));
    STATUS(HCL_OK, hcl_module_loader_set(loader, "zone", HCL_NUL, given));
    hcl_value_free(given);
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    CHECK(answers(module, "var.zone", "\"v\""));
    hcl_module_free(module);
    STATUS(HCL_OK, hcl_module_loader_set_text(loader, "ports", HCL_NUL, "[]", HCL_NUL, HCL_MODULE_LITERAL));
    hcl_diags *diags = NULL;
    module = NULL;
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_eval(module, "var.ports", HCL_NUL, NULL, &value, &diags));
    CHECK(says(diags, "Invalid value for input variable"));
    hcl_module_free(module);
    hcl_module_loader_free(loader);
    hcl_host_free(host);
}

static void is_wrong(void)
{
    hcl_module_loader *loader = NULL;
    hcl_module *module = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_parse_opts opts = {0};
    hcl_limits limits = {0};
    opts.size = sizeof opts;
    limits.size = sizeof limits;

    STATUS(HCL_ERR_ARGUMENT, hcl_module_loader_new("terraform-9.9", HCL_NUL, &loader, &diags));
    CHECK(says(diags, "Invalid argument"));
    STATUS(HCL_ERR_ARGUMENT, hcl_module_loader_new(NULL, 1, &loader, NULL));

    /* Every file is spoken of; a module with errors can be looked at. */
    loader = loader_of("locals {\n  a = 1\n  a = 2\n}\nlocals {\n  b = \n}\n");
    STATUS(HCL_ERR_ARGUMENT, hcl_module_loader_set_text(loader, "a", HCL_NUL, "1", HCL_NUL, 2));
    STATUS(HCL_ERR_ARGUMENT, hcl_module_loader_set(loader, "a", HCL_NUL, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_load(loader, NULL, &module, &diags));
    CHECK(module == NULL && hcl_diags_count(diags) > 0);
    hcl_diags_free(diags);
    opts.flags = HCL_PARSE_PARTIAL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_load(loader, &opts, &module, NULL));
    CHECK(module != NULL);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_eval(module, "1", HCL_NUL, NULL, &value, NULL));
    hcl_module_free(module);
    hcl_module_loader_free(loader);

    /* Limits end a call, and the module goes on. */
    loader = loader_of("locals {\n  long = join(\",\", range(1000))\n}\n");
    opts.flags = HCL_PARSE_JSON;
    STATUS(HCL_ERR_ARGUMENT, hcl_module_load(loader, &opts, &module, NULL));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    limits.max_elements = 10;
    STATUS(HCL_ERR_LIMIT, hcl_module_eval(module, "local.long", HCL_NUL, &limits, &value, NULL));
    CHECK(answers(module, "length(local.long)", "3889"));
    hcl_module_free(module);
    hcl_module_loader_free(loader);
}

static const char fleet[] =
    "resource \"aws_instance\" \"web\" {\n  count = 2\n  name  = \"web-${count.index}\"\n}\n"
    "data \"aws_region\" \"here\" {}\n"
    "module \"net\" {\n  source = \"./sub\"\n}\n"
    "output \"ids\" {\n  value = aws_instance.web[*].id\n}\n";
static const char sub[] =
    "resource \"aws_vpc\" \"main\" {\n  for_each = toset([\"a\", \"b\"])\n  cidr = each.key\n}\n"
    "output \"arns\" {\n  value = [for v in aws_vpc.main : v.arn]\n}\n";

static void plans(void)
{
    hcl_module_loader *loader = loader_of(fleet);
    hcl_module *module = NULL;
    hcl_value *given = NULL;
    hcl_diags *diags = NULL;

    STATUS(HCL_OK, hcl_module_loader_text(loader, "sub/main.tf", HCL_NUL, sub, HCL_NUL));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    CHECK(answers(module, "aws_instance.web[*].name", "(known after apply)"));
    hcl_module_free(module);

    STATUS(HCL_OK, hcl_module_loader_resources(loader, HCL_MODULE_PLANNED));
    STATUS(HCL_ERR_ARGUMENT, hcl_module_loader_resources(loader, 2));
    STATUS(HCL_ERR_ARGUMENT, hcl_module_loader_resources(NULL, 0));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    CHECK(answers(module, "aws_instance.web[*].name", "[\n  \"web-0\",\n  \"web-1\",\n]"));
    CHECK(answers(module, "aws_instance.web[0].id", "(known after apply)"));
    hcl_module_free(module);

    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, "{\"name\":\"eu\",\"id\":\"r\",\"arn\":\"x\"}", HCL_NUL, NULL, NULL, &given, NULL));
    STATUS(HCL_OK, hcl_module_loader_resource(loader, "data.aws_region.here", HCL_NUL, given));
    STATUS(HCL_OK, hcl_module_loader_resource(loader, "aws_instance.web[1]", HCL_NUL, given));
    STATUS(HCL_OK, hcl_module_loader_resource(loader, "module.net.aws_vpc.main[\"b\"]", HCL_NUL, given));
    STATUS(HCL_ERR_ARGUMENT, hcl_module_loader_resource(loader, "data.aws_region.here", HCL_NUL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_module_loader_resource(loader, NULL, 1, given));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    CHECK(answers(module, "data.aws_region.here.name", "\"eu\""));
    CHECK(answers(module, "aws_instance.web[*].name", "[\n  \"web-0\",\n  \"eu\",\n]"));
    CHECK(answers(module, "module.net.arns", "[\n  (known after apply),\n  \"x\",\n]"));
    hcl_module_free(module);

    module = NULL;
    STATUS(HCL_OK, hcl_module_loader_resource(loader, "data.aws_region.there", HCL_NUL, given));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_load(loader, NULL, &module, &diags));
    CHECK(says(diags, "Reference to undeclared resource"));
    hcl_value_free(given);
    hcl_module_loader_free(loader);
}

/* Many threads evaluate in one module; its host is asked with its own user data, and a call can be stopped. */
enum { THREADS = 8 };

static int32_t read_shared(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)most;
    if (str_is(path, "main.tf")) return HCL_ERR_NOT_FOUND;
    return (int32_t)hcl_answer_bytes(answer, user, HCL_NUL);
}

static void *asks(void *module)
{
    bool good = answers(module, "local.chain[199]", "199") && answers(module, "local.read", "\"from the host\"");
    return good ? module : NULL;
}

static void is_shared(void)
{
    static char said[] = "from the host";
    static const char text[] =
        "locals {\n  chain = [for i in range(200) : i]\n  read  = file(\"any\")\n"
        "  endless = length([for i in range(1000) : length([for j in range(1000) : length([for k in range(1000) : i])])])\n}\n";
    hcl_host_callbacks callbacks = {0};
    hcl_host *host = NULL;
    hcl_module_loader *loader = loader_of(text);
    hcl_module *module = NULL;
    hcl_value *value = NULL;
    hcl_cancel *cancel = NULL;
    hcl_limits limits = {0};
    pthread_t threads[THREADS];

    callbacks.size = sizeof callbacks;
    callbacks.read_file = read_shared;
    callbacks.file_kind = file_kind;
    callbacks.user = said;
    STATUS(HCL_OK, hcl_host_new(&callbacks, &host));
    STATUS(HCL_OK, hcl_module_loader_host(loader, host));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    for (size_t i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, asks, module) == 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *good = NULL;
        CHECK(pthread_join(threads[i], &good) == 0 && good == module);
    }

    limits.size = sizeof limits;
    limits.timeout_ns = 20000000;
    STATUS(HCL_ERR_DEADLINE, hcl_module_eval(module, "local.endless", HCL_NUL, &limits, &value, NULL));
    limits.timeout_ns = 0;
    limits.max_steps = 100;
    STATUS(HCL_ERR_LIMIT, hcl_module_value(module, "local.endless", HCL_NUL, &limits, &value, NULL));
    limits.max_steps = 0;
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    hcl_cancel_trigger(cancel);
    limits.cancel = cancel;
    STATUS(HCL_ERR_CANCELLED, hcl_module_check(module, &limits, NULL));
    hcl_cancel_free(cancel);
    /* What was stopped left nothing behind. */
    CHECK(answers(module, "local.read", "\"from the host\""));
    hcl_module_free(module);
    hcl_module_loader_free(loader);
    hcl_host_free(host);
}

/* Limits of one call are no one else's, and what is loaded is bounded. */
static void keeps_within_limits(void)
{
    hcl_module_loader *loader = loader_of("module \"net\" {\n  source = \"./net\"\n  name   = \"a\"\n  count  = 2\n}\n");
    hcl_module *module = NULL;
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    hcl_limits limits = {0};
    limits.size = sizeof limits;
    limits.max_elements = 1;
    hcl_value *value = NULL;
    STATUS(HCL_ERR_LIMIT, hcl_module_eval(module, "length(module.net)", HCL_NUL, &limits, &value, NULL));
    CHECK(answers(module, "length(module.net)", "2"));
    STATUS(HCL_OK, hcl_module_check(module, NULL, NULL));
    hcl_module_free(module);

    hcl_parse_opts opts = {0};
    opts.size = sizeof opts;
    opts.max_source_bytes = 5;
    hcl_diags *diags = NULL;
    STATUS(HCL_ERR_LIMIT, hcl_module_load(loader, &opts, &module, &diags));
    bool told = false;
    for (size_t i = 0; i < hcl_diags_count(diags); i++) {
        hcl_diag diag = {0};
        diag.size = sizeof diag;
        STATUS(HCL_OK, hcl_diags_get(diags, i, &diag));
        told |= str_is(diag.code, "limit.source");
    }
    CHECK(told);
    hcl_diags_free(diags);
    hcl_module_loader_free(loader);

    char text[4000] = "";
    for (int i = 0; i < 50; i++) strcat(text, "output \"a\" {\n  value = 1\n}\n");
    loader = loader_of(text);
    opts.max_source_bytes = 0;
    opts.max_diagnostics = 10;
    opts.flags = HCL_PARSE_PARTIAL;
    STATUS(HCL_ERR_LIMIT, hcl_module_load(loader, &opts, &module, &diags));
    CHECK(hcl_diags_count(diags) == 11);
    hcl_diag last = {0};
    last.size = sizeof last;
    STATUS(HCL_OK, hcl_diags_get(diags, 10, &last));
    CHECK(str_is(last.code, "limit.diagnostics"));
    hcl_diags_free(diags);
    /* Nothing of a module with errors evaluates, or is checked. */
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_module_check(module, NULL, &diags));
    CHECK(says(diags, "Call refused"));
    hcl_module_free(module);
    hcl_module_loader_free(loader);
}

int main(void)
{
    keeps_within_limits();
    evaluates();
    lists();
    comes_through_a_host();
    is_wrong();
    plans();
    is_shared();
    return failures != 0;
}
