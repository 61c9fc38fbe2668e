//! `Spill`: records on disk, in parts by what they are recognised by, so that duplicates share a
//! part. Each part is sifted on its own and the verdicts are merged in the order of the records.
//!
//! Files are nameless and vanish with the process.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};

use super::sieve::{Item, Rules, Sieve, Verdicts};
use crate::analyse::IdentityKey;

/// A part takes three files while it is sifted, and parts of parts may be open too: with the 1,024
/// files that a process may usually open, ten spills can be inside one another.
const PARTS: usize = 32;

pub(super) struct Spill {
    parts: Vec<BufWriter<File>>,
    /// Keys that share a part here do not in a spill of that part.
    hasher: RandomState,
}

impl Spill {
    pub(super) fn new() -> io::Result<Spill> {
        Ok(Spill {
            parts: (0..PARTS).map(|_| writer()).collect::<io::Result<_>>()?,
            hasher: RandomState::new(),
        })
    }

    /// Keeps a record for later.
    pub(super) fn put(&mut self, item: &Item) -> io::Result<()> {
        write_item(self.part(item), item, false)
    }

    /// Keeps a record that is to be dropped for later.
    pub(super) fn put_dropped(&mut self, item: &Item) -> io::Result<()> {
        write_item(self.part(item), item, true)
    }

    fn part(&mut self, item: &Item) -> &mut BufWriter<File> {
        let part = self.hasher.hash_one(item.key) % PARTS as u64;
        &mut self.parts[part as usize]
    }

    /// Sifts all parts.
    pub(super) fn finish(self, rules: Rules, verdicts: &mut impl Verdicts) -> io::Result<()> {
        let (mut kept, mut dropped) = (Vec::new(), Vec::new());
        for part in self.parts {
            let mut sifted = Sifted {
                kept: writer()?,
                dropped: writer()?,
            };
            let mut sieve = Sieve::new(rules);
            let mut records = reader(part)?;
            while let Some((item, is_dropped)) = read_item(&mut records)? {
                if is_dropped {
                    sieve.take_dropped(&item, &mut sifted)?;
                } else {
                    sieve.take(item, &mut sifted)?;
                }
            }
            sieve.finish(&mut sifted)?;
            kept.push(reader(sifted.kept)?);
            dropped.push(reader(sifted.dropped)?);
        }
        merge(kept, |item| verdicts.keep(item))?;
        merge(dropped, |item| verdicts.drop(item))
    }
}

/// What was said of the records of a part, in two files.
struct Sifted {
    kept: BufWriter<File>,
    dropped: BufWriter<File>,
}

impl Verdicts for Sifted {
    fn keep(&mut self, item: &Item) -> io::Result<()> {
        write_item(&mut self.kept, item, false)
    }

    fn drop(&mut self, item: &Item) -> io::Result<()> {
        write_item(&mut self.dropped, item, true)
    }
}

/// Shows the records of all files, each of which is in order, in order.
fn merge(
    mut files: Vec<BufReader<File>>,
    mut show: impl FnMut(&Item) -> io::Result<()>,
) -> io::Result<()> {
    let mut next = Vec::new();
    for file in &mut files {
        next.push(read_item(file)?.map(|(item, _)| item));
    }
    loop {
        let first = (0..files.len())
            .filter(|&index| next[index].is_some())
            .min_by_key(|&index| next[index].as_ref().map(|item| item.number));
        let Some(first) = first else { return Ok(()) };
        let following = read_item(&mut files[first])?.map(|(item, _)| item);
        if let Some(item) = std::mem::replace(&mut next[first], following) {
            show(&item)?;
        }
    }
}

fn writer() -> io::Result<BufWriter<File>> {
    Ok(BufWriter::with_capacity(1 << 15, tempfile::tempfile()?))
}

fn reader(written: BufWriter<File>) -> io::Result<BufReader<File>> {
    let mut file = written
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(BufReader::with_capacity(1 << 15, file))
}

fn write_item(out: &mut impl Write, item: &Item, is_dropped: bool) -> io::Result<()> {
    out.write_all(&item.number.to_le_bytes())?;
    out.write_all(&[u8::from(is_dropped), u8::from(item.is_merged)])?;
    out.write_all(bytemuck::bytes_of(&item.key))?;
    write_text(out, &item.text)?;
    out.write_all(&(item.ids.len() as u64).to_le_bytes())?;
    item.ids.iter().try_for_each(|id| write_text(out, id))
}

fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(&(text.len() as u64).to_le_bytes())?;
    out.write_all(text.as_bytes())
}

/// The next record and whether it is to be dropped; `None` at the end.
fn read_item(from: &mut impl Read) -> io::Result<Option<(Item, bool)>> {
    let number = match read_number(from) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        number => number?,
    };
    let mut flags = [0; 2];
    from.read_exact(&mut flags)?;
    let mut key = IdentityKey::default();
    from.read_exact(bytemuck::bytes_of_mut(&mut key))?;
    let text = read_text(from)?;
    let ids = (0..read_number(from)?).map(|_| read_text(from));
    let item = Item {
        number,
        key,
        text,
        ids: ids.collect::<io::Result<_>>()?,
        is_merged: flags[1] == 1,
    };
    Ok(Some((item, flags[0] == 1)))
}

fn read_number(from: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn read_text(from: &mut impl Read) -> io::Result<String> {
    let mut bytes = vec![0; read_number(from)? as usize];
    from.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}
