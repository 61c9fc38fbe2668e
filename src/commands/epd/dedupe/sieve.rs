//! `Sieve`: takes records in order and says of each whether it is the first of its kind. What does
//! not fit its memory goes to disk and is sifted later, a part at a time; see `spill.rs`.

use std::collections::HashMap;
use std::io;

use super::spill::Spill;
use crate::analyse::IdentityKey;

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Where it stands among all records.
    pub(super) number: u64,
    /// What it is recognised by.
    pub(super) key: IdentityKey,
    /// The line.
    pub(super) text: String,
    /// Its id; with merging those of its duplicates too, each once.
    pub(super) ids: Vec<String>,
    /// It has got an id that its line does not have.
    pub(super) is_merged: bool,
}

/// What is done with records. Each kind comes in the order of the records.
pub(super) trait Verdicts {
    fn keep(&mut self, item: &Item) -> io::Result<()>;
    fn drop(&mut self, item: &Item) -> io::Result<()>;
}

#[derive(Copy, Clone, Debug)]
pub(super) struct Rules {
    /// Give the kept record the ids of its duplicates: then no record is kept before the last one
    /// has been seen.
    pub(super) merge_ids: bool,
    /// The text of what is dropped is wanted.
    pub(super) show_dropped: bool,
    /// What may be kept in memory.
    pub(super) memory_bytes: u64,
}

/// Bytes a key takes in the map at its fullest, right after the map has doubled and while the old
/// half is still there: a slot of 48 bytes and a control byte, 8 slots for 7 keys, times 3 for both.
const KEY_BYTES: u64 = 49 * 8 * 3 / 7;
/// Bytes of a held record besides its texts.
const HELD_BYTES: u64 = 2 * size_of::<Item>() as u64;
const ID_BYTES: u64 = 64;

pub(super) struct Sieve {
    rules: Rules,
    /// The first of each kind: where it is held, if it is.
    seen: HashMap<IdentityKey, usize>,
    /// Kept records that may still get ids.
    held: Vec<Item>,
    used_bytes: u64,
    spill: Option<Spill>,
}

impl Sieve {
    pub(super) fn new(rules: Rules) -> Sieve {
        Sieve {
            rules,
            seen: HashMap::new(),
            held: Vec::new(),
            used_bytes: 0,
            spill: None,
        }
    }

    /// Takes the next record.
    pub(super) fn take(&mut self, item: Item, verdicts: &mut impl Verdicts) -> io::Result<()> {
        if let Some(&at) = self.seen.get(&item.key) {
            if self.rules.merge_ids {
                self.used_bytes += self.held[at].merge(&item);
            }
            return self.take_dropped(&item, verdicts);
        }
        let mut bytes = KEY_BYTES;
        if self.rules.merge_ids {
            bytes += HELD_BYTES + item.text.len() as u64;
            bytes += item
                .ids
                .iter()
                .map(|it| ID_BYTES + it.len() as u64)
                .sum::<u64>();
        }
        // One record always fits, so that each part of a spill is smaller than what was spilled.
        let fits = self.seen.is_empty() || self.used_bytes + bytes <= self.rules.memory_bytes;
        if self.spill.is_none() && !fits {
            self.begin_spill()?;
        }
        if let Some(spill) = &mut self.spill {
            return spill.put(&item);
        }
        self.used_bytes += bytes;
        if self.rules.merge_ids {
            self.seen.insert(item.key, self.held.len());
            self.held.push(item);
            Ok(())
        } else {
            self.seen.insert(item.key, 0);
            verdicts.keep(&item)
        }
    }

    /// Takes the next record, which is known to be dropped.
    pub(super) fn take_dropped(
        &mut self,
        item: &Item,
        verdicts: &mut impl Verdicts,
    ) -> io::Result<()> {
        match &mut self.spill {
            // After others that only the end will show to be dropped.
            Some(spill) if self.rules.show_dropped => spill.put_dropped(item),
            _ => verdicts.drop(item),
        }
    }

    /// What was kept for good stays known; what may still get ids is written out with the rest.
    fn begin_spill(&mut self) -> io::Result<()> {
        let mut spill = Spill::new()?;
        if self.rules.merge_ids {
            for item in self.held.drain(..) {
                spill.put(&item)?;
            }
            self.seen = HashMap::new();
        }
        self.spill = Some(spill);
        Ok(())
    }

