// check.hpp - a test program counts what fails, says where, and returns it.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <hcl.hpp>

#include <cstdio>
#include <string>
#include <string_view>

static int failures = 0;

#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(failures++, std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

#define SAME(expected, actual) check_same(__LINE__, expected, actual)

inline void check_same(int line, std::string_view expected, std::string_view actual)
{
    if (expected == actual) return;
    failures++;
    std::fprintf(stderr, "line %d: expected \"%.*s\", found \"%.*s\"\n", line, static_cast<int>(expected.size()),
                 expected.data(), static_cast<int>(actual.size()), actual.data());
}

inline void check_same(int line, std::string_view expected, const hcl::buffer &actual)
{
    check_same(line, expected, actual.view());
}

// A scope of Terraform's functions and nothing else.
inline hcl::scope plain_scope()
{
    auto names = hcl::scope_builder::make().value();
    names.builtins(HCL_BUILTINS_TERRAFORM).value();
    return std::move(names).seal().value();
}

// The value of an expression in the console's form, or how it failed.
inline std::string console(const hcl::scope &scope, std::string_view source)
{
    auto frame = hcl::frame::make(scope).value();
    auto program = hcl::program::compile(source, scope);
    if (!program) return std::string(hcl::status_name(program.code()));
    auto value = program->eval(frame);
    if (!value) return std::string(hcl::status_name(value.code()));
    return value->console().value().str();
}

#endif
