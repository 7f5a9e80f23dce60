/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * arrow.hpp - programs over tables of Apache Arrow, by the Arrow C data interface:
 *
 *     hcl::arrow batch(&array, &schema);                       // moves both out of the structs
 *     hcl::over results = program.over(frame, batch).value();
 *     use(results.column.array(), results.column.schema());
 *
 * Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_ARROW_HPP
#define LIBHCL_HCL_ARROW_HPP

#include "diagnostics.hpp"
#include "value.hpp"

namespace hcl {

/** An array of the Arrow C data interface with its schema, owned: both are released with it. */
class arrow {
public:
    /** Nothing. */
    arrow() noexcept = default;
    /** Moves an array and its schema out of the structs, which are left as after their release. */
    arrow(ArrowArray *array, ArrowSchema *schema) noexcept : array_(*array), schema_(*schema)
    {
        array->release = nullptr;
        schema->release = nullptr;
    }
    arrow(arrow &&from) noexcept
        : array_(std::exchange(from.array_, {})), schema_(std::exchange(from.schema_, {}))
    {
    }
    arrow &operator=(arrow &&from) noexcept
    {
        if (this != &from) {
            release();
            array_ = std::exchange(from.array_, {});
            schema_ = std::exchange(from.schema_, {});
        }
        return *this;
    }
    arrow(const arrow &) = delete;
    arrow &operator=(const arrow &) = delete;
    ~arrow() { release(); }

    /** The cells. */
    const ArrowArray &array() const & noexcept { return array_; }
    void array() const && = delete;
    /** The type. */
    const ArrowSchema &schema() const & noexcept { return schema_; }
    void schema() const && = delete;
    /** The number of cells. */
    std::int64_t size() const noexcept { return array_.length; }
    /** The type in short, such as `b` for booleans; empty for nothing. */
    std::string_view format() const & noexcept { return schema_.format == nullptr ? "" : schema_.format; }
    void format() const && = delete;
    /** Moves both into structs, whose owner releases them: an Arrow library imports them. */
    void move_to(ArrowArray *array, ArrowSchema *schema) noexcept
    {
        *array = std::exchange(array_, {});
        *schema = std::exchange(schema_, {});
    }

private:
    void release() noexcept
    {
        if (array_.release != nullptr) array_.release(&array_);
        if (schema_.release != nullptr) schema_.release(&schema_);
    }

    ArrowArray array_ = {};
    ArrowSchema schema_ = {};
};

/** How a table is evaluated. */
struct over_options {
    /** The type of the results as a format of the Arrow C data interface; empty for the one that they have. */
    std::string_view format;
    /** The type of the results as a type of the language, when `format` is empty; null for the one that they have. */
    const type *of = nullptr;
    /** The first row that fails ends the call. */
    bool first_error_ends = false;
    /** Dates and times are numbers, as they are stored, instead of texts. */
    bool times_as_numbers = false;

    /** The options as C has them. */
    hcl_arrow_opts raw() const noexcept
    {
        hcl_arrow_opts made = detail::sized<hcl_arrow_opts>();
        if (first_error_ends) made.flags |= HCL_ARROW_FIRST_ERROR_ENDS;
        if (times_as_numbers) made.flags |= HCL_ARROW_TIMES_AS_NUMBERS;
        made.format = detail::str(format);
        made.ty = of == nullptr ? nullptr : of->get();
        return made;
    }
};

/** The results for the rows of a table. */
struct over {
    /** A cell for each row; null for one that failed. */
    arrow column;
    /** How many rows failed. */
    std::uint64_t n_failed = 0;
    /** What was said about rows; `diagnostic::row` tells which. */
    diagnostics said;
};

} // namespace hcl

#endif
