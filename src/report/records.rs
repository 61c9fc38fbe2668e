//! Records, one a position, in the formats of `analyse`: JSON lines, CSV, a table. A record can be
//! written without knowing the others, so any thread may write any record.

use std::io::{self, Write};

#[cfg(feature = "parquet")]
use super::parquet;
use crate::analyse::{Column, Record, Value};
use crate::board::Bitboard;

/// A format of records.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// One JSON object a line. The first field is `schema`; what is missing is `null`; lists are
    /// arrays of text; numbers are numbers, except that counts of paths are decimal strings.
    Jsonl,
    /// A header and a line a record; what is missing is empty; lists have blanks between squares
    /// and `; ` between reasons.
    Csv,
    /// Columns for people; what is missing is `-`.
    Table,
    /// Apache Parquet: text, 64-bit numbers and flags, all of them optional; lists as in CSV.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// Records as one thread has written them, ready to be put behind those before them.
#[derive(Default)]
pub struct Written {
    bytes: Vec<u8>,
    #[cfg(feature = "parquet")]
    rows: parquet::Rows,
}

/// Where records go in the end.
pub struct RecordOutput<W> {
    out: W,
    /// Takes the rows in place of `out`.
    #[cfg(feature = "parquet")]
    parquet: Option<parquet::Writer<io::Stdout>>,
}

impl<W: Write> RecordOutput<W> {
    /// Puts what was written next.
    pub fn take(&mut self, written: Written) -> io::Result<()> {
        #[cfg(feature = "parquet")]
        if let Some(parquet) = &mut self.parquet {
            return parquet.append(written.rows);
        }
        self.out.write_all(&written.bytes)?;
        // Whoever types line by line is answered line by line.
        self.out.flush()
    }

    /// Writes what stands behind the last record.
    pub fn finish(self) -> io::Result<()> {
        #[cfg(feature = "parquet")]
        if let Some(parquet) = self.parquet {
            parquet.finish()?;
        }
        Ok(())
    }
}

/// Rises when a column changes its meaning or goes away; new columns do not raise it.
pub const RECORD_SCHEMA: u32 = 1;

/// Writes records in one format and with one choice of columns.
pub struct RecordWriter {
    format: RecordFormat,
    columns: Vec<Column>,
    /// What a record begins with in JSON.
    begin: String,
    /// What stands before the value of each column in JSON.
    keys: Vec<String>,
}

impl RecordWriter {
    /// A writer of these columns, in this order.
    pub fn new(format: RecordFormat, columns: Vec<Column>) -> RecordWriter {
        let key = |column: &Column| format!(",\"{}\":", column.name());
        RecordWriter {
            begin: format!("{{\"schema\":{RECORD_SCHEMA}"),
            keys: columns.iter().map(key).collect(),
            format,
            columns,
        }
    }

    /// An output for what this writer writes. Parquet goes to standard output whatever `out` is, as
    /// its library wants an output that can change threads.
    pub fn output<W: Write>(&self, mut out: W) -> io::Result<RecordOutput<W>> {
        let mut header = Vec::new();
        self.header(&mut header)?;
        out.write_all(&header)?;
        Ok(RecordOutput {
            out,
            #[cfg(feature = "parquet")]
            parquet: match self.format {
                RecordFormat::Parquet => Some(parquet::Writer::new(&self.columns, io::stdout())?),
                _ => None,
            },
        })
    }

    /// Appends records to what has been written.
    pub fn append(&self, records: &[Record], written: &mut Written) -> io::Result<()> {
        #[cfg(feature = "parquet")]
        if self.format == RecordFormat::Parquet {
            written.rows.push(&self.columns, records);
            return Ok(());
        }
        self.write(records, &mut written.bytes)
    }

    /// Writes what stands before the first record.
    pub fn header(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let names = self.columns.iter().map(|column| column.name());
        match self.format {
            RecordFormat::Jsonl => Ok(()),
            #[cfg(feature = "parquet")]
            RecordFormat::Parquet => Ok(()),
            RecordFormat::Csv => csv_line(names, out),
            RecordFormat::Table => {
                let mut line = String::new();
                for (name, &column) in names.zip(&self.columns) {
                    self.cell(&mut line, name, column, false);
                }
                writeln!(out, "{}", line.trim_end())
            }
        }
    }

