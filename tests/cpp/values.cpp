// Values: written down, read into types of the standard library, converted, marked, built.
#include "check.hpp"

#include <array>
#include <map>
#include <set>
#include <unordered_map>

struct endpoint {
    std::string host;
    std::uint16_t port = 0;
};

template <> struct hcl::reader<endpoint> {
    static result<endpoint> read(value_view from)
    {
        auto host = from["host"].as<std::string>();
        auto port = from["port"].as<std::uint16_t>();
        if (!host) return host.error();
        if (!port) return port.error();
        return endpoint{*host, *port};
    }
    static std::string type_text() { return "object({host = string, port = number})"; }
};

template <> struct hcl::writer<endpoint> {
    static literal write(const endpoint &e) { return object({{"host", e.host}, {"port", e.port}}); }
};

static std::string shown(const hcl::literal &content)
{
    return hcl::value::of(content).value().json().value().str();
}

static void literals()
{
    SAME(R"({"name":"web","owner":null,"ports":[80,443],"tls":true,"weight":0.5})",
         shown(hcl::object({{"name", "web"}, {"ports", hcl::list({80, 443})}, {"owner", nullptr}, {"tls", true}, {"weight", 0.5}})));
    SAME(R"(["a",1,[]])", shown(hcl::tuple({"a", 1, hcl::list({})})));
    SAME(R"(["a","b"])", shown(hcl::set({"b", "a", "b"})));
    SAME(R"({"x":1,"y":2})", shown(hcl::map({{"y", 2}, {"x", 1}})));
    SAME("18446744073709551615", shown(UINT64_MAX));
    SAME("-9223372036854775808", shown(INT64_MIN));
    SAME("null", shown(nullptr));
    SAME("null", shown(std::optional<int>()));
    SAME("[1,2]", shown(std::vector<int>{1, 2}));
    SAME("[true,false]", shown(std::vector<bool>{true, false}));
    SAME(R"({"a":[1,null]})", shown(std::map<std::string, std::vector<std::optional<int>>>{{"a", {1, std::nullopt}}}));
    SAME(R"(["a",1])", shown(std::pair<const char *, int>("a", 1)));
    SAME(R"({"host":"h","port":8080})", shown(endpoint{"h", 8080}));
    hcl::value inner = hcl::value::of(std::set<std::string>{"q"}).value();
    SAME(R"({"inner":["q"]})", shown(hcl::object({{"inner", inner}})));
    CHECK(inner.kind() == HCL_KIND_SET);

    hcl::value nothing;
    CHECK(hcl::value::of(hcl::list({nothing})).code() == HCL_ERR_ARGUMENT);
    CHECK(hcl::value::of(hcl::list({1, hcl::object({})})).code() == HCL_ERR_TYPE);
    CHECK(hcl::value::f64(std::numeric_limits<double>::quiet_NaN()).code() == HCL_ERR_RANGE);
    /* However deep it nests, neither it nor its release takes stack. */
    hcl::literal deep = nullptr;
    for (int i = 0; i < 300000; i++) deep = hcl::tuple({deep});
    CHECK(hcl::value::of(deep).code() == HCL_ERR_LIMIT);
}

static void scalars()
{
    CHECK(hcl::value::of(-5).value().as<int>().value() == -5);
    CHECK(hcl::value::of(300).value().as<std::uint8_t>().code() == HCL_ERR_RANGE);
    CHECK(hcl::value::of(-1).value().as<unsigned>().code() == HCL_ERR_RANGE);
    CHECK(hcl::value::u64(UINT64_MAX).value().as<std::uint64_t>().value() == UINT64_MAX);
    CHECK(hcl::value::u64(UINT64_MAX).value().as_i64().code() == HCL_ERR_RANGE);
    bool exact = true;
    CHECK(hcl::value::number("0.1").value().as_f64(&exact).value() == 0.1 && !exact);
    CHECK(hcl::value::f64(0.25).value().as<float>().value() == 0.25f);
    SAME("12345678901234567890123", hcl::value::number("12345678901234567890123").value().number_text().value());
    SAME(std::string_view("a\0b", 3), hcl::value::string(std::string_view("a\0b", 3)).value().as<std::string>().value());
    CHECK(hcl::value::string("\xff").code() == HCL_ERR_ARGUMENT);
    CHECK(hcl::value::boolean(true).value().as<bool>().value());
    CHECK(hcl::value::boolean(true).value().as<int>().code() == HCL_ERR_TYPE);
    CHECK(!hcl::value::null().value().as<std::optional<int>>().value());
    CHECK(hcl::value::i64(4).value().as<std::optional<int>>().value() == 4);
    CHECK(hcl::value::unknown(hcl::type::parse("string").value()).value().as<std::string>().code() == HCL_ERR_UNKNOWN);
}

