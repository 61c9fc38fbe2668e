//! How many positions a second, on one thread, from text to facts, beside shakmaty computing the same
//! columns from the same text in the same run?
//!
//!     cargo bench --bench analyse                 # positions of random games, medians of 5 rounds
//!     cargo bench --bench analyse -- book.epd     # the lines of a file, each a FEN of four or six fields
//!     cargo bench --bench analyse -- --rounds 9
//!     cargo bench --bench analyse -- --only facts # runs whose names hold this, to look at with a profiler
//!     cargo bench --bench analyse -- --test       # once, and few: are all columns the same?
//!
//! Without a file the corpus is made here, from a fixed seed. Columns: in check, checkers, legal moves,
//! captures, e.p. captures, castles, promotions, checks (by discovery, double), mates, checkmate,
//! stalemate, insufficient material. shakmaty has no call for pinned pieces; hyperft computes them all
//! the same. Writing is measured apart, since shakmaty has none. Rounds are interleaved. Times are the
//! thread's own CPU time where Linux reports it: other load on the machine does not count.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Instant;

use hyperft::analyse::{AnalyseOptions, Column, Record, Shown};
use hyperft::backend::BackendKind;
use hyperft::movegen::legal_moves;
use hyperft::parse::{FenOptions, Source, named_fen, open_batches, parse_fen};
use hyperft::report::{RecordFormat, RecordWriter};
use shakmaty::Position as _;

/// Records made together, as `hyperft analyse` does.
const TOGETHER: usize = 128;

const POSITIONS: usize = 50_000;

/// Works through the corpus; the number keeps the compiler from leaving work out.
type Run = fn(&str) -> u64;

/// The columns of one position, as numbers.
type Row = [u64; 14];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (mut test, mut rounds, mut only, mut file) = (false, 5, String::new(), None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--test" => test = true,
            "--bench" => {}
            "--rounds" => rounds = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(5),
            "--only" => only = arguments.next().unwrap_or_default(),
            _ => file = Some(argument),
        }
    }
    let corpus = match file {
        None => random_games(if test { POSITIONS / 10 } else { POSITIONS }),
        Some(file) => match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
        },
    };
    let count = corpus.lines().count();

    let mut theirs = corpus.lines();
    let mut different = None;
    by_hyperft(&corpus, |ours| {
        let line = theirs.next().unwrap_or_default();
        if different.is_none() && ours != shakmaty_row(line) {
            different = Some((line, ours));
        }
    });
    if let Some((line, ours)) = different {
        let theirs = shakmaty_row(line);
        eprintln!("{line}: hyperft {ours:?}, shakmaty {theirs:?}");
        return ExitCode::FAILURE;
    }
    assert_eq!(theirs.next(), None);
    println!("{count} positions, {} columns equal", Row::default().len());
    let mut runs: Vec<(&str, Run)> = vec![
        ("hyperft, text to facts", |corpus| {
            let mut total = 0;
            by_hyperft(corpus, |row| total += sum(row));
            total
        }),
        ("shakmaty, text to facts", |corpus| {
            corpus.lines().map(|line| sum(shakmaty_row(line))).sum()
        }),
        ("hyperft, parsing alone", parsing),
        ("hyperft, legal moves, check and status as CSV", |corpus| {
            let columns = [Column::Status, Column::InCheck, Column::LegalMoves];
            written(corpus, RecordFormat::Csv, columns.to_vec())
        }),
        ("hyperft, default columns as CSV", |corpus| {
            written(corpus, RecordFormat::Csv, default_columns())
        }),
        ("hyperft, default columns as JSON", |corpus| {
            written(corpus, RecordFormat::Jsonl, default_columns())
        }),
    ];
    runs.retain(|(name, _)| name.contains(&only));
    let mut times = vec![Vec::new(); runs.len()];
    for _ in 0..if test { 1 } else { rounds } {
        for ((_, run), times) in runs.iter().zip(&mut times) {
            let start = seconds();
            black_box(run(black_box(&corpus)));
            times.push(seconds() - start);
        }
    }
    let medians: Vec<f64> = times.into_iter().map(median).collect();
    for ((name, _), seconds) in runs.iter().zip(&medians) {
        println!("{name:<46} {:>9.0} positions/s", count as f64 / seconds);
    }
    if only.is_empty() {
        println!("facts: {:.2} times shakmaty", medians[1] / medians[0]);
    }
    ExitCode::SUCCESS
}

/// Lines of FEN from random games.
fn random_games(count: usize) -> String {
    let start = parse_fen(named_fen("startpos").expect("named")).expect("a position");
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    let (mut text, mut lines) = (String::new(), 0);
    while lines < count {
        let mut position = start.clone();
        for _ in 0..120 {
            let moves = legal_moves(&position);
            if moves.is_empty() || lines == count {
                break;
            }
            position = position.play_unchecked(moves[below(moves.len())]);
            text += &format!("{position}\n");
            lines += 1;
        }
    }
    text
}

