//! The functions of the language.
//!
//! [`FUNCTIONS`] has the usual implementation of every name. Where products differ under one name, the other
//! implementation stands beside it in the same file, and the tables of `dialect` choose it.
//!
//! An implementation sees arguments that `invoke` has checked against the parameters. It charges the meter before
//! work or memory that grows with an argument: `charge_elements` and `charge_bytes` for what goes into the result,
//! `charge_steps` and `go_on` for time, `hold_parts` and `hold_push` for room that is needed on the way. The methods
//! of the standard library that allocate in proportion to an argument without asking are disallowed here for this
//! reason.

#![warn(clippy::disallowed_methods)]

#[cfg(feature = "crypto")]
mod bcrypt;
#[cfg(feature = "datetime")]
mod calendar;
mod case;
#[cfg(feature = "text-encoding")]
mod charset;
#[cfg(feature = "text-encoding")]
mod charset_tables;
#[cfg(feature = "text-encoding")]
mod charset_wide;
mod collection;
#[cfg(feature = "compression")]
mod compression;
mod control;
mod conversion;
#[cfg(feature = "csv")]
mod csv;
#[cfg(feature = "datetime")]
mod datetime;
#[cfg(feature = "datetime")]
mod datetime_format;
#[cfg(feature = "compression")]
mod deflate;
#[cfg(feature = "encoding")]
mod encoding;
#[cfg(feature = "hash")]
mod file;
#[cfg(feature = "hash")]
mod fileset;
mod format;
mod format_verb;
#[cfg(feature = "hash")]
mod glob;
#[cfg(feature = "compression")]
mod gzip;
#[cfg(feature = "hash")]
mod hash;
mod json;
#[cfg(feature = "datetime")]
mod legacy_time;
mod library;
mod lookup;
mod makers;
mod merge;
#[cfg(feature = "network")]
mod network;
mod number;
mod outside;
#[cfg(any(feature = "regex", feature = "text-encoding"))]
mod packed_chars;
mod path;
#[cfg(feature = "regex")]
mod pattern_case;
#[cfg(feature = "regex")]
mod pike;
#[cfg(feature = "regex")]
mod re2;
#[cfg(feature = "regex")]
mod re2_class;
#[cfg(feature = "regex")]
mod regex;
#[cfg(feature = "regex")]
mod regex_machine;
#[cfg(feature = "crypto")]
mod rsa;
mod search;
mod sensitive;
mod sequence;
mod set;
mod specification;
mod string;
mod support;
#[cfg(feature = "hash")]
mod template;
mod tfvars;
#[cfg(feature = "uuid")]
mod uuid;
#[cfg(feature = "yaml")]
mod yaml;

use crate::function::Function;

pub use library::bytes_type;
pub(crate) use makers::MAKERS;

/// Makes a function.
pub(crate) type Constructor = fn() -> Function;

