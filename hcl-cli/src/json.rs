//! `hcl json`: native syntax to JSON syntax, and back.

use std::env;
use std::io::{self, BufWriter, Cursor, Seek, Write};
use std::path::{Path, PathBuf};

use hcl_eval::decode::SpecFile;
use hcl_eval::eval::Evaluation;
use hcl_eval::json_syntax::{Expressions, JsonStyle, Reader, to_json_with};
use hcl_module::Release;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::format::{FormatStyle, align, format};
use hcl_syntax::json::{parse_json, to_native_for};
use hcl_syntax::parser::{File, parse_file};
use hcl_syntax::schema::NestedSchema;
use tempfile::{SpooledData, SpooledTempFile};

use crate::args::{JsonArguments, Product};
use crate::configuration::Syntax;
use crate::evaluated::evaluated_text;
use crate::folders::{FoundFiles, in_parallel, is_of_language};
use crate::host;
use crate::names::files_of;
use crate::output::{Failure, Outcome, Reporter, read_input};
use crate::scope::{build, evaluation_options, is_json, json_source, parse_limits, source};

/// Runs the verb. Nothing is printed unless all of it makes sense.
///
/// # Errors
/// A file can't be read, or nothing can be written.
pub fn run(arguments: &JsonArguments) -> Result<Outcome, Failure> {
    let mut reporter = Reporter::new(&arguments.reporting);
    let arguments = &of_module(arguments, &mut reporter)?;
    let text = if arguments.from {
        native_text(arguments, &mut reporter)?
    } else if arguments.evaluated {
        match evaluated_text(arguments) {
            Ok((text, diagnostics)) => {
                reporter.add(diagnostics)?;
                SpooledData::InMemory(Cursor::new(text.into_bytes()))
            }
            Err(failure @ Failure::Input(..)) => {
                reporter.add_failure(failure)?;
                SpooledData::InMemory(Cursor::default())
            }
            Err(failure) => return Err(failure),
        }
    } else {
        json_text(arguments, &mut reporter)?
    };
    let is_whole = !reporter.has_errors();
    let outcome = reporter.finish()?;
    if is_whole {
        let mut out = io::stdout().lock();
        match text {
            SpooledData::InMemory(text) => out.write_all(text.get_ref())?,
            // The system copies it.
            SpooledData::OnDisk(mut file) => {
                io::copy(&mut file, &mut out)?;
            }
        }
        out.flush()?;
    }
    Ok(outcome)
}

/// The arguments with the files of the module, if they name none: all if they are evaluated, else those that are not yet in
/// the syntax that is asked for.
fn of_module(arguments: &JsonArguments, reporter: &mut Reporter<'_>) -> Result<JsonArguments, Failure> {
    let mut arguments = arguments.clone();
    if !arguments.files.is_empty() {
        if !arguments.evaluated {
            arguments.files = in_folders(&arguments, reporter)?;
        } else if arguments.scope.dialect.product() != Product::Packer
            && let Some(folder) = arguments.files.iter().find(|path| path.is_dir())
        {
            let folder = folder.display();
            let modules = &arguments.scope.modules;
            return Err(Failure::Usage(match modules.first().map(|module| module.display()) {
                Some(module) => {
                    format!("leave the folder {folder} out: --module {module} evaluates the files in it")
                }
                None => format!("{folder} is a folder; --module {folder} evaluates the files in it"),
            }));
        }
        return Ok(arguments);
    }
    let modules = &arguments.scope.modules;
    arguments.files = match Release::by_name(arguments.scope.dialect.name()) {
        Some(release) => files_of(modules, release),
        None => modules.clone(),
    };
    if !arguments.evaluated {
        let is_from = arguments.from;
        arguments.files.retain(|path| is_json(path) == is_from);
    }
    if arguments.files.is_empty() {
        let folder = modules.first().map_or_else(String::new, |path| path.display().to_string());
        return Err(Failure::Usage(format!("{folder}: there are no files of a module to convert")));
    }
    Ok(arguments)
}

