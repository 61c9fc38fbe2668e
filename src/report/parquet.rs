//! Records as Apache Parquet: a row a record, in groups of some ten thousand. Values are put into
//! columns by any thread; one thread writes them.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use crate::analyse::{Column, Kind, Record, Value};

/// Rows that are kept until a group is written: some 40 MB with all columns.
const GROUP_ROWS: usize = 1 << 15;

/// Rows, column by column.
#[derive(Default)]
pub(super) struct Rows {
    count: usize,
    columns: Vec<Values>,
}

/// What a column says: the values that are there, and for each row whether one is.
struct Values {
    present: Vec<i16>,
    data: Data,
}

enum Data {
    Texts(Vec<ByteArray>),
    Numbers(Vec<i64>),
    Flags(Vec<bool>),
}

impl Rows {
    fn empty(columns: &[Column]) -> Rows {
        let values = |column: &Column| Values {
            present: Vec::new(),
            data: match column.kind() {
                Kind::Text => Data::Texts(Vec::new()),
                Kind::Number => Data::Numbers(Vec::new()),
                Kind::Flag => Data::Flags(Vec::new()),
            },
        };
        Rows {
            count: 0,
            columns: columns.iter().map(values).collect(),
        }
    }

    /// Adds a row a record; the columns must be the same in each call.
    pub(super) fn push(&mut self, columns: &[Column], records: &[Record]) {
        if self.columns.is_empty() {
            *self = Rows::empty(columns);
        }
        for (column, values) in columns.iter().zip(&mut self.columns) {
            for record in records {
                values.push(&column.value(record));
            }
        }
        self.count += records.len();
    }

    fn append(&mut self, other: Rows) {
        self.count += other.count;
        if self.columns.is_empty() {
            self.columns = other.columns;
            return;
        }
        for (values, more) in self.columns.iter_mut().zip(other.columns) {
            values.present.extend(more.present);
            match (&mut values.data, more.data) {
                (Data::Texts(texts), Data::Texts(more)) => texts.extend(more),
                (Data::Numbers(numbers), Data::Numbers(more)) => numbers.extend(more),
                (Data::Flags(flags), Data::Flags(more)) => flags.extend(more),
                _ => unreachable!("the same columns in each batch"),
            }
        }
    }
}

impl Values {
    fn push(&mut self, value: &Value) {
        self.present.push(i16::from(*value != Value::Missing));
        match (&mut self.data, value) {
            (_, Value::Missing) => {}
            (Data::Numbers(numbers), Value::Number(number)) => {
                // No column's number comes near 2^63.
                numbers.push(i64::try_from(*number).unwrap_or(i64::MAX));
            }
            (Data::Flags(flags), Value::Flag(flag)) => flags.push(*flag),
            (Data::Texts(texts), value) => {
                let mut text = Vec::new();
                value.push_text(&mut text);
                texts.push(ByteArray::from(text));
            }
            _ => {
                unreachable!("a value is of its column's kind, as a test of columns.rs makes sure")
            }
        }
    }

    fn write(&self, column: &mut SerializedColumnWriter) -> Result<usize, ParquetError> {
        let present = Some(self.present.as_slice());
        match &self.data {
            Data::Texts(texts) => column
                .typed::<ByteArrayType>()
                .write_batch(texts, present, None),
            Data::Numbers(numbers) => column
                .typed::<Int64Type>()
                .write_batch(numbers, present, None),
            Data::Flags(flags) => column.typed::<BoolType>().write_batch(flags, present, None),
        }
    }
}

/// Writes rows to a file.
pub(super) struct Writer<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Column>,
    pending: Rows,
}

impl<W: Write + Send> Writer<W> {
    pub(super) fn new(columns: &[Column], out: W) -> io::Result<Writer<W>> {
        let fields = columns.iter().map(field).collect::<Result<_, _>>();
        let schema = Type::group_type_builder("record")
            .with_fields(fields.map_err(io::Error::other)?)
            .build()
            .map_err(io::Error::other)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("hyperft {}", env!("CARGO_PKG_VERSION")))
            .build();
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties));
        Ok(Writer {
            file: file.map_err(to_io)?,
            columns: columns.to_vec(),
            pending: Rows::empty(columns),
        })
    }

    pub(super) fn append(&mut self, rows: Rows) -> io::Result<()> {
        self.pending.append(rows);
        if self.pending.count < GROUP_ROWS {
            return Ok(());
        }
        self.write_group().map_err(to_io)
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let rows = std::mem::replace(&mut self.pending, Rows::empty(&self.columns));
        if rows.count == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for values in rows.columns {
            let Some(mut column) = group.next_column()? else {
                break;
            };
            values.write(&mut column)?;
            column.close()?;
        }
        group.close()?;
        Ok(())
    }

    /// Writes the rows that are left and the end of the file.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.write_group().map_err(to_io)?;
        self.file.close().map_err(to_io)?;
        Ok(())
    }
}

fn field(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let physical = match column.kind() {
        Kind::Text => Physical::BYTE_ARRAY,
        Kind::Number => Physical::INT64,
        Kind::Flag => Physical::BOOLEAN,
    };
    let logical = (column.kind() == Kind::Text).then_some(LogicalType::String);
    Type::primitive_type_builder(column.name(), physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
        .map(Arc::new)
}

/// The error of the output itself where there is one, so that a closed pipe is known as such.
fn to_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::AnalyseOptions;
    use crate::parse::{FenOptions, Source, open_jobs};
    use parquet::file::reader::{FileReader, SerializedFileReader};

    /// What a reader of Parquet sees is what every column says.
    #[test]
    fn rows_are_read_back_as_they_were() {
        let lines =
            "startpos\n4k3/8/8/8/8/8/8/4K2R w K - id \"a | b\";\nno position\n".repeat(20_000);
        let source = Source::Literal(lines);
        let options = AnalyseOptions::default();
        let jobs = open_jobs(&source, FenOptions::default()).unwrap();
        let records: Vec<Record> = jobs.map(|job| Record::of(job, &options)).collect();
        let file = tempfile::tempfile().unwrap();
        let mut writer = Writer::new(Column::ALL, &file).unwrap();
        for some in records.chunks(1_000) {
            let mut rows = Rows::default();
            rows.push(Column::ALL, some);
            writer.append(rows).unwrap();
        }
        writer.finish().unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        assert!(reader.num_row_groups() > 1);
        let mut seen = 0;
        for (row, record) in reader.get_row_iter(None).unwrap().zip(&records) {
            let row = row.unwrap();
            for ((name, field), &column) in row.get_column_iter().zip(Column::ALL) {
                let expected = match column.value(record) {
                    Value::Missing => "null".to_string(),
                    value if column.kind() == Kind::Text => format!("\"{}\"", value.text()),
                    value => value.text(),
                };
                assert_eq!(
                    (name.as_str(), field.to_string()),
                    (column.name(), expected)
                );
            }
            seen += 1;
        }
        assert_eq!(seen, records.len());
    }
}
