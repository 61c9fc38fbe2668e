//! Where positions come from, and the texts found there: a file, standard input or the command
//! line; an archive has one text for each member. Lines and their meaning are not looked at here.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::named::named_fen;
use super::place::{excerpt, harmless};
use super::unpack::{Bytes, Unpacked, unpack};
use super::zip::Members;

/// Where to read positions from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file, packed or not; an archive stands for all files in it.
    File(PathBuf),
    /// Standard input, packed or not.
    Stdin,
    /// The text itself: a FEN, a line of EPD, or the name of a position.
    Literal(String),
}

impl Source {
    /// What a command line argument means: `-` is standard input; the path of something that
    /// exists is that file; the name of a position, or text with a `/` and a blank, is itself; all
    /// else is a file, and opening it will tell that it does not exist.
    ///
    /// ```
    /// use hyperft::parse::Source;
    ///
    /// assert_eq!(Source::from_arg("-"), Source::Stdin);
    /// assert_eq!(Source::from_arg("kiwipete"), Source::Literal("kiwipete".to_string()));
    /// assert!(matches!(Source::from_arg("no-such-file.epd"), Source::File(_)));
    /// ```
    pub fn from_arg(argument: &str) -> Source {
        let is_text = argument.contains('/') && argument.contains(char::is_whitespace);
        if argument == "-" {
            Source::Stdin
        } else if Path::new(argument).exists() {
            Source::File(PathBuf::from(argument))
        } else if is_text || named_fen(argument).is_some() {
            Source::Literal(argument.to_string())
        } else {
            Source::File(PathBuf::from(argument))
        }
    }

    /// What messages call it: the path, `<stdin>` or `<argument>`.
    pub fn name(&self) -> String {
        match self {
            Source::File(path) => harmless(&path.display().to_string()),
            Source::Stdin => "<stdin>".to_string(),
            Source::Literal(_) => "<argument>".to_string(),
        }
    }
}

/// Why nothing at all can be read from a source.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum SourceError {
    #[error(
        "{}: no such file, and neither a FEN nor the name of a position",
        excerpt(path)
    )]
    NotFound { path: String },
    #[error("{path}: a directory, expected a file")]
    Directory { path: String },
    #[error("{path}: cannot be read: {source}")]
    Unreadable { path: String, source: io::Error },
    #[error("{path}: {what}; expected lines of UTF-8 text")]
    NotText { path: String, what: &'static str },
    #[error("{path}: not a readable zip archive: {source}")]
    Archive { path: String, source: rawzip::Error },
}

/// A text of a source: its name, and its bytes or why there are none.
pub(super) struct Text {
    pub name: Arc<str>,
    pub bytes: Result<Bytes, TextError>,
}

/// Why one member of an archive cannot be read.
pub(super) enum TextError {
    NotText(&'static str),
    Failed(io::Error),
}

/// The texts of a source, one after the other.
pub(super) enum Texts {
    One(Option<Text>),
    Zip { path: String, members: Members },
}

impl Texts {
    pub(super) fn open(source: &Source) -> Result<Texts, SourceError> {
        let path = source.name();
        let unreadable = |source: io::Error| SourceError::Unreadable {
            path: path.clone(),
            source,
        };
        match source {
            Source::Literal(text) => {
                let bytes: Bytes = Box::new(Cursor::new(text.clone().into_bytes()));
                Ok(Texts::one(path, bytes))
            }
            Source::Stdin => {
                let unpacked = unpack(io::stdin()).map_err(unreadable)?;
                Texts::of_unpacked(path, unpacked, None)
            }
            Source::File(name) => {
                let file = open_file(name, &path)?;
                let is_regular = file.metadata().map_err(unreadable)?.is_file();
                // A pipe cannot be read twice: only a regular file is opened again as an archive.
                let again = is_regular.then_some(name.as_path());
                let unpacked = unpack(file).map_err(unreadable)?;
                Texts::of_unpacked(path, unpacked, again)
            }
        }
    }

    fn one(name: String, bytes: Bytes) -> Texts {
        Texts::One(Some(Text {
            name: name.into(),
            bytes: Ok(bytes),
        }))
    }

    fn of_unpacked(
        path: String,
        unpacked: Unpacked,
        regular_file: Option<&Path>,
    ) -> Result<Texts, SourceError> {
        let members = match (unpacked, regular_file) {
            (Unpacked::Text(bytes), _) => return Ok(Texts::one(path, bytes)),
            (Unpacked::NotText(what), _) => {
                return Err(SourceError::NotText { path, what });
            }
            (Unpacked::Zip(_), Some(name)) => Members::of_file(open_file(name, &path)?),
            (Unpacked::Zip(bytes), None) => Members::of_stream(bytes),
        };
        match members {
            Ok(members) => Ok(Texts::Zip { path, members }),
            Err(source) => Err(SourceError::Archive { path, source }),
        }
    }
}

fn open_file(name: &Path, path: &str) -> Result<File, SourceError> {
    let path = path.to_string();
    if name.is_dir() {
        return Err(SourceError::Directory { path });
    }
    File::open(name).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => SourceError::NotFound { path },
        _ => SourceError::Unreadable { path, source },
    })
}

impl Iterator for Texts {
    type Item = Text;

    fn next(&mut self) -> Option<Text> {
        match self {
            Texts::One(text) => text.take(),
            Texts::Zip { path, members } => {
                let member = members.next()?;
                let name = format!("{path}/{}", harmless(&member.name)).into();
                let bytes = match member.bytes {
                    Err(what) => Err(TextError::NotText(what)),
                    Ok(bytes) => text_of_member(bytes),
                };
                Some(Text { name, bytes })
            }
        }
    }
}

fn text_of_member(bytes: Box<dyn Read + Send>) -> Result<Bytes, TextError> {
    match unpack(bytes).map_err(TextError::Failed)? {
        Unpacked::Text(bytes) => Ok(bytes),
        Unpacked::NotText(what) => Err(TextError::NotText(what)),
        Unpacked::Zip(_) => Err(TextError::NotText("an archive inside an archive")),
    }
}
