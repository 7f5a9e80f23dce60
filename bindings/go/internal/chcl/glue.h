/* What Go calls instead of hcl.h where that saves crossings or Go pointers: results come back by value, trees of
 * values cross as one run of bytes.
 */
#ifndef HCLGO_GLUE_H
#define HCLGO_GLUE_H

#include <hcl.h>

/* An object that a call made, or why not. */
typedef struct {
    void *object;
    hcl_diags *diags;
    int32_t status;
} hclgo_made;

/* A scalar that an evaluation gave, or why not. */
typedef struct {
    hcl_diags *diags;
    hcl_str text;
    int64_t integer;
    double real;
    int32_t status;
    bool truth;
} hclgo_scalar;

/* Bytes on the C heap, for hclgo_free. */
typedef struct {
    char *bytes;
    size_t len;
    int32_t status;
} hclgo_bytes;

void hclgo_free(void *bytes);

hclgo_made hclgo_expr_parse(const char *name, size_t name_len, const char *src, size_t src_len, uint32_t flags,
                            const hcl_parse_opts *opts);
hclgo_made hclgo_file_parse(const char *name, size_t name_len, const char *src, size_t src_len, const hcl_parse_opts *opts);
hclgo_made hclgo_program_compile(const hcl_expr *expr, const hcl_scope *scope);
hclgo_made hclgo_scope_new(const hcl_scope *parent);
hclgo_made hclgo_scope_ref(const hcl_scope *scope);
hclgo_made hclgo_frame_new(const hcl_scope *scope);
hclgo_made hclgo_cancel_new(void);
hclgo_made hclgo_value_ref(const hcl_value *value);
hclgo_made hclgo_value_mark(const hcl_value *value, const char *name, size_t name_len);
hclgo_made hclgo_value_unmark(const hcl_value *value);
hclgo_made hclgo_value_unknown(const char *type_text, size_t type_len);
hclgo_made hclgo_value_convert(const hcl_value *value, const char *type_text, size_t type_len);
hclgo_made hclgo_value_decode(uint32_t format, const char *text, size_t text_len);
hclgo_made hclgo_value_equal(const hcl_value *a, const hcl_value *b);

hclgo_bytes hclgo_value_encode(const hcl_value *value, uint32_t format);
hclgo_bytes hclgo_value_type(const hcl_value *value);
hclgo_bytes hclgo_buf_take(hcl_buf *buf);
hclgo_bytes hclgo_diags_render(const hcl_diags *diags, uint32_t flags, uint32_t width, uint32_t max_count);
/* All diagnostics with all their fields. */
hclgo_bytes hclgo_diags_dump(const hcl_diags *diags);

/* Where something stands: one handle, or none; and a range as line, column and byte of both ends. */
typedef struct {
    const hcl_attr *attr;
    const hcl_block *block;
    const hcl_body *body;
    const hcl_expr *expr;
    const hcl_spec *spec;
    hcl_str path;
    uint32_t part;
    uint64_t words[6];
} hclgo_place;

/* The capsule of an object of Go, or the reason for none. */
typedef struct {
    uintptr_t user;
    int32_t status;
} hclgo_capsule;

hclgo_made hclgo_type_capsule(const char *name, size_t name_len);
hclgo_made hclgo_value_capsule(const hcl_type *type, uintptr_t user);
hclgo_capsule hclgo_value_as_capsule(const hcl_value *value, const hcl_type *type);

/* How many objects of Go have been released and not taken yet. */
extern int64_t hclgo_released_count;
/* One of them; 0 for none. */
uintptr_t hclgo_take_released(void);

/* A range with the name of its file. */
hclgo_bytes hclgo_decoded_range(const hcl_spec *spec, const hcl_body *body, hcl_frame *frame, const char *path,
                                size_t path_len, uint32_t part, uintptr_t env);

/* A complaint of the program. */
typedef struct {
    uint32_t severity;
    hcl_str code, summary, detail, filename;
} hclgo_said;

