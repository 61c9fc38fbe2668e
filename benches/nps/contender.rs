//! Who counts: the project's counters, cozy-chess, and any engine with `go perft`.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use hyperft::backend::{BackendKind, LeafCounter};
use hyperft::movegen::{LeafDepth, legal_moves};
use hyperft::position::{PackedPosition, Position};

/// Counts leaves on one thread, without merging.
pub trait Contender {
    /// What to call it.
    fn name(&self) -> String;

    /// The leaves `depth` plies below, and the seconds it took.
    fn count(&mut self, position: &Position, depth: u32) -> Result<(u64, f64), String>;
}

/// One of the project's counters.
pub struct Ours {
    kind: BackendKind,
    counter: Box<dyn LeafCounter>,
}

impl Ours {
    pub fn new(kind: BackendKind) -> Result<Ours, String> {
        let counter = kind.counter().map_err(|error| error.to_string())?;
        Ok(Ours { kind, counter })
    }
}

impl Contender for Ours {
    fn name(&self) -> String {
        self.kind.to_string()
    }

    /// Plays the first plies and has the counter count the last three; all of it is timed.
    fn count(&mut self, position: &Position, depth: u32) -> Result<(u64, f64), String> {
        let start = Instant::now();
        let leaf_depth = LeafDepth::ALWAYS;
        let mut frontier = Vec::new();
        play_out(
            black_box(position),
            depth - leaf_depth.plies(),
            &mut frontier,
        );
        let mut total = 0;
        for batch in frontier.chunks(self.counter.batch_max()) {
            let mut counts = vec![0; batch.len()];
            let counted = self.counter.count(batch, leaf_depth, &mut counts);
            counted.map_err(|error| error.to_string())?;
            total += counts.iter().map(|&count| u64::from(count)).sum::<u64>();
        }
        Ok((total, start.elapsed().as_secs_f64()))
    }
}

fn play_out(position: &Position, plies: u32, frontier: &mut Vec<PackedPosition>) {
    if plies == 0 {
        frontier.push(position.packed());
        return;
    }
    for legal in &legal_moves(position) {
        play_out(&position.play_unchecked(legal), plies - 1, frontier);
    }
}

/// cozy-chess.
pub struct Cozy;

impl Contender for Cozy {
    fn name(&self) -> String {
        "cozy-chess".to_string()
    }

    fn count(&mut self, position: &Position, depth: u32) -> Result<(u64, f64), String> {
        let board = position.to_string().parse();
        let board = board.map_err(|error| format!("cozy-chess: {error:?}"))?;
        let start = Instant::now();
        let total = cozy_count(black_box(&board), depth);
        Ok((total, start.elapsed().as_secs_f64()))
    }
}

fn cozy_count(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut total = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            total += moves.len() as u64;
        } else {
            for legal in moves {
                let mut child = board.clone();
                child.play_unchecked(legal);
                total += cozy_count(&child, depth - 1);
            }
        }
        false
    });
    total
}

/// A UCI engine with `go perft`, as Stockfish has it.
pub struct Engine {
    name: String,
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    pub fn start(program: &str) -> Result<Engine, String> {
        let mut command = Command::new(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        Ok(Engine {
            name: Path::new(program)
                .file_name()
                .unwrap_or_default()
                .display()
                .to_string(),
            process,
            input: input.expect("a pipe"),
            output: BufReader::new(output.expect("a pipe")),
        })
    }

    fn perft(&mut self, position: &Position, depth: u32) -> std::io::Result<Option<u64>> {
        writeln!(self.input, "position fen {position}\ngo perft {depth}")?;
        let mut line = String::new();
        while self.output.read_line(&mut line)? > 0 {
            if let Some(count) = line.trim().strip_prefix("Nodes searched:") {
                return Ok(count.trim().parse().ok());
            }
            line.clear();
        }
        Ok(None)
    }
}

impl Contender for Engine {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn count(&mut self, position: &Position, depth: u32) -> Result<(u64, f64), String> {
        let start = Instant::now();
        let counted = self.perft(position, depth);
        let taken = start.elapsed().as_secs_f64();
        match counted {
            Ok(Some(count)) => Ok((count, taken)),
            Ok(None) => Err(format!("{}: no count from `go perft`", self.name)),
            Err(error) => Err(format!("{}: {error}", self.name)),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.process.wait();
    }
}