    /// Says of all records what has not been said yet.
    pub(super) fn finish(mut self, verdicts: &mut impl Verdicts) -> io::Result<()> {
        self.seen = HashMap::new();
        for item in &self.held {
            verdicts.keep(item)?;
        }
        match self.spill {
            Some(spill) => spill.finish(self.rules, verdicts),
            None => Ok(()),
        }
    }
}

impl Item {
    /// Takes over the ids of a duplicate; how many more bytes that takes.
    fn merge(&mut self, other: &Item) -> u64 {
        let mut bytes = 0;
        for id in &other.ids {
            if !self.ids.contains(id) {
                bytes += ID_BYTES + id.len() as u64;
                self.ids.push(id.clone());
                self.is_merged = true;
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{Identifier, Identity};
    use crate::parse::{FenOptions, Source, open_jobs};

    #[derive(Debug, Default, PartialEq, Eq)]
    struct Said {
        kept: Vec<(u64, String, Vec<String>)>,
        dropped: Vec<(u64, String)>,
    }

    impl Verdicts for Said {
        fn keep(&mut self, item: &Item) -> io::Result<()> {
            self.kept
                .push((item.number, item.text.clone(), item.ids.clone()));
            Ok(())
        }

        fn drop(&mut self, item: &Item) -> io::Result<()> {
            self.dropped.push((item.number, item.text.clone()));
            Ok(())
        }
    }

    /// Records of kings on a few squares, so that most positions occur often.
    fn items(count: u64, by: &Identifier) -> Vec<Item> {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut lines = String::new();
        for _ in 0..count {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let (file, rank) = (state % 8, state >> 8 & 3);
            let row = match file {
                0 => "K7".to_string(),
                7 => "7K".to_string(),
                file => format!("{file}K{}", 7 - file),
            };
            let empty = "8/".repeat(rank as usize);
            let rest = "/8".repeat(5 - rank as usize);
            let side = if state >> 16 & 1 == 0 { 'w' } else { 'b' };
            lines += &format!(
                "7k/8/{}{row}{} {side} - - id \"{}\";\n",
                empty,
                &rest,
                state >> 20 & 3
            );
        }
        let jobs = open_jobs(&Source::Literal(lines), FenOptions::default()).unwrap();
        let legal = jobs.filter_map(Result::ok).enumerate();
        legal
            .map(|(number, job)| Item {
                number: number as u64,
                key: by.key(&job),
                text: job.text,
                ids: job.id.into_iter().collect(),
                is_merged: false,
            })
            .collect()
    }

    fn sifted(items: &[Item], merge_ids: bool, memory_bytes: u64) -> Said {
        let mut said = Said::default();
        let mut sieve = Sieve::new(Rules {
            merge_ids,
            show_dropped: true,
            memory_bytes,
        });
        for item in items {
            sieve.take(item.clone(), &mut said).unwrap();
        }
        sieve.finish(&mut said).unwrap();
        said
    }

    /// The plain way: look at all that was kept before.
    fn plainly(items: &[Item], merge_ids: bool) -> Said {
        let mut kept: Vec<Item> = Vec::new();
        let mut said = Said::default();
        for item in items {
            match kept.iter_mut().find(|it| it.key == item.key) {
                None => kept.push(item.clone()),
                Some(first) => {
                    said.dropped.push((item.number, item.text.clone()));
                    if merge_ids && !first.ids.contains(&item.ids[0]) {
                        first.ids.push(item.ids[0].clone());
                    }
                }
            }
        }
        for item in kept {
            said.kept.push((item.number, item.text, item.ids));
        }
        said
    }

    #[test]
    fn any_memory_gives_the_same_answer() {
        let by = Identifier::new(Identity::Position);
        let items = items(700, &by);
        assert!(items.len() > 500);
        for merge_ids in [false, true] {
            let expected = plainly(&items, merge_ids);
            assert!(expected.kept.len() > 20 && expected.dropped.len() > 300);
            // From one record in memory over spills within spills to none at all.
            for memory_bytes in [0, 500, 2_000, 5_000, 1 << 20] {
                let said = sifted(&items, merge_ids, memory_bytes);
                assert_eq!(said, expected, "{merge_ids} {memory_bytes}");
            }
        }
        assert_ne!(plainly(&items, true), plainly(&items, false));
    }
}