static void containers()
{
    hcl::value v = hcl::value::json(R"({"names": ["b", "a"], "sizes": {"x": 1, "y": 2}, "pair": ["k", 7]})").value();
    CHECK((v["names"].as<std::vector<std::string>>().value() == std::vector<std::string>{"b", "a"}));
    CHECK((v["names"].as<std::set<std::string_view>>().value() == std::set<std::string_view>{"a", "b"}));
    CHECK((v["sizes"].as<std::map<std::string, int>>().value() == std::map<std::string, int>{{"x", 1}, {"y", 2}}));
    CHECK((v["sizes"].as<std::unordered_map<std::string, double>>().value().at("y") == 2.0));
    CHECK((v["pair"].as<std::pair<std::string, int>>().value() == std::pair<std::string, int>("k", 7)));
    CHECK((v["pair"].as<std::tuple<std::string>>().code() == HCL_ERR_RANGE));
    CHECK((v["pair"].as<std::tuple<int, bool>>().code() == HCL_ERR_TYPE));
    auto wrong = v["names"].as<std::vector<int>>();
    CHECK(wrong.code() == HCL_ERR_TYPE);
    SAME("element 0: HCL_ERR_TYPE", wrong.error().message());
    auto deeper = v["sizes"].as<std::map<std::string, std::string>>();
    SAME("element \"x\": HCL_ERR_TYPE", deeper.error().message());

    std::string walked;
    for (auto [key, element] : v.entries()) walked += std::string(key) + ":" + std::to_string(element.len().value()) + " ";
    SAME("names:2 pair:2 sizes:2 ", walked);
    walked.clear();
    for (hcl::value_view name : v["names"].elements()) walked += name.as<std::string>().value();
    SAME("ba", walked);
    CHECK(v["names"].entries().empty() && v["names"].elements()[1].as_str().value() == "a");
    CHECK(v["absent"].as<int>().code() == HCL_ERR_ARGUMENT && !v["absent"]);

    hcl::value where = hcl::value::of(endpoint{"h", 65535}).value();
    CHECK(where.as<endpoint>().value().port == 65535);
    CHECK((hcl::value::json(R"([{"host": "h", "port": 70000}])").value().as<std::vector<endpoint>>().code() == HCL_ERR_RANGE));
}

static void types_and_marks()
{
    hcl::type numbers = hcl::type::parse("list(number)").value();
    CHECK(hcl::type::parse("list(").code() == HCL_ERR_DIAGNOSTICS);
    hcl::value v = hcl::value::json(R"(["1", 2])").value();
    SAME("[1,2]", v.convert(numbers).value().json().value());
    SAME("list(number)", v.convert(numbers).value().type().value().text().value());
    CHECK(v.convert(numbers).value().type().value() == numbers && v.type().value() != numbers);
    auto refused = hcl::value::json(R"(["one"])").value().convert(numbers);
    CHECK(refused.code() == HCL_ERR_TYPE && refused.error().message().find("number") != std::string::npos);
    auto broken = hcl::value::json("[1,");
    CHECK(broken.code() == HCL_ERR_DIAGNOSTICS && !broken.error().message().empty());
    hcl::value again = hcl::value::decode(HCL_FORMAT_TYPED_JSON, v.encode(HCL_FORMAT_TYPED_JSON).value().str()).value();
    CHECK(again.identical(v));
    CHECK(hcl::value::i64(1).value().equal(hcl::value::number("1.0").value()).value().as_bool().value());

    hcl::value secret = hcl::value::string("hunter2").value().mark("sensitive").value();
    CHECK(secret.is_marked() && secret.has_mark("sensitive") && !secret.has_mark("other"));
    CHECK(secret.as<std::string>().code() == HCL_ERR_MARKED);
    CHECK(secret.console().value().str().find("hunter2") == std::string::npos);
    SAME("hunter2", secret.unmark_deep().value().as<std::string>().value());
    hcl::value outer = hcl::value::of(hcl::list({secret})).value();
    hcl::marks marks;
    CHECK(!outer.unmark_deep(&marks).value().contains_marks() && marks.size() == 1);
    for (hcl::placed_mark mark : marks) SAME("[0] sensitive", std::string(mark.path) + " " + std::string(mark.name));
    CHECK(secret.mark_count() == 1 && secret.mark_at(0) == "sensitive");
    CHECK(hcl::value::i64(1).value().compare(hcl::value::i64(2).value()).value() < 0);
    CHECK(v.hash().value() == again.hash().value() && v.hash().value() != outer.hash().value());
    CHECK(outer.contains_marks() && !outer.is_marked() && outer.is_wholly_known() && outer.is_known() && !outer.is_null());
}

static void building()
{
    hcl::builder b = hcl::builder::make().value();
    b.begin(HCL_KIND_OBJECT).value();
    b.key("flag").value();
    b.boolean(true).value();
    b.key("n").value();
    b.i64(-1).value();
    b.key("x").value();
    b.f64(1.5).value();
    b.key("t").value();
    b.string("text").value();
    b.key("none").value();
    b.null().value();
    b.key("v").value();
    b.add(hcl::value::u64(9).value()).value();
    CHECK(b.finish().code() == HCL_ERR_ARGUMENT);
    b.end().value();
    SAME(R"({"flag":true,"n":-1,"none":null,"t":"text","v":9,"x":1.5})", b.finish().value().json().value());
}

int main()
{
    literals();
    scalars();
    containers();
    types_and_marks();
    building();
    return failures != 0;
}
