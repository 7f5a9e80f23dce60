/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * limits.hpp - how much work may be done, and a switch that ends it. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_LIMITS_HPP
#define LIBHCL_HCL_LIMITS_HPP

#include "core.hpp"

#include <chrono>

namespace hcl {

/** A switch that stops work from another thread or a signal handler. */
class cancel : public handle<hcl_cancel, hcl_cancel_free> {
public:
    using handle::handle;
    /** A switch, not thrown. */
    static result<cancel> make();
    /** Throws the switch. Any thread, also inside a signal handler. */
    void trigger() const noexcept { hcl_cancel_trigger(get()); }
    /** Another handle to the same switch. */
    result<cancel> share() const;
};

namespace detail {

/** A time for C, which has no negative ones; 0 for none. */
inline std::uint64_t timeout_ns(std::chrono::nanoseconds timeout) noexcept
{
    return timeout.count() > 0 ? static_cast<std::uint64_t>(timeout.count()) : 0;
}

/** The switch for a call of C, or null. */
inline const hcl_cancel *switch_of(const cancel *by) noexcept
{
    return by != nullptr ? by->get() : nullptr;
}

} // namespace detail

/** How much an evaluation, or work on one value, may do; 0 means the default. The same fields tell what was used. */
struct limits {
    /** How deep expressions, templates and values may nest. */
    std::uint32_t max_depth = 0;
    /** How many steps, counted the same on every machine. */
    std::uint64_t max_steps = 0;
    /** How many elements of collections. */
    std::uint64_t max_elements = 0;
    /** How many bytes of text. */
    std::uint64_t max_output_bytes = 0;
    /** How many bytes of memory values may take, counted the same on every machine. */
    std::uint64_t max_memory = 0;
    /** How long one evaluation, or the work on a value, may take; 0 for no deadline. */
    std::chrono::nanoseconds timeout{0};
    /** The switch that stops it; null for none. It has to live as long as the call, no longer. */
    const cancel *cancelled_by = nullptr;

    /** The limits as C has them. */
    hcl_limits raw() const noexcept
    {
        hcl_limits made = detail::sized<hcl_limits>();
        made.max_depth = max_depth;
        made.max_steps = max_steps;
        made.max_elements = max_elements;
        made.max_output_bytes = max_output_bytes;
        made.max_memory = max_memory;
        made.timeout_ns = detail::timeout_ns(timeout);
        made.cancel = detail::switch_of(cancelled_by);
        return made;
    }
};

} // namespace hcl

#endif
