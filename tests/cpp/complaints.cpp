// Diagnostics of a program beside the library's.
#include "check.hpp"

static void test_one_list()
{
    hcl::diagnostics list;
    {
        auto file = hcl::file::parse("gateway.hcl", "listen \"public\" {\n  port = 70000\n}\n").value();
        hcl::block block = file.body().blocks()[0];
        hcl::attribute port = block.body().attribute("port");
        CHECK(list.add(hcl::complaint("gatewayd.port", "Port out of range", "The port must be below 65536.")
                           .at({port, HCL_PLACE_VALUE})
                           .within(block)
                           .note("port", "70000")) == HCL_OK);
        CHECK(list.add(hcl::complaint("gatewayd.file", "Odd file").as_warning().at(file)) == HCL_OK);
        CHECK(list.add(hcl::complaint("gatewayd.body", "Odd body").at(block.body())) == HCL_OK);
        CHECK(list.add(hcl::complaint("gatewayd.range", "Odd port").at({file, port.range().value()})) == HCL_OK);
        CHECK(list.add(hcl::complaint("gatewayd.value", "Odd value").at(port.expression())) == HCL_OK);
        CHECK(list.add(hcl::complaint("gatewayd.no", "No").at({file, HCL_PLACE_HEADER})) == HCL_ERR_ARGUMENT);
        auto broken = hcl::file::parse("b.hcl", "a = \n");
        CHECK(list.append(broken.error().diags()) == HCL_OK);
    }
    CHECK(list.size() == 6 && list.has_errors());
    SAME("70000", list[0].expression());
    SAME("70000", list[0].extra("port"));
    SAME("", list[0].extra("nothing"));
    SAME("port = 70000", list[3].expression());
    list.sort();
    SAME("b.hcl", list[0].filename());
    SAME("gatewayd.file", list[1].code());
    auto text = list.render({HCL_RENDER_ASCII}).value();
    CHECK(text.view().find("  2 |   port = 70000\n    |          ^^^^^\n") != std::string::npos);
    CHECK(list.json().value().str().find("\"extra\":{\"port\":\"70000\"}") != std::string::npos);
    CHECK(list.sarif("gatewayd", "1.2").value().str().find("\"name\":\"gatewayd\"") != std::string::npos);
    list.cap(5);
    CHECK(list.size() == 5);
    for (hcl::diagnostic one : list) CHECK(one.is_error());
}

static void test_decoded()
{
    auto spec = hcl::spec::parse("object {\n  block_map \"listen\" {\n    labels = [\"name\"]\n    object {\n      attr \"port\" { type = number }\n    }\n  }\n}\n")
                    .value();
    auto file = hcl::file::parse("gateway.hcl", "listen \"public\" {\n  port = 70000\n}\n").value();
    CHECK(spec.range_of(file.body(), "listen.public.port").value().start.line == 2);
    CHECK(spec.range_of(file.body(), "listen.other.port").code() == HCL_ERR_NOT_FOUND);
    hcl::diagnostics list;
    CHECK(list.add(hcl::complaint("gatewayd.port", "Port").at({spec, file.body(), "listen.public.port"})) == HCL_OK);
    CHECK(list.add(hcl::complaint("gatewayd.port", "Port").at({spec, file.body(), "listen.public.port", HCL_PLACE_NAME})) == HCL_OK);
    SAME("70000", list[0].expression());
    SAME("port", list[1].expression());
}

int main()
{
    test_decoded();
    test_one_list();
    return failures;
}
