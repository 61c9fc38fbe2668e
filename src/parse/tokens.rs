//! A line of EPD cut into fields and operations. What they mean is `epd.rs`'s business.

use super::place::{Fault, Place, Reason};

/// A word of an operation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// The word; for a string what stands between the quotes, escapes resolved.
    pub text: String,
    /// True if it stood in double quotes.
    pub quoted: bool,
    /// Where it begins in the line, in characters from 1.
    pub column: usize,
}

/// The words up to a semicolon or the end of the line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RawOperation {
    /// The words, opcode first; none if there was nothing before the semicolon.
    pub tokens: Vec<Token>,
    /// True if a semicolon ends it.
    pub ended: bool,
}

/// The fields at the beginning of a line and the byte where the rest begins.
///
/// Four fields, and then counters as long as words look like counters: `-`, a digit first, or a
/// sign and a digit (so that `-3` is a bad counter and not an opcode). A semicolon ends the fields
/// wherever it stands, so `... 0 1;20;400` needs no blank.
pub(super) fn split_fields(line: &str) -> (Vec<&str>, usize) {
    let mut fields = Vec::new();
    let mut at = 0;
    loop {
        let begin = at + blanks(&line[at..]);
        let end = word_length(&line[begin..]);
        let word = &line[begin..begin + end];
        let is_field = fields.len() < 4 || (fields.len() < 6 && looks_like_counter(word));
        if word.is_empty() || !is_field {
            return (fields, begin);
        }
        fields.push(word);
        at = begin + end;
    }
}

/// The bytes of white space a text begins with.
fn blanks(text: &str) -> usize {
    let spaces = text.bytes().take_while(|&byte| byte == b' ').count();
    match text.as_bytes().get(spaces) {
        Some(b'!'..=b'~') | None => spaces,
        // Other white space is rare, and may have more than one byte.
        Some(_) => text.len() - text.trim_start().len(),
    }
}

/// The bytes before the first white space or semicolon.
fn word_length(text: &str) -> usize {
    let ends = |byte: u8| !matches!(byte, b'!'..=b'~') || byte == b';';
    match text.bytes().position(ends) {
        None => text.len(),
        Some(end) if matches!(text.as_bytes()[end], b' ' | b';') => end,
        Some(_) => text
            .find(|letter: char| letter.is_whitespace() || letter == ';')
            .unwrap_or(text.len()),
    }
}

fn looks_like_counter(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    word == "-" || digits.starts_with(|letter: char| letter.is_ascii_digit())
}

/// The operations in `line` from byte `begin` on.
///
/// In double quotes `\"` and `\\` stand for `"` and `\`; a semicolon there is text. A quote begins
/// a string wherever it stands outside of one.
pub(super) fn split_operations(line: &str, begin: usize) -> Result<Vec<RawOperation>, Fault> {
    let mut operations = Vec::new();
    if begin == line.len() {
        return Ok(operations);
    }
    let mut tokens = Vec::new();
    let mut scanner = Scanner {
        rest: &line[begin..],
        column: 1 + line[..begin].chars().count(),
    };
    while let Some(letter) = scanner.rest.chars().next() {
        if letter == ';' {
            scanner.skip(letter);
            operations.push(RawOperation {
                tokens: std::mem::take(&mut tokens),
                ended: true,
            });
        } else if letter.is_whitespace() {
            scanner.skip(letter);
        } else {
            tokens.push(if letter == '"' {
                scanner.string()?
            } else {
                scanner.word()
            });
        }
    }
    if !tokens.is_empty() {
        let ended = false;
        operations.push(RawOperation { tokens, ended });
    }
    Ok(operations)
}

/// What is left of a line.
struct Scanner<'a> {
    rest: &'a str,
    /// Where `rest` begins, in characters from 1.
    column: usize,
}

impl Scanner<'_> {
    fn skip(&mut self, letter: char) {
        self.rest = &self.rest[letter.len_utf8()..];
        self.column += 1;
    }

    /// Everything up to a blank, a semicolon or a quote.
    fn word(&mut self) -> Token {
        let ends = |letter: char| letter.is_whitespace() || letter == ';' || letter == '"';
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let column = self.column;
        self.rest = rest;
        self.column += word.chars().count();
        Token {
            text: word.to_string(),
            quoted: false,
            column,
        }
    }

    /// A string, at whose opening quote the rest begins.
    fn string(&mut self) -> Result<Token, Fault> {
        let (begin, column) = (self.rest, self.column);
        self.skip('"');
        let mut text = String::new();
        while let Some(letter) = self.rest.chars().next() {
            self.skip(letter);
            if letter == '"' {
                let quoted = true;
                return Ok(Token {
                    text,
                    quoted,
                    column,
                });
            }
            let next = self.rest.chars().next();
            match next.filter(|&next| letter == '\\' && (next == '"' || next == '\\')) {
                Some(escaped) => {
                    self.skip(escaped);
                    text.push(escaped);
                }
                None => text.push(letter),
            }
        }
        let unterminated = Reason::StringUnterminated;
        Err(Fault::new(Place::Column(column), begin, unterminated))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<Vec<String>> {
        let (_, begin) = split_fields(line);
        let operations = split_operations(line, begin).unwrap();
        let texts = |raw: RawOperation| raw.tokens.into_iter().map(|token| token.text).collect();
        operations.into_iter().map(texts).collect()
    }

    #[test]
    fn fields_end_at_counters_semicolons_and_opcodes() {
        let split = |line| split_fields(line).0.len();
        assert_eq!(split("8/8 w - -"), 4);
        assert_eq!(split("8/8 w - - bm c4;"), 4);
        assert_eq!(split("8/8 w - -  0 1 bm c4;"), 6);
        assert_eq!(split("8/8 w - - - bm c4;"), 5);
        assert_eq!(split("8/8 w - - -3 10"), 6);
        assert_eq!(split("8/8 w - - 0 1;20;400"), 6);
        assert_eq!(split("8/8 w - - ;D1 20"), 4);
        assert_eq!(split("8/8 b -"), 3);
    }

    #[test]
    fn semicolons_in_strings_are_text() {
        let line = r#"8/8 w - - c0 "a; \"b\" \\ \n"; id x;"#;
        assert_eq!(words(line), [vec!["c0", r#"a; "b" \ \n"#], vec!["id", "x"]]);
    }

    #[test]
    fn an_open_string_is_refused_where_it_begins() {
        let fault = split_operations(r#"id "no end; c0 "x";"#, 0).unwrap_err();
        assert_eq!(fault.place, Some(Place::Column(18)));
        assert_eq!(fault.reason, Reason::StringUnterminated);
        assert_eq!(fault.text, "\";");
        assert!(split_operations(r#"id "no end; c0 "x;"#, 0).is_ok());
    }

    #[test]
    fn nothing_between_semicolons_is_an_empty_operation() {
        assert_eq!(
            words("8/8 w - - ;; id 1"),
            [vec![], vec![], vec!["id", "1"]]
        );
    }
}