/// The files that are named, and of folders those that are not yet in the syntax that is asked for.
fn in_folders(arguments: &JsonArguments, reporter: &mut Reporter<'_>) -> Result<Vec<PathBuf>, Failure> {
    let is_from = arguments.from;
    let is_meant = |path: &Path| is_of_language(path) && is_json(path) == is_from;
    let FoundFiles { files, failures } =
        FoundFiles::of(&arguments.files, &is_meant, arguments.jobs.n_threads());
    failures.into_iter().try_for_each(|failure| reporter.add_failure(failure))?;
    if files.is_empty() && !reporter.has_errors() {
        let folder = arguments.files[0].display();
        return Err(Failure::Usage(format!("{folder}: there are no files to convert")));
    }
    Ok(files)
}

/// How many bytes of the result lie in memory until all of it makes sense; more lie in a file without a name.
const KEPT_IN_MEMORY: usize = 8 << 20;

/// How many bytes are written at once. 8,000 files take 3 to 5 % less than in pieces of 64 KiB.
const PIECE: usize = 1 << 20;

/// Hands the texts that the files become to `put` in their order, so that it writes them; files that can't be read are reported.
fn converted(
    arguments: &JsonArguments,
    convert: impl Fn(&Path) -> Result<(String, Diagnostics), Failure> + Sync,
    mut put: impl FnMut(&str, &mut dyn Write) -> io::Result<()>,
    reporter: &mut Reporter<'_>,
) -> Result<SpooledData, Failure> {
    let mut kept = BufWriter::with_capacity(PIECE, SpooledTempFile::new(KEPT_IN_MEMORY));
    // Only the file without a name can fail, which the system's folder for such files may have no place for.
    let refused = |error| Failure::Input(env::temp_dir(), error);
    in_parallel(
        &arguments.files,
        arguments.jobs.n_threads(),
        |path| convert(path),
        |_, result| match result {
            Ok((text, problems)) => {
                reporter.add(problems)?;
                // Nothing is printed behind an error.
                if reporter.has_errors() { Ok(()) } else { put(&text, &mut kept).map_err(refused) }
            }
            Err(failure) => reporter.add_failure(failure),
        },
    )?;
    let mut kept = kept.into_inner().map_err(|error| refused(error.into_error()))?;
    kept.rewind()?;
    Ok(kept.into_inner())
}

/// The JSON syntax of the files: of several an array, as which it is read as one body again.
fn json_text(arguments: &JsonArguments, reporter: &mut Reporter<'_>) -> Result<SpooledData, Failure> {
    let host = host::allowing(&arguments.scope.allow)?;
    let (scope, mut diagnostics) = build(&arguments.scope, &arguments.limits, &host)?;
    let schema = schema_of(arguments, &mut diagnostics)?;
    reporter.add(diagnostics)?;
    let n_texts = arguments.files.len();
    let convert = |path: &Path| {
        let (file, mut diagnostics) = native_file(path, schema.as_ref(), arguments)?;
        if has_errors(&diagnostics) {
            return Ok((String::new(), diagnostics));
        }
        if let Some(schema) = &schema {
            check(&ConfigBody::from(&file), Some(schema), &mut diagnostics);
        }
        let mut evaluation = Evaluation::new(&evaluation_options(&arguments.limits, &host));
        let (text, problems) = to_json_with(&[file.body()], style(arguments), &scope, &mut evaluation);
        diagnostics.extend(problems);
        let text = if n_texts == 1 { text } else { text.trim_end().replace('\n', "\n  ") };
        Ok((text, diagnostics))
    };
    // Several texts are an array, whose elements are indented.
    let mut n_written = 0;
    let put = |text: &str, out: &mut dyn Write| {
        if n_texts == 1 {
            return out.write_all(text.as_bytes());
        }
        let before = if n_written == 0 { "[" } else { "," };
        n_written += 1;
        let after = if n_written == n_texts { "\n]\n" } else { "" };
        write!(out, "{before}\n  {text}{after}")
    };
    converted(arguments, convert, put, reporter)
}

/// A file as native syntax has it.
fn native_file(
    path: &Path,
    schema: Option<&NestedSchema>,
    arguments: &JsonArguments,
) -> Result<(File, Diagnostics), Failure> {
    let (mut name, mut bytes) = read_input(path)?;
    let mut diagnostics = Diagnostics::new();
    if Syntax::of_input(&name, &bytes) == Syntax::Json {
        let (native, problems) = native_of(&name, bytes, schema, arguments)?;
        diagnostics = problems;
        (name, bytes) = (format!("{name} in native syntax"), native.into_bytes());
    }
    let (file, problems) = parse_file(source(&name, bytes)?, &parse_limits(&arguments.limits));
    diagnostics.extend(problems);
    Ok((file, diagnostics))
}

