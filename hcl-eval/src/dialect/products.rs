//! The tables of the products: what they have in common, and what each has of its own.

use super::{Change, Product, Release};
use crate::stdlib::variants;

/// A product by its name.
pub(super) fn by_name(name: &str) -> Option<&'static Product> {
    Some(match name {
        "terraform" => &TERRAFORM,
        "opentofu" => &OPENTOFU,
        "packer" => &PACKER,
        "nomad" => &NOMAD,
        _ => return None,
    })
}

/// In all four products, and the same in all.
const COMMON: &[&str] = &[
    "abs",
    "abspath",
    "base64decode",
    "base64encode",
    "basename",
    "bcrypt",
    "can",
    "ceil",
    "chomp",
    "chunklist",
    "coalescelist",
    "compact",
    "concat",
    "csvdecode",
    "dirname",
    "distinct",
    "file",
    "filebase64",
    "fileexists",
    "fileset",
    "flatten",
    "floor",
    "formatdate",
    "indent",
    "join",
    "jsonencode",
    "keys",
    "log",
    "lower",
    "max",
    "md5",
    "merge",
    "min",
    "parseint",
    "pathexpand",
    "pow",
    "range",
    "setintersection",
    "setproduct",
    "setunion",
    "sha1",
    "sha256",
    "sha512",
    "signum",
    "slice",
    "sort",
    "split",
    "strrev",
    "substr",
    "timeadd",
    "title",
    "trim",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "try",
    "upper",
    "urlencode",
    "uuidv5",
    "values",
    "yamlencode",
    "zipmap",
];

/// In Terraform and `OpenTofu` beside these, and the same in both.
const TERRAFORM_FAMILY: &[&str] = &[
    "alltrue",
    "anytrue",
    "base64gzip",
    "base64sha256",
    "base64sha512",
    "endswith",
    "ephemeralasnull",
    "filebase64sha256",
    "filebase64sha512",
    "filemd5",
    "filesha1",
    "filesha256",
    "filesha512",
    "matchkeys",
    "nonsensitive",
    "one",
    "plantimestamp",
    "regex",
    "regexall",
    "sensitive",
    "setsubtract",
    "strcontains",
    "sum",
    "templatefile",
    "templatestring",
    "textdecodebase64",
    "textencodebase64",
    "timecmp",
    "timestamp",
    "tobool",
    "tolist",
    "tomap",
    "tonumber",
    "toset",
    "tostring",
    "transpose",
    "type",
    "uuid",
];

/// Terraform 1.15, with `type` as its console has it.
pub(super) static TERRAFORM: Product = Product {
    names: &[
        COMMON,
        TERRAFORM_FAMILY,
        &[
            "cidrhost",
            "cidrnetmask",
            "cidrsubnet",
            "cidrsubnets",
            "coalesce",
            "element",
            "format",
            "formatlist",
            "index",
            "issensitive",
            "jsondecode",
            "length",
            "lookup",
            "replace",
            "reverse",
            "rsadecrypt",
            "startswith",
        ],
    ],
    variants: &[
        ("contains", variants::contains),
        ("convert", variants::convert_with_defaults),
        ("list", variants::list_stub),
        ("map", variants::map_stub),
        ("merge", variants::merge_refusing_null_objects),
        ("provider::terraform::decode_tfvars", variants::decode_tfvars),
        ("provider::terraform::encode_expr", variants::encode_expr),
        ("provider::terraform::encode_tfvars", variants::encode_tfvars),
        #[cfg(feature = "yaml")]
        ("yamldecode", variants::yamldecode_merging_one),
    ],
    namespace: Some("core"),
    first: Some(Release(0, 12)),
    since: &[
        (Release(0, 13), &["sum"]),
        (Release(0, 14), &["alltrue", "anytrue", "textdecodebase64", "textencodebase64"]),
        (Release(0, 15), &["nonsensitive", "one", "sensitive"]),
        (Release(1, 1), &["type"]),
        (Release(1, 3), &["endswith", "startswith", "timecmp"]),
        (Release(1, 5), &["plantimestamp", "strcontains"]),
        (
            Release(1, 8),
            &[
                "issensitive",
                "provider::terraform::decode_tfvars",
                "provider::terraform::encode_expr",
                "provider::terraform::encode_tfvars",
            ],
        ),
        (Release(1, 9), &["templatestring"]),
        (Release(1, 10), &["ephemeralasnull"]),
        (Release(1, 15), &["convert"]),
    ],
    history: &[
        // Asked of 1.11.4 and of 1.15.9; the releases between are taken to answer as 1.11 does.
        #[cfg(feature = "regex")]
        Change::from(Release(1, 15), "regex", variants::regex_with_exact_names),
        #[cfg(feature = "regex")]
        Change::from(Release(1, 15), "regexall", variants::regexall_with_exact_names),
        #[cfg(feature = "regex")]
        Change::from(Release(1, 15), "replace", variants::replace_with_exact_names),
        // Terraform 1.11 has go-cty 1.16.0, and 1.12 has 1.16.2 or later, whose changelog says it of these four.
        Change::from(Release(1, 12), "element", variants::element_wrapping_lists),
        Change::from(Release(1, 12), "format", variants::format_typed),
        Change::from(Release(1, 12), "formatlist", variants::formatlist_typed),
        Change::from(Release(1, 12), "jsondecode", variants::jsondecode_last_key),
    ],
};

