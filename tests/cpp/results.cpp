// Results, errors, handles and diagnostics.
#include "check.hpp"

#include <type_traits>

static_assert(!std::is_copy_constructible_v<hcl::value> && std::is_nothrow_move_constructible_v<hcl::value>);
static_assert(!std::is_copy_constructible_v<hcl::file> && std::is_nothrow_move_assignable_v<hcl::file>);
static_assert(!std::is_copy_constructible_v<hcl::expr> && std::is_nothrow_move_assignable_v<hcl::expr>);
static_assert(sizeof(hcl::file) == sizeof(void *) && sizeof(hcl::value_view) == sizeof(void *));
static_assert(std::is_convertible_v<const hcl::value &, hcl::value_view>);
static_assert(!std::is_convertible_v<hcl::value_view, hcl::value>);

static void as_values()
{
    hcl::result<hcl::expr> right = hcl::expr::parse("1 + 2");
    CHECK(right && right.code() == HCL_OK);
    SAME("1 + 2", right->source());

    hcl::result<hcl::expr> wrong = hcl::expr::parse("1 + ", "rule");
    CHECK(!wrong && wrong.code() == HCL_ERR_DIAGNOSTICS);
    CHECK(wrong.error().diags().size() == 1);
    hcl::diagnostic d = wrong.error().diags()[0];
    CHECK(d.is_error() && d.severity() == HCL_SEVERITY_ERROR);
    SAME("Missing expression", d.summary());
    SAME("rule", d.filename());
    CHECK(hcl::explain_code(d.code()).value().str().size() > 40 && hcl::explain_code("x").code() == HCL_ERR_NOT_FOUND);
    CHECK(!d.code().empty() && !d.detail_text().empty());
    CHECK(d.subject().start.line == 1 && d.fields().size == sizeof(hcl_diag));
    CHECK(wrong.error().message().find("Missing expression") != std::string::npos);

    hcl::error copied = wrong.error();
    wrong = hcl::expr::parse("x");
    CHECK(wrong && copied.diags().size() == 1);

    hcl::result<std::string> text = "a text";
    SAME("a text", text.value_or("another"));
    text = hcl::error(HCL_ERR_RANGE);
    SAME("another", text.value_or("another"));
    SAME("HCL_ERR_RANGE", text.error().message());
    SAME("in one's own words", hcl::error(HCL_ERR_TYPE, "in one's own words").message());

    auto length = hcl::value::string("four").and_then([](const hcl::value &v) { return v.as<std::string>(); }).transform(
        [](const std::string &s) { return s.size(); });
    CHECK(length.value() == 4);
    auto never = hcl::value::number("four").and_then([](const hcl::value &v) { return v.as<std::string>(); });
    CHECK(never.code() == HCL_ERR_RANGE);
    CHECK(hcl::result<void>().and_then([] { return hcl::result<int>(7); }).value() == 7);

    /* Errors that were moved from still say why. */
    hcl::error first(HCL_ERR_LIMIT, "too many");
    hcl::error second = std::move(first);
    CHECK(first.code() == HCL_ERR_LIMIT && first.message() == second.message());
    hcl::result<void> failed = second;
    hcl::result<void> taken = std::move(failed);
    CHECK(failed.code() == HCL_ERR_LIMIT && taken.code() == HCL_ERR_LIMIT);
}

static void as_exceptions()
{
    bool caught = false;
    try {
        (void)hcl::program::compile("upper(nmae)", plain_scope()).value();
    } catch (const hcl::exception &e) {
        caught = true;
        CHECK(e.why().code() == HCL_ERR_DIAGNOSTICS);
        CHECK(std::string_view(e.what()).find("nmae") != std::string_view::npos);
        hcl::exception copy = e;
        CHECK(copy.why().diags().size() == e.why().diags().size());
    }
    CHECK(caught);
    caught = false;
    try {
        hcl::result<void>(hcl::error(HCL_ERR_BUSY)).value();
    } catch (const std::exception &e) {
        caught = true;
        SAME("HCL_ERR_BUSY", e.what());
    }
    CHECK(caught);
}

