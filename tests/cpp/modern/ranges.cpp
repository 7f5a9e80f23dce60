// C++20: what has elements is a range of it.
#include "../check.hpp"

#include <algorithm>
#include <ranges>
#include <vector>

namespace {

template <class Range>
concept view_of_elements = std::ranges::random_access_range<Range> && std::ranges::sized_range<Range>
    && std::ranges::common_range<Range> && std::ranges::borrowed_range<Range>;

using elements = decltype(std::declval<hcl::value &>().elements());
using entries = decltype(std::declval<hcl::value &>().entries());
static_assert(view_of_elements<elements> && view_of_elements<entries>);
static_assert(view_of_elements<decltype(std::declval<hcl::body &>().attributes())>);
static_assert(view_of_elements<decltype(std::declval<hcl::body &>().blocks())>);
static_assert(view_of_elements<decltype(std::declval<hcl::block &>().labels())>);
static_assert(view_of_elements<decltype(std::declval<hcl::static_form &>().elements())>);
static_assert(view_of_elements<decltype(std::declval<hcl::program &>().needs())>);
static_assert(std::same_as<std::ranges::range_value_t<elements>, hcl::value_view>);
static_assert(std::same_as<std::ranges::range_value_t<entries>, hcl::entry>);

// Lists that own what they have are ranges, and no views.
template <class Range>
concept list_of_elements = std::ranges::random_access_range<Range> && std::ranges::sized_range<Range> && !std::ranges::view<Range>
    && !std::ranges::borrowed_range<Range>;
static_assert(list_of_elements<hcl::diagnostics> && list_of_elements<hcl::traversals> && list_of_elements<hcl::marks>);
static_assert(list_of_elements<hcl::functions> && std::ranges::random_access_range<const hcl::rows>);

void test_pipelines()
{
    hcl::value list = hcl::value::of(std::vector<int>{5, 1, 4}).value();
    auto number = [](const hcl::value_view &element) { return element.as_i64().value(); };
    std::vector<std::int64_t> large;
    for (std::int64_t n : list.elements() | std::views::transform(number) | std::views::filter([](std::int64_t n) { return n > 3; }))
        large.push_back(n);
    CHECK((large == std::vector<std::int64_t>{5, 4}));
    CHECK(std::ranges::max(list.elements() | std::views::transform(number)) == 5);
    CHECK(std::ranges::find(list.elements(), 4, number) - list.elements().begin() == 2);
    CHECK((list.elements() | std::views::reverse).front().as_i64().value() == 4);

    hcl::value map = hcl::value::json(R"({"a": 1, "b": 2})").value();
    std::string keys;
    auto key_of = [](const hcl::entry &one) { return one.key; }; // entries are made when they are looked at
    for (std::string_view key : map.entries() | std::views::transform(key_of)) keys += key;
    CHECK(keys == "ab");
    auto found = std::ranges::find(map.entries(), "b", key_of);
    CHECK(found != map.entries().end() && number((*found).element) == 2);
    CHECK(number(map.entries()[1].element) == 2);
}

} // namespace

int main()
{
    test_pipelines();
    return failures;
}
