// hcl.hpp in a program that is compiled without exceptions and run-time type information.
#include <hcl.hpp>

#ifndef HCL_NO_EXCEPTIONS
#    error "hcl.hpp did not notice that there are no exceptions"
#endif

int main()
{
    auto names = hcl::scope_builder::make();
    if (!names) return 1;
    if (!names->add(hcl::function("half", [](std::int64_t n) -> hcl::result<std::int64_t> {
            if (n % 2 != 0) return hcl::error(HCL_ERR_RANGE, "an odd number has no half");
            return n / 2;
        })))
        return 2;
    auto scope = std::move(*names).seal();
    if (!scope) return 3;
    auto even = hcl::program::compile("half(8)", *scope), odd = hcl::program::compile("half(7)", *scope);
    auto frame = hcl::frame::make(*scope);
    if (!even || !odd || !frame) return 4;
    if (even->eval_i64(*frame).value() != 4) return 5;
    auto failed = odd->eval_i64(*frame);
    // Steps that go on with what the step before gave, or in place of it.
    auto twice = even->eval_i64(*frame).transform([](std::int64_t n) { return 2 * n; });
    auto instead = odd->eval_i64(*frame).or_else([](const hcl::error &) { return hcl::result<std::int64_t>(-1); });
    if (*twice != 8 || *instead != -1 || odd->eval_i64(*frame).value_or(7) != 7) return 7;
    auto json = hcl::evaluate("1 + n", R"({"n": 1})").and_then([](const hcl::buffer &text) { return hcl::value::json(text); });
    if (!json || json->as_i64().value() != 2) return 8;
    hcl::error unknown = hcl::evaluate("n").error();
    if (unknown.code() != HCL_ERR_DIAGNOSTICS || unknown.diags().size() != 1) return 9;
    return failed || failed.error().message().find("odd") == std::string::npos ? 6 : 0;
}