    /// Writes records as text; Parquet has none, see [`RecordWriter::append`].
    pub fn write<'a>(
        &self,
        records: impl IntoIterator<Item = &'a Record<'a>>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        match self.format {
            RecordFormat::Jsonl => records.into_iter().try_for_each(|it| self.json(it, out)),
            RecordFormat::Table => records.into_iter().try_for_each(|it| self.row(it, out)),
            #[cfg(feature = "parquet")]
            RecordFormat::Parquet => Ok(()),
            RecordFormat::Csv => records.into_iter().try_for_each(|it| self.csv(it, out)),
        }
    }

    fn csv(&self, record: &Record, out: &mut Vec<u8>) -> io::Result<()> {
        let begin = out.len();
        for (index, column) in self.columns.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            match column.value(record) {
                Value::Text(text) => csv_text(text, out)?,
                Value::Texts([]) => {}
                texts @ Value::Texts(_) => csv_text(&texts.text(), out)?,
                // Letters, digits and blanks: nothing to quote.
                value => value.push_text(out),
            }
        }
        // An empty line would be no record.
        if out.len() == begin {
            out.extend_from_slice(b"\"\"");
        }
        out.push(b'\n');
        Ok(())
    }

    fn json(&self, record: &Record, out: &mut Vec<u8>) -> io::Result<()> {
        out.extend_from_slice(self.begin.as_bytes());
        for (column, key) in self.columns.iter().zip(&self.keys) {
            out.extend_from_slice(key.as_bytes());
            let value = column.value(record);
            match value {
                Value::Missing => out.extend_from_slice(b"null"),
                Value::Text(text) => json_text(text, out)?,
                Value::Number(_) | Value::Flag(_) => value.push_text(out),
                Value::Texts([]) => out.extend_from_slice(b"[]"),
                Value::Texts(texts) => serde_json::to_writer(&mut *out, texts)?,
                Value::Squares(squares) => json_squares(squares, out),
                Value::Fen(_)
                | Value::Castling(_)
                | Value::Square(_)
                | Value::Key(_)
                | Value::Count(_) => {
                    out.push(b'"');
                    value.push_text(out);
                    out.push(b'"');
                }
            }
        }
        out.extend_from_slice(b"}\n");
        Ok(())
    }

    fn row(&self, record: &Record, out: &mut Vec<u8>) -> io::Result<()> {
        let mut line = String::new();
        for &column in &self.columns {
            let value = column.value(record);
            let right = matches!(value, Value::Number(_) | Value::Count(_));
            let text = match value.harmless_text() {
                empty if empty.is_empty() => "-".to_string(),
                text => text,
            };
            self.cell(&mut line, &text, column, right);
        }
        writeln!(out, "{}", line.trim_end())
    }

    /// Adds a cell of the column's usual width; a longer text moves the rest of its line.
    fn cell(&self, line: &mut String, text: &str, column: Column, right: bool) {
        let width = usual_width(column).max(column.name().len());
        if right {
            line.push_str(&format!("{text:>width$}  "));
        } else {
            line.push_str(&format!("{text:<width$}  "));
        }
    }
}

/// True if no format has to quote or escape anything in a text, as in hardly any it has. Commas are for
/// the caller.
fn is_plain(text: &str) -> bool {
    let plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
    // Without an early end: many bytes can be looked at together.
    text.bytes().fold(true, |all, byte| all & plain(byte))
}

/// A text as CSV has it.
fn csv_text(text: &str, out: &mut Vec<u8>) -> io::Result<()> {
    if !is_plain(text) || text.contains(',') {
        csv_line([text], out)?;
        // The field alone.
        out.pop();
        return Ok(());
    }
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

fn csv_line<'a>(fields: impl IntoIterator<Item = &'a str>, out: &mut Vec<u8>) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(fields)?;
    csv.flush()
}

/// A text as JSON has it.
fn json_text(text: &str, out: &mut Vec<u8>) -> io::Result<()> {
    if !is_plain(text) {
        return Ok(serde_json::to_writer(out, text)?);
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
    Ok(())
}

fn json_squares(squares: Bitboard, out: &mut Vec<u8>) {
    out.push(b'[');
    for (index, square) in squares.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.push(b'"');
        out.extend_from_slice(&square.name());
        out.push(b'"');
    }
    out.push(b']');
}

/// Enough for most values, so that tables line up without knowing all records.
fn usual_width(column: Column) -> usize {
    match column {
        Column::File => 24,
        Column::Id => 16,
        Column::Fen => 64,
        Column::Status => 8,
        Column::Line => 7,
        Column::Key => 16,
        Column::Outcome => 21,
        Column::Perft => 12,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::AnalyseOptions;
    use crate::parse::{FenOptions, Source, open_jobs};

    /// Read back by the library, CSV says what the columns say, whatever stands in the texts.
    #[test]
    fn csv_is_read_back_as_it_was() {
        let lines = [
            "startpos",
            "4k3/8/8/8/8/8/8/4K2R w K - id \"a, b\"; c0 \"x\";",
            "4k3/8/8/8/8/8/8/4K2R w K - id \"M\u{fc}ller \\\\ \\\"q\\\"\"; bm Nf4, x;",
            "4k3/8/8/8/8/8/8/4K2R w K - id \"\t\";",
            "rubbish, \"more\" 'rubbish'",
            "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1",
        ];
        let source = Source::Literal(lines.join("\n"));
        let jobs = open_jobs(&source, FenOptions::default()).unwrap();
        let options = AnalyseOptions::default();
        let records: Vec<Record> = jobs.map(|job| Record::of(job, &options)).collect();
        let one_by_one = Column::ALL.iter().map(|&column| vec![column]);
        let (mut quoted, mut empty) = (0, 0);
        for columns in one_by_one.chain([Column::ALL.to_vec()]) {
            let writer = RecordWriter::new(RecordFormat::Csv, columns.clone());
            let mut out = Vec::new();
            writer.header(&mut out).unwrap();
            writer.write(&records, &mut out).unwrap();
            let mut reader = csv::Reader::from_reader(&out[..]);
            let names = columns.iter().map(|it| it.name());
            assert!(reader.headers().unwrap().iter().eq(names));
            let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
            assert_eq!(rows.len(), records.len(), "{columns:?}");
            for (row, record) in rows.iter().zip(&records) {
                let texts = columns.iter().map(|it| it.value(record).text());
                assert!(row.iter().eq(texts), "{columns:?}: {row:?}");
                empty += usize::from(row.iter().all(str::is_empty));
            }
            quoted += out.iter().filter(|&&byte| byte == b'"').count();
        }
        assert!(quoted > 20 && empty > 20, "{quoted} {empty}");
    }
}