static void handles()
{
    hcl::value a = hcl::value::string("first").value();
    hcl::value b = std::move(a);
    CHECK(!a && b); // NOLINT: what moved-from handles do is promised
    SAME("first", b.as_str().value());
    CHECK(a.as_str().code() == HCL_ERR_ARGUMENT && a.kind() == HCL_KIND_INVALID);
    CHECK(a.elements().empty() && !a["x"] && a.at(0).get() == nullptr);
    a = b.share().value();
    CHECK(a.identical(b));
    hcl::value &self = a;
    a = std::move(self);
    CHECK(a);
    hcl_value *raw = a.release();
    CHECK(!a && raw != nullptr);
    hcl::value adopted(raw);
    SAME("first", adopted.as_str().value());
    adopted.reset();
    CHECK(!adopted);

    hcl::file none;
    CHECK(none.body().blocks().empty() && none.name().empty() && none.share().code() == HCL_ERR_ARGUMENT);
    hcl::frame frame = hcl::frame::make(plain_scope()).value();
    CHECK(frame.set_cancel(hcl::cancel()).code() == HCL_ERR_ARGUMENT);
    CHECK(frame.set_host(hcl::host()).code() == HCL_ERR_ARGUMENT);
    CHECK(hcl::program().eval_bool(frame).code() == HCL_ERR_ARGUMENT);
}

static void diagnostics()
{
    hcl::partial<hcl::file> read = hcl::file::parse_partial("conf", "good = 1\nbad = \nworse {\n");
    CHECK(read.code == HCL_ERR_DIAGNOSTICS && read.tree && read.diags.has_errors());
    CHECK(read.tree.body().attribute("good"));
    std::size_t n = 0;
    for (hcl::diagnostic d : read.diags) n += d.is_error() ? 1 : 0;
    CHECK(n == read.diags.size() && n >= 1);
    hcl::render_options narrow;
    narrow.width = 40;
    narrow.flags = HCL_RENDER_ASCII;
    std::string text = read.diags.render(narrow).value().str();
    CHECK(text.find("conf:2") != std::string::npos);
    CHECK(read.diags.json().value().str().substr(0, 1) == "[");
    hcl::diagnostics both;
    CHECK(both.append(read.diags) == HCL_OK && both.append(both) == HCL_OK && both.size() == 2 * read.diags.size());
    CHECK(hcl::diagnostics().empty() && hcl::diagnostics().render().value().str().empty());

    auto names = hcl::scope_builder::make().value();
    hcl::slot port = names.slot("port").value();
    hcl::scope scope = std::move(names).seal().value();
    hcl::frame frame = hcl::frame::make(scope).value();
    frame.set(port, "http").value();
    auto failed = hcl::program::compile("port + 1", scope).value().eval(frame);
    CHECK(failed.code() == HCL_ERR_DIAGNOSTICS);
    std::string found;
    hcl::diagnostic first = failed.error().diags()[0];
    SAME("port", std::string(first.expression()));
    for (hcl::named_value v : first.values()) found += std::string(v.expression) + " " + std::string(v.description);
    SAME("port is \"http\"", found);
}

// A result can be copied where what it holds can.
static_assert(std::is_copy_constructible_v<hcl::result<std::string>> && std::is_copy_assignable_v<hcl::result<std::string>>);
static_assert(!std::is_copy_constructible_v<hcl::result<hcl::value>> && !std::is_copy_assignable_v<hcl::result<hcl::value>>);
static_assert(std::is_nothrow_move_constructible_v<hcl::result<hcl::value>> && std::is_move_assignable_v<hcl::result<hcl::value>>);

static void test_copies()
{
    hcl::result<std::string> text = std::string(100, 'x'), other = hcl::error(HCL_ERR_RANGE), copy = text;
    CHECK(*copy == *text && *copy != "");
    copy = other;
    CHECK(!copy && copy.code() == HCL_ERR_RANGE);
    copy = text;
    copy = *&copy;
    CHECK(copy && copy->size() == 100 && text->size() == 100);
    other = std::move(copy);
    CHECK(other && other->size() == 100);
    std::vector<hcl::result<hcl::value>> many;
    for (int i = 0; i < 100; i++) many.push_back(i % 2 == 0 ? hcl::value::i64(i) : hcl::error(HCL_ERR_TYPE));
    int sum = 0;
    for (const auto &one : many) sum += one ? one->as<int>().value() : 1;
    CHECK(sum == 2500);
    CHECK(hcl::value::i64(7).and_then([](const hcl::value &v) { return v.as_i64(); }).value() == 7);
    CHECK(hcl::value::number("x").transform([](const hcl::value &) { return 1; }).code() == HCL_ERR_RANGE);
}

int main()
{
    CHECK(hcl::compatible() && hcl::version() == HCL_VERSION);
    CHECK(hcl::version_string().substr(0, 7) == "libhcl ");
    as_values();
    as_exceptions();
    handles();
    diagnostics();
    test_copies();
    return failures != 0;
}
