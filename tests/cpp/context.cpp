// User data for functions, the diagnostics that they fail with, and objects of C++ as values.
#include "check.hpp"

#include <memory>

struct request {
    std::string tenant;
};

static void test_user()
{
    auto names = hcl::scope_builder::make().value();
    names
        .add(hcl::function("tenant", {},
                           [](hcl::call &now) {
                               auto *asked = now.user<request>();
                               return now.returns(asked ? std::string_view(asked->tenant) : "nobody");
                           }))
        .value();
    names.slot("who").value();
    hcl::scope scope = std::move(names).seal().value();
    auto frame = hcl::frame::make(scope).value();
    frame.set_resolver([](hcl::slot, std::string_view, hcl::call &now) { return now.returns(now.user<request>()->tenant); })
        .value();
    auto alone = hcl::program::compile("tenant()", scope).value();
    auto both = hcl::program::compile("\"${tenant()} ${who}\"", scope).value();
    SAME("nobody", alone.eval_str(frame).value());
    request ann{"ann"};
    frame.set_user(&ann).value();
    SAME("ann ann", both.eval_str(frame).value());
    frame.set_user(nullptr).value();
    SAME("nobody", alone.eval_str(frame).value());
}

static void test_failures()
{
    auto names = hcl::scope_builder::make().value();
    names
        .add(hcl::function("positive",
                           {{"n", "number"}},
                           [](hcl::call &now) -> hcl::result<void> {
                               hcl::diagnostics why;
                               why.add(hcl::complaint("host.sign", "Not positive", "Give a positive number.").note("least", "1"));
                               return now.fail(std::move(why), 0);
                           }))
        .value();
    names.add(hcl::function("include", [](std::string) { return hcl::file::parse("other.hcl", "a = \n").value().share().has_value(); }))
        .value();
    names.add(hcl::function("parse", [](std::string) -> hcl::result<bool> {
             auto parsed = hcl::file::parse("other.hcl", "a = \n");
             if (!parsed) return parsed.error();
             return true;
         }))
        .value();
    hcl::scope scope = std::move(names).seal().value();
    auto frame = hcl::frame::make(scope).value();
    auto sign = hcl::program::compile("positive(0)", scope).value().eval(frame);
    CHECK(!sign && sign.error().diags().size() == 1);
    SAME("host.sign", sign.error().diags()[0].code());
    SAME("1", sign.error().diags()[0].extra("least"));
    SAME("0", sign.error().diags()[0].expression());
    for (const char *source : {"include(\"x\")", "parse(\"x\")"}) {
        auto failed = hcl::program::compile(source, scope).value().eval(frame);
        CHECK(!failed && failed.error().diags().size() == 2);
        SAME("other.hcl", failed.error().diags()[0].filename());
        SAME("eval.call.failed", failed.error().diags()[1].code());
    }
    // Hosts fail so too.
    hcl::world world;
    world.file_kind = [](std::string_view) -> hcl::result<std::uint32_t> { return hcl::file::parse("store.hcl", "a = \n").error(); };
    auto files = plain_scope();
    auto asking = hcl::frame::make(files).value();
    asking.set_host(hcl::host::make(std::move(world)).value()).value();
    auto program = hcl::program::compile("fileexists(\"x\")", files).value();
    auto failed = program.eval(asking);
    CHECK(!failed && failed.error().diags().size() == 2);
    SAME("store.hcl", failed.error().diags()[0].filename());
}

static void test_times()
{
    using clock = std::chrono::system_clock;
    const std::pair<clock::time_point, const char *> times[] = {
        {clock::time_point::min(), nullptr},
        {clock::time_point(std::chrono::milliseconds(-1500)), "1969-12-31T23:59:58Z"},
        {clock::time_point(std::chrono::milliseconds(1500)), "1970-01-01T00:00:01Z"},
    };
    auto scope = plain_scope();
    auto program = hcl::program::compile("timestamp()", scope).value();
    for (const auto &[at, text] : times) {
        hcl::world world;
        world.now = [time = at]() -> hcl::result<clock::time_point> { return time; };
        auto frame = hcl::frame::make(scope).value();
        frame.set_host(hcl::host::make(std::move(world)).value()).value();
        auto told = program.eval(frame).value().as<std::string>().value();
        /* How far back the clock reaches depends on its unit. */
        if (text != nullptr) SAME(text, told);
    }
}

struct connection {
    int fd;
    int *gone;
    ~connection() { ++*gone; }
};

static void test_capsules()
{
    int gone = 0;
    {
        auto type = hcl::capsule_type<connection>::make("connection").value();
        auto other = hcl::capsule_type<connection>::make("connection").value();
        hcl::value value = type.wrap(std::shared_ptr<connection>(new connection{7, &gone})).value();
        CHECK(type.unwrap(value).value()->fd == 7);
        CHECK(other.unwrap(value).code() == HCL_ERR_TYPE);
        auto building = hcl::builder::make().value();
        CHECK(building.begin(HCL_KIND_TUPLE) && type.add_to(building, std::shared_ptr<connection>(new connection{8, &gone})));
        CHECK(type.add_to(building, type.unwrap(value).value()) && building.end());
        hcl::value both = building.finish().value();
        CHECK(type.unwrap(both.at(0)).value()->fd == 8 && type.unwrap(both.at(1)).value()->fd == 7);
        auto names = hcl::scope_builder::make().value();
        names.constant("c", value).value();
        names.add(hcl::function("fd", [&type](hcl::value_view of) -> hcl::result<int> {
                 auto found = type.unwrap(of);
                 if (!found) return found.error();
                 return (*found)->fd;
             }))
            .value();
        hcl::scope scope = std::move(names).seal().value();
        SAME("[\n  true,\n  7,\n]", console(scope, "[c == c, fd([c][0])]"));
        SAME("HCL_ERR_DIAGNOSTICS", console(scope, "\"x${c}\""));
        CHECK(gone == 0);
        CHECK(!hcl::capsule_type<int>::make(""));
    }
    CHECK(gone == 2);
}

int main()
{
    test_user();
    test_failures();
    test_times();
    test_capsules();
    return failures;
}
