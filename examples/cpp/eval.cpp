// eval.cpp - libhcl from C++: handles that free themselves, and an expression evaluated for several rows.
#include <hcl.h>

#include <cstdio>
#include <memory>
#include <string_view>

namespace {

// A unique_ptr for each handle type, released by the function of its name.
template <auto Free> struct Release {
    template <class T> void operator()(T *handle) const { Free(handle); }
};
using Expr = std::unique_ptr<hcl_expr, Release<hcl_expr_free>>;
using Scope = std::unique_ptr<hcl_scope, Release<hcl_scope_free>>;
using Program = std::unique_ptr<hcl_program, Release<hcl_program_free>>;
using Frame = std::unique_ptr<hcl_frame, Release<hcl_frame_free>>;
using Diags = std::unique_ptr<hcl_diags, Release<hcl_diags_free>>;
using Buf = std::unique_ptr<hcl_buf, Release<hcl_buf_free>>;

int fail(hcl_status status, const Diags &diags)
{
    hcl_buf *text = nullptr;
    if (hcl_diags_render(diags.get(), nullptr, &text) == HCL_OK)
        std::fputs(hcl_buf_str(Buf(text).get()).ptr, stderr);
    std::fprintf(stderr, "status %d\n", static_cast<int>(status));
    return 1;
}

} // namespace

int main()
{
    constexpr std::string_view source = "request.size > 1000 && request.method != \"GET\"";
    hcl_scope *new_scope = nullptr;
    hcl_expr *new_expr = nullptr;
    hcl_program *new_program = nullptr;
    hcl_frame *new_frame = nullptr;
    hcl_diags *new_diags = nullptr;
    std::size_t method = 0, size = 0;

    hcl_status status = hcl_scope_new(nullptr, &new_scope);
    Scope scope(new_scope);
    if (status == HCL_OK) status = hcl_scope_slot(scope.get(), "request.method", HCL_NUL, &method);
    if (status == HCL_OK) status = hcl_scope_slot(scope.get(), "request.size", HCL_NUL, &size);
    if (status == HCL_OK) status = hcl_scope_seal(scope.get());
    if (status == HCL_OK)
        status = hcl_expr_parse("rule", HCL_NUL, source.data(), source.size(), nullptr, 0, nullptr, &new_expr, &new_diags);
    Expr expr(new_expr);
    Diags diags(new_diags);
    if (status != HCL_OK) return fail(status, diags);

    status = hcl_program_compile(expr.get(), scope.get(), 0, &new_program, &new_diags);
    Program program(new_program);
    diags.reset(new_diags);
    if (status == HCL_OK) status = hcl_frame_new(scope.get(), &new_frame);
    Frame frame(new_frame);
    if (status != HCL_OK) return fail(status, diags);

    struct Row { std::string_view method; long long size; };
    for (const Row &row : {Row{"GET", 5000}, Row{"POST", 12}, Row{"PUT", 4096}}) {
        bool holds = false;
        status = hcl_frame_set_str(frame.get(), method, row.method.data(), row.method.size());
        if (status == HCL_OK) status = hcl_frame_set_i64(frame.get(), size, row.size);
        if (status == HCL_OK) status = hcl_eval_bool(program.get(), frame.get(), &holds, &new_diags);
        diags.reset(status == HCL_OK ? nullptr : new_diags);
        if (status != HCL_OK) return fail(status, diags);
        std::printf("%.*s of %lld bytes: %s\n", static_cast<int>(row.method.size()), row.method.data(), row.size,
                    holds ? "held for review" : "passes");
    }
    return 0;
}
