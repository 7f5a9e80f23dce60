/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * evaluate.hpp - programs and frames. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_EVALUATE_HPP
#define LIBHCL_HCL_EVALUATE_HPP

#include "arrow.hpp"
#include "body.hpp"
#include "rows.hpp"
#include "scope.hpp"

namespace hcl {

class host;

/** The values of a scope's slots, with the limits of evaluations that use them. For one thread at a time. */
class frame : public handle<hcl_frame, hcl_frame_free> {
public:
    using handle::handle;
    /** A frame for a scope, its slots empty. */
    static result<frame> make(const scope &of)
    {
        hcl_frame *out = nullptr;
        status code = hcl_frame_new(of.get(), &out);
        return detail::owned<frame>(code, out);
    }

    /** Sets a slot: scalars, texts and values without a detour, and all else that `value::of` takes. */
    template <class T> result<void> set(slot at, const T &content)
    {
        if constexpr (std::is_same_v<T, bool>) return detail::done(hcl_frame_set_bool(get(), at.index, content));
        else if constexpr (std::is_same_v<T, std::nullptr_t>) return detail::done(hcl_frame_set_null(get(), at.index));
        else if constexpr (std::is_floating_point_v<T>)
            return detail::done(hcl_frame_set_f64(get(), at.index, static_cast<double>(content)));
        else if constexpr (std::is_integral_v<T> && (std::is_signed_v<T> || sizeof(T) < sizeof(std::int64_t)))
            return detail::done(hcl_frame_set_i64(get(), at.index, static_cast<std::int64_t>(content)));
        else if constexpr (std::is_integral_v<T>) return detail::done(hcl_frame_set_u64(get(), at.index, content));
        else if constexpr (detail::is_text<T>) {
            std::string_view text = content;
            return detail::done(hcl_frame_set_str(get(), at.index, text.data(), text.size()));
        } else if constexpr (detail::is_value<T>) return detail::done(hcl_frame_set(get(), at.index, content.get()));
        else {
            auto made = value::of(content);
            if (!made) return made.error();
            return detail::done(hcl_frame_set(get(), at.index, made->get()));
        }
    }
    /** Empties a slot. */
    result<void> clear(slot at) { return detail::done(hcl_frame_set(get(), at.index, nullptr)); }
    /** Empties all slots. */
    result<void> reset_slots() { return detail::done(hcl_frame_reset(get())); }

    /** Sets the limits of later evaluations. A switch in them takes the place of that of `set_cancel`. */
    result<void> set_limits(const limits &most)
    {
        hcl_limits raw = most.raw();
        return detail::done(hcl_frame_set_limits(get(), &raw));
    }
    /** The usage of the last evaluation. */
    result<limits> used() const
    {
        hcl_limits raw = detail::sized<hcl_limits>();
        status code = hcl_frame_used(get(), &raw);
        limits made;
        made.max_depth = raw.max_depth;
        made.max_steps = raw.max_steps;
        made.max_elements = raw.max_elements;
        made.max_output_bytes = raw.max_output_bytes;
        made.max_memory = raw.max_memory;
        return detail::plain(code, made);
    }
    /** Sets the switch that stops later evaluations; the frame keeps it. An empty handle is a mistake. */
    result<void> set_cancel(const cancel &by)
    {
        if (!by) return error(HCL_ERR_ARGUMENT, "by is an empty handle.");
        return detail::done(hcl_frame_set_cancel(get(), by.get()));
    }
    /** Takes the switch away. */
    result<void> clear_cancel() { return detail::done(hcl_frame_set_cancel(get(), nullptr)); }
    /** Sets what functions may ask of the outside world; the frame keeps it. An empty handle is a mistake. In hcl/host.hpp. */
    inline result<void> set_host(const host &world);
    /**
     * Sets what functions and resolvers are told of later evaluations by `call::user`: for whom they are called, for example.
     * It is only passed on, and must live as long as evaluations may run; null takes it away.
     */
    result<void> set_user(void *user) { return detail::done(hcl_frame_set_user(get(), user)); }
    /** Takes the outside world away, as it is at first. */
    result<void> clear_host() { return detail::done(hcl_frame_set_host(get(), nullptr)); }
    /**
     * Sets who is asked for the values of slots that are empty, in later evaluations. It is called with the slot, its name
     * and the call, whose result it sets, and what it throws is the error of the variable. `flags` are `HCL_RESOLVER_…`.
     */
    result<void> set_resolver(callback<result<void>(slot, std::string_view, call &)> look_up, std::uint32_t flags = 0)
    {
        if (!look_up) return error(HCL_ERR_ARGUMENT, "look_up is nothing to call.");
        hcl_resolver raw = detail::sized<hcl_resolver>();
        raw.flags = flags;
        raw.user = new resolver(std::move(look_up));
        raw.look_up = resolve;
        raw.drop_user = drop;
        return detail::done(hcl_frame_set_resolver(get(), &raw));
    }
    /** Asks nobody any more. */
    result<void> clear_resolver() { return detail::done(hcl_frame_set_resolver(get(), nullptr)); }

private:
    using resolver = callback<result<void>(slot, std::string_view, call &)>;

