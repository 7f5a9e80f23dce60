// Everything in one call, and what is written to streams.
#include "check.hpp"

#include <sstream>

template <class T> static std::string written(const T &shown)
{
    std::ostringstream out;
    out << shown;
    return out.str();
}

static void test_once()
{
    CHECK(hcl::evaluate("upper(name)", R"({"name": "ann"})").value().str() == "\"ANN\"");
    CHECK(hcl::evaluate("1 + 1").value().str() == "2");
    hcl::once_options options;
    options.flags = HCL_ONCE_TEMPLATE;
    options.name = "greeting";
    CHECK(hcl::evaluate("hello ${name}", R"({"name": "ann"})", options).value().str() == "\"hello ann\"");
    hcl::error why = hcl::evaluate("hello ${nam}", R"({"name": "ann"})", options).error();
    CHECK(why.code() == HCL_ERR_DIAGNOSTICS && why.diags()[0].filename() == "greeting");
    options.flags = 0;
    options.most.max_steps = 10;
    CHECK(hcl::evaluate("[for i in range(100) : i]", {}, options).code() == HCL_ERR_LIMIT);
    options.dialect = "cobol";
    why = hcl::evaluate("1", {}, options).error();
    CHECK(why.code() == HCL_ERR_ARGUMENT && why.message().find("opts->dialect is \"cobol\"") != std::string::npos);

    const char *spec = "object {\n  attr \"port\" {\n    type = number\n  }\n}\n";
    CHECK(hcl::decode_json("port = base + 80", spec, R"({"base": 8000})").value().str() == R"({"port":8080})");
    options = {};
    options.flags = HCL_ONCE_JSON;
    CHECK(hcl::decode_json(R"({"port": "${40 + 2}"})", spec, {}, options).value().str() == R"({"port":42})");
}

static void test_streams()
{
    hcl::value list = hcl::value::of(std::vector<int>{1, 2}).value();
    CHECK(written(list) == list.console().value().str());
    CHECK(written(list[""]) == "<HCL_ERR_ARGUMENT>");
    CHECK(written(list.type().value()) == "list(number)");
    CHECK(written(list.json().value()) == "[1,2]");
    CHECK(written(hcl::expr::parse("a + 1").value()) == "a + 1");
    CHECK(written(hcl::document::parse("d", "a = 1\n").value()) == "a = 1\n");
    CHECK(written(list.mark("sensitive").value()) == "(sensitive value)");
    hcl::error why = hcl::file::parse("f", "a =\n").error();
    CHECK(written(why) == why.message() && written(why.diags()) == why.diags().render().value().str());

    // A mistake with an argument is told also where there are no diagnostics.
    CHECK(hcl::value_view().as_bool().error().message() == "value is a null pointer.");
    CHECK(hcl::builder::make().value().end().error().message() == "builder has nothing open.");
    CHECK(hcl::value::of(1).value().as_bool().error().message() == "HCL_ERR_TYPE");
}

int main()
{
    test_once();
    test_streams();
    return failures;
}