/// `OpenTofu` 1.12.
pub(super) static OPENTOFU: Product = Product {
    names: &[
        COMMON,
        TERRAFORM_FAMILY,
        &[
            "cidrhost",
            "cidrnetmask",
            "cidrsubnet",
            "cidrsubnets",
            "base64gunzip",
            "cidrcontains",
            "coalesce",
            "jsondecode",
            "contains",
            "element",
            "format",
            "formatlist",
            "index",
            "length",
            "lookup",
            "replace",
            "reverse",
            "rsadecrypt",
            "startswith",
            "urldecode",
            "yamldecode",
        ],
    ],
    variants: &[
        #[cfg(feature = "hash")]
        ("fileset", variants::fileset_checked),
        ("issensitive", variants::issensitive_if_known),
        ("list", variants::list_stub),
        ("map", variants::map_stub),
        ("merge", variants::merge_refusing_null_objects),
        #[cfg(feature = "hash")]
        ("templatefile", variants::templatefile_recursive),
        #[cfg(feature = "hash")]
        ("templatestring", variants::templatestring_recursive),
    ],
    namespace: Some("core"),
    first: Some(Release(1, 6)),
    since: &[
        (Release(1, 7), &["base64gunzip", "cidrcontains", "issensitive", "templatestring", "urldecode"]),
        (Release(1, 11), &["ephemeralasnull"]),
    ],
    history: &[
        // The changelogs of the releases: lists under `<<` in 1.12; unknown values and names of categories in 1.11.
        #[cfg(feature = "yaml")]
        Change::from(Release(1, 12), "yamldecode", variants::yamldecode_merging_one),
        Change::from(Release(1, 11), "issensitive", variants::issensitive),
        #[cfg(feature = "regex")]
        Change::from(Release(1, 11), "regex", variants::regex_with_exact_names),
        #[cfg(feature = "regex")]
        Change::from(Release(1, 11), "regexall", variants::regexall_with_exact_names),
        #[cfg(feature = "regex")]
        Change::from(Release(1, 11), "replace", variants::replace_with_exact_names),
        // OpenTofu's changelog of 1.10 and go-cty's: 1.9 is older than go-cty 1.15.0, where negative positions begin to count,
        // and 1.10 has 1.16.2, where they count in tuples and keys of two types in JSON are errors.
        Change::from(Release(1, 10), "element", variants::element_refusing_negative),
        Change::from(Release(1, 10), "format", variants::format_typed),
        Change::from(Release(1, 10), "formatlist", variants::formatlist_typed),
        Change::from(Release(1, 10), "jsondecode", variants::jsondecode_last_key),
    ],
};

