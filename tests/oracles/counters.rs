//! The ways the library counts, each as a plain function, and wrong ones for negative controls.

use hyperft::attacks::{Magic, RayWalk, Sliders};
use hyperft::backend::BackendKind;
use hyperft::board::{BlackSide, Color, Side, WhiteSide};
use hyperft::movegen::{
    All, Captures, ChildVisitor, LeafDepth, Quiets, count_legal, legal_moves, perft, visit_children,
};
use hyperft::parse::{FenOptions, read_fen};
use hyperft::position::{Pieces, Position};

/// A way the library counts: a position and a depth of 1 or more in, leaves out.
pub type Counter = fn(&Position, u32) -> u64;

/// Every way the library counts. The floors make code compiled for e.p. or castling run on
/// positions without either, which must change nothing.
pub const COUNTERS: [(&str, Counter); 9] = [
    ("perft", perft),
    ("cpu-scalar", |position, depth| {
        backend(BackendKind::CpuScalar, position, depth)
    }),
    ("fastest backend", |position, depth| {
        backend(BackendKind::fastest(), position, depth)
    }),
    ("bulk", |position, depth| bulk(position, depth)),
    ("bulk with EP", |position, depth| {
        floored(Magic::new(), position, depth, (true, false))
    }),
    ("bulk with CASTLING", |position, depth| {
        floored(Magic::new(), position, depth, (false, true))
    }),
    ("bulk with both", |position, depth| {
        floored(Magic::new(), position, depth, (true, true))
    }),
    ("bulk by ray walking", |position, depth| {
        floored(RayWalk, position, depth, (false, false))
    }),
    ("bulk of packed", |position, depth| {
        tree::<WhiteSide>(
            Magic::new(),
            &position.packed().unpack(),
            depth,
            (false, false),
        )
    }),
];

fn backend(kind: BackendKind, position: &Position, depth: u32) -> u64 {
    let depth = LeafDepth::new(depth).expect("oracles count to depth 3");
    let mut counts = [u32::MAX];
    let mut counter = kind.counter().expect("it runs here");
    counter
        .count(&[position.packed()], depth, &mut counts)
        .expect("it counts");
    counts[0].into()
}

/// Counts leaves below the children it is shown, with the constants the children are shown with.
struct Below {
    depth: u32,
    nodes: u64,
}

impl<Us: Side> ChildVisitor<Us> for Below {
    fn child<const EP: bool, const CASTLING: bool>(&mut self, child: &Pieces) {
        assert!(EP || child.ep.is_empty(), "an e.p. square is not announced");
        assert!(
            CASTLING || child.castling_rooks.is_empty(),
            "a right is not announced"
        );
        self.nodes += bulk_of::<Us, EP, CASTLING>(child, self.depth);
    }
}

fn bulk_of<Us: Side, const EP: bool, const CASTLING: bool>(pieces: &Pieces, depth: u32) -> u64 {
    if depth == 1 {
        return u64::from(count_legal::<Us, EP, CASTLING>(Magic::new(), pieces));
    }
    let mut below = Below {
        depth: depth - 1,
        nodes: 0,
    };
    visit_children::<Us, All, EP, CASTLING>(Magic::new(), pieces, &mut below);
    below.nodes
}

fn bulk(position: &Position, depth: u32) -> u64 {
    fn of<Us: Side>(pieces: &Pieces, depth: u32) -> u64 {
        match (pieces.ep.any(), pieces.castling_rooks.any()) {
            (false, false) => bulk_of::<Us, false, false>(pieces, depth),
            (false, true) => bulk_of::<Us, false, true>(pieces, depth),
            (true, false) => bulk_of::<Us, true, false>(pieces, depth),
            (true, true) => bulk_of::<Us, true, true>(pieces, depth),
        }
    }
    match position.side_to_move() {
        Color::White => of::<WhiteSide>(position.pieces(), depth),
        Color::Black => of::<BlackSide>(position.pieces(), depth),
    }
}