/// The usual implementation of every function, by name.
pub(crate) const FUNCTIONS: &[(&str, Constructor)] = &[
    ("abs", number::abs),
    #[cfg(feature = "hash")]
    ("abspath", file::abspath),
    ("add", library::add),
    ("alltrue", collection::alltrue),
    ("and", library::and),
    ("anytrue", collection::anytrue),
    ("assertnotnull", library::assertnotnull),
    ("aws_secretsmanager", outside::aws_secretsmanager),
    ("aws_secretsmanager_raw", outside::aws_secretsmanager_raw),
    #[cfg(feature = "encoding")]
    ("base64decode", encoding::base64decode),
    #[cfg(feature = "encoding")]
    ("base64encode", encoding::base64encode),
    #[cfg(feature = "compression")]
    ("base64gunzip", compression::base64gunzip),
    #[cfg(feature = "compression")]
    ("base64gzip", compression::base64gzip),
    #[cfg(feature = "hash")]
    ("base64sha256", hash::base64sha256),
    #[cfg(feature = "hash")]
    ("base64sha512", hash::base64sha512),
    ("basename", path::basename),
    #[cfg(feature = "crypto")]
    ("bcrypt", bcrypt::bcrypt),
    ("byteslen", library::byteslen),
    ("bytesslice", library::bytesslice),
    ("can", control::can),
    ("ceil", number::ceil),
    ("chomp", string::chomp),
    ("chunklist", sequence::chunklist),
    #[cfg(feature = "network")]
    ("cidrcontains", network::cidrcontains),
    #[cfg(feature = "network")]
    ("cidrhost", network::cidrhost),
    #[cfg(feature = "network")]
    ("cidrnetmask", network::cidrnetmask),
    #[cfg(feature = "network")]
    ("cidrsubnet", network::cidrsubnet),
    #[cfg(feature = "network")]
    ("cidrsubnets", network::cidrsubnets),
    ("coalesce", collection::coalesce),
    ("coalescelist", collection::coalescelist),
    ("compact", collection::compact),
    ("concat", sequence::concat),
    ("consul_key", outside::consul_key),
    ("contains", collection::contains_or_null),
    ("convert", conversion::convert_to),
    #[cfg(feature = "csv")]
    ("csvdecode", csv::csvdecode),
    ("dirname", path::dirname),
    ("distinct", set::distinct),
    ("divide", library::divide),
    ("element", sequence::element),
    ("endswith", string::endswith),
    ("env", outside::env),
    ("ephemeralasnull", sensitive::ephemeralasnull),
    ("equal", library::equal),
    #[cfg(feature = "hash")]
    ("file", file::file),
    #[cfg(feature = "hash")]
    ("filebase64", file::filebase64),
    #[cfg(feature = "hash")]
    ("filebase64sha256", file::filebase64sha256),
    #[cfg(feature = "hash")]
    ("filebase64sha512", file::filebase64sha512),
    #[cfg(feature = "hash")]
    ("fileexists", file::fileexists),
    #[cfg(feature = "hash")]
    ("filemd5", file::filemd5),
    #[cfg(feature = "hash")]
    ("fileset", fileset::fileset),
    #[cfg(feature = "hash")]
    ("filesha1", file::filesha1),
    #[cfg(feature = "hash")]
    ("filesha256", file::filesha256),
    #[cfg(feature = "hash")]
    ("filesha512", file::filesha512),
    ("flatten", sequence::flatten),
    ("floor", number::floor),
    ("format", format::format),
    #[cfg(feature = "datetime")]
    ("formatdate", datetime::formatdate),
    ("formatlist", format::formatlist),
    ("greaterthan", library::greater_than),
    ("greaterthanorequalto", library::greater_equal),
    ("hasindex", library::hasindex),
    ("indent", string::indent),
    ("index", lookup::index),
    ("int", library::int),
    ("issensitive", sensitive::issensitive),
    ("join", string::join),
    ("jsondecode", json::jsondecode),
    ("jsonencode", json::jsonencode),
    ("keys", collection::keys),
    #[cfg(feature = "datetime")]
    ("legacy_isotime", legacy_time::legacy_isotime),
    #[cfg(feature = "datetime")]
    ("legacy_strftime", legacy_time::legacy_strftime),
    ("length", collection::length),
    ("lessthan", library::less_than),
    ("lessthanorequalto", library::less_equal),
    ("log", number::log),
    ("lookup", lookup::lookup),
    ("lower", string::lower),
    ("matchkeys", set::matchkeys),
    ("max", number::max),
    #[cfg(feature = "hash")]
    ("md5", hash::md5),
    ("merge", merge::merge),
    ("min", number::min),
    ("modulo", library::modulo),
    ("multiply", library::multiply),
    ("negate", library::negate),
    ("nonsensitive", sensitive::nonsensitive),
    ("not", library::not),
    ("notequal", library::notequal),
    ("one", collection::one),
    ("or", library::or),
    ("parseint", number::parseint),
    #[cfg(feature = "hash")]
    ("pathexpand", file::pathexpand),
    #[cfg(feature = "datetime")]
    ("plantimestamp", outside::plantimestamp),
    ("pow", number::pow),
    ("range", number::range),
    #[cfg(feature = "regex")]
    ("regex", regex::regex),
    #[cfg(feature = "regex")]
    ("regex_replace", regex::regex_replace),
    #[cfg(feature = "regex")]
    ("regexall", regex::regexall),
    #[cfg(feature = "regex")]
    ("replace", regex::replace),
    ("reverse", sequence::reverse),
    #[cfg(feature = "datetime")]
    ("rfc3339_parse", calendar::rfc3339_parse),
    #[cfg(feature = "crypto")]
    ("rsadecrypt", rsa::rsadecrypt),
    ("sensitive", sensitive::sensitive),
    ("sethaselement", library::sethaselement),
    ("setintersection", set::setintersection),
    ("setproduct", set::setproduct),
    ("setsubtract", set::setsubtract),
    ("setsymmetricdifference", set::setsymmetricdifference),
    ("setunion", set::setunion),
    #[cfg(feature = "hash")]
    ("sha1", hash::sha1),
    #[cfg(feature = "hash")]
    ("sha256", hash::sha256),
    #[cfg(feature = "hash")]
    ("sha512", hash::sha512),
    ("signum", number::signum),
    ("slice", sequence::slice),
    ("sort", string::sort),
    ("split", string::split),
    ("startswith", string::startswith),
    ("strcontains", string::strcontains),
    ("strlen", string::strlen),
    ("strrev", string::strrev),
    ("substr", string::substr),
    ("subtract", library::subtract),
    ("sum", number::sum),
    #[cfg(feature = "hash")]
    ("templatefile", template::templatefile),
    #[cfg(feature = "hash")]
    ("templatestring", template::templatestring),
    #[cfg(feature = "text-encoding")]
    ("textdecodebase64", charset::textdecodebase64),
    #[cfg(feature = "text-encoding")]
    ("textencodebase64", charset::textencodebase64),
    #[cfg(feature = "datetime")]
    ("timeadd", datetime::timeadd),
    #[cfg(feature = "datetime")]
    ("timecmp", datetime::timecmp),
    #[cfg(feature = "datetime")]
    ("timestamp", outside::timestamp),
    ("title", string::title),
    ("tobool", conversion::tobool),
    ("tolist", conversion::tolist),
    ("tomap", conversion::tomap),
    ("tonumber", conversion::tonumber),
    ("toset", conversion::toset),
    ("tostring", conversion::tostring),
    ("transpose", collection::transpose),
    ("trim", string::trim),
    ("trimprefix", string::trimprefix),
    ("trimspace", string::trimspace),
    ("trimsuffix", string::trimsuffix),
    ("try", control::try_),
    ("type", control::type_),
    #[cfg(feature = "datetime")]
    ("unix_timestamp_parse", calendar::unix_timestamp_parse),
    ("upper", string::upper),
    #[cfg(feature = "encoding")]
    ("urldecode", encoding::urldecode),
    #[cfg(feature = "encoding")]
    ("urlencode", encoding::urlencode),
    ("uuid", outside::uuid),
    ("uuidv4", outside::uuidv4),
    #[cfg(feature = "uuid")]
    ("uuidv5", uuid::uuidv5),
    ("values", collection::values),
    ("vault", outside::vault),
    #[cfg(feature = "yaml")]
    ("yamldecode", yaml::yamldecode),
    #[cfg(feature = "yaml")]
    ("yamlencode", yaml::yamlencode),
    ("zipmap", collection::zipmap),
];

