// Decoding by specification, dynamic blocks, definitions, canonical form.
#include "check.hpp"

int main()
{
    hcl::frame frame = hcl::frame::make(plain_scope()).value();
    hcl::spec spec = hcl::spec::parse("object {\n  attr \"port\" {\n    type = number\n    required = true\n  }\n}\n").value();
    hcl::file file = hcl::file::parse("conf", "port = \"80\"\n").value();
    SAME("{\"port\":80}", spec.decode(file.body(), frame).value().json().value());
    CHECK(spec.share().value().type().value() == hcl::type::parse("object({port = number})").value());
    hcl::file none = hcl::file::parse("none", "").value();
    CHECK(spec.decode(none.body(), frame).code() == HCL_ERR_DIAGNOSTICS);
    CHECK(spec.schema() && spec.variables(file.body()).value().empty());
    CHECK(hcl::spec::parse("nothing {}").code() == HCL_ERR_DIAGNOSTICS);

    hcl::file dynamic = hcl::file::parse("dyn", "dynamic \"rule\" {\n  for_each = [1, 2]\n  content {\n    n = rule.value\n  }\n}\n").value();
    hcl::scope scope = plain_scope();
    hcl::body expanded = hcl::expand_dynamic(dynamic.body(), scope).value();
    hcl::frame inside = hcl::frame::make(scope).value();
    hcl::schema rules = hcl::schema::parse("rule {\n  n = required\n}\n").value();
    hcl::body_content read = expanded.content(rules, 0, &inside).value();
    CHECK(read.content.blocks().size() == 2);

    SAME("a  = 1\nbb = 2\n", hcl::format("a=1\nbb=2\n").value());
    CHECK(hcl::is_formatted("a = 1\n").value() && !hcl::is_formatted("a=1\n").value());

    hcl::type numbers = hcl::type::parse("list(number)").value();
    CHECK(numbers.share().value() == numbers);
    CHECK(hcl::type_of_expression(hcl::expr::parse("list(number)").value()).value() == numbers);
    return failures != 0;
}