    static std::int32_t resolve(void *user, std::size_t at, hcl_str name, hcl_call *raw) noexcept
    {
        call now(raw);
        return detail::guarded(now, [&] { return (*static_cast<resolver *>(user))(slot{at}, detail::view(name), now); });
    }
    static void drop(void *user) noexcept { delete static_cast<resolver *>(user); }
};

/** An expression compiled against a scope; for any number of threads, each with a frame of its own. */
class program : public handle<hcl_program, hcl_program_free> {
public:
    using handle::handle;
    /** Compiles an expression; `flags` are `HCL_COMPILE_…`, joined by `|`. */
    static result<program> compile(const expr_view &source, const scope &names, std::uint32_t flags = 0)
    {
        hcl_program *out = nullptr;
        detail::notes notes(nullptr);
        status code = hcl_program_compile(source.get(), names.get(), flags & ~partial_flag, &out, notes.out());
        return notes.owned<program>(code, out);
    }
    /** Compiles an expression that may have mistakes: the program fails where they are. */
    static partial<program> compile_partial(const expr_view &source, const scope &names, std::uint32_t flags = 0)
    {
        hcl_program *out = nullptr;
        hcl_diags *diags = nullptr;
        status code = hcl_program_compile(source.get(), names.get(), flags | partial_flag, &out, &diags);
        return {program(out), diagnostics(diags), code};
    }
    /** Parses and compiles an expression; `name` is what diagnostics call the text. */
    static result<program> compile(std::string_view source, const scope &names, std::string_view name = "expression")
    {
        auto parsed = expr::parse(source, name);
        if (!parsed) return parsed.error();
        return compile(*parsed, names);
    }

