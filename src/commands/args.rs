//! The command line as clap types: they mirror the flags and decide nothing. Validated options are
//! made from them in `session.rs`.

use std::path::PathBuf;

use bytesize::ByteSize;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::backend::BackendKind;
#[cfg(feature = "gpu")]
use crate::backend::gpu::{LastPlies, SliderMethod};
use crate::movegen::{DEPTH_MAX, LeafDepth};

/// Counts chess positions exactly and in bulk.
#[derive(Parser, Debug)]
#[command(name = "hyperft", version, about, long_about = None, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 all good; 1 a count differs from the expected one; 2 usage; \
3 something in the input was refused; 4 no device, or one that failed; 5 results could not be written; 130 interrupted."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: CommandArgs,
    #[command(flatten)]
    pub(super) common: CommonArgs,
}

#[derive(Subcommand, Debug)]
pub(super) enum CommandArgs {
    /// Count the paths of 1 to DEPTH plies from a position
    Perft(DepthArgs),
    /// Count by root move, in the format engines print (compare both sides sorted)
    Divide(DepthArgs),
    /// Count captures, e.p., castles, promotions, checks and mates among the last moves
    Stats(DepthArgs),
    /// Count the different positions of each ply up to DEPTH, in bounded memory
    Unique(DepthArgs),
    /// Check the counts of perft suites: EPD, `.perft`, plain or compressed (gz, zst, zip)
    Suite(SuiteArgs),
    /// Say what each position of files is: legal moves, checks, mates, draws; one record a position
    ///
    /// What can be played is found by the processor, unless --backend gpu (or all, or --device) has a
    /// GPU find it; the records are the same. The processor takes a fifth of a microsecond a position for
    /// it, less than for reading and writing it, so that auto leaves GPUs alone here.
    #[command(after_long_help = super::analyse::column_help())]
    Analyse(AnalyseArgs),
    /// Check, thin out, filter and rewrite files of FEN and EPD
    Epd {
        #[command(subcommand)]
        command: EpdCommand,
    },
    /// List what can count on this machine
    Devices,
    /// Measure the throughput of every backend on the standard positions, every path counted
    Bench(BenchArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, of the program or of one command, in roff
    Man {
        /// The command
        command: Option<String>,
    },
}

#[derive(Args, Debug)]
pub(super) struct DepthArgs {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(DEPTH_MAX)))]
    pub(super) depth: u32,
    #[command(flatten)]
    pub(super) position: PositionArgs,
}

#[derive(Args, Debug)]
pub(super) struct PositionArgs {
    /// The position, as FEN or the first four fields of one
    #[arg(long, conflicts_with = "position")]
    pub(super) fen: Option<String>,
    /// A named position: startpos, kiwipete, position3 to position6
    #[arg(long, value_name = "NAME")]
    pub(super) position: Option<String>,
    /// Moves played from it first, in UCI or SAN
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    pub(super) moves: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct SuiteArgs {
    /// Files, `-` for standard input, or a record in quotes
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Leave out deeper counts
    #[arg(long, value_name = "DEPTH")]
    pub(super) max_depth: Option<u32>,
    /// Leave out counts whose expected value is larger
    #[arg(long, value_name = "NODES")]
    pub(super) max_nodes: Option<u128>,
    /// Stop after the first batch with a wrong count
    #[arg(long)]
    pub(super) fail_fast: bool,
}

#[derive(Args, Debug)]
pub(super) struct BenchArgs {
    /// Positions, as named for --position [default: the six standard ones]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) positions: Vec<String>,
    /// Measured runs of each position by each backend
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) runs: u16,
    /// How long a run should take; depths are chosen to fit
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    pub(super) time: f64,
    /// Count no deeper
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(1..=i64::from(DEPTH_MAX)))]
    pub(super) max_depth: Option<u32>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) export_json: Option<PathBuf>,
    /// Write the report as Markdown
    #[arg(long, value_name = "FILE")]
    pub(super) export_markdown: Option<PathBuf>,
    /// Show the figures beside those of an earlier JSON report, counted to the same depths
    #[arg(long, value_name = "FILE")]
    pub(super) compare: Option<PathBuf>,
}

/// Accepts 0 to 3600.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected 0 to 3600 seconds".to_string()),
    }
}

