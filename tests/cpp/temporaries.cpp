// What is borrowed from an owner does not compile for one that is gone at the end of the statement. `BORROWS` states it for a
// call: it compiles for an owner with a name, and not for a temporary one.
#include "check.hpp"

namespace {

using namespace std::string_view_literals;

template <class Owner, class Call, class = void> struct compiles : std::false_type {};
template <class Owner, class Call>
struct compiles<Owner, Call, std::void_t<decltype(std::declval<Call>()(std::declval<Owner>()))>> : std::true_type {};

// A call as a type that can be asked for whether it takes an owner: `auto` and `decltype` make it a template.
#define BORROWS(Owner, expression) \
    { \
        auto call = [](auto &&of) -> decltype(static_cast<decltype(of)>(of).expression) { return static_cast<decltype(of)>(of).expression; }; \
        static_assert(compiles<Owner &, decltype(call)>::value, #Owner " has " #expression); \
        static_assert(!compiles<Owner, decltype(call)>::value, #expression " of a temporary " #Owner); \
        (void)call; \
    }

// The view of an owner: from one with a name, not from a temporary one, which can still be passed to a call.
#define VIEWED(View, Owner) \
    static_assert(std::is_constructible_v<View, Owner &> && std::is_convertible_v<Owner &, View>); \
    static_assert(!std::is_constructible_v<View, Owner> && !std::is_convertible_v<Owner, View>); \
    static_assert(std::is_convertible_v<Owner, const View &>)

VIEWED(hcl::value_view, hcl::value);
VIEWED(hcl::expr_view, hcl::expr);
VIEWED(hcl::body_view, hcl::body);
VIEWED(hcl::schema_view, hcl::schema);
static_assert(std::is_convertible_v<hcl::buffer &, std::string_view> && !std::is_convertible_v<hcl::buffer, std::string_view>);

// What an error or a value is that a temporary result is asked for: a thing of its own.
static_assert(std::is_same_v<decltype(std::declval<hcl::result<hcl::value>>().value()), hcl::value>);
static_assert(std::is_same_v<decltype(*std::declval<hcl::result<hcl::value>>()), hcl::value>);
static_assert(std::is_same_v<decltype(std::declval<hcl::result<hcl::value>>().error()), hcl::error>);
static_assert(std::is_same_v<decltype(std::declval<hcl::result<void>>().error()), hcl::error>);

void test_borrowing()
{
    BORROWS(hcl::buffer, view())
    BORROWS(hcl::buffer, c_str())
    BORROWS(hcl::value, as_str())
    BORROWS(hcl::value, at(0))
    BORROWS(hcl::value, operator[](""sv))
    BORROWS(hcl::value, key_at(0))
    BORROWS(hcl::value, elements())
    BORROWS(hcl::value, entries())
    BORROWS(hcl::value, mark_at(0))
    BORROWS(hcl::marks, operator[](0))
    BORROWS(hcl::expr, source())
    BORROWS(hcl::expr, filename())
    BORROWS(hcl::traversals, operator[](0))
    BORROWS(hcl::static_form, name())
    BORROWS(hcl::static_form, operator[](0))
    BORROWS(hcl::static_form, key(0))
    BORROWS(hcl::static_form, elements())
    BORROWS(hcl::file, body())
    BORROWS(hcl::file, name())
    BORROWS(hcl::file, source())
    BORROWS(hcl::body, attributes())
    BORROWS(hcl::body, attribute(""sv))
    BORROWS(hcl::body, blocks())
    BORROWS(hcl::schema, block(""sv))
    BORROWS(hcl::program, needs())
    BORROWS(hcl::rows, operator[](0))
    BORROWS(hcl::rows, diags())
    BORROWS(hcl::rows, why(0))
    BORROWS(hcl::diagnostics, operator[](0))
    BORROWS(hcl::diagnostic, values())
    BORROWS(hcl::error, diags())
    BORROWS(hcl::document, text())
    BORROWS(hcl::functions, operator[](0))
    BORROWS(hcl::functions, find(""sv))
    BORROWS(hcl::function_info, parameters())
    BORROWS(hcl::loaded_module, declarations())
    BORROWS(hcl::result<hcl::value>, operator->())
}

// What is no view goes on in one statement, and a list that a call gives lives as long as the loop over it.
void test_what_is_left()
{
    CHECK(hcl::value::of(std::vector<int>{1, 2}).value().as<std::vector<int>>().value().size() == 2);
    CHECK(hcl::value::of("text").value().as<std::string>().value() == "text");
    CHECK(hcl::value::of("text").value().json().value().str() == "\"text\"");
    CHECK(hcl::value::i64(3).value().as_i64().value() == 3);
    auto building = hcl::builder::make().value();
    CHECK(building.begin(HCL_KIND_TUPLE) && building.add(hcl::value::i64(1).value()) && building.u64(18446744073709551615u)
          && building.number("0.1") && !building.number("ten") && building.end());
    CHECK(building.finish().value().json().value().str() == "[1,18446744073709551615,0.1]");
    int n = 0;
    for (hcl::traversals::variable one : hcl::expr::parse("a + b.c").value().variables().value()) n += !one.text().empty();
    for (hcl::diagnostic one : hcl::file::parse_partial("f", "a =\n").diags) n += one.is_error();
    CHECK(n == 3);
    hcl::error why = hcl::type::parse("strin").error();
    CHECK(why.diags().size() == 1);
}

} // namespace

int main()
{
    test_borrowing();
    test_what_is_left();
    return failures;
}
