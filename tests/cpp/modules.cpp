// Modules of Terraform in C++: loaded from texts, checked, and asked for values.
#include "check.hpp"

static const char *const main_tf =
    "variable \"zone\" {\n  type = string\n}\nvariable \"n\" {\n  type    = number\n  default = 1\n}\n"
    "locals {\n  name = \"web-${var.zone}\"\n}\noutput \"label\" {\n  value     = upper(local.name)\n  sensitive = true\n}\n"
    "output \"motd\" {\n  value = file(\"motd\")\n}\n";

int main()
{
    hcl::module_loader loader = hcl::module_loader::make().value();
    CHECK(loader.add_text("main.tf", main_tf) && loader.set_text("zone", "a") && loader.set_literal("n", "2"));
    CHECK(loader.set("zone", hcl::value::of("b").value()));
    hcl::loaded_module module = loader.load().value();
    loader.reset();
    SAME("\"web-b\"", module.eval("local.name").value().json().value());
    SAME("\"web-b!\"", module.eval(hcl::expr::parse("\"${local.name}!\"").value()).value().json().value());
    SAME("2", module.at("var.n").value().json().value());
    CHECK(module.share().value().at("output.label").value().has_mark("sensitive"));
    CHECK(module.eval("local.nope").code() == HCL_ERR_DIAGNOSTICS);

    hcl::world files;
    files.read_file = [](std::string_view path, std::uint64_t) -> hcl::result<std::string> {
        if (path == "motd") return std::string("hi");
        if (path == "stack/main.tf") return std::string(main_tf);
        if (path == "more.tfvars") return std::string("zone = \"c\"\n");
        return hcl::error(HCL_ERR_NOT_FOUND);
    };
    files.file_kind = [](std::string_view) -> hcl::result<std::uint32_t> { return std::uint32_t{HCL_FILE_REGULAR}; };
    files.list_directory = [](std::string_view path, std::uint64_t) -> hcl::result<std::vector<hcl::directory_entry>> {
        if (path != "stack") return hcl::error(HCL_ERR_NOT_FOUND);
        return std::vector<hcl::directory_entry>{{"main.tf", HCL_FILE_REGULAR}};
    };
    hcl::host host = hcl::host::make(std::move(files)).value();
    CHECK(module.check().code() == HCL_ERR_DIAGNOSTICS);

    hcl::module_loader opened = hcl::module_loader::make("opentofu").value();
    CHECK(opened.set_folder("stack") && opened.set_host(host) && opened.add_values("more.tfvars"));
    hcl::loaded_module stack = opened.load().value();
    SAME("\"web-c\"", stack.at("local.name").value().json().value());
    CHECK(stack.check().code() == HCL_OK);
    std::size_t missing = 0, sensitive = 0;
    hcl::loaded_module folder = hcl::module_loader::make().value().load().value();
    for (const hcl::declaration &one : folder.declarations()) missing += one.is_missing;
    CHECK(missing == 0);
    for (const hcl::declaration &one : stack.declarations()) {
        sensitive += one.is_sensitive;
        CHECK(one.file == "stack/main.tf" && one.range.start.line > 0);
        if (one.address == "var.n") SAME("number", std::string(one.type_text));
    }
    CHECK(sensitive == 1 && stack.declarations().size() == 5);

    hcl::module_loader planning = hcl::module_loader::make().value();
    CHECK(planning.add_text("main.tf", "resource \"a_b\" \"c\" {\n  count = 2\n  n = count.index\n}\n") && planning.set_planned());
    SAME("1", planning.load().value().eval("a_b.c[1].n").value().json().value());
    CHECK(planning.set_resource("a_b.c[1]", hcl::value::json("{\"n\": 7}").value()));
    SAME("[0,7]", planning.load().value().eval("a_b.c[*].n").value().json().value());
    CHECK(planning.set_planned(false) && planning.set_resource("a_b.d", hcl::value::of("x").value()));
    CHECK(planning.load().code() == HCL_ERR_DIAGNOSTICS);

    CHECK(hcl::module_loader::make("terraform-9.9").code() == HCL_ERR_ARGUMENT);
    hcl::module_loader wrong = hcl::module_loader::make().value();
    CHECK(wrong.add_text("main.tf", "locals {\n  a =\n}\n"));
    CHECK(wrong.load().code() == HCL_ERR_DIAGNOSTICS);
    return failures != 0;
}
