/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * scope.hpp - what names mean. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_SCOPE_HPP
#define LIBHCL_HCL_SCOPE_HPP

#include "function.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hcl {

/** A slot of the frames of a scope. */
struct slot {
    /** Its index. */
    std::size_t index = 0;
    friend bool operator==(slot a, slot b) noexcept { return a.index == b.index; }
    friend bool operator!=(slot a, slot b) noexcept { return a.index != b.index; }
};

/** The meaning of names: sealed, immutable, for any number of threads. Made by a `scope_builder`. */
class scope : public handle<hcl_scope, hcl_scope_free> {
public:
    using handle::handle;
    /** Another handle to the same scope. */
    result<scope> share() const
    {
        hcl_scope *out = nullptr;
        status code = hcl_scope_ref(get(), &out);
        return detail::owned<scope>(code, out);
    }
};

/** The names of the dialects that `scope_builder::dialect` knows, in the order of `hcl_dialect_name`. Static. */
inline std::vector<std::string_view> dialects()
{
    std::vector<std::string_view> names;
    for (std::size_t i = 0; hcl_dialect_name(i).len != 0; ++i) names.push_back(detail::view(hcl_dialect_name(i)));
    return names;
}

/** A scope while it is being filled. */
class scope_builder : public handle<hcl_scope, hcl_scope_free> {
public:
    using handle::handle;
    /** An empty scope. */
    static result<scope_builder> make() { return make_in(nullptr); }
    /** An empty scope inside another one, whose names it sees. */
    static result<scope_builder> make(const scope &parent) { return make_in(parent.get()); }

    /** Declares a root name (`request`) or a static path (`each.key`) whose value a frame gives. */
    result<hcl::slot> slot(std::string_view name)
    {
        hcl::slot made;
        status code = hcl_scope_slot(get(), name.data(), name.size(), &made.index);
        return detail::plain(code, made);
    }
    /** Gives a name a value that never changes: anything that `value::of` takes. */
    template <class T> result<void> constant(std::string_view name, const T &content)
    {
        auto made = value::of(content);
        if (!made) return made.error();
        return detail::done(hcl_scope_const(get(), name.data(), name.size(), made->get()));
    }
    /** Adds the functions of a product: `HCL_BUILTINS_…`. */
    result<void> builtins(std::uint32_t library) { return detail::done(hcl_scope_builtins(get(), library)); }
    /**
     * Adds the functions of a dialect by its name, and takes its rule for names that mean nothing. The error about a name
     * that is none has the known ones in its message.
     */
    result<void> dialect(std::string_view name)
    {
        status code = hcl_scope_dialect(get(), name.data(), name.size());
        if (code != HCL_ERR_NOT_FOUND) return detail::done(code);
        std::string message = "there is no dialect \"" + std::string(name) + "\"; there are";
        const char *between = " ";
        for (std::string_view known : dialects()) {
            message.append(between).append(known);
            between = ", ";
        }
        return error(code, std::move(message));
    }
    /** Says what becomes of references to names that mean nothing: one of `HCL_SCOPE_…`. */
    result<void> flags(std::uint32_t flags) { return detail::done(hcl_scope_flags(get(), flags)); }
    /** Adds a function of the host. */
    result<void> add(const function &added) { return added.register_in(get()); }
    /** Seals the scope: `std::move(names).seal()`. */
    result<scope> seal() &&
    {
        status code = hcl_scope_seal(get());
        return detail::owned<scope>(code, release());
    }

private:
    static result<scope_builder> make_in(const hcl_scope *parent)
    {
        hcl_scope *out = nullptr;
        status code = hcl_scope_new(parent, &out);
        return detail::owned<scope_builder>(code, out);
    }
};

} // namespace hcl

#endif