/// Functions of some products whose names mean something else by default.
pub(crate) mod variants {
    #[cfg(feature = "network")]
    pub(crate) use super::network::{
        cidrhost_strict, cidrnetmask_of_any, cidrsubnet_strict, cidrsubnets_strict,
    };
    use super::{
        collection, control, conversion, format, json, lookup, merge, sensitive, sequence, specification,
        string,
    };

    #[cfg(feature = "hash")]
    pub(crate) use super::file::{
        abspath_gated, basename_gated, dirname_gated, file_or_fail, filebase64_or_fail, filebase64_plain,
        pathexpand_gated,
    };
    #[cfg(feature = "hash")]
    pub(crate) use super::fileset::fileset_checked;
    #[cfg(feature = "regex")]
    pub(crate) use super::regex::{
        regex_with_exact_names, regexall_with_exact_names, replace_with_exact_names,
    };
    #[cfg(feature = "crypto")]
    pub(crate) use super::rsa::rsadecrypt_pkcs1;
    #[cfg(feature = "hash")]
    pub(crate) use super::template::{
        templatefile_or_null, templatefile_recursive, templatestring_recursive,
    };
    pub(crate) use super::tfvars::{decode_tfvars, encode_expr, encode_tfvars};
    #[cfg(feature = "yaml")]
    pub(crate) use super::yaml::{yamldecode_merging_one, yamldecode_with_old_numbers};
    pub(crate) use collection::{coalesce_null, contains, length_of_collection};
    pub(crate) use control::{list_stub, map_stub};
    pub(crate) use conversion::{
        convert_with_defaults, tobool_whole, tolist_whole, tomap_whole, tonumber_whole, toset_whole,
        tostring_whole,
    };
    pub(crate) use format::{format_typed, formatlist_typed};
    pub(crate) use json::jsondecode_last_key;
    pub(crate) use lookup::{index_by_key, lookup_with_default};
    pub(crate) use merge::merge_refusing_null_objects;
    pub(crate) use sensitive::{issensitive, issensitive_if_known};
    pub(crate) use sequence::{element_refusing_negative, element_wrapping_lists};
    pub(crate) use specification::hasindex;
    pub(crate) use string::{replace_literal, startswith_of_known, strrev, upper as namespaced_upper};
}
