/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * library.hpp - the functions of a product as a list, for help texts and completion. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_LIBRARY_HPP
#define LIBHCL_HCL_LIBRARY_HPP

#include "result.hpp"

#include <optional>

namespace hcl {

/** A parameter of a function of a list; borrowed from the list. */
class parameter_info {
public:
    parameter_info(const hcl_functions *list, std::size_t function, std::size_t index) noexcept
    {
        if (hcl_functions_param(list, function, index, &fields_) != HCL_OK) fields_ = {};
    }
    /** The name, as messages show it. */
    std::string_view name() const noexcept { return detail::view(fields_.name); }
    /** One sentence on what it is for. */
    std::string_view description() const noexcept { return detail::view(fields_.description); }
    /** The type as a type expression. */
    std::string_view type_text() const noexcept { return detail::view(fields_.type_text); }
    /** `HCL_PARAM_…`, joined by `|`. */
    std::uint32_t flags() const noexcept { return fields_.flags; }

private:
    hcl_param_info fields_ = detail::sized<hcl_param_info>();
};

/** The facts about a function that need no call; borrowed from the list. */
class function_info {
public:
    function_info(const hcl_functions *list, std::size_t index) noexcept : list_(list), index_(index)
    {
        if (hcl_functions_get(list, index, &fields_) != HCL_OK) fields_ = {};
    }
    /** The name it is called by. */
    std::string_view name() const noexcept { return detail::view(fields_.name); }
    /** One sentence on what it does. */
    std::string_view description() const noexcept { return detail::view(fields_.description); }
    /** How it is called. */
    std::string_view signature() const noexcept { return detail::view(fields_.signature); }
    /** The type of its results as a type expression. */
    std::string_view result_type() const noexcept { return detail::view(fields_.result_type); }
    /** The capability that it asks the host for; empty for none. */
    std::string_view asks_for() const noexcept { return detail::view(fields_.asks_for); }
    /** `HCL_FUNCTION_PURE`, or 0. */
    std::uint32_t flags() const noexcept { return fields_.flags; }
    /** The parameters, for range-for. */
    auto parameters() const & noexcept
    {
        return sequence<const function_info *, parameter_info, parameter_at>(this, fields_.n_params);
    }
    /** They are borrowed from the object, so not from one that is gone at the end of the line. */
    void parameters() const && = delete;

private:
    static parameter_info parameter_at(const function_info *self, std::size_t index) noexcept
    {
        return {self->list_, self->index_, index};
    }

    const hcl_functions *list_;
    std::size_t index_;
    hcl_function_info fields_ = detail::sized<hcl_function_info>();
};

/** The functions of a product, sorted by name. */
class functions : public handle<hcl_functions, hcl_functions_free> {
public:
    using handle::handle;
    /** The functions of `HCL_BUILTINS_…`. */
    static result<functions> of(std::uint32_t product)
    {
        hcl_functions *out = nullptr;
        status code = hcl_functions_of(product, &out);
        return detail::owned<functions>(code, out);
    }
    /** How many. */
    std::size_t size() const noexcept { return hcl_functions_count(get()); }
    /** True if there is none. */
    bool empty() const noexcept { return size() == 0; }
    /** The function at an index below `size()`. */
    function_info operator[](std::size_t index) const & noexcept { return {get(), index}; }
    void operator[](std::size_t) const && = delete;
    /** The function of that name. */
    void find(std::string_view) const && = delete;
    std::optional<function_info> find(std::string_view name) const & noexcept
    {
        std::size_t index = 0;
        if (hcl_functions_find(get(), name.data(), name.size(), &index) != HCL_OK) return std::nullopt;
        return function_info(get(), index);
    }
    /** The index of the first function whose name is not less than `text`, for completion. */
    std::size_t lower_bound(std::string_view text) const noexcept
    {
        return hcl_functions_from(get(), text.data(), text.size());
    }
    /** The first function. */
    auto begin() const noexcept { return all().begin(); }
    /** After the last function. */
    auto end() const noexcept { return all().end(); }
    /** Another handle to the same list. */
    result<functions> share() const
    {
        hcl_functions *out = nullptr;
        status code = hcl_functions_ref(get(), &out);
        return detail::owned<functions>(code, out);
    }

private:
    static function_info at(const hcl_functions *list, std::size_t index) noexcept { return {list, index}; }
    sequence<const hcl_functions *, function_info, at> all() const noexcept { return {get(), size()}; }
};

} // namespace hcl

#endif