/// Packer 1.16.
pub(super) static PACKER: Product = Product {
    names: &[
        COMMON,
        &[
            "alltrue",
            "anytrue",
            "aws_secretsmanager",
            "aws_secretsmanager_raw",
            "base64gzip",
            "coalesce",
            "consul_key",
            "convert",
            "endswith",
            "index",
            "legacy_isotime",
            "legacy_strftime",
            "length",
            "regex",
            "regex_replace",
            "regexall",
            "reverse",
            "rfc3339_parse",
            "strcontains",
            "sum",
            "templatefile",
            "textdecodebase64",
            "textencodebase64",
            "timestamp",
            "unix_timestamp_parse",
            "uuidv4",
            "vault",
        ],
    ],
    variants: &[
        ("jsondecode", variants::jsondecode_last_key),
        #[cfg(feature = "network")]
        ("cidrhost", variants::cidrhost_strict),
        #[cfg(feature = "network")]
        ("cidrnetmask", variants::cidrnetmask_of_any),
        #[cfg(feature = "network")]
        ("cidrsubnet", variants::cidrsubnet_strict),
        #[cfg(feature = "network")]
        ("cidrsubnets", variants::cidrsubnets_strict),
        ("contains", variants::contains),
        ("element", variants::element_refusing_negative),
        #[cfg(feature = "hash")]
        ("file", variants::file_or_fail),
        #[cfg(feature = "hash")]
        ("filebase64", variants::filebase64_plain),
        ("format", variants::format_typed),
        ("formatlist", variants::formatlist_typed),
        ("lookup", variants::lookup_with_default),
        ("merge", variants::merge_refusing_null_objects),
        ("replace", variants::replace_literal),
        #[cfg(feature = "crypto")]
        ("rsadecrypt", variants::rsadecrypt_pkcs1),
        ("startswith", variants::startswith_of_known),
        #[cfg(feature = "yaml")]
        ("yamldecode", variants::yamldecode_with_old_numbers),
        #[cfg(feature = "hash")]
        ("templatefile", variants::templatefile_or_null),
    ],
    namespace: None,
    first: Some(Release(1, 5)),
    since: &[
        (Release(1, 6), &["aws_secretsmanager", "consul_key", "vault"]),
        (Release(1, 7), &["legacy_isotime", "legacy_strftime", "regex", "regexall", "templatefile"]),
        (Release(1, 11), &["textdecodebase64", "textencodebase64"]),
        (Release(1, 12), &["alltrue", "anytrue", "aws_secretsmanager_raw", "base64gzip", "strcontains"]),
        (Release(1, 13), &["endswith", "filebase64", "startswith", "sum"]),
        (Release(1, 16), &["rfc3339_parse", "unix_timestamp_parse"]),
    ],
    history: &[],
};

/// Nomad 2.0.
pub(super) static NOMAD: Product = Product {
    names: &[
        COMMON,
        &[
            "jsondecode",
            "contains",
            "convert",
            "element",
            "format",
            "formatlist",
            "regex_replace",
            "strlen",
            "uuidv4",
            "yamldecode",
        ],
    ],
    variants: &[
        #[cfg(feature = "hash")]
        ("abspath", variants::abspath_gated),
        #[cfg(feature = "hash")]
        ("basename", variants::basename_gated),
        #[cfg(feature = "network")]
        ("cidrhost", variants::cidrhost_strict),
        #[cfg(feature = "network")]
        ("cidrnetmask", variants::cidrnetmask_of_any),
        #[cfg(feature = "network")]
        ("cidrsubnet", variants::cidrsubnet_strict),
        #[cfg(feature = "network")]
        ("cidrsubnets", variants::cidrsubnets_strict),
        ("coalesce", variants::coalesce_null),
        #[cfg(feature = "hash")]
        ("dirname", variants::dirname_gated),
        #[cfg(feature = "hash")]
        ("file", variants::file_or_fail),
        #[cfg(feature = "hash")]
        ("filebase64", variants::filebase64_or_fail),
        ("index", variants::index_by_key),
        ("length", variants::length_of_collection),
        ("lookup", variants::lookup_with_default),
        #[cfg(feature = "hash")]
        ("pathexpand", variants::pathexpand_gated),
        ("replace", variants::replace_literal),
        ("reverse", variants::strrev),
        #[cfg(feature = "crypto")]
        ("rsadecrypt", variants::rsadecrypt_pkcs1),
    ],
    namespace: None,
    first: Some(Release(1, 0)),
    since: &[(Release(1, 3), &["filebase64"]), (Release(1, 4), &["strlen"])],
    // Of releases before 2.0 only the names of their functions are known.
    history: &[],
};