/// Shows `use_records` the records of the corpus.
fn records(corpus: &str, mut use_records: impl FnMut(&[Record])) {
    let (options, backend) = (AnalyseOptions::default(), BackendKind::fastest());
    let source = Source::Literal(corpus.to_string());
    for batch in open_batches(&source).expect("text") {
        let mut entries = batch.entries(FenOptions::default());
        loop {
            let some = entries.by_ref().take(TOGETHER);
            let records = Record::of_many(some, &options, |positions, facts| {
                let found = backend.move_facts(positions, facts);
                found.expect("the processor does not fail");
            });
            if records.is_empty() {
                break;
            }
            use_records(&records);
        }
    }
}

fn by_hyperft(corpus: &str, mut use_row: impl FnMut(Row)) {
    records(corpus, |records| {
        records.iter().map(row).for_each(&mut use_row)
    });
}

fn row(record: &Record) -> Row {
    let facts = &record.found.as_ref().expect("legal").facts;
    let moves = &facts.moves;
    black_box(moves.pinned);
    [
        facts.in_check().into(),
        moves.checkers.0,
        moves.legal_moves.into(),
        moves.captures.into(),
        moves.ep_captures.into(),
        moves.castles.into(),
        moves.promotions.into(),
        moves.checks.into(),
        moves.discovery_checks.into(),
        moves.double_checks.into(),
        moves.mates.into(),
        facts.checkmate().into(),
        facts.stalemate().into(),
        facts.insufficient_material.into(),
    ]
}

fn shakmaty_row(line: &str) -> Row {
    let fen: shakmaty::fen::Fen = line.parse().expect("a FEN");
    let chess: shakmaty::Chess = fen
        .into_position(shakmaty::CastlingMode::Standard)
        .expect("a position");
    let checkers = chess.checkers();
    let legal = chess.legal_moves();
    let mut row = [0; 14];
    row[0] = chess.is_check().into();
    row[1] = checkers.0;
    row[2] = legal.len() as u64;
    for &played in &legal {
        row[3] += u64::from(played.is_capture());
        row[4] += u64::from(played.is_en_passant());
        row[5] += u64::from(played.is_castle());
        row[6] += u64::from(played.is_promotion());
        let mut after = chess.clone();
        after.play_unchecked(played);
        let checkers = after.checkers();
        if checkers.any() {
            let rook = match played {
                shakmaty::Move::Castle { king, rook } => {
                    let file = if rook > king {
                        shakmaty::File::F
                    } else {
                        shakmaty::File::D
                    };
                    Some(shakmaty::Square::from_coords(file, king.rank()))
                }
                _ => None,
            };
            let moved =
                checkers.contains(played.to()) || rook.is_some_and(|it| checkers.contains(it));
            row[7] += 1;
            row[8] += u64::from(checkers.count() == 1 && !moved);
            row[9] += u64::from(checkers.count() > 1);
            row[10] += u64::from(after.is_checkmate());
        }
    }
    row[11] = u64::from(legal.is_empty() && checkers.any());
    row[12] = u64::from(legal.is_empty() && checkers.is_empty());
    row[13] = chess.is_insufficient_material().into();
    row
}

fn sum(row: Row) -> u64 {
    // Without the checkers, which are a set of squares.
    row[0] + row[2..].iter().sum::<u64>()
}

fn parsing(corpus: &str) -> u64 {
    let source = Source::Literal(corpus.to_string());
    let mut lines = 0;
    for batch in open_batches(&source).expect("text") {
        for entry in batch.entries(FenOptions::default()) {
            black_box(entry);
            lines += 1;
        }
    }
    lines
}

fn default_columns() -> Vec<Column> {
    let shown = |column: &Column| column.shown() == Shown::Always;
    Column::ALL.iter().copied().filter(shown).collect()
}

fn written(corpus: &str, format: RecordFormat, columns: Vec<Column>) -> u64 {
    let writer = RecordWriter::new(format, columns);
    let (mut out, mut bytes) = (Vec::new(), 0);
    records(corpus, |records| {
        out.clear();
        writer.write(records, &mut out).expect("memory");
        bytes += out.len() as u64;
    });
    bytes
}

/// CPU time of this thread, which does all the work, as Linux reports it; elsewhere wall time.
fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let wall = START.elapsed().as_secs_f64();
    let schedstat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let on_cpu = schedstat.split(' ').next().and_then(|it| it.parse().ok());
    on_cpu.map_or(wall, |nanoseconds: f64| nanoseconds / 1e9)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
