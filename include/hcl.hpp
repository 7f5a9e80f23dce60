/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * hcl.hpp - libhcl for C++17 and later. Header-only: it needs hcl.h and the library, nothing else.
 *
 *     #include <hcl.hpp>
 *     #include <iostream>
 *
 *     int main() { std::cout << hcl::evaluate("upper(name)", R"({"name": "ann"})").value() << '\n'; }
 *
 * What is evaluated often is compiled once:
 *
 *     hcl::scope_builder names = hcl::scope_builder::make().value();
 *     hcl::slot size = names.slot("request.size").value();
 *     hcl::scope scope = std::move(names).seal().value();
 *     hcl::program rule = hcl::program::compile("request.size > 1000", scope).value();
 *     hcl::frame frame = hcl::frame::make(scope).value();
 *     frame.set(size, 4096).value();
 *     bool held = rule.eval_bool(frame).value();
 *
 * RULES
 *
 * Results. What can fail returns `hcl::result<T>`: the thing, or an `hcl::error` with its status and its diagnostics.
 * Each call chooses how to go on: `if (auto r = …)` looks at the result as a value, `….value()` throws `hcl::exception`
 * on failure. There is one set of functions for both, so code of both habits links together. Without exceptions
 * (`-fno-exceptions`, or HCL_NO_EXCEPTIONS defined) `value()` ends the process instead of throwing.
 *
 * Ownership. `hcl::value`, `hcl::file` … own what they name: they can be moved, not copied, and release it when they go.
 * `share()` gives another handle to the same thing, cheaply. `hcl::value_view`, `hcl::body_view`, `hcl::expr_view` … and
 * every `std::string_view` are borrowed: they are good as long as the owner they came from, like an iterator. An
 * owner can be passed wherever its view is asked for. Give an owner a name before you look at what is in it: what is borrowed
 * from one that is gone at the end of the statement does not compile, as in
 * `for (auto e : program.eval(frame).value().elements())`. A copy can be had: `….value().as<std::string>()`, `buffer::str()`.
 *
 * Parts. Each file in hcl/ can be included alone: `hcl/once.hpp` for one call, `hcl/evaluate.hpp` for expressions, programs and
 * functions, `hcl/spec.hpp` for whole files, `hcl/document.hpp` for editing. hcl.hpp has them all but `hcl/format.hpp`.
 *
 * Empty handles. A handle that was moved from is empty. Calls on it fail with HCL_ERR_ARGUMENT or give the empty
 * answer; they do not crash.
 *
 * Threads. A const member may run while other const members of the same object run; others need the object alone. Each
 * thread that evaluates has a `hcl::frame` of its own; programs, scopes, values and files are shared.
 *
 * Functions of the host are lambdas. What they throw becomes an error at the place of the call; nothing passes through
 * the library.
 *
 * The C functions stay at hand: every handle has `get()`, and a constructor that adopts a pointer from C.
 */
#ifndef LIBHCL_HCL_HPP
#define LIBHCL_HCL_HPP

#include "hcl/core.hpp"
#include "hcl/limits.hpp"
#include "hcl/diagnostics.hpp"
#include "hcl/result.hpp"
#include "hcl/value.hpp"
#include "hcl/capsule.hpp"
#include "hcl/literal.hpp"
#include "hcl/convert.hpp"
#include "hcl/syntax.hpp"
#include "hcl/body.hpp"
#include "hcl/function.hpp"
#include "hcl/host.hpp"
#include "hcl/scope.hpp"
#include "hcl/arrow.hpp"
#include "hcl/rows.hpp"
#include "hcl/evaluate.hpp"
#include "hcl/spec.hpp"
#include "hcl/module.hpp"
#include "hcl/document.hpp"
#include "hcl/once.hpp"
#include "hcl/stream.hpp"
#include "hcl/library.hpp"

#endif
