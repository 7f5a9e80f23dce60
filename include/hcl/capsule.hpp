/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * capsule.hpp - objects of the host as values that HCL passes around unseen. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_CAPSULE_HPP
#define LIBHCL_HCL_CAPSULE_HPP

#include "value.hpp"

#include <memory>

namespace hcl {

/**
 * A type of values that hold objects of C++. It is equal to itself only: make it once, and keep it.
 * Expressions pass such a value on, `==` tells whether it is the same one, and it converts to no other type.
 */
template <class T> class capsule_type {
public:
    /** A new type, called `name` in messages. */
    static result<capsule_type> make(std::string_view name)
    {
        hcl_type *out = nullptr;
        status code = hcl_type_capsule(name.data(), name.size(), &out);
        if (code != HCL_OK) return error(code);
        return capsule_type(hcl::type(out));
    }
    /** The type, for unknown values and nulls. */
    const hcl::type &type() const noexcept { return type_; }
    /** An object as a value, which shares it. The object may be released on any thread. */
    result<value> wrap(std::shared_ptr<T> object) const
    {
        hcl_value *out = nullptr;
        status code = hcl_value_capsule(type_.get(), new std::shared_ptr<T>(std::move(object)), drop, &out);
        return detail::owned<value>(code, out);
    }
    /** Adds an object, which is shared, to a value that is being built. */
    result<void> add_to(builder &into, std::shared_ptr<T> object) const
    {
        return detail::done(hcl_builder_capsule(into.get(), type_.get(), new std::shared_ptr<T>(std::move(object)), drop));
    }
    /** The object in a value. HCL_ERR_TYPE: the value is of another type. */
    result<std::shared_ptr<T>> unwrap(const value_view &of) const
    {
        void *held = nullptr;
        status code = hcl_value_as_capsule(of.get(), type_.get(), &held);
        if (code != HCL_OK) return error(code);
        return *static_cast<std::shared_ptr<T> *>(held);
    }

private:
    explicit capsule_type(hcl::type own) noexcept : type_(std::move(own)) {}
    static void drop(void *held) noexcept { delete static_cast<std::shared_ptr<T> *>(held); }

    hcl::type type_;
};

} // namespace hcl

#endif
