//! How many positions a second, on one thread, from text to facts, beside shakmaty computing the same
//! columns from the same text in the same run?
//!
//!     cargo bench --bench analyse                 # 5 interleaved rounds, medians
//!     cargo bench --bench analyse -- --rounds 9
//!     cargo bench --bench analyse -- --test       # once: are all columns the same?
//!
//! The corpus is made here: positions of random games, from a fixed seed. Columns: in check,
//! checkers, legal moves, captures, e.p. captures, castles, promotions, checks (by discovery,
//! double), mates, checkmate, stalemate, insufficient material. shakmaty has no call for pinned
//! pieces; hyperft computes them all the same. Writing is measured apart, since shakmaty has none.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use hyperft::analyse::{AnalyseOptions, Column, Facts, Record, Shown};
use hyperft::movegen::legal_moves;
use hyperft::parse::{FenOptions, Source, named_fen, open_jobs, parse_fen};
use hyperft::report::{RecordFormat, RecordWriter};
use shakmaty::Position as _;

const POSITIONS: usize = 50_000;

/// Works through the corpus; the number keeps the compiler from leaving work out.
type Run = fn(&str) -> u64;

/// The columns of one position, as numbers.
type Row = [u64; 14];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let test = arguments.iter().any(|argument| argument == "--test");
    let rounds = arguments.iter().position(|argument| argument == "--rounds");
    let rounds = rounds
        .and_then(|at| arguments.get(at + 1)?.parse().ok())
        .unwrap_or(5);
    let corpus = corpus(if test { POSITIONS / 10 } else { POSITIONS });
    let count = corpus.lines().count();

    let (ours, theirs) = (by_hyperft(&corpus), by_shakmaty(&corpus));
    for ((line, ours), theirs) in corpus.lines().zip(&ours).zip(&theirs) {
        if ours != theirs {
            eprintln!("{line}: hyperft {ours:?}, shakmaty {theirs:?}");
            return ExitCode::FAILURE;
        }
    }
    assert_eq!((ours.len(), theirs.len()), (count, count));
    println!("{count} positions, {} columns equal", ours[0].len());
    let runs: [(&str, Run); 4] = [
        ("hyperft, text to facts", |corpus| sum(&by_hyperft(corpus))),
        ("shakmaty, text to facts", |corpus| {
            sum(&by_shakmaty(corpus))
        }),
        ("hyperft, parsing alone", parsing),
        ("hyperft, default columns as JSON", written),
    ];
    let mut times = vec![Vec::new(); runs.len()];
    for _ in 0..if test { 1 } else { rounds } {
        for ((_, run), times) in runs.iter().zip(&mut times) {
            let start = Instant::now();
            black_box(run(black_box(&corpus)));
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let medians: Vec<f64> = times.into_iter().map(median).collect();
    for ((name, _), seconds) in runs.iter().zip(&medians) {
        println!("{name:<34} {:>9.0} positions/s", count as f64 / seconds);
    }
    println!("facts: {:.2} times shakmaty", medians[1] / medians[0]);
    ExitCode::SUCCESS
}

/// Lines of FEN from random games.
fn corpus(count: usize) -> String {
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

fn by_hyperft(corpus: &str) -> Vec<Row> {
    let source = Source::Literal(corpus.to_string());
    let jobs = open_jobs(&source, FenOptions::default()).expect("text");
    jobs.map(|job| {
        let facts = Facts::of(&job.expect("legal").position);
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
    })
    .collect()
}

fn by_shakmaty(corpus: &str) -> Vec<Row> {
    corpus.lines().map(shakmaty_row).collect()
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

fn sum(rows: &[Row]) -> u64 {
    rows.iter()
        .flatten()
        .fold(0, |sum, &number| sum.wrapping_add(number))
}

fn parsing(corpus: &str) -> u64 {
    let source = Source::Literal(corpus.to_string());
    let jobs = open_jobs(&source, FenOptions::default()).expect("text");
    jobs.map(|job| job.expect("legal").position.key())
        .fold(0, u64::wrapping_add)
}

fn written(corpus: &str) -> u64 {
    let source = Source::Literal(corpus.to_string());
    let shown = |column: &Column| column.shown() == Shown::Always;
    let columns = Column::ALL.iter().copied().filter(shown).collect();
    let writer = RecordWriter::new(RecordFormat::Jsonl, columns);
    let (options, mut out, mut bytes) = (AnalyseOptions::default(), Vec::new(), 0);
    for job in open_jobs(&source, FenOptions::default()).expect("text") {
        out.clear();
        let record = Record::of(job, &options);
        writer.write([&record], &mut out).expect("memory");
        bytes += out.len() as u64;
    }
    bytes
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