/// Packer in the defaults of variables, where nothing else can be called.
pub(super) const PACKER_DEFAULTS: Product = Product::without_releases(&[&["env"]], &[]);

/// What the reference's library of functions offers, under the names that products give it, where it is the
/// same as in most of them.
const LIBRARY: &[&str] = &[
    "abs",
    "add",
    "and",
    "assertnotnull",
    "byteslen",
    "bytesslice",
    "can",
    "ceil",
    "chomp",
    "chunklist",
    "coalescelist",
    "compact",
    "concat",
    "contains",
    "convert",
    "csvdecode",
    "distinct",
    "divide",
    "element",
    "equal",
    "flatten",
    "floor",
    "format",
    "formatdate",
    "formatlist",
    "greaterthan",
    "greaterthanorequalto",
    "hasindex",
    "indent",
    "int",
    "join",
    "jsondecode",
    "jsonencode",
    "keys",
    "lessthan",
    "lessthanorequalto",
    "log",
    "lower",
    "max",
    "merge",
    "min",
    "modulo",
    "multiply",
    "negate",
    "not",
    "notequal",
    "or",
    "parseint",
    "pow",
    "range",
    "regex",
    "regex_replace",
    "regexall",
    "reverse",
    "sethaselement",
    "setintersection",
    "setproduct",
    "setsubtract",
    "setsymmetricdifference",
    "setunion",
    "signum",
    "slice",
    "sort",
    "split",
    "strlen",
    "strrev",
    "substr",
    "subtract",
    "timeadd",
    "title",
    "trim",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "try",
    "upper",
    "values",
    "zipmap",
];

/// The reference's library.
pub(super) const HCL: Product = Product {
    names: &[LIBRARY],
    variants: &[
        ("coalesce", variants::coalesce_null),
        ("index", variants::index_by_key),
        ("length", variants::length_of_collection),
        ("lookup", variants::lookup_with_default),
        ("replace", variants::replace_literal),
        ("tobool", variants::tobool_whole),
        ("tolist", variants::tolist_whole),
        ("tomap", variants::tomap_whole),
        ("tonumber", variants::tonumber_whole),
        ("toset", variants::toset_whole),
        ("tostring", variants::tostring_whole),
    ],
    namespace: None,
    first: None,
    since: &[],
    history: &[],
};

/// What the conformance tests of the language have in scope.
pub(super) const HCL_TEST: Product = Product {
    names: &[&[
        "upper",
        "lower",
        "concat",
        "join",
        "merge",
        "keys",
        "values",
        "min",
        "max",
        "try",
        "can",
        "format",
        "jsonencode",
        "flatten",
        "range",
        "element",
        "substr",
        "split",
    ]],
    variants: &[
        ("coalesce", variants::coalesce_null),
        ("length", variants::length_of_collection),
        ("lookup", variants::lookup_with_default),
        ("tobool", variants::tobool_whole),
        ("tolist", variants::tolist_whole),
        ("tomap", variants::tomap_whole),
        ("tonumber", variants::tonumber_whole),
        ("toset", variants::toset_whole),
        ("tostring", variants::tostring_whole),
        ("ns::upper", variants::namespaced_upper),
    ],
    namespace: None,
    first: None,
    since: &[],
    history: &[],
};

pub(super) const SPECIFICATION: Product = Product {
    names: &[&[
        "abs",
        "concat",
        "jsondecode",
        "jsonencode",
        "lower",
        "max",
        "min",
        "strlen",
        "substr",
        "upper",
    ]],
    variants: &[
        ("coalesce", variants::coalesce_null),
        ("hasindex", variants::hasindex),
        ("int", variants::int),
        ("length", variants::length_of_collection),
        ("reverse", variants::strrev),
    ],
    namespace: None,
    first: None,
    since: &[],
    history: &[],
};