/// How the files are written: for the product of the dialect, which reads its modules and its variables in ways of its
/// own.
fn style(arguments: &JsonArguments) -> JsonStyle {
    let are_values = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".tfvars") || name.ends_with(".tfvars.json")
    };
    let reader = match arguments.scope.dialect.product() {
        Product::Terraform | Product::Opentofu if arguments.files.iter().all(are_values) => Reader::Values,
        product => product.reader(),
    };
    let expressions = if arguments.keep_expressions { Expressions::Kept } else { Expressions::Evaluated };
    JsonStyle { expressions, reader }
}

/// The native syntax of the files, one after the other, with an empty line between.
fn native_text(arguments: &JsonArguments, reporter: &mut Reporter<'_>) -> Result<SpooledData, Failure> {
    let mut diagnostics = Diagnostics::new();
    let schema = schema_of(arguments, &mut diagnostics)?;
    reporter.add(diagnostics)?;
    let reader = style(arguments).reader;
    let convert = |path: &Path| {
        let (name, bytes) = read_input(path)?;
        let (native, problems) = native_of(&name, bytes, schema.as_ref(), arguments)?;
        // Blanks are a part of what Nomad reads.
        let formatted = match reader {
            Reader::Nomad => align("", native.as_bytes()),
            _ => format("", native.as_bytes(), FormatStyle::Hcl),
        };
        // Nothing in it is wrong, unless that has been said.
        let text = formatted.ok().and_then(|text| String::from_utf8(text).ok()).unwrap_or(native);
        Ok((text, problems))
    };
    let mut has_written = false;
    let put = |text: &str, out: &mut dyn Write| {
        if text.is_empty() {
            return Ok(());
        }
        let between = if has_written { "\n" } else { "" };
        has_written = true;
        write!(out, "{between}{text}")
    };
    converted(arguments, convert, put, reporter)
}

/// The native syntax of a JSON text, not yet laid out; empty if it has errors.
fn native_of(
    name: &str,
    bytes: Vec<u8>,
    schema: Option<&NestedSchema>,
    arguments: &JsonArguments,
) -> Result<(String, Diagnostics), Failure> {
    let (file, mut diagnostics) = parse_json(json_source(name, bytes)?, &parse_limits(&arguments.limits));
    if has_errors(&diagnostics) {
        return Ok((String::new(), diagnostics));
    }
    let (native, problems) = to_native_for(&file, schema, style(arguments).reader);
    diagnostics.extend(problems);
    Ok((native, diagnostics))
}

/// Reads the schema of the files, if the arguments name one.
fn schema_of(
    arguments: &JsonArguments,
    diagnostics: &mut Diagnostics,
) -> Result<Option<NestedSchema>, Failure> {
    let Some(path) = &arguments.spec else { return Ok(None) };
    let (name, bytes) = read_input(path)?;
    let (file, problems) = parse_file(source(&name, bytes)?, &parse_limits(&arguments.limits));
    let failed = has_errors(&problems);
    diagnostics.extend(problems);
    if failed {
        return Ok(None);
    }
    let host = host::allowing(&[])?;
    let options = evaluation_options(&arguments.limits, &host);
    let (spec, problems) = SpecFile::read(&ConfigBody::from(&file), &options);
    diagnostics.extend(problems);
    Ok(Some(spec.root.nested_schema()))
}

/// Complains of what a body may not contain. Dynamic blocks may be there, whatever is in them.
fn check(body: &ConfigBody, schema: Option<&NestedSchema>, diagnostics: &mut Diagnostics) {
    let Some(schema) = schema else { return diagnostics.extend(body.just_attributes().1) };
    let may_be_dynamic = !schema.body.blocks.is_empty();
    let wanted = schema.body.clone();
    let wanted = if may_be_dynamic { wanted.block("dynamic", &["type"]) } else { wanted };
    let (content, problems) = body.content(&wanted);
    diagnostics.extend(problems);
    for block in content.blocks.iter().filter(|block| !may_be_dynamic || block.block_type() != "dynamic") {
        check(&block.body(), schema.blocks.get(block.block_type()), diagnostics);
    }
}