hclgo_made hclgo_diags_say(const hclgo_said *said, const hclgo_place *subject, const hclgo_place *context);
hclgo_made hclgo_diags_copy(const hcl_diags *diags);
int32_t hclgo_diags_join(hcl_diags *list, const hcl_diags *more);
hclgo_bytes hclgo_diags_json(const hcl_diags *diags);
hclgo_bytes hclgo_diags_sarif(const hcl_diags *diags, const char *tool, size_t tool_len, const char *version,
                              size_t version_len);
/* The names that an expression needs: root, text and place of each. */
hclgo_bytes hclgo_expr_variables(const hcl_expr *expr);
hclgo_bytes hclgo_expr_functions(const hcl_expr *expr);
/* The same for an expression that is one reference. */
hclgo_bytes hclgo_expr_reference(const hcl_expr *expr);
/* Source text, file and place of an expression. */
hclgo_bytes hclgo_expr_place(const hcl_expr *expr);
/* The name of a static form, then its expressions, those of a map after their keys; the caller owns them. */
hclgo_bytes hclgo_expr_static(const hcl_expr *expr, uint32_t kind);

/* One value, from bytes or as bytes. */
hclgo_made hclgo_value_build(const char *wire, size_t len);
hclgo_bytes hclgo_value_dump(const hcl_value *value, bool with_pointers);
/* Fills slots of a frame from as many values, one behind the other. */
int32_t hclgo_frame_fill(hcl_frame *frame, const char *wire, size_t len, const size_t *slots, size_t n_slots);
int32_t hclgo_frame_limits(hcl_frame *frame, uint32_t depth, uint64_t steps, uint64_t elements, uint64_t output,
                           uint64_t memory, uint64_t timeout_ns);
/* Lets the callback of Go answer for slots that are empty; `user` is what it is passed. */
int32_t hclgo_frame_resolver(hcl_frame *frame, uintptr_t user);
int32_t hclgo_frame_used(const hcl_frame *frame, hcl_limits *out);

/* Evaluations. `env` reaches the callbacks that run inside. */
hclgo_made hclgo_eval(const hcl_program *program, hcl_frame *frame, uintptr_t env);
hclgo_made hclgo_expr_eval(const hcl_expr *expr, hcl_frame *frame, uintptr_t env);
hclgo_scalar hclgo_eval_bool(const hcl_program *program, hcl_frame *frame, uintptr_t env);
hclgo_scalar hclgo_eval_i64(const hcl_program *program, hcl_frame *frame, uintptr_t env);
hclgo_scalar hclgo_eval_f64(const hcl_program *program, hcl_frame *frame, uintptr_t env);
hclgo_scalar hclgo_eval_str(const hcl_program *program, hcl_frame *frame, uintptr_t env);

/* The results of rows, as bytes. */
typedef struct {
    char *bytes;
    hcl_diags *diags;
    size_t len;
    int32_t status;
} hclgo_rows;

/* Evaluates once for each row; `wire` holds the values of the slots, row by row. */
hclgo_rows hclgo_eval_rows(const hcl_program *program, hcl_frame *frame, uintptr_t env, const char *wire, size_t len,
                           const size_t *slots, size_t n_slots, size_t n_rows);

/* How a table was evaluated. */
typedef struct {
    hcl_diags *diags;
    uint64_t failed;
    int32_t status;
} hclgo_over;

/* Evaluates once for each row of a table, and writes the results. */
hclgo_over hclgo_eval_arrow(const hcl_program *program, hcl_frame *frame, uintptr_t env, const struct ArrowArray *array,
                            const struct ArrowSchema *schema, uint32_t flags, const char *format, size_t format_len,
                            struct ArrowArray *out_array, struct ArrowSchema *out_schema);
/* Releases what the structs hold. */
void hclgo_arrow_release(struct ArrowArray *array, struct ArrowSchema *schema);

/* Bodies. What is in one is a run of bytes: where something missing is said to be missing, then for each attribute its
 * pointer, name, file and places, then for each block its pointer, type, file, places and labels. */
