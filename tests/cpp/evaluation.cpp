// Files, scopes, programs, frames, functions of the host, limits, cancelling, the outside world.
#include "check.hpp"

#include <map>
#include <stdexcept>
#include <thread>

static void unknown_names()
{
    hcl::scope_builder names = hcl::scope_builder::make().value();
    auto refused = names.dialect("terraform-9.9");
    CHECK(refused.code() == HCL_ERR_NOT_FOUND);
    CHECK(refused.error().message().find("\"terraform-9.9\"; there are hcl, terraform, terraform-1.11") != std::string::npos);
    CHECK(hcl::dialects().front() == "hcl" && hcl::dialects().back() == "nomad-2.0");
    CHECK(names.dialect("nomad") && names.constant("zone", "b"));
    hcl::scope job = std::move(names).seal().value();
    hcl::frame frame = hcl::frame::make(job).value();
    hcl::expr text = hcl::expr::parse("\"${zone}-${ node.class }\"").value();
    SAME("b-${ node.class }", hcl::evaluate(text, frame).value().as<std::string>().value());
    hcl::scope_builder left = hcl::scope_builder::make().value();
    CHECK(left.flags(HCL_SCOPE_LEAVE_UNKNOWN) && left.flags(0).code() == HCL_ERR_ARGUMENT);
}

static void syntax()
{
    constexpr std::string_view source = "a = 1\nserver \"web\" \"eu\" {\n  port = 80 + local.offset[0]\n}\nclient {}\n";
    hcl::file file = hcl::file::parse("conf", source).value();
    SAME("conf", file.name());
    SAME(source, file.source());
    hcl::file again = file.share().value();
    file.reset();
    std::string seen;
    for (hcl::attribute a : again.body().attributes()) seen += std::string(a.name()) + "=" + std::string(a.expression().source());
    SAME("a=1", seen);
    seen.clear();
    for (hcl::block b : again.body().blocks()) {
        seen += std::string(b.type());
        for (std::string_view label : b.labels()) seen += "." + std::string(label);
        seen += ";";
    }
    SAME("server.web.eu;client;", seen);
    hcl::block server = again.body().blocks()[0];
    SAME("eu", server.label(1));
    CHECK(server.label_range(0).value().start.column == 8 && server.label_range(5).code() == HCL_ERR_RANGE);
    CHECK(server.range().value().end.line == 4 && server.body().missing_range().value().start.line == 2);
    hcl::attribute port = server.body().attribute("port");
    CHECK(port && !server.body().attribute("nothing") && port.range().value().start.line == 3);
    hcl::traversals variables = port.expression().variables().value();
    CHECK(variables.size() == 1);
    for (auto v : variables) {
        SAME("local", v.root());
        SAME("local.offset[0]", v.text());
        CHECK(v.range().value().start.column == 15);
    }
    hcl::expr kept = port.expression().share().value();
    again.reset();
    SAME("80 + local.offset[0]", kept.source());
    CHECK(kept.range().value().start.line == 3);

    hcl::parse_options small;
    small.max_source_bytes = 4;
    CHECK(hcl::file::parse("conf", source, small).code() == HCL_ERR_LIMIT);
    hcl::pos start = {7, 3, 100};
    auto placed = hcl::expr::parse_as(0, "1 +", "conf", &start);
    CHECK(placed.error().diags()[0].subject().start.line == 7);
}