    /** The slots that it reads, in ascending order, for range-for. */
    void needs() const && = delete;
    auto needs() const & noexcept
    {
        return sequence<const hcl_program *, slot, needs_at>(get(), hcl_program_needs_count(get()));
    }
    /** Evaluates. `said` takes warnings, if they are wanted. */
    result<value> eval(frame &with, diagnostics *said = nullptr) const
    {
        hcl_value *out = nullptr;
        detail::notes notes(said);
        status code = hcl_eval(get(), with.get(), &out, notes.out());
        return notes.owned<value>(code, out);
    }
    /** Evaluates a condition. Nothing is allocated for the result. */
    result<bool> eval_bool(frame &with) const
    {
        bool out = false;
        detail::notes notes(nullptr);
        status code = hcl_eval_bool(get(), with.get(), &out, notes.out());
        return notes.plain(code, out);
    }
    /** Evaluates to a whole number. Nothing is allocated for the result. */
    result<std::int64_t> eval_i64(frame &with) const
    {
        std::int64_t out = 0;
        detail::notes notes(nullptr);
        status code = hcl_eval_i64(get(), with.get(), &out, notes.out());
        return notes.plain(code, out);
    }
    /** Evaluates to the double nearest to a number. Nothing is allocated for the result. */
    result<double> eval_f64(frame &with) const
    {
        double out = 0;
        detail::notes notes(nullptr);
        status code = hcl_eval_f64(get(), with.get(), &out, notes.out());
        return notes.plain(code, out);
    }
    /** Evaluates to a text, borrowed from the frame until the next call on it. */
    result<std::string_view> eval_str(frame &with) const
    {
        hcl_str out = {"", 0};
        detail::notes notes(nullptr);
        status code = hcl_eval_str(get(), with.get(), &out, notes.out());
        return notes.plain(code, detail::view(out));
    }
    /** Evaluates to a `T`: scalars as above, all else as `value_view::as`. */
    template <class T> result<T> eval_as(frame &with) const
    {
        static_assert(!detail::is_borrowed<T> || std::is_same_v<T, std::string_view>,
                      "the value would be gone: take an hcl::value");
        if constexpr (std::is_same_v<T, bool>) return eval_bool(with);
        else if constexpr (std::is_same_v<T, std::int64_t>) return eval_i64(with);
        else if constexpr (std::is_same_v<T, double>) return eval_f64(with);
        else if constexpr (std::is_same_v<T, std::string_view>) return eval_str(with);
        else if constexpr (std::is_same_v<T, value>) return eval(with);
        else {
            auto made = eval(with);
            if (!made) return made.error();
            return made->template as<T>();
        }
    }
    /**
     * Evaluates once for each of `n_rows` rows, in one call. Each row has a cell for each of `slots`; they stand in
     * `cells` row after row. A row that fails does not end the call. Afterwards the slots are empty.
     */
    result<rows> eval_rows(frame &with, const std::vector<slot> &slots, const std::vector<cell> &cells, std::size_t n_rows) const
    {
        const std::size_t of_row = slots.size();
        if (of_row == 0 ? !cells.empty() : cells.size() % of_row != 0 || cells.size() / of_row != n_rows)
            return error(HCL_ERR_ARGUMENT, "there is not one cell for each slot of each row");
        static_assert(sizeof(slot) == sizeof(std::size_t) && std::is_standard_layout_v<slot>);
        std::vector<cell> results;
        if (n_rows > results.max_size()) return error(HCL_ERR_ARGUMENT, "there are more rows than memory can hold");
        results.resize(n_rows);
        hcl_buf *texts = nullptr;
        hcl_diags *said = nullptr;
        status code = hcl_eval_rows(get(), with.get(), reinterpret_cast<const std::size_t *>(slots.data()), slots.size(),
                                    reinterpret_cast<const hcl_cell *>(cells.data()), n_rows,
                                    reinterpret_cast<hcl_cell *>(results.data()), &texts, &said);
        if (code != HCL_OK) return error(code, {}, diagnostics(said));
        return rows(std::move(results), buffer(texts), diagnostics(said));
    }
    /**
     * Evaluates once for each row of a table, a struct as record batches are, in one call. The columns of its slots' names give
     * these values for each row; other slots keep what the frame holds. A row that fails is null and does not end the call.
     */
    result<hcl::over> over(frame &with, const ArrowArray &array, const ArrowSchema &schema, const over_options &options = {}) const
    {
        hcl_arrow_opts opts = options.raw();
        ArrowArray cells = {};
        ArrowSchema type = {};
        std::uint64_t n_failed = 0;
        hcl_diags *said = nullptr;
        status code = hcl_eval_arrow(get(), with.get(), &array, &schema, &opts, &cells, &type, &n_failed, &said);
        if (code != HCL_OK) return error(code, {}, diagnostics(said));
        return hcl::over{arrow(&cells, &type), n_failed, diagnostics(said)};
    }
    /** The same for a table that is owned. */
    result<hcl::over> over(frame &with, const arrow &table, const over_options &options = {}) const
    {
        return over(with, table.array(), table.schema(), options);
    }
    /** Another handle to the same program. */
    result<program> share() const
    {
        hcl_program *out = nullptr;
        status code = hcl_program_ref(get(), &out);
        return detail::owned<program>(code, out);
    }

private:
    static constexpr std::uint32_t partial_flag = HCL_COMPILE_PARTIAL;

