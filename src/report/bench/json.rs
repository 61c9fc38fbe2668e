//! Reports of `bench` as JSON, written and read again.

use serde_json::Value;

use super::super::json::SCHEMA;
use super::BenchReport;

/// The report as a JSON object.
pub(in super::super) fn value(report: &BenchReport) -> serde_json::Result<Value> {
    serde_json::to_value(report)
}

/// A report that was written before.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// Where it was read.
    pub source: String,
    /// What it says.
    pub report: BenchReport,
}

/// Why a file is no report to compare with.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It is no JSON, or fields are missing.
    #[error("{source_name}: not a report of `hyperft bench`: {error}")]
    NotAReport {
        /// The file.
        source_name: String,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// Another command wrote it.
    #[error("{source_name}: a report of `hyperft {command}`, expected one of `hyperft bench`")]
    OtherCommand {
        /// The file.
        source_name: String,
        /// The command.
        command: String,
    },
    /// Another version of the program wrote it, with other fields.
    #[error("{source_name}: has schema {schema}, this version of hyperft reads schema {SCHEMA}")]
    OtherSchema {
        /// The file.
        source_name: String,
        /// Its schema.
        schema: String,
    },
}

impl Baseline {
    /// Reads the JSON of an earlier report.
    pub fn read(source: &str, text: &[u8]) -> Result<Baseline, BaselineError> {
        let source_name = source.to_string();
        let not_a_report = |error| BaselineError::NotAReport {
            source_name: source_name.clone(),
            error,
        };
        let value: Value = serde_json::from_slice(text).map_err(not_a_report)?;
        if value["schema"] != SCHEMA {
            let schema = match &value["schema"] {
                Value::Null => "none".to_string(),
                schema => schema.to_string(),
            };
            return Err(BaselineError::OtherSchema {
                source_name,
                schema,
            });
        }
        if value["command"] != "bench" {
            let command = value["command"].as_str().unwrap_or("?").to_string();
            return Err(BaselineError::OtherCommand {
                source_name,
                command,
            });
        }
        let report = serde_json::from_value(value).map_err(not_a_report)?;
        Ok(Baseline {
            source: source_name,
            report,
        })
    }
}

/// Counts as decimal strings: they pass 2^53.
pub(super) mod decimal {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(in super::super) fn serialize<S: Serializer>(
        count: &u128,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(count)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|_| D::Error::custom(format!("`{text}` is no count")))
    }
}
