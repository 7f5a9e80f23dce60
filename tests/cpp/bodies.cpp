// Bodies by schema in both syntaxes, references step by step, expressions taken literally, explanations.
#include "check.hpp"

static void schemas()
{
    hcl::schema schema = hcl::schema::parse("region = required\nzone = optional\nservice \"name\" {\n  port = required\n}\n").value();
    CHECK(hcl::schema::parse("region = sometimes").code() == HCL_ERR_DIAGNOSTICS);
    hcl::file native = hcl::file::parse("a.hcl", "region = \"eu\"\nservice \"web\" {\n  port = 80\n}\nextra = 1\n").value();
    hcl::file json = hcl::file::parse_json("b.json", R"({"region": "us", "service": {"db": {"port": 5432}}})").value();

    CHECK(native.body().content(schema).code() == HCL_ERR_DIAGNOSTICS);
    hcl::partial<hcl::body_content> part = native.body().content_partial(schema);
    CHECK(part.code == HCL_ERR_DIAGNOSTICS && part.diags.size() == 1 && part.tree.content.attribute("region"));
    hcl::body_content both = native.body().content(schema, HCL_CONTENT_PARTIAL).value();
    CHECK(both.content.attributes().size() == 1 && both.content.blocks().size() == 1);
    SAME("web", both.content.blocks()[0].label(0));
    SAME("a.hcl", both.content.blocks()[0].filename());
    hcl::body_content rest = both.rest.content(hcl::schema::parse("extra = required").value()).value();
    CHECK(rest.content.attributes().size() == 1 && rest.content.attribute("extra") && !rest.rest);
    CHECK(native.body().just_attributes().code() == HCL_ERR_DIAGNOSTICS);

    hcl::body kept = json.body().share().value();
    json.reset();
    hcl::body_content other = kept.content(schema).value();
    hcl::block db = other.content.blocks()[0];
    SAME("db", db.label(0));
    CHECK(db.type_range().value().start.line == 1 && db.definition_range().value().start.line == 1 && !kept.is_unknown());
    hcl::schema inner = schema.block("service").share().value();
    CHECK(!schema.block("nothing"));
    hcl::body_content service = db.body().content(inner).value();
    hcl::frame frame = hcl::frame::make(plain_scope()).value();
    CHECK(service.content.attribute("port").eval(frame).value().as<int>().value() == 5432);
    CHECK(service.content.attribute("port").name_range().value().start.line == 1);

    hcl::file more = hcl::file::parse("c.hcl", "zone = local.zones[0]").value();
    hcl::body merged = hcl::body::merge({kept, more.body()}).value();
    hcl::body_content whole = merged.content(schema).value();
    CHECK(whole.content.attributes().size() == 2);
    hcl::traversals needed = merged.variables(schema).value();
    CHECK(needed.size() == 1 && needed[0].filename() == "c.hcl");
    SAME("local.zones[0]", needed[0].text());
    hcl::traversals zone = more.body().attribute("zone").variables().value();
    SAME("local", zone[0].root());
}

static void references()
{
    hcl::traversals one = hcl::traversals::parse("module.web[\"a\"][0].port").value();
    std::string seen;
    for (hcl::traversal_step step : one[0].steps())
        seen += step.kind() == HCL_STEP_ATTR ? "." + std::string(step.name()) : "[" + step.key().console().value().str() + "]";
    SAME(".web[\"a\"][0].port", seen);
    CHECK(one[0].steps()[0].range().start.column == 7);
    CHECK(hcl::traversals::parse("a[*]").code() == HCL_ERR_DIAGNOSTICS);
    hcl::traversals splat = hcl::traversals::parse("a[*]", "reference", HCL_TRAVERSAL_SPLAT).value();
    CHECK(splat[0].steps()[0].kind() == HCL_STEP_SPLAT);

    hcl::expr call = hcl::expr::parse("ns::join(\"-\", [a, b])", "conf").value();
    hcl::static_form form = call.as_static(HCL_STATIC_CALL).value();
    SAME("ns::join", form.name());
    CHECK(form.size() == 2 && call.as_static(HCL_STATIC_MAP).code() == HCL_ERR_TYPE && call.as_traversal().code() == HCL_ERR_TYPE);
    seen.clear();
    hcl::static_form list = form[1].as_static(HCL_STATIC_LIST).value();
    for (hcl::expr_view element : list.elements()) seen += std::string(element.source());
    SAME("ab", seen);
    hcl::static_form pairs = hcl::expr::parse("{k = v}").value().as_static(HCL_STATIC_MAP).value();
    SAME("k", pairs.key(0).source());
    hcl::traversals called = call.functions().value();
    SAME("ns::join", called[0].root());
    SAME("conf", call.filename());
    hcl::traversals reference = hcl::expr::parse("a.b").value().as_traversal().value();
    SAME("a.b", reference[0].text());

    hcl::frame frame = hcl::frame::make(plain_scope()).value();
    hcl::value object = hcl::evaluate(hcl::expr::parse_json("{\"a\": \"${1 + 1}\"}").value(), frame).value();
    CHECK(object["a"].as<int>().value() == 2);
    std::string told = hcl::explain(hcl::expr::parse("true ? 1 + 1 : 3").value(), frame).value().str();
    CHECK(told.find("1 + 1") != std::string::npos && told.find('2') != std::string::npos);
    hcl::parse_options placed;
    placed.start = {5, 1, 40};
    hcl::error part = hcl::file::parse("part", "a = \n", placed).error();
    CHECK(part.diags()[0].subject().start.line >= 5);
}

int main()
{
    schemas();
    references();
    return failures != 0;
}
