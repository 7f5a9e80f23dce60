/* Programs over tables of Apache Arrow: who owns what, and what rows say. */
#include "check.hpp"

#include <cstring>

namespace {

int n_releases = 0;

/* A table of one column of whole numbers, `age`, with a null in row 1, as an Arrow library would make it. */
struct table {
    std::int64_t ages[4] = {17, 0, 18, 99};
    std::uint8_t valid = 0xd;
    const void *buffers[2] = {&valid, ages};
    const void *no_buffers[1] = {nullptr};
    ArrowArray column = {}, *columns[1] = {&column}, array = {};
    ArrowSchema column_type = {}, *column_types[1] = {&column_type}, schema = {};

    table()
    {
        column.length = array.length = 4;
        column.null_count = 1;
        column.n_buffers = 2;
        column.buffers = buffers;
        array.n_buffers = 1;
        array.buffers = no_buffers;
        array.n_children = schema.n_children = 1;
        array.children = columns;
        schema.children = column_types;
        column_type.format = "l";
        column_type.name = "age";
        schema.format = "+s";
        column.release = array.release = [](ArrowArray *from) { from->release = nullptr, n_releases++; };
        column_type.release = schema.release = [](ArrowSchema *from) { from->release = nullptr, n_releases++; };
    }
};

const std::int64_t *numbers(const hcl::arrow &column) { return static_cast<const std::int64_t *>(column.array().buffers[1]); }

} // namespace

int main()
{
    auto names = hcl::scope_builder::make().value();
    CHECK(names.slot("age"));
    hcl::slot limit = names.slot("limit").value();
    hcl::scope scope = std::move(names).seal().value();
    hcl::frame frame = hcl::frame::make(scope).value();
    CHECK(frame.set(limit, 18));
    table made;
    {
        hcl::arrow batch(&made.array, &made.schema);
        CHECK(made.array.release == nullptr && batch.size() == 4 && batch.format() == "+s");

        auto older = hcl::program::compile("age + limit", scope).value();
        hcl::over sums = older.over(frame, batch).value();
        CHECK(sums.column.format() == "l" && sums.column.size() == 4 && sums.n_failed == 1);
        CHECK(numbers(sums.column)[0] == 35 && numbers(sums.column)[3] == 117);
        CHECK(sums.said.size() == 1 && sums.said[0].row() == 1u && sums.said[0].code() == "eval.operation_failed");
        CHECK(sums.column.array().null_count == 1);

        hcl::over_options options;
        options.format = "d:10,2";
        hcl::arrow decimals = std::move(older.over(frame, batch, options).value().column);
        CHECK(decimals.format() == "d:10,2" && numbers(decimals)[0] == 3500);
        decimals = std::move(sums.column);
        CHECK(decimals.format() == "l" && sums.column.format().empty());
        hcl::arrow moved(std::move(decimals));
        CHECK(moved.format() == "l" && decimals.format().empty() && decimals.size() == 0);
        options.first_error_ends = true;
        auto ended = older.over(frame, batch, options);
        CHECK(!ended && ended.code() == HCL_ERR_DIAGNOSTICS && ended.error().diags()[0].row() == 1u);

        auto list = hcl::type::parse("list(number)").value();
        hcl::over_options lists;
        lists.of = &list;
        hcl::arrow parts = std::move(hcl::program::compile("[limit, limit]", scope).value().over(frame, batch, lists).value().column);
        CHECK(parts.format() == "+l" && std::strcmp(parts.schema().children[0]->format, "g") == 0);

        /* An Arrow library takes both over. */
        ArrowArray array;
        ArrowSchema schema;
        parts.move_to(&array, &schema);
        CHECK(parts.format().empty() && parts.size() == 0);
        array.release(&array);
        schema.release(&schema);
        CHECK(n_releases == 0);
    }
    CHECK(n_releases == 2);
    return failures != 0;
}
