// Documents: read, edited in place, written from scratch.
#include "check.hpp"

int main()
{
    hcl::document document = hcl::document::parse("main.hcl", "# one\na = 1 # two\nb \"x.y\" {\n  c = var.old\n}\n").value();
    SAME("b.x\\.y.c", hcl::address({"b", "x.y", "c"}));
    std::string c = hcl::address({"b", "x.y", "c"});
    SAME("[\"var.old\"]", document.source(c).value().json().value());
    SAME("{\"lead\":[\"# one\"],\"line\":[\"# two\"]}", document.comments("a").value().json().value());
    CHECK(document.list().value().len().value() == 2);
    CHECK(document.rename_references("var.old", "var.new").value() == 1);
    document.set("a", "[1, 2]").value();
    document.set_value(hcl::address({"b", "x.y", "d"}), hcl::value::string("${x}").value()).value();
    document.set("e.f", "3", HCL_EDIT_CREATE).value();
    document.insert("e", HCL_SIDE_BEFORE, "g = 4\n").value();
    document.relabel("b", {"l", "m"}).value();
    document.rename("b", "block").value();
    document.set_comment("e.f", HCL_COMMENT_LINE, "three").value();
    SAME("# one\na = [1, 2] # two\nblock \"l\" \"m\" {\n  c = var.new\n  d = \"$${x}\"\n}\n\ng = 4\n\ne {\n  f = 3 # three\n}\n",
         document.text());
    document.move("e", HCL_SIDE_BEFORE, "block").value();
    document.move_to("e", "first").value();
    document.append("last {}").value();
    CHECK(document.remove("block").value() == 1);
    document.append_block("inner", {"1"}, hcl::value_view(), "first", HCL_EDIT_CLOSE).value();
    document.format().value();
    SAME("# one\na = [1, 2] # two\nfirst {\n  f = 3 # three\n  inner \"1\" {\n  }\n}\n\ng = 4\n\nlast {}\n", document.text());

    CHECK(document.set("a", "1 +").code() == HCL_ERR_DIAGNOSTICS);
    CHECK(document.set("x.y", "1").code() == HCL_ERR_NOT_FOUND);
    CHECK(document.remove("a", 64).code() == HCL_ERR_ARGUMENT);
    CHECK(document.source("nothing").code() == HCL_ERR_NOT_FOUND);
    CHECK(hcl::document::parse("broken", "a = ").code() == HCL_ERR_DIAGNOSTICS);

    hcl::document made = hcl::document::make().value();
    hcl::document taken = std::move(made);
    CHECK(made.text().empty() && made.format().code() == HCL_ERR_ARGUMENT);
    taken.append_block("service", {"web"}).value();
    SAME("service \"web\" {\n}\n", taken.text());
    return failures != 0;
}