#[derive(Args, Debug)]
pub(super) struct AnalyseArgs {
    /// Files of FEN or EPD, plain or compressed (gz, zst, zip), `-` for standard input, or a record
    /// in quotes
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Columns to write, in this order [default: all but perft, text and those of games]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) columns: Vec<String>,
    /// Format of the records [default: jsonl]
    #[arg(long, value_enum)]
    pub(super) format: Option<RecordFormatArg>,
    /// Write totals and histograms; with --format beside the records, on standard error
    #[arg(long)]
    pub(super) summary: bool,
    /// Draw the summary's histograms with bars; on a terminal they have them anyway
    #[arg(long, requires = "summary")]
    pub(super) chart: bool,
    /// Play the moves of this operation and analyse the last position, with repetitions
    #[arg(long, value_enum, value_name = "OPERATION")]
    pub(super) play: Option<PlayArg>,
    /// Count the paths of this many plies from each position
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=i64::from(DEPTH_MAX)))]
    pub(super) perft: Option<u32>,
}

#[derive(Subcommand, Debug)]
pub(super) enum EpdCommand {
    /// Name everything wrong with each line: positions, moves, counts, duplicated ids
    Validate(ValidateArgs),
    /// Write each record the first time it occurs
    Dedupe(DedupeArgs),
    /// Write the records an expression is true of
    Filter(FilterArgs),
    /// Write each position in another notation
    Convert(ConvertArgs),
}

