//! The table of quirks, `testdata/quirks.tsv`: what real suites hold besides what EPD and FEN say. Each
//! row is a file, read as the program reads files.

use std::io::Write;

use hyperft::analyse::{AnalyseOptions, Record, RecordLine};
use hyperft::parse::{FenOptions, Job, Source, open_jobs, operation_moves};

#[derive(Clone)]
struct Quirk {
    id: String,
    file: Vec<u8>,
    verdicts: String,
    says: Vec<String>,
    facts: Vec<(String, String)>,
}

impl Quirk {
    fn read(row: &str) -> Quirk {
        let columns: Vec<&str> = row.split('\t').collect();
        let &[id, file, verdicts, says, facts, _source] = columns.as_slice() else {
            panic!("{} columns in {row}", columns.len());
        };
        let list = |text: &str, between| -> Vec<String> {
            match text {
                "-" => Vec::new(),
                text => text.split(between).map(str::to_string).collect(),
            }
        };
        let fact = |fact: String| {
            let (name, value) = fact.split_once('=').expect("name=value");
            (name.to_string(), value.replace('_', " "))
        };
        Quirk {
            id: id.to_string(),
            file: unescaped(file),
            verdicts: verdicts.to_string(),
            says: list(says, " & "),
            facts: list(facts, " ").into_iter().map(fact).collect(),
        }
    }

    /// Everything that is not as the row says.
    fn faults(&self) -> Vec<String> {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(&self.file).expect("room for it");
        let source = Source::File(file.path().to_path_buf());
        let jobs = open_jobs(&source, FenOptions::default()).expect("a file of text");
        let options = AnalyseOptions::default();
        let records: Vec<Record> = jobs.map(|job| Record::of(job, &options)).collect();
        let verdicts: Vec<&str> = records.iter().map(|it| it.status.name()).collect();
        let reasons: Vec<String> = records.iter().flat_map(|it| it.reasons.clone()).collect();
        let mut faults = Vec::new();
        if verdicts.join(",") != self.verdicts {
            faults.push(format!("{verdicts:?} {reasons:?}"));
        }
        let unsaid = |text: &&String| !reasons.iter().any(|reason| reason.contains(*text));
        let unsaid = self.says.iter().filter(unsaid);
        faults.extend(unsaid.map(|text| format!("`{text}` not in {reasons:?}")));
        if self.says.is_empty() && !reasons.is_empty() {
            faults.push(format!("says {reasons:?}"));
        }
        if let Some(RecordLine::Job(job)) = records.first().map(|it| &it.line) {
            let facts = self.facts.iter();
            let got = facts.map(|(name, value)| (name, value, fact(job, name)));
            let wrong = got.filter(|(_, value, got)| got != *value);
            faults.extend(wrong.map(|(name, value, got)| format!("{name} {value}, got {got}")));
        } else if !self.facts.is_empty() {
            faults.push("no position".to_string());
        }
        faults
    }
}

fn fact(job: &Job, name: &str) -> String {
    match name {
        "id" => return job.id.clone().unwrap_or_default(),
        "clock" => return job.position.halfmove_clock().to_string(),
        _ => {}
    }
    let operation = job.operations.iter().find(|it| it.opcode == name);
    let Some(operation) = operation else {
        return "no such operation".to_string();
    };
    if !["bm", "am", "pv"].contains(&name) {
        return operation.text();
    }
    match operation_moves(&job.position, operation, false) {
        Ok(moves) => {
            let mode = job.position.castling_mode();
            let names: Vec<String> = moves.iter().map(|it| it.uci(mode)).collect();
            names.join(",")
        }
        Err(faults) => format!("{faults:?}"),
    }
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        rest = more;
        let (byte, used) = match (first, more) {
            (b'\\', [b'n', ..]) => (b'\n', 1),
            (b'\\', [b'r', ..]) => (b'\r', 1),
            (b'\\', [b'0', ..]) => (0, 1),
            (b'\\', [b'\\', ..]) => (b'\\', 1),
            (b'\\', [b'x', high, low, ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).expect("digits");
                (u8::from_str_radix(digits, 16).expect("hexadecimal"), 3)
            }
            _ => (*first, 0),
        };
        bytes.push(byte);
        rest = &rest[used..];
    }
    bytes
}

fn table() -> Vec<Quirk> {
    let rows = include_str!("../testdata/quirks.tsv").lines();
    let rows = rows.filter(|row| !row.starts_with('#'));
    rows.map(Quirk::read).collect()
}

#[test]
fn every_quirk_is_read_or_refused_by_its_rule() {
    let quirks = table();
    assert!(quirks.len() >= 45, "{}", quirks.len());
    let faults = quirks.iter().flat_map(|quirk| {
        quirk
            .faults()
            .into_iter()
            .map(|it| format!("{}: {it}", quirk.id))
    });
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A row that says the wrong thing is noticed, whichever column it is in.
#[test]
fn a_wrong_row_is_noticed() {
    for quirk in table() {
        let other = match quirk.verdicts.as_str() {
            "ok" => "warning",
            _ => "ok",
        };
        let verdicts = other.to_string();
        let says = vec!["what nobody says".to_string()];
        let facts = vec![("id".to_string(), "nobody's".to_string())];
        for wrong in [
            Quirk {
                verdicts,
                ..quirk.clone()
            },
            Quirk {
                says,
                ..quirk.clone()
            },
            Quirk {
                facts,
                ..quirk.clone()
            },
        ] {
            assert!(!wrong.faults().is_empty(), "{}", wrong.id);
        }
    }
}
