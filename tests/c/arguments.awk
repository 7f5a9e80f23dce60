# Makes a C program of hcl.h as the preprocessor leaves it: every function that returns a status is called with live objects and
# one thing wrong at a time, and HCL_ERR_ARGUMENT must name the parameter that is wrong.
#   right     nothing is wrong: anything but HCL_ERR_ARGUMENT
#   null      each pointer in turn: HCL_ERR_ARGUMENT about it, unless null means something there
#   utf8      each text in turn, of bytes that are no UTF-8: the same
#   flags     an unknown flag, in a parameter or in a struct: HCL_ERR_ARGUMENT
#   reserved  a reserved field of a struct is set: HCL_ERR_ARGUMENT
#   size      the size of a struct is 0, ends within a field, or is larger than the library knows with something behind that: HCL_ERR_ARGUMENT
# Functions with a call or an answer are called inside a callback. A new function is called as soon as hcl.h declares it.

function trim(s) { gsub(/^[ \t\n]+|[ \t\n]+$/, "", s); return s }

{ text = text " " $0 }

# The name of a parameter, and its type.
function name_of(p) { match(p, /[a-z_0-9]+$/); return substr(p, RSTART) }
function type_of(p) { match(p, /[a-z_0-9]+$/); return trim(substr(p, 1, RSTART - 1)) }
# The kind of handle or struct: `value` of `const hcl_value *`.
function base(p) { match(p, /^(const )?hcl_[a-z_0-9]+/); p = substr(p, RSTART, RLENGTH); sub(/^const /, "", p); sub(/^hcl_/, "", p); return p }
function is_struct(t) { return t ~ /^(const )?hcl_[a-z_]+ \*$/ && (base(t) in fields) && fields[base(t)] ~ / size / }

# The argument that a right call passes for a parameter.
function right(function_name, p,    t, n) {
    t = type_of(p); n = name_of(p)
    if (t == "hcl_diags **" && function_name ~ /^hcl_diags_(add|append)$/) return "&live.diags"
    # What these take only together with something else.
    if (function_name == "hcl_body_content" && n == "rest" || function_name == "hcl_diags_add" && n == "context") return "NULL"
    if (n == "dialect") return "\"packer\""
    if (t == "hcl_cell *" || t == "const hcl_cell *") return "&cells[" (t ~ /const/ ? 0 : 1) "]"
    if (t ~ /^hcl_[a-z_]+ \*\*$/) return "&out." base(t) (base(t) == "static" ? "_" : "")
    if (t == "const char *") return n ~ /^(vars_json)$/ ? "\"{}\"" : function_name ~ /decoded_range|document_(list|append|append_block)$/ ? "\"\"" : "\"a\""
    if (t == "size_t" && n ~ /len$/) return "HCL_NUL"
    if (t == "size_t" && n ~ /^n_/) return "1"
    if (t == "uint32_t") return function_name ~ /builder_begin|expr_static/ ? "4" : function_name == "hcl_scope_flags" ? "1" : "0"
    if (t == "const hcl_body *const *") return "(const hcl_body *const *)(void *)&live.body"
    if (t == "const hcl_scope *") return "live.scope"
    if (t == "hcl_scope *") return "live.open_scope"
    if (t == "const hcl_type *" && function_name ~ /capsule/) return "live.capsule_type"
    if (is_struct(t)) return "&made." base(t)
    if (t ~ /struct Arrow(Array|Schema) \*$/) return (t ~ /^const/ ? "&table_" : "&out_") (t ~ /Array/ ? "array" : "schema")
    if (t ~ /^(const )?hcl_(str|cell|pos|range) \*$/ || t ~ /^(const )?(_Bool|bool|double|u?int(32|64)_t|size_t) \*$/ || t == "void **") return "(void *)&room"
    if (t == "hcl_drop" || t == "void *") return "NULL"
    if (t ~ /^(const )?hcl_[a-z_]+ \*$/) return "live." base(t) (base(t) == "static" ? "_" : "")
    return "0"
}

# The arguments of a call with one of them replaced.
function arguments(at, replacement,    i, all) {
    for (i = 1; i <= n_list; i++) all = all (i > 1 ? ", " : "") (i == at ? replacement : right(name, list[i]))
    return all
}

function emit(kind, at, must, prepare, replacement,    what, inside) {
    what = at ? name_of(list[at]) : ""
    inside = parameters ~ /hcl_call \*/ ? "call" : parameters ~ /hcl_answer \*/ ? "answer" : "here"
    if (name in before) prepare = before[name] (prepare == "" ? "" : " " prepare)
    body[inside] = body[inside] sprintf("    begin();%s\n    judge(\"%s/%s%s\", \"%s\", %s, %s, %s(%s));\n    end();\n", \
        prepare == "" ? "" : " " prepare, name, kind, at ? " of " what : "", named, at ? "\"" what "\"" : "NULL", \
        must ? "true" : "false", name, arguments(at, replacement == "" ? right(name, list[at]) : replacement))
}

