//! Variables and files of cases with a context, from the `fixture.json` beside the corpora.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::Value as Json;

use super::run::in_file;

static IN_USE: RwLock<Option<Arc<Json>>> = RwLock::new(None);

/// Takes the fixture of a folder for the cases to come; says whether the folder has one. Without one the
/// fixture of this repository stays in use.
///
/// # Errors
/// The file is there, but can't be read.
pub(super) fn use_fixture(folder: &Path) -> io::Result<bool> {
    let path = folder.join("fixture.json");
    if !path.exists() {
        return Ok(false);
    }
    let text = fs::read_to_string(&path).map_err(|error| in_file(&path, &error))?;
    let read = serde_json::from_str(&text).map_err(|error| in_file(&path, &error.into()))?;
    *IN_USE.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(read));
    Ok(true)
}

/// The fixture in use.
pub(super) fn fixture() -> Arc<Json> {
    if let Some(fixture) = &*IN_USE.read().unwrap_or_else(PoisonError::into_inner) {
        return Arc::clone(fixture);
    }
    Arc::new(serde_json::from_str(include_str!("../../conformance/fixture.json")).unwrap_or_default())
}
