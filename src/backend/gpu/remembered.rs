//! The file in which measured tunings are remembered. It is a convenience: a file that cannot be
//! read or written, or makes no sense, only costs another measurement.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::adapter::AdapterSummary;
use super::chunk::WORKGROUP_SIZES;
use super::options::Tuning;
use super::shaders::{LastPlies, SliderMethod};

/// The form of the file.
const SCHEMA: u32 = 1;

/// What must be the same for a tuning to hold.
fn key(adapter: &AdapterSummary) -> Value {
    json!({
        "adapter": adapter.name,
        "interface": adapter.interface,
        "driver": adapter.driver,
        "program": env!("CARGO_PKG_VERSION"),
    })
}

/// The entries of a file of our form.
fn entries(file: &Path) -> Option<Vec<Value>> {
    let text = fs::read_to_string(file).ok()?;
    let mut value: Value = serde_json::from_str(&text).ok()?;
    if value["schema"] != SCHEMA {
        return None;
    }
    match value["tunings"].take() {
        Value::Array(entries) => Some(entries),
        _ => None,
    }
}

/// The tuning that was measured on this adapter, if there is one.
pub(super) fn read(file: &Path, adapter: &AdapterSummary) -> Option<Tuning> {
    let key = key(adapter);
    let entry = entries(file)?.into_iter().find(|it| it["on"] == key)?;
    let slider = entry["slider"].as_str()?;
    let last_plies = entry["last_plies"].as_str()?;
    let workgroup = u32::try_from(entry["workgroup"].as_u64()?).ok()?;
    Some(Tuning {
        slider: SliderMethod::ALL
            .into_iter()
            .find(|it| it.name() == slider)?,
        last_plies: LastPlies::ALL
            .into_iter()
            .find(|it| it.name() == last_plies)?,
        workgroup: *WORKGROUP_SIZES.iter().find(|&&it| it == workgroup)?,
    })
}

/// Remembers a tuning, in place of an earlier one of the same adapter.
pub(super) fn write(file: &Path, adapter: &AdapterSummary, tuning: Tuning) {
    let key = key(adapter);
    let mut kept = entries(file).unwrap_or_default();
    kept.retain(|it| it["on"] != key);
    kept.push(json!({
        "on": key,
        "slider": tuning.slider.name(),
        "last_plies": tuning.last_plies.name(),
        "workgroup": tuning.workgroup,
    }));
    let text = format!("{:#}\n", json!({ "schema": SCHEMA, "tunings": kept }));
    let Some(folder) = file.parent() else {
        return;
    };
    // A run that ends halfway, or another one at the same time, must not leave half a file.
    let beside = file.with_extension(format!("{}.new", std::process::id()));
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&beside, text))
        .and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::gpu::AdapterKind;

    fn adapter(name: &str, driver: &str) -> AdapterSummary {
        AdapterSummary {
            driver: driver.to_owned(),
            ..AdapterSummary::made_up(name, AdapterKind::Discrete)
        }
    }

    #[test]
    fn tunings_are_kept_by_adapter_and_driver() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("adapters.json");
        let (big, small) = (adapter("Big", "1.0"), adapter("Small", "1.0"));
        let magic = Tuning {
            slider: SliderMethod::Magic,
            last_plies: LastPlies::Complete,
            workgroup: 128,
        };
        assert_eq!(read(&file, &big), None);
        write(&file, &big, magic);
        write(&file, &small, Tuning::default());
        assert_eq!(read(&file, &big), Some(magic));
        assert_eq!(read(&file, &small), Some(Tuning::default()));
        assert_eq!(read(&file, &adapter("Big", "1.1")), None);
        write(&file, &big, Tuning::default());
        assert_eq!(read(&file, &big), Some(Tuning::default()));
    }

    #[test]
    fn a_file_that_makes_no_sense_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("adapters.json");
        let big = adapter("Big", "1.0");
        for text in [
            "",
            "{",
            "[]",
            r#"{"schema":2,"tunings":[]}"#,
            r#"{"schema":1}"#,
        ] {
            fs::write(&file, text).expect("it can be written");
            assert_eq!(read(&file, &big), None, "{text}");
            write(&file, &big, Tuning::default());
            assert_eq!(read(&file, &big), Some(Tuning::default()), "{text}");
        }
        // A tuning that no pipeline can be made with is none.
        let text = fs::read_to_string(&file).expect("it can be read");
        fs::write(&file, text.replace("64", "65")).expect("it can be written");
        assert_eq!(read(&file, &big), None);
        write(Path::new("/"), &big, Tuning::default());
    }
}