function calls(    i, t, s) {
    n_list = split(parameters, list, ",")
    named = "|"
    for (i = 1; i <= n_list; i++) { list[i] = trim(list[i]); named = named name_of(list[i]) "|" }
    emit("right", 0, 0, "", "")
    for (i = 1; i <= n_list; i++) {
        t = type_of(list[i])
        if (t ~ /\*$/ && t != "void *") emit("null", i, 0, "", "NULL")
        if (t == "const char *") emit("utf8", i, 0, "", "\"\\xc3(\"")
        if (t == "uint32_t" && name_of(list[i]) == "flags") emit("flags", i, 1, "", "0x80000000u")
        if (!is_struct(t)) continue
        s = "made." base(t)
        emit("size", i, 1, s ".size = 0;", "&" s)
        emit("size", i, 1, s ".size -= 3;", "&" s)
        if (t !~ /^const /) continue
        emit("size", i, 1, s ".size += sizeof(uint64_t), made.after_" base(t) " = 1;", "&" s)
        if (fields[base(t)] ~ / flags /) emit("flags", i, 1, s ".flags |= 0x80000000u;", "&" s)
        if (fields[base(t)] ~ / reserved /) emit("reserved", i, 1, s ".reserved = 1;", "&" s)
    }
}

END {
    before["hcl_builder_key"] = "(void)hcl_builder_begin(live.builder, HCL_KIND_MAP);"
    before["hcl_builder_end"] = "(void)hcl_builder_begin(live.builder, HCL_KIND_LIST);"
    before["hcl_builder_finish"] = "(void)hcl_builder_null(live.builder);"
    n = split(text, declarations, ";")
    # The fields of structs.
    inside_struct = ""
    for (i = 1; i <= n; i++) {
        d = trim(declarations[i])
        if (d ~ /^typedef struct \{/) { inside_struct = " "; sub(/^typedef struct \{/, "", d) }
        if (inside_struct != "" && d ~ /^\}/) { sub(/^\} */, "", d); sub(/^hcl_/, "", d); fields[d] = inside_struct; order[++n_structs] = d; inside_struct = "" }
        else if (inside_struct != "") inside_struct = inside_struct name_of(d) " "
    }
    for (i = 1; i <= n; i++) {
        d = declarations[i]
        if (d !~ /hcl_[a-z0-9_]+ *\(/ || d ~ /typedef|\{/) continue
        gsub(/__attribute__ *\(\([^)]*\)\)|__attribute__ *\(\(visibility\("default"\)\)\)/, "", d)
        match(d, /hcl_[a-z0-9_]+ *\(/)
        name = trim(substr(d, RSTART, RLENGTH - 1))
        if (trim(substr(d, 1, RSTART - 1)) !~ /hcl_status$/) continue
        parameters = substr(d, RSTART + RLENGTH)
        sub(/\)[^)]*$/, "", parameters)
        gsub(/  +/, " ", parameters)
        calls()
    }
    print "#include \"live.h\"\n"
    print "static union { unsigned char bytes[512]; hcl_str text; } room;\nstatic hcl_cell cells[2];"
    print "/* Structs that are right, each followed by bytes that a longer one would have. */"
    print "static struct {"
    for (i = 1; i <= n_structs; i++) if (fields[order[i]] ~ / size /) printf "    hcl_%s %s; uint64_t after_%s;\n", order[i], order[i], order[i]
    print "} made;\nstatic struct {"
    split("body buf builder cancel definitions diags document expr file frame functions host marks module module_loader program schema scope spec static type traversals value", kinds, " ")
    for (i = 1; i in kinds; i++) printf "    hcl_%s *%s;\n", kinds[i], kinds[i] (kinds[i] == "static" ? "_" : "")
    print "} out;\nstatic struct ArrowArray out_array;\nstatic struct ArrowSchema out_schema;\n\nstatic void begin(void)\n{\n    hcl_call *call = live.call;\n    hcl_answer *answer = live.answer;\n    make_live();\n    live.call = call;\n    live.answer = answer;"
    print "    memset(&made, 0, sizeof made);\n    memset(&room, 0, sizeof room);\n    room.text = (hcl_str){\"\", 0};"
    for (i = 1; i <= n_structs; i++) if (fields[order[i]] ~ / size /) printf "    made.%s.size = sizeof made.%s;\n", order[i], order[i]
    print "    made.diag.severity = HCL_SEVERITY_ERROR;\n    made.place.expr = live.expr;\n    made.function.name = (hcl_str){\"f\", 1};"
    print "    made.function.call = do_nothing;\n    made.resolver.look_up = look_up_nothing;\n}\n\nstatic void end(void)\n{\n    hcl_call *call = live.call;\n    hcl_answer *answer = live.answer;"
    for (i = 1; i in kinds; i++) printf "    hcl_%s_free(out.%s);\n", kinds[i], kinds[i] (kinds[i] == "static" ? "_" : "")
    print "    if (out_array.release != NULL) out_array.release(&out_array);\n    if (out_schema.release != NULL) out_schema.release(&out_schema);"
    print "    memset(&out, 0, sizeof out);\n    free_live();\n    live.call = call;\n    live.answer = answer;\n}\n"
    print "static void with_call(hcl_call *call)\n{\n    live.call = call;\n" body["call"] "    live.call = NULL;\n}\n"
    print "static void with_answer(hcl_answer *answer)\n{\n    live.answer = answer;\n" body["answer"] "    live.answer = NULL;\n}\n"
    print "static void without(void)\n{\n" body["here"] "}\n"
    print "static int32_t in_call(void *user, hcl_call *call)\n{\n    (void)user;\n    with_call(call);\n    return (int32_t)hcl_call_return_bool(call, true);\n}\n"
    print "static int32_t in_answer(void *user, hcl_str what, uint64_t most, hcl_answer *answer)\n{\n    (void)user, (void)what, (void)most;\n    with_answer(answer);\n    return HCL_ERR_NOT_FOUND;\n}\n"
    print "int main(void)\n{\n    without();\n    inside_callbacks(in_call, in_answer);\n    fprintf(stderr, \"%d calls, %d refused\\n\", n_calls, n_refused);\n    return failures != 0;\n}"
}