static void slots_and_constants()
{
    auto outer_names = hcl::scope_builder::make().value();
    outer_names.builtins(HCL_BUILTINS_TERRAFORM).value();
    outer_names.constant("limits", hcl::object({{"small", 10}})).value();
    hcl::scope outer = std::move(outer_names).seal().value();
    auto names = hcl::scope_builder::make(outer).value();
    hcl::slot size = names.slot("request.size").value(), tags = names.slot("tags").value(), unused = names.slot("unused").value();
    CHECK(size != unused && names.slot("tags").value() == tags);
    hcl::scope scope = std::move(names).seal().value();
    CHECK(std::move(names).seal().code() == HCL_ERR_ARGUMENT); // NOLINT: an empty handle fails
    hcl::program rule =
        hcl::program::compile("request.size > limits.small && contains(tags, \"vip\")", scope.share().value(), "rule").value();
    std::vector<std::size_t> needed;
    for (hcl::slot s : rule.needs()) needed.push_back(s.index);
    CHECK((needed == std::vector<std::size_t>{size.index, tags.index}));

    hcl::frame frame = hcl::frame::make(scope).value();
    CHECK(rule.eval_bool(frame).code() == HCL_ERR_UNBOUND);
    frame.set(size, 11u).value();
    frame.set(tags, std::vector<std::string>{"vip"}).value();
    CHECK(rule.eval_bool(frame).value());
    frame.set(tags, hcl::list({"other"})).value();
    CHECK(!rule.share().value().eval_as<bool>(frame).value());
    frame.clear(size).value();
    CHECK(rule.eval(frame).code() == HCL_ERR_UNBOUND);
    frame.reset_slots().value();

    hcl::program echo = hcl::program::compile("unused", scope).value();
    auto echoed = [&](auto content) {
        frame.set(unused, content).value();
        return echo.eval(frame).value().json().value().str();
    };
    SAME("true", echoed(true));
    SAME("-3", echoed(-3));
    SAME("18446744073709551615", echoed(UINT64_MAX));
    SAME("0.5", echoed(0.5f));
    SAME("\"c\"", echoed("c"));
    SAME("\"s\"", echoed(std::string("s")));
    SAME("null", echoed(nullptr));
    SAME("{\"a\":1}", echoed(std::map<std::string, int>{{"a", 1}}));
    frame.set(unused, hcl::value::i64(8).value()).value();
    CHECK(echo.eval_i64(frame).value() == 8 && echo.eval_f64(frame).value() == 8.0 && echo.eval_as<int>(frame).value() == 8);
    SAME("8", echo.eval_str(frame).value());
    SAME("8", echo.eval_as<std::string_view>(frame).value());
    CHECK(echo.eval_as<hcl::value>(frame).value().kind() == HCL_KIND_NUMBER);
    CHECK((echo.eval_as<std::vector<int>>(frame).code() == HCL_ERR_TYPE));
    CHECK(frame.set(hcl::slot{99}, 1).code() == HCL_ERR_RANGE);

    hcl::expr once = hcl::expr::parse("unused * 2").value();
    CHECK(hcl::evaluate(once, frame).value().as<int>().value() == 16);
    hcl::expr page = hcl::expr::parse_template("n=${unused}").value();
    SAME("n=8", hcl::evaluate(page, frame).value().as<std::string>().value());
}

static hcl::scope scope_of(const std::vector<hcl::function> &functions)
{
    auto names = hcl::scope_builder::make().value();
    names.builtins(HCL_BUILTINS_TERRAFORM).value();
    for (const hcl::function &f : functions) names.add(f).value();
    return std::move(names).seal().value();
}

static std::string complaint(const hcl::scope &scope, std::string_view source)
{
    auto frame = hcl::frame::make(scope).value();
    auto program = hcl::program::compile(source, scope);
    if (!program) return program.error().message();
    auto value = program->eval(frame);
    return value ? "nothing" : value.error().message();
}