typedef struct {
    hcl_body *content, *rest;
    hcl_diags *diags;
    int32_t status;
} hclgo_content;

hclgo_made hclgo_schema_parse(const char *name, size_t name_len, const char *src, size_t len, const hcl_parse_opts *opts);
hclgo_made hclgo_file_body(const hcl_file *file);
hclgo_made hclgo_block_body(const hcl_block *block);
hclgo_made hclgo_body_just_attributes(const hcl_body *body);
hclgo_made hclgo_body_merge(const hcl_body *first, const hcl_body *second);
hclgo_content hclgo_body_content(const hcl_body *body, const hcl_schema *schema, bool partial, hcl_frame *frame,
                                 uintptr_t env);
hclgo_bytes hclgo_body_dump(const hcl_body *body);
hclgo_made hclgo_attr_eval(const hcl_attr *attr, hcl_frame *frame, uintptr_t env);
hclgo_made hclgo_attr_expr(const hcl_attr *attr);

hclgo_made hclgo_spec_parse(const char *name, size_t name_len, const char *src, size_t src_len, const hcl_parse_opts *opts);
hclgo_bytes hclgo_spec_type(const hcl_spec *spec);
hclgo_made hclgo_spec_decode(const hcl_spec *spec, const hcl_body *body, hcl_frame *frame, uintptr_t env);
/* `only` holds the types of blocks that may be generated, `lens` their lengths. */
hclgo_made hclgo_body_expand(const hcl_body *body, const hcl_scope *scope, const char *only, const size_t *lens, size_t n_only);
hclgo_made hclgo_format(const char *name, size_t name_len, const char *src, size_t src_len, uint32_t style,
                        const hcl_parse_opts *opts);
/* A file of native syntax as JSON syntax, or the other way round; the object is an hcl_buf. */
hclgo_made hclgo_file_to_json(const hcl_file *file, hcl_frame *frame, uintptr_t env);
hclgo_made hclgo_file_to_native(const hcl_file *file, const hcl_schema *schema);

/* Lets the callbacks of Go answer for the outside world, as far as `allows` says; `user` is what they are passed. */
hclgo_made hclgo_host_new(uint32_t allows, uintptr_t user);
int32_t hclgo_frame_host(hcl_frame *frame, uint32_t allows, uintptr_t user);

/* Modules. Loading and evaluating may call back, so they are given no pointers to Go memory: the address is of C. */
typedef struct {
    uint32_t depth;
    uint64_t steps, elements, output, memory, timeout_ns;
    const hcl_cancel *cancel;
} hclgo_limits;

hclgo_made hclgo_module_loader_new(const char *dialect, size_t dialect_len);
hclgo_made hclgo_module_load(const hcl_module_loader *loader, hcl_parse_opts opts, uintptr_t env);
hclgo_made hclgo_module_eval(const hcl_module *module, const hcl_expr *expr, hclgo_limits limits,
                             uintptr_t env);
hclgo_made hclgo_module_value(const hcl_module *module, const char *address, size_t address_len,
                              hclgo_limits limits, uintptr_t env);
hclgo_made hclgo_module_check(const hcl_module *module, hclgo_limits limits, uintptr_t env);
hclgo_made hclgo_module_evaluated(const hcl_module *module, hclgo_limits limits, uintptr_t env);
/* For each declaration its kind, flags, address, type, file and place. */
hclgo_bytes hclgo_module_dump(const hcl_module *module);
hclgo_made hclgo_user_functions(hcl_scope *scope, const hcl_body *body, const char *type, size_t type_len, const hcl_scope *base,
                                bool caller);

/* Registers a function of Go. `texts` holds name, description, result type, then name and type of each parameter,
 * `lens` their lengths, `flags` those of the function and of each parameter. */
int32_t hclgo_scope_function(hcl_scope *scope, const char *texts, const size_t *lens, const uint32_t *flags,
                             size_t n_params, uintptr_t user);
int32_t hclgo_call_return(hcl_call *call, const char *wire, size_t len);

#endif
