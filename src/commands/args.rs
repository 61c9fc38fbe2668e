//! The command line as clap types: they mirror the flags and decide nothing. Validated options are
//! made from them in `session.rs`.

use std::path::PathBuf;

use bytesize::ByteSize;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// Counts chess positions exactly and in bulk.
#[derive(Parser, Debug)]
#[command(name = "hyperft", version, about, long_about = None, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 all good; 1 a count differs from the expected one; 2 usage; \
3 something in the input was refused; 4 no device, or one that failed; 130 interrupted."
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
    /// Check the counts of perft suites: EPD, `.perft`, plain or compressed (gz, zst, zip)
    Suite(SuiteArgs),
    /// List what can count on this machine
    Devices,
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
    #[arg(value_parser = clap::value_parser!(u32).range(0..=255))]
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

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum BackendArg {
    /// The fastest there is
    Auto,
    /// The fastest on the processor
    Cpu,
    /// Magic tables; runs everywhere
    CpuScalar,
    /// PEXT tables; needs BMI2
    CpuBmi2,
    /// Compute shaders; on a machine without a GPU a software adapter, if there is one
    #[cfg(feature = "gpu")]
    Gpu,
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
    /// Who counts
    #[arg(long, global = true, value_enum, default_value = "auto")]
    pub(super) backend: BackendArg,
    /// Threads [default: all]
    #[arg(long, global = true, value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Memory for merged plies, such as 8GiB [default: half of what is free]
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