fn floored(sliders: impl Sliders, position: &Position, depth: u32, floor: (bool, bool)) -> u64 {
    match position.side_to_move() {
        Color::White => tree::<WhiteSide>(sliders, position.pieces(), depth, floor),
        Color::Black => tree::<BlackSide>(sliders, position.pieces(), depth, floor),
    }
}

/// Leaves below a position, captures and other moves generated apart; `floor` says which of e.p. and
/// castling code must run even where a position has no use for it.
fn tree<Us: Side>(sliders: impl Sliders, pieces: &Pieces, depth: u32, floor: (bool, bool)) -> u64 {
    struct Children(Vec<Pieces>);
    impl<Us: Side> ChildVisitor<Us> for Children {
        fn child<const EP: bool, const CASTLING: bool>(&mut self, child: &Pieces) {
            self.0.push(*child);
        }
    }
    fn step<Us: Side, const EP: bool, const CASTLING: bool>(
        sliders: impl Sliders,
        pieces: &Pieces,
        depth: u32,
        floor: (bool, bool),
    ) -> u64 {
        if depth == 1 {
            return u64::from(count_legal::<Us, EP, CASTLING>(sliders, pieces));
        }
        let mut children = Children(Vec::new());
        visit_children::<Us, Captures, EP, CASTLING>(sliders, pieces, &mut children);
        visit_children::<Us, Quiets, EP, CASTLING>(sliders, pieces, &mut children);
        children
            .0
            .iter()
            .map(|child| tree::<Us::Them>(sliders, child, depth - 1, floor))
            .sum()
    }
    match (
        floor.0 || pieces.ep.any(),
        floor.1 || pieces.castling_rooks.any(),
    ) {
        (false, false) => step::<Us, false, false>(sliders, pieces, depth, floor),
        (false, true) => step::<Us, false, true>(sliders, pieces, depth, floor),
        (true, false) => step::<Us, true, false>(sliders, pieces, depth, floor),
        (true, true) => step::<Us, true, true>(sliders, pieces, depth, floor),
    }
}

/// Counters that are wrong in one way each.
pub const BROKEN: [(&str, Counter); 4] = [
    ("broken castling", broken_castling),
    ("broken ep", broken_ep),
    ("broken board", broken_board),
    ("broken promotion", broken_promotion),
];

/// Counts the position that a changed FEN describes.
fn perft_of(position: &Position, depth: u32, change: impl Fn(&mut Vec<String>)) -> u64 {
    let mut fields: Vec<String> = position.to_string().split(' ').map(String::from).collect();
    change(&mut fields);
    let options = FenOptions {
        castling: position.castling_mode(),
        strict: false,
    };
    // A change that gives no position is no mistake to look for.
    match read_fen(&fields.join(" "), options) {
        Ok(changed) => perft(&changed.position, depth),
        Err(_) => perft(position, depth),
    }
}

/// Forgets all castling rights.
fn broken_castling(position: &Position, depth: u32) -> u64 {
    perft_of(position, depth, |fields| fields[2] = "-".to_string())
}

/// Forgets the e.p. square.
fn broken_ep(position: &Position, depth: u32) -> u64 {
    perft_of(position, depth, |fields| fields[3] = "-".to_string())
}

/// Takes rooks for bishops.
fn broken_board(position: &Position, depth: u32) -> u64 {
    perft_of(position, depth, |fields| {
        fields[0] = fields[0].replace('R', "B");
        fields[2] = "-".to_string();
    })
}

/// Forgets that a promotion is a choice of four, in the last ply only.
fn broken_promotion(position: &Position, depth: u32) -> u64 {
    let moves = legal_moves(position);
    if depth == 1 {
        let extra = moves
            .iter()
            .filter(|legal| legal.promotion().is_some())
            .count()
            * 3
            / 4;
        return (moves.len() - extra) as u64;
    }
    let children = moves
        .into_iter()
        .map(|legal| position.play_unchecked(legal));
    children
        .map(|child| broken_promotion(&child, depth - 1))
        .sum()
}
