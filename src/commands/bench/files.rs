//! Reports as files: the earlier one to compare with, and those that are written.

use std::fs;
use std::path::Path;

use super::super::CommandError;
use super::super::args::BenchArgs;
use crate::report::{Baseline, BenchReport, Format, Report};

/// Reads an earlier report.
pub(super) fn read(file: &Path) -> Result<Baseline, CommandError> {
    let name = file.display();
    let refused = |reason: String| CommandError::BadInput(format!("--compare: {reason}"));
    let text = fs::read(file).map_err(|error| refused(format!("{name}: {error}")))?;
    Baseline::read(&name.to_string(), &text).map_err(|error| refused(error.to_string()))
}

/// Minutes of measuring should not end at a folder that is not there.
pub(super) fn check_folders(args: &BenchArgs) -> Result<(), CommandError> {
    for file in [&args.export_json, &args.export_markdown]
        .into_iter()
        .flatten()
    {
        let folder = file.parent().filter(|folder| *folder != Path::new(""));
        if folder.is_some_and(|folder| !folder.is_dir()) || file.is_dir() {
            let name = file.display();
            let reason = format!("{name} cannot be written: there is no such folder, or it is one");
            return Err(CommandError::Usage(reason));
        }
    }
    Ok(())
}

/// Writes the files that were asked for.
pub(super) fn export(args: &BenchArgs, report: BenchReport) -> Result<(), CommandError> {
    if let Some(file) = &args.export_markdown {
        let mut bytes = Vec::new();
        report.write_markdown(&mut bytes)?;
        write(file, &bytes)?;
    }
    if let Some(file) = &args.export_json {
        let mut bytes = Vec::new();
        Report::Bench(Box::new(report)).write(Format::Json, &mut bytes)?;
        write(file, &bytes)?;
    }
    Ok(())
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let failed =
        |error| CommandError::Usage(format!("{} cannot be written: {error}", file.display()));
    fs::write(file, bytes).map_err(failed)
}
