// Limits, deadlines and switches: of parsing, of work on one value, of drawing diagnostics.
#include "check.hpp"

using namespace std::chrono_literals;

static void parsing()
{
    auto cancel = hcl::cancel::make().value();
    hcl::parse_options options;
    options.cancelled_by = &cancel;
    options.timeout = 1h;
    CHECK(hcl::file::parse("f", "a = 1\n", options) && hcl::expr::parse("1", "f", options));
    auto other = cancel.share().value();
    other.trigger();
    CHECK(hcl::file::parse("f", "a = 1\n", options).code() == HCL_ERR_CANCELLED);
    CHECK(hcl::expr::parse("1", "f", options).code() == HCL_ERR_CANCELLED);
    CHECK(hcl::expr::parse_json("1", "f", options).code() == HCL_ERR_CANCELLED);
    CHECK(hcl::traversals::parse("a.b", "f", 0, options).code() == HCL_ERR_CANCELLED);
    CHECK(hcl::format("a=1", 0, "f", options).code() == HCL_ERR_CANCELLED);
    CHECK(hcl::is_formatted("a=1", 0, "f", options).code() == HCL_ERR_CANCELLED);
    CHECK(hcl::format("a=1").value().str() == "a = 1");

    options.cancelled_by = nullptr;
    options.timeout = 1ns;
    auto late = hcl::file::parse("f", "a = 1\n", options);
    CHECK(late.code() == HCL_ERR_DEADLINE && late.error().diags()[0].code() == "limit.deadline");
    CHECK(late.error().message().find("Parsing \"f\"") != std::string::npos);
    options.timeout = -1ns; // none, as far as C is concerned
    CHECK(hcl::file::parse("f", "a = 1\n", options));
}

static void values()
{
    hcl::value v = hcl::value::of(std::vector<std::string>(100, "text")).value();
    hcl::type texts = hcl::type::parse("set(string)").value();
    hcl::limits few;
    few.max_elements = 10;
    CHECK(v.convert(texts, few).code() == HCL_ERR_LIMIT && v.convert(texts).value().len().value() == 1);
    CHECK(v.equal(v, few).code() == HCL_ERR_LIMIT && v.hash(few).code() == HCL_ERR_LIMIT);
    auto marks = hcl::value::of(hcl::list({v.mark("m").value(), v})).value();
    CHECK(marks.unmark_deep(nullptr, few).code() == HCL_ERR_LIMIT && marks.unmark_deep());
    few = {};
    few.max_output_bytes = 100;
    CHECK(v.json(0, few).code() == HCL_ERR_LIMIT && v.console(0, few).code() == HCL_ERR_LIMIT);
    hcl::error long_text = v.json(0, few).error();
    SAME("limit.output", long_text.diags()[0].code());
    few = {};
    few.max_elements = 2;
    CHECK(hcl::value::json("[1, 2, 3]", hcl::type(), few).code() == HCL_ERR_LIMIT);

    auto cancel = hcl::cancel::make().value();
    cancel.trigger();
    hcl::limits stopped;
    stopped.cancelled_by = &cancel;
    CHECK(v.convert(texts, stopped).code() == HCL_ERR_CANCELLED && v.hash(stopped).code() == HCL_ERR_CANCELLED);
    CHECK(v.encode(HCL_FORMAT_CANONICAL, 0, stopped).code() == HCL_ERR_CANCELLED);
    auto frame = hcl::frame::make(plain_scope()).value();
    frame.set_limits(stopped).value();
    CHECK(hcl::program::compile("1", plain_scope()).code() == HCL_OK);
}

static void what_is_shown()
{
    hcl::value secret = hcl::value::string("hidden").value().mark("sensitive").value();
    CHECK(secret.json().code() == HCL_ERR_MARKED);
    SAME("\"hidden\"", secret.json(HCL_ENCODE_REVEAL).value());
    hcl::value later = hcl::value::unknown(hcl::type::parse("string").value()).value();
    CHECK(later.json().code() == HCL_ERR_UNKNOWN);
    SAME("null", later.json(HCL_ENCODE_UNKNOWN_AS_NULL).value());
    CHECK(later.json(64).code() == HCL_ERR_ARGUMENT);
}

static void drawing()
{
    auto wrong = hcl::expr::parse("[1 2, @, &]", "f").error();
    auto cancel = hcl::cancel::make().value();
    hcl::render_options options;
    options.cancelled_by = &cancel;
    CHECK(wrong.diags().render(options) && wrong.diags().json(options));
    options.max_bytes = 10;
    CHECK(wrong.diags().json(options).code() == HCL_ERR_LIMIT);
    cancel.trigger();
    CHECK(wrong.diags().render(options).code() == HCL_ERR_CANCELLED);
    CHECK(wrong.diags().json(options).code() == HCL_ERR_CANCELLED);
    options.cancelled_by = nullptr;
    options.timeout = 1ns;
    CHECK(wrong.diags().render(options).code() == HCL_ERR_DEADLINE);
}

int main()
{
    parsing();
    values();
    what_is_shown();
    drawing();
    return failures != 0;
}