static bool has(const std::string &text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

static void functions()
{
    auto alive = std::make_shared<int>(0);
    {
        hcl::scope scope = scope_of({
            hcl::function("shout", [alive](std::string_view text, std::optional<std::int64_t> times) {
                ++*alive;
                std::string all;
                for (std::int64_t i = 0; i < times.value_or(1); i++) all += text;
                return all;
            }).parameters({"text", "times"}).described("Says it again.").threaded(),
            hcl::function("total", [](const hcl::rest<double> &numbers) {
                double sum = 0;
                for (double n : numbers) sum += n;
                return sum;
            }).pure(),
            hcl::function("narrow", [](std::int8_t n) { return n; }),
            hcl::function("lengths", [](const std::map<std::string, std::vector<std::string>> &of) {
                std::map<std::string, std::size_t> made;
                for (const auto &[key, list] : of) made[key] = list.size();
                return made;
            }),
            hcl::function("kind", [](hcl::value_view v) { return v.kind(); }).allow(0, HCL_PARAM_NULL | HCL_PARAM_UNKNOWN),
            hcl::function("nothing", [] {}),
            hcl::function("checked", [](std::int64_t n) -> hcl::result<std::string> {
                if (n < 0) return hcl::error(HCL_ERR_RANGE, "negative numbers are refused");
                return std::to_string(n);
            }).returning("number"),
            hcl::function("throws", [](std::string why) -> bool { throw std::runtime_error("it broke: " + why); }),
            hcl::function("throws_a_number", []() -> bool { throw 7; }),
            hcl::function("raw", {{"first", "string"}, {"more", "", HCL_PARAM_VARIADIC}}, [](hcl::call &now) {
                if (now.size() == 1) return now.fail("needs more than that", 0);
                return now.returns(now[now.size() - 1]);
            }),
        });
        SAME("\"hahaha\"", console(scope, "shout(\"ha\", 3)"));
        SAME("\"ha\"", console(scope, "shout(\"ha\", null)"));
        SAME("6.5", console(scope, "total(1, 2, 3.5)"));
        SAME("0", console(scope, "total()"));
        SAME("-7", console(scope, "narrow(-7)"));
        SAME("{\n  \"a\" = 2\n}", [&] {
            auto frame = hcl::frame::make(scope).value();
            auto made = hcl::program::compile("lengths({a = [\"x\", 1]})", scope).value().eval(frame).value();
            CHECK(made.kind() == HCL_KIND_MAP);
            return std::string("{\n  \"a\" = ") + std::to_string(made["a"].as<int>().value()) + "\n}";
        }());
        SAME("0", console(scope, "kind(null)"));
        CHECK(console(scope, "nothing()").substr(0, 4) == "null");
        SAME("5", console(scope, "checked(5)"));
        SAME("\"b\"", console(scope, "raw(\"a\", 1, \"b\")"));
        CHECK(has(complaint(scope, "checked(-5)"), "negative numbers are refused"));
        CHECK(has(complaint(scope, "throws(\"x\")"), "it broke: x"));
        CHECK(has(complaint(scope, "throws_a_number()"), "std::exception"));
        CHECK(has(complaint(scope, "raw(\"a\")"), "needs more than that") && has(complaint(scope, "raw(\"a\")"), "first"));
        CHECK(has(complaint(scope, "narrow(1000)"), "too large"));
        CHECK(has(complaint(scope, "shout({}, 1)"), "\"text\""));
        CHECK(*alive == 2 && alive.use_count() == 2);
    }
    CHECK(alive.use_count() == 1); // the lambda went with its last scope

    hcl::function twice("twice", [](int n) { return 2 * n; });
    hcl::scope first = scope_of({twice}), second = scope_of({twice});
    SAME("4", console(first, "twice(2)"));
    SAME("6", console(second, "twice(3)"));
    auto names = hcl::scope_builder::make().value();
    CHECK(names.add(hcl::function("typo", {{"x", "strnig"}}, [](hcl::call &now) { return now.returns(1); })).code() == HCL_ERR_TYPE);
}

static void limits()
{
    hcl::scope scope = plain_scope();
    hcl::frame frame = hcl::frame::make(scope).value();
    hcl::program endless =
        hcl::program::compile("length([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a * b * c]]])", scope).value();
    hcl::limits few;
    few.max_steps = 10000;
    frame.set_limits(few).value();
    CHECK(endless.eval(frame).code() == HCL_ERR_LIMIT);
    CHECK(frame.used().value().max_steps >= 10000);
    few.max_steps = 0;
    few.timeout = std::chrono::milliseconds(5);
    frame.set_limits(few).value();
    CHECK(endless.eval(frame).code() == HCL_ERR_DEADLINE);
    few.timeout = few.timeout.zero();
    frame.set_limits(few).value();
    hcl::cancel stop = hcl::cancel::make().value();
    frame.set_cancel(stop).value();
    std::thread other([handle = stop.share().value()] { handle.trigger(); });
    auto code = endless.eval(frame).code();
    // Where threads take turns for long, as under valgrind, the memory that an evaluation may take is used up first.
    for (int round = 0; round < 100 && code == HCL_ERR_LIMIT; round++)
        code = endless.eval(frame).code();
    CHECK(code == HCL_ERR_CANCELLED);
    other.join();
    frame.clear_cancel().value();
    CHECK(hcl::program::compile("1", scope).value().eval(frame).has_value());
}

static void outside()
{
    hcl::world world;
    world.read_file = [](std::string_view path, std::uint64_t) -> hcl::result<std::string> {
        if (path != "name" && path != "/made/up/name") return hcl::error(HCL_ERR_NOT_FOUND);
        return "from the world";
    };
    world.file_kind = [](std::string_view) -> hcl::result<std::uint32_t> { return HCL_FILE_REGULAR; };
    world.working_directory = []() -> hcl::result<std::string> { return "/made/up"; };
    world.now = []() -> hcl::result<std::chrono::system_clock::time_point> {
        return std::chrono::system_clock::time_point(std::chrono::seconds(86400));
    };
    world.environment_variable = [](std::string_view) -> hcl::result<std::string> { throw std::runtime_error("no environment"); };
    hcl::host host = hcl::host::make(std::move(world)).value();
    hcl::scope scope = plain_scope();
    hcl::frame frame = hcl::frame::make(scope).value();
    auto text = [&](std::string_view source) {
        auto made = hcl::program::compile(source, scope).value().eval(frame);
        return made ? made->as<std::string>().value() : made.error().message();
    };
    CHECK(!has(text("file(\"name\")"), "from the world"));
    frame.set_host(host.share().value()).value();
    SAME("from the world", text("file(\"name\")"));
    SAME("1970-01-02T00:00:00Z", text("timestamp()"));
    CHECK(has(text("file(\"other\")"), "other"));
    frame.clear_host().value();
    CHECK(!has(text("file(\"name\")"), "from the world"));

    hcl::system_options nowhere;
    nowhere.folders = {"/there/is/no/such/folder"};
    CHECK(hcl::host::system(nowhere).code() == HCL_ERR_DIAGNOSTICS);
    hcl::system_options clock;
    clock.flags = HCL_ALLOW_CLOCK;
    frame.set_host(hcl::host::system(clock).value()).value();
    CHECK(text("timestamp()").size() == 20);
}

static void listed()
{
    hcl::functions all = hcl::functions::of(HCL_BUILTINS_TERRAFORM).value();
    CHECK(all.size() > 100 && !all.empty() && hcl::functions::of(99).code() == HCL_ERR_NOT_FOUND);
    auto join = all.find("join");
    CHECK(join && !all.find("jion"));
    SAME("join(separator: string, lists: list(string)...) -> string", join->signature());
    std::string parameters;
    for (hcl::parameter_info p : join->parameters()) parameters += std::string(p.name()) + ":" + std::string(p.type_text()) + " ";
    SAME("separator:string lists:list(string) ", parameters);
    CHECK(join->flags() == HCL_FUNCTION_PURE && join->asks_for().empty() && !join->description().empty());
    SAME("string", join->result_type());
    SAME("fs", all.find("file")->asks_for());
    hcl::functions shared = all.share().value();
    SAME("cidrhost", shared[all.lower_bound("cidr")].name());
    std::size_t n = 0;
    for (hcl::function_info f : all) n += f.name().empty() ? 0 : 1;
    CHECK(n == all.size());
}

static void row_batches()
{
    auto names = hcl::scope_builder::make().value();
    hcl::slot name = names.slot("name").value(), n = names.slot("n").value();
    hcl::scope scope = std::move(names).seal().value();
    hcl::frame frame = hcl::frame::make(scope).value();
    hcl::program greet = hcl::program::compile("\"${name} ${n + 1}\"", scope).value();
    std::string ann = "ann";
    hcl::rows results = greet.eval_rows(frame, {name, n}, {ann, 1, "bob", UINT64_MAX, "eve", "x", nullptr, true}, 4).value();
    CHECK(results.size() == 4 && results.diags().size() == 3);
    SAME("ann 2", results[0].as<std::string_view>().value());
    SAME("bob 18446744073709551616", results[1].as<std::string>().value());
    CHECK(results[2].is_error() && results[3].is_error() && results[2].as<bool>().code() == HCL_ERR_DIAGNOSTICS);
    CHECK(results.why(2) && results.why(2)->is_error() && !results.why(0));
    CHECK(greet.eval_rows(frame, {name, n}, {"too few"}, 1).code() == HCL_ERR_ARGUMENT);
    CHECK(greet.eval_rows(frame, {name, n}, {}, SIZE_MAX / 2 + 1).code() == HCL_ERR_ARGUMENT);
    CHECK(greet.eval_rows(frame, {}, {}, SIZE_MAX).code() == HCL_ERR_ARGUMENT);

    hcl::program same = hcl::program::compile("n", scope).value();
    hcl::value list = hcl::value::of(hcl::list({1, 2})).value();
    results = same.eval_rows(frame, {n}, {true, -5, UINT64_MAX, 0.5, "t", nullptr, list, hcl::cell()}, 8).value();
    std::string kinds;
    for (const hcl::cell &result : results) kinds += std::to_string(result.kind());
    SAME("23456178", kinds);
    CHECK(results[0].as<bool>().value() && results[1].as<std::int64_t>().value() == -5 && results[1].as<int>().value() == -5);
    CHECK(results[2].as<std::uint64_t>().value() == UINT64_MAX && results[3].as<double>().value() == 0.5);
    CHECK(results[5].is_null() && !results[5].as<std::optional<int>>().value() && results[1].as<std::string_view>().code() == HCL_ERR_TYPE);
    CHECK((results[6].as<std::vector<int>>().value() == std::vector<int>{1, 2}));

    hcl::file settings = hcl::file::parse("s.hcl", "host = \"h\"\nport = 80\nbad = missing\n").value();
    results = hcl::evaluate(settings.body(), {"host", "port", "none", "bad"}, frame).value();
    SAME("h", results[0].as<std::string_view>().value());
    CHECK(results[1].as<int>().value() == 80 && results[2].kind() == HCL_CELL_EMPTY && results[3].is_error() && results.why(3)->is_error());
    CHECK(hcl::evaluate(settings.body(), {"\xff"}, frame).code() == HCL_ERR_ARGUMENT);

    hcl::expr wrong = hcl::expr::parse("nmae").value();
    hcl::partial<hcl::program> part = hcl::program::compile_partial(wrong, scope);
    CHECK(part.code == HCL_ERR_DIAGNOSTICS && part.tree && part.diags.size() == 1 && part.tree.eval(frame).code() == HCL_ERR_DIAGNOSTICS);
    CHECK(hcl::program::compile(wrong, scope, HCL_COMPILE_NO_FOLDING).code() == HCL_ERR_DIAGNOSTICS);
}

static void resolving()
{
    auto names = hcl::scope_builder::make().value();
    hcl::slot a = names.slot("a").value();
    hcl::slot b = names.slot("b").value();
    names.add(hcl::function("twin", {{"x"}}, [](hcl::call &now) { return now.returns(now[0]); })
                  .type_of_result([](hcl::call &now) { return now.returns_type(hcl::type::parse("bool").value()); })).value();
    names.add(hcl::function("greatest", [] { return UINT64_MAX; })).value();
    hcl::scope scope = std::move(names).seal().value();
    hcl::frame frame = hcl::frame::make(scope).value();
    auto asked = std::make_shared<std::string>();
    frame.set_resolver([a, asked](hcl::slot at, std::string_view name, hcl::call &now) -> hcl::result<void> {
        *asked += name;
        if (at == a) return now.returns(20);
        throw std::runtime_error("there is no such thing as " + std::string(name));
    }).value();
    CHECK(hcl::program::compile("a + a + 2", scope).value().eval_i64(frame).value() == 42);
    SAME("a", *asked);
    auto failed = hcl::program::compile("b", scope).value().eval(frame);
    CHECK(!failed && has(failed.error().message(), "there is no such thing as b"));
    frame.clear_resolver().value();
    CHECK(asked.use_count() == 1 && hcl::program::compile("a", scope).value().eval(frame).code() == HCL_ERR_UNBOUND);

    frame.set(b, hcl::value::unknown(hcl::type::parse("string").value()).value()).value();
    SAME("bool", hcl::program::compile("twin(b)", scope).value().eval(frame).value().type().value().text().value());
    SAME("18446744073709551615", console(scope, "greatest()"));
}

int main()
{
    resolving();
    row_batches();
    syntax();
    unknown_names();
    slots_and_constants();
    functions();
    limits();
    outside();
    listed();
    return failures != 0;
}
