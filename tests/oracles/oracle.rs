//! The move generators the library is compared with, behind one type.

use std::collections::BTreeSet;

use hyperft::board::CastlingMode;
use shakmaty::Position as _;

use crate::common::plain::Plain;
use crate::common::positions::Sample;

/// An oracle that accepted a position.
pub enum Oracle {
    Plain(Plain),
    Cozy(cozy_chess::Board),
    Shakmaty(Box<shakmaty::Chess>),
}

impl Oracle {
    /// The oracles that accept a FEN.
    pub fn all(sample: &Sample) -> Vec<Oracle> {
        let fields: Vec<&str> = sample.fen.split(' ').collect();
        let fen = fields[..4].join(" ") + " 0 1";
        let mut oracles = vec![Oracle::Plain(Plain::from_fen(&fen))];
        let by_file = !fields[2].to_lowercase().contains(['k', 'q']);
        oracles.extend(
            cozy_chess::Board::from_fen(&fen, by_file)
                .ok()
                .map(Oracle::Cozy),
        );
        let mode = match sample.position.castling_mode() {
            CastlingMode::Standard => shakmaty::CastlingMode::Standard,
            CastlingMode::Chess960 => shakmaty::CastlingMode::Chess960,
        };
        let read: shakmaty::fen::Fen = fen.parse().expect("it is a FEN");
        let judged = read
            .into_position(mode)
            .or_else(shakmaty::PositionError::ignore_impossible_check);
        oracles.extend(judged.ok().map(|chess| Oracle::Shakmaty(Box::new(chess))));
        oracles
    }

    /// What failures call it.
    pub fn name(&self) -> &'static str {
        match self {
            Oracle::Plain(_) => "plain",
            Oracle::Cozy(_) => "cozy",
            Oracle::Shakmaty(_) => "shakmaty",
        }
    }

    /// Number of legal move paths of `depth` plies, 1 or more.
    pub fn perft(&self, depth: u32) -> u64 {
        match self {
            Oracle::Plain(plain) => plain.perft(depth),
            Oracle::Cozy(board) => cozy_perft(board, depth),
            Oracle::Shakmaty(chess) => shakmaty::perft(chess.as_ref(), depth),
        }
    }

    /// The legal moves as UCI text, castling as king-takes-rook.
    pub fn moves(&self) -> BTreeSet<String> {
        match self {
            Oracle::Plain(plain) => plain.legal().iter().map(|(legal, _)| legal.uci()).collect(),
            Oracle::Cozy(board) => {
                let mut moves = BTreeSet::new();
                board.generate_moves(|of_piece| {
                    moves.extend(of_piece.into_iter().map(|legal| legal.to_string()));
                    false
                });
                moves
            }
            Oracle::Shakmaty(chess) => shakmaty_moves(chess, shakmaty::CastlingMode::Chess960),
        }
    }
}

/// The legal moves as UCI text, castling written as `mode` has it.
pub fn shakmaty_moves(chess: &shakmaty::Chess, mode: shakmaty::CastlingMode) -> BTreeSet<String> {
    let text = |legal: shakmaty::Move| legal.to_uci(mode).to_string();
    chess.legal_moves().into_iter().map(text).collect()
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
            return false;
        }
        for legal in moves {
            let mut child = board.clone();
            child.play_unchecked(legal);
            nodes += cozy_perft(&child, depth - 1);
        }
        false
    });
    nodes
}