    static slot needs_at(const hcl_program *of, std::size_t index) noexcept { return {hcl_program_needs_at(of, index)}; }
};

/** Evaluates an expression once, without compiling it. A slot that is empty is an error if the evaluation comes to it. */
inline result<value> evaluate(const expr_view &source, frame &with, diagnostics *said = nullptr)
{
    hcl_value *out = nullptr;
    detail::notes notes(said);
    status code = hcl_expr_eval(source.get(), with.get(), &out, notes.out());
    return notes.owned<value>(code, out);
}

/**
 * Evaluates attributes of a body by their names, in one call: a cell for each name, an empty one where the body has no such
 * attribute. One that fails does not end the call.
 */
inline result<rows> evaluate(body_view in, const std::vector<std::string_view> &names, frame &with)
{
    std::vector<hcl_str> asked;
    for (std::string_view name : names) asked.push_back(detail::str(name));
    std::vector<cell> results(names.size());
    hcl_buf *texts = nullptr;
    hcl_diags *said = nullptr;
    status code = hcl_body_eval(in.get(), asked.data(), asked.size(), with.get(),
                                reinterpret_cast<hcl_cell *>(results.data()), &texts, &said);
    if (code != HCL_OK) return error(code, {}, diagnostics(said));
    return rows(std::move(results), buffer(texts), diagnostics(said));
}

/** How an evaluation is explained. */
struct explain_options {
    /** `HCL_EXPLAIN_…`, joined by `|`. */
    std::uint32_t flags = 0;
    /** How wide text may become, in columns; 0 for 100. */
    std::uint32_t width = 0;
    /** How many steps are shown; 0 for 2000. */
    std::uint32_t max_steps = 0;
    /** How deep steps may nest; 0 for 64. */
    std::uint32_t max_depth = 0;
    /** How many elements of a `for` or a splat are shown; 0 for 3. */
    std::uint32_t max_elements = 0;
};

/** Evaluates an expression once, and tells how its value came about. `said` takes why it failed, if it did. */
inline result<buffer> explain(const expr_view &source, frame &with, const explain_options &options = {}, diagnostics *said = nullptr)
{
    hcl_explain_opts raw = detail::sized<hcl_explain_opts>();
    raw.flags = options.flags;
    raw.width = options.width;
    raw.max_steps = options.max_steps;
    raw.max_depth = options.max_depth;
    raw.max_elements = options.max_elements;
    hcl_buf *out = nullptr;
    detail::notes notes(said);
    status code = hcl_expr_explain(source.get(), with.get(), &raw, &out, notes.out());
    return notes.owned<buffer>(code, out);
}

inline result<value> attribute::eval(frame &with) const
{
    hcl_value *out = nullptr;
    detail::notes notes(nullptr);
    status code = hcl_attr_eval(attr_, with.get(), &out, notes.out());
    return notes.owned<value>(code, out);
}

inline partial<body_content> body_view::content_partial(const schema &by, std::uint32_t flags, frame *with) const
{
    hcl_body *content = nullptr, *rest = nullptr;
    hcl_diags *said = nullptr;
    status code = hcl_body_content(body_, by.get(), flags | HCL_CONTENT_WITH_ERRORS, with != nullptr ? with->get() : nullptr,
                                   &content, (flags & HCL_CONTENT_PARTIAL) != 0 ? &rest : nullptr, &said);
    return {{body(content), body(rest)}, diagnostics(said), code};
}

inline result<body_content> body_view::content(const schema &by, std::uint32_t flags, frame *with) const
{
    partial<body_content> read = content_partial(by, flags, with);
    if (read.code != HCL_OK) return error(read.code, {}, std::move(read.diags));
    return std::move(read.tree);
}

} // namespace hcl

#endif
