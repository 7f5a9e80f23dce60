/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * module.hpp - folders of configuration files as objects. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_MODULE_HPP
#define LIBHCL_HCL_MODULE_HPP

#include "evaluate.hpp"
#include "host.hpp"

namespace hcl {

/** One declaration of a module; its texts are borrowed from the module. */
struct declaration {
    /** `HCL_DECLARED_…`: the kind of the declaration. */
    std::uint32_t kind = HCL_DECLARED_VARIABLE;
    /** True if the declaration says that the value is sensitive. */
    bool is_sensitive = false;
    /** True if it is a variable with neither a value nor a default. */
    bool is_missing = false;
    /** The address, as `loaded_module::at` takes it. */
    std::string_view address = {};
    /** The type of a variable as a type expression; empty for everything else. */
    std::string_view type_text = {};
    /** The file that declares it. */
    std::string_view file = {};
    /** The place in the file. */
    hcl::range range = {};
};

/**
 * A folder of configuration files, with the local modules that it calls. Immutable; any number of threads evaluate in
 * it. Functions ask the host that the loader had.
 */
class loaded_module : public handle<hcl_module, hcl_module_free> {
public:
    using handle::handle;
    /** The value of an expression, evaluating only what it needs. */
    result<value> eval(std::string_view source, const limits &most = {}) const
    {
        return evaluated([&](const hcl_limits *raw, hcl_value **out, hcl_diags **diags) {
            return hcl_module_eval(get(), source.data(), source.size(), raw, out, diags);
        }, most);
    }
    /** The value of an expression or template that has been parsed. */
    result<value> eval(const expr_view &parsed, const limits &most = {}) const
    {
        return evaluated([&](const hcl_limits *raw, hcl_value **out, hcl_diags **diags) {
            return hcl_module_eval_expr(get(), parsed.get(), raw, out, diags);
        }, most);
    }
    /** The value at an address: `output.x`, `local.x`, `var.x`, `module.a.output.b`. */
    result<value> at(std::string_view address, const limits &most = {}) const
    {
        return evaluated([&](const hcl_limits *raw, hcl_value **out, hcl_diags **diags) {
            return hcl_module_value(get(), address.data(), address.size(), raw, out, diags);
        }, most);
    }
    /**
     * Everything in a template of Packer or a job of Nomad as one value, as `hcl_module_evaluated` describes it. A module of
     * Terraform or OpenTofu has none.
     */
    result<value> evaluated(const limits &most = {}) const
    {
        return evaluated([&](const hcl_limits *raw, hcl_value **out, hcl_diags **diags) {
            return hcl_module_evaluated(get(), raw, out, diags);
        }, most);
    }
    /** Evaluates everything that is declared; a failure speaks of all problems, and `said` takes warnings. */
    result<void> check(const limits &most = {}, diagnostics *said = nullptr) const
    {
        hcl_limits raw = most.raw();
        detail::notes notes(said);
        status code = hcl_module_check(get(), &raw, notes.out());
        return notes.done(code);
    }
    /** Everything that the module declares, kind by kind in the order of the files. */
    void declarations() const && = delete;
    std::vector<declaration> declarations() const &
    {
        std::vector<declaration> all;
        std::size_t count = hcl_module_count(get());
        all.reserve(count);
        for (std::size_t index = 0; index < count; index++) {
            hcl_declared raw = detail::sized<hcl_declared>();
            if (hcl_module_at(get(), index, &raw) != HCL_OK) break;
            declaration made;
            made.kind = raw.kind;
            made.is_sensitive = (raw.flags & HCL_DECLARED_SENSITIVE) != 0;
            made.is_missing = (raw.flags & HCL_DECLARED_MISSING) != 0;
            made.address = detail::view(raw.address);
            made.type_text = detail::view(raw.type_text);
            made.file = detail::view(raw.file);
            made.range = raw.range;
            all.push_back(made);
        }
        return all;
    }
    /** Another handle to the same module. */
    result<loaded_module> share() const
    {
        hcl_module *out = nullptr;
        status code = hcl_module_ref(get(), &out);
        return detail::owned<loaded_module>(code, out);
    }

private:
    template <class Call> static result<value> evaluated(Call call, const limits &most)
    {
        hcl_value *out = nullptr;
        hcl_limits raw = most.raw();
        detail::notes notes(nullptr);
        status code = call(&raw, &out, notes.out());
        return notes.owned<value>(code, out);
    }
};

/** The preparation of a module: where its files come from and which values its variables have. */
class module_loader : public handle<hcl_module_loader, hcl_module_loader_free> {
public:
    using handle::handle;
    /**
     * A preparation for a product's rules: `terraform`, `opentofu`, `packer`, `nomad`, or one of them with a release, as in
     * `terraform-1.11`.
     */
    static result<module_loader> make(std::string_view dialect = "terraform")
    {
        hcl_module_loader *out = nullptr;
        detail::notes notes(nullptr);
        status code = hcl_module_loader_new(dialect.data(), dialect.size(), &out, notes.out());
        return notes.owned<module_loader>(code, out);
    }
    /** Sets the folder, as `path.module` shows it; `.` at first. Of `nomad` it is the file of a job, of `packer` may be one. */
    result<void> set_folder(std::string_view folder)
    {
        return detail::done(hcl_module_loader_folder(get(), folder.data(), folder.size()));
    }
    /** Adds a file as a text. With one or more, the host is not asked for files. */
    result<void> add_text(std::string_view path, std::string_view text)
    {
        return detail::done(hcl_module_loader_text(get(), path.data(), path.size(), text.data(), text.size()));
    }
    /** Sets the host: it opens the files, its environment may have values of variables, and functions ask it. */
    result<void> set_host(const host &asked) { return detail::done(hcl_module_loader_host(get(), asked.get())); }
    /** Gives a variable a value. */
    result<void> set(std::string_view name, const value &given)
    {
        return detail::done(hcl_module_loader_set(get(), name.data(), name.size(), given.get()));
    }
    /** Gives a variable a text, read by the type of the variable, as `-var` does. */
    result<void> set_text(std::string_view name, std::string_view text)
    {
        return set_text(name, text, 0);
    }
    /** Gives a variable a text that is its value, whatever the type. */
    result<void> set_literal(std::string_view name, std::string_view text)
    {
        return set_text(name, text, HCL_MODULE_LITERAL);
    }
    /** Says whether resources have the values that a plan gives them, as far as their blocks tell; at first they are unknown. */
    result<void> set_planned(bool planned = true)
    {
        return detail::done(hcl_module_loader_resources(get(), planned ? HCL_MODULE_PLANNED : 0));
    }
    /** Gives a resource or data source a value by its address: `TYPE.NAME`, `data.TYPE.NAME["key"]`, `module.m.TYPE.NAME`. */
    result<void> set_resource(std::string_view address, const value &given)
    {
        return detail::done(hcl_module_loader_resource(get(), address.data(), address.size(), given.get()));
    }
    /** Gives variables the values of a file, as `-var-file` does. */
    result<void> add_values(std::string_view path)
    {
        return detail::done(hcl_module_loader_values(get(), path.data(), path.size()));
    }
    /** Loads the module; the loader can go. */
    result<loaded_module> load(const parse_options &options = {}) const
    {
        hcl_module *out = nullptr;
        hcl_parse_opts raw = options.raw();
        detail::notes notes(options.notes);
        status code = hcl_module_load(get(), &raw, &out, notes.out());
        return notes.owned<loaded_module>(code, out);
    }

private:
    result<void> set_text(std::string_view name, std::string_view text, std::uint32_t flags)
    {
        return detail::done(
            hcl_module_loader_set_text(get(), name.data(), name.size(), text.data(), text.size(), flags));
    }
};

} // namespace hcl

#endif
