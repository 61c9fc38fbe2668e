//! `Filter`: an expression over the columns of a record, in the Common Expression Language
//! (<https://cel.dev>).

use super::columns::{Column, Value};
use super::record::Record;

/// An expression that is true or false of a record.
///
/// Columns are variables of the names they have in output. Numbers are CEL's `int`; lists are lists
/// of `string`; what is missing is `null`.
pub struct Filter {
    program: cel::Program,
    /// The columns the expression mentions.
    columns: Vec<Column>,
}

/// Why an expression is no filter.
#[derive(Debug, thiserror::Error)]
pub enum FilterError {
    /// It is no expression.
    #[error("not an expression: {0}")]
    Syntax(String),
    /// It cannot be computed for some record.
    #[error("the expression fails: {reason} (at {record})")]
    Evaluation {
        /// File and line of the record.
        record: String,
        /// What is wrong.
        reason: String,
    },
    /// It is neither true nor false.
    #[error("the expression gives {0}, expected true or false")]
    NotBool(String),
}

impl Filter {
    /// Reads an expression.
    ///
    /// ```
    /// use hyperft::analyse::{AnalyseOptions, Filter, Record};
    /// use hyperft::parse::{FenOptions, Source, open_jobs};
    ///
    /// let source = Source::Literal("kiwipete".to_string());
    /// let job = open_jobs(&source, FenOptions::default()).unwrap().next().unwrap();
    /// let record = Record::of(job, &AnalyseOptions::default());
    /// let filter = Filter::new("legal_moves > 40 && castles == 2 && !in_check").unwrap();
    /// assert!(filter.keeps(&record).unwrap());
    /// ```
    pub fn new(expression: &str) -> Result<Filter, FilterError> {
        let program = cel::Program::compile(expression)
            .map_err(|errors| FilterError::Syntax(errors.to_string()))?;
        let references = program.references();
        let mentioned = |column: &Column| references.has_variable(column.name());
        let columns = Column::ALL.iter().copied().filter(mentioned).collect();
        Ok(Filter { program, columns })
    }

    /// Whether the expression is true of a record.
    pub fn keeps(&self, record: &Record) -> Result<bool, FilterError> {
        let mut context = cel::Context::default();
        for column in &self.columns {
            context.add_variable_from_value(column.name(), cel_value(column.value(record)));
        }
        match self.program.execute(&context) {
            Ok(cel::Value::Bool(keeps)) => Ok(keeps),
            Ok(other) => Err(FilterError::NotBool(format!("{other:?}"))),
            Err(error) => Err(FilterError::Evaluation {
                record: record.line.origin(),
                reason: error.to_string(),
            }),
        }
    }
}

fn cel_value(value: Value) -> cel::Value {
    let list = |texts: Vec<String>| {
        let texts = texts.into_iter().map(cel::Value::from);
        cel::Value::List(texts.collect::<Vec<_>>().into())
    };
    match value {
        Value::Missing => cel::Value::Null,
        Value::Text(text) => cel::Value::from(text),
        Value::Fen(_) | Value::Castling(_) | Value::Square(_) | Value::Key(_) => {
            cel::Value::from(value.text())
        }
        // No column's number comes near 2^63 but a clock read from a file, which has 32 bits.
        Value::Number(number) => cel::Value::Int(i64::try_from(number).unwrap_or(i64::MAX)),
        Value::Count(count) => cel::Value::Int(i64::try_from(count).unwrap_or(i64::MAX)),
        Value::Flag(flag) => cel::Value::Bool(flag),
        Value::Texts(texts) => list(texts.to_vec()),
        Value::Squares(squares) => list(squares.iter().map(|it| it.to_string()).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::AnalyseOptions;
    use crate::parse::{FenOptions, Source, open_jobs};

    fn keeps(expression: &str, text: &str) -> Result<bool, String> {
        let source = Source::Literal(text.to_string());
        let mut jobs = open_jobs(&source, FenOptions::default()).unwrap();
        let record = Record::of(jobs.next().unwrap(), &AnalyseOptions::default());
        let filter = Filter::new(expression).map_err(|error| error.to_string())?;
        filter.keeps(&record).map_err(|error| error.to_string())
    }

    #[test]
    fn every_kind_of_value_can_be_asked_for() {
        let mate = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 3 90 id \"a mate\";";
        for expression in [
            "checkmate",
            "legal_moves == 0 && halfmove_clock < 100",
            "outcome == 'checkmate'",
            "side_to_move == 'b' || false",
            "'a8' in checkers && size(pinned) == 0",
            "id.startsWith('a ')",
            "ep_square == null",
            "status != 'rejected' && reasons == []",
            "fullmove_number * 2 == 180",
        ] {
            assert_eq!(keeps(expression, mate), Ok(true), "{expression}");
            assert_eq!(keeps(&format!("!({expression})"), mate), Ok(false));
        }
    }

    #[test]
    fn what_is_no_filter_is_refused() {
        assert!(
            keeps("legal_moves >", "startpos")
                .unwrap_err()
                .contains("not an expression")
        );
        assert!(
            keeps("legal_moves", "startpos")
                .unwrap_err()
                .contains("expected true or false")
        );
        assert!(
            keeps("nodes > 3", "startpos")
                .unwrap_err()
                .contains("nodes")
        );
    }
}
