// eval.cpp - the first five minutes in C++: a condition compiled once, evaluated for several rows.
#include <hcl.hpp>

#include <iostream>

int main()
try {
    auto names = hcl::scope_builder::make().value();
    hcl::slot method = names.slot("request.method").value();
    hcl::slot size = names.slot("request.size").value();
    names.add(hcl::function("kib", [](double n) { return n * 1024; }).pure()).value();
    hcl::scope scope = std::move(names).seal().value();

    auto rule = hcl::program::compile("request.size > kib(1) && request.method != \"GET\"", scope, "rule").value();
    auto frame = hcl::frame::make(scope).value();

    struct row {
        std::string_view method;
        long long size;
    };
    for (const row &r : {row{"GET", 5000}, row{"POST", 12}, row{"PUT", 4096}}) {
        frame.set(method, r.method).value();
        frame.set(size, r.size).value();
        bool held = rule.eval_bool(frame).value();
        std::cout << r.method << " of " << r.size << " bytes: " << (held ? "held for review" : "passes") << '\n';
    }

    // A mistake as a value instead of an exception: what is wrong, and where.
    if (auto wrong = hcl::program::compile("request.size > kb(1)", scope, "rule"); !wrong)
        for (hcl::diagnostic d : wrong.error().diags())
            std::cout << d.filename() << ':' << d.subject().start.line << ',' << d.subject().start.column << ": "
                      << d.summary() << ". " << d.detail_text() << '\n';
} catch (const hcl::exception &e) {
    std::cerr << e.what();
    return 1;
}