#[derive(Args, Debug)]
pub(super) struct ValidateArgs {
    /// Files of FEN or EPD, plain or compressed, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct DedupeArgs {
    /// Files of FEN or EPD, plain or compressed, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// What two records must share to be the same
    #[arg(long, value_enum, value_name = "IDENTITY", default_value = "position")]
    pub(super) by: IdentityArg,
    /// Which ids the kept record gets
    #[arg(long, value_enum, value_name = "IDS", default_value = "keep")]
    pub(super) ids: IdsArg,
    /// Write the records that are dropped to this file
    #[arg(long, value_name = "FILE")]
    pub(super) dropped: Option<PathBuf>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum IdsArg {
    /// Its own
    Keep,
    /// Those of its duplicates too, each once, as `id "first | second"`; operations are written anew
    Merge,
}

#[derive(Args, Debug)]
pub(super) struct FilterArgs {
    /// True or false of a record, in CEL, over the columns of `analyse`:
    /// `legal_moves < 5 && !in_check && side_to_move == 'w'`
    #[arg(value_name = "EXPRESSION")]
    pub(super) expression: String,
    /// Files of FEN or EPD, plain or compressed, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct ConvertArgs {
    /// Files of FEN or EPD, plain or compressed, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// The notation
    #[arg(long, value_enum, default_value = "epd")]
    pub(super) to: NotationArg,
    /// How castling rights are written
    #[arg(long, value_enum, default_value = "usual")]
    pub(super) rights: RightsArg,
    /// When the e.p. square is written
    #[arg(long, value_enum, value_name = "RULE", default_value = "legal")]
    pub(super) ep: EpArg,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum IdentityArg {
    /// The whole line
    Line,
    /// Position and counters
    Counters,
    /// Position, and the e.p. square after every double push
    EpSquare,
    /// Board, side, castling rights, e.p. square if a capture is legal
    Position,
    /// Board and side to move
    Side,
    /// Board alone
    Board,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum NotationArg {
    /// Four fields and all operations; counters as hmvc and fmvn
    Epd,
    /// Six fields; operations are left out
    Fen,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RightsArg {
    /// KQkq in standard chess, HAha in Chess960
    Usual,
    /// HAha; needs --chess960
    Shredder,
    /// KQkq, and a file where the rook is not the outermost
    Xfen,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EpArg {
    /// If a capture is legal
    Legal,
    /// If an enemy pawn attacks it
    PseudoLegal,
    /// After every double push
    Always,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RecordFormatArg {
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values with a header
    Csv,
    /// Columns for people
    Table,
    /// Apache Parquet; only if built with the feature `parquet`
    Parquet,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PlayArg {
    /// The moves of `pv`
    Pv,
    /// The moves of `moves`, as in UCI
    Moves,
}

/// What `--backend` says.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum BackendChoice {
    /// The fastest there is.
    Auto,
    /// The fastest on the processor.
    Cpu,
    /// The processor and every GPU, from one queue.
    All,
    /// This one.
    Kind(BackendKind),
}

/// Accepts `auto`, `cpu`, `all` and the name of every backend.
fn backend_parser() -> impl TypedValueParser<Value = BackendChoice> {
    let names = BackendKind::ALL.map(BackendKind::name);
    let values = ["auto", "cpu", "all"].into_iter().chain(names);
    PossibleValuesParser::new(values).map(|name| match name.as_str() {
        "auto" => BackendChoice::Auto,
        "cpu" => BackendChoice::Cpu,
        "all" => BackendChoice::All,
        name => {
            let named = BackendKind::ALL
                .into_iter()
                .find(|kind| kind.name() == name);
            BackendChoice::Kind(named.expect("only listed names are accepted"))
        }
    })
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorArg {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Common options")]
pub(super) struct CommonArgs {
    /// Who counts: `auto` takes a real GPU if there is one, `all` every one and the processor; for
    /// `analyse` see its own help
    #[arg(long, global = true, default_value = "auto", value_parser = backend_parser())]
    pub(super) backend: BackendChoice,
    #[cfg(feature = "gpu")]
    #[command(flatten)]
    pub(super) gpu: GpuArgs,
    /// Plies left to the backend below the expanded ones, 1 to 4 [default: by measured costs, from 3
    /// for a GPU and 2 or 3 else]
    #[arg(long, global = true, value_name = "PLIES",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(LeafDepth::MAX)))]
    pub(super) leaf_depth: Option<u32>,
    /// Count this share of the last positions again by a plain perft, such as 0.001; a difference
    /// ends the run with status 4
    #[arg(long, global = true, value_name = "SHARE", value_parser = share)]
    pub(super) verify: Option<f64>,
    /// Threads [default: all]
    #[arg(long, global = true, value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Memory for merged plies, or for the keys of `epd dedupe`, such as 8GiB [default: half of what
    /// is free]
    #[arg(long, global = true, value_name = "SIZE")]
    pub(super) memory: Option<ByteSize>,
    /// Do not merge equal positions
    #[arg(long, global = true)]
    pub(super) no_merge: bool,
    /// Read castling rights by the rules of Chess960; castles are written king-takes-rook
    #[arg(long, global = true)]
    pub(super) chess960: bool,
    /// Refuse what would otherwise be read with a warning
    #[arg(long, global = true)]
    pub(super) strict: bool,
    /// Print one JSON object
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Print results only
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Print more: the choice of backend, merged plies
    #[arg(long, short, global = true)]
    pub(super) verbose: bool,
    /// When to colour messages
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN"
    )]
    pub(super) color: ColorArg,
}

/// A share, from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|it| (0.0..=1.0).contains(it));
    share.ok_or_else(|| "a number from 0 to 1 is needed".to_owned())
}

/// How GPUs are chosen and used.
#[cfg(feature = "gpu")]
#[derive(Args, Debug)]
pub(super) struct GpuArgs {
    /// The GPU to use, by its number in `devices` or part of its name; may be repeated
    #[arg(long, global = true, value_name = "INDEX|NAME")]
    pub(super) device: Vec<String>,
    /// How shaders find slider moves [default: what measures best on the device]
    #[arg(long, global = true, value_name = "METHOD", value_parser = slider_parser())]
    pub(super) slider: Option<SliderMethod>,
    /// How shaders count the last two plies [default: what measures best on the device]
    #[arg(long, global = true, value_name = "FORM", value_parser = last_plies_parser())]
    pub(super) last_plies: Option<LastPlies>,
    /// Invocations in a workgroup: 32, 64, 128 or 256 [default: what measures best on the device]
    #[arg(long, global = true, value_name = "N", value_parser = workgroup_parser())]
    pub(super) workgroup: Option<u32>,
}

#[cfg(feature = "gpu")]
fn slider_parser() -> impl TypedValueParser<Value = SliderMethod> {
    PossibleValuesParser::new(SliderMethod::ALL.map(SliderMethod::name)).map(|name| {
        let named = SliderMethod::ALL.into_iter().find(|it| it.name() == name);
        named.expect("only listed names are accepted")
    })
}

#[cfg(feature = "gpu")]
fn last_plies_parser() -> impl TypedValueParser<Value = LastPlies> {
    PossibleValuesParser::new(LastPlies::ALL.map(LastPlies::name)).map(|name| {
        let named = LastPlies::ALL.into_iter().find(|it| it.name() == name);
        named.expect("only listed names are accepted")
    })
}

#[cfg(feature = "gpu")]
fn workgroup_parser() -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(["32", "64", "128", "256"])
        .map(|size| size.parse().expect("only listed numbers are accepted"))
}
