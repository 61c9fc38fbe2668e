//! What is said of bad input: every refusal names file, line, place, text and reason, and what
//! follows it is read all the same.

use std::io::Write;
use std::path::PathBuf;

use hyperft::board::CastlingMode;
use hyperft::parse::{FenOptions, LINE_BYTES_MAX, Source, open_jobs};

const GOOD: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";

/// A file of this test alone.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// What reading a file says: `origin` for a job, the message for a refusal; the folder left out.
fn said(path: PathBuf, strict: bool) -> Vec<String> {
    let options = FenOptions {
        castling: CastlingMode::Standard,
        strict,
    };
    let folder = format!("{}/", env!("CARGO_TARGET_TMPDIR"));
    let mut said = Vec::new();
    match open_jobs(&Source::File(path), options) {
        Err(error) => said.push(error.to_string()),
        Ok(jobs) => {
            for job in jobs {
                match job {
                    Ok(job) => said.push(job.origin.to_string()),
                    Err(errors) => said.extend(errors.iter().map(ToString::to_string)),
                }
            }
        }
    }
    said.iter().map(|line| line.replace(&folder, "")).collect()
}

/// Reads a line between two good ones and gives what is said of it.
fn between_good_lines(line: &str, strict: bool, name: &str) -> String {
    let text = format!("{GOOD}\n{line}\n{GOOD}\n");
    let mut said = said(file(name, text.as_bytes()), strict);
    assert_eq!(said.first(), Some(&format!("{name}:1")), "{line}");
    assert_eq!(said.pop(), Some(format!("{name}:3")), "{line}");
    said.remove(0);
    said.join("\n")
}

#[test]
fn every_bad_line_is_named_with_file_line_place_text_and_reason() {
    for (line, message) in [
        (
            "4k3/8/8/8/8/8/8/4K3R w K - 0 1",
            "field 1 (board), `4k3/8/8/8/8/8/8/4K3R`: rank 1 has more than 8 squares",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2 w - - 0 1",
            "field 1 (board), `4k3/8/8/8/8/8/8/4K2`: rank 1 has 7 squares, expected 8",
        ),
        (
            "8/8/8/2k5/8/8/4K3 w - - 0 1",
            "field 1 (board), `8/8/8/2k5/8/8/4K3`: 7 ranks, expected 8",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2X w - - 0 1",
            "field 1 (board), `4k3/8/8/8/8/8/8/4K2X`: `X` on rank 1",
        ),
        (
            "8/8/8/8/8/8/8/4K2R w - - 0 1",
            "field 1 (board), `8/8/8/8/8/8/8/4K2R`: black king is missing",
        ),
        (
            "4kk2/8/8/8/8/8/8/4K3 w - - 0 1",
            "field 1 (board), `4kk2/8/8/8/8/8/8/4K3`: 2 black kings, expected one",
        ),
        (
            "4k1P1/8/8/8/8/8/8/4K3 w - - 0 1",
            "field 1 (board), `4k1P1/8/8/8/8/8/8/4K3`: pawn on g8: no pawn can stand on rank 1 or 8",
        ),
        (
            "8/8/3kK3/8/8/8/8/8 w - - 0 1",
            "field 1 (board), `8/8/3kK3/8/8/8/8/8`: the kings on e6 and d6 touch",
        ),
        (
            "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
            "field 2 (side to move), `w`: the side not to move (black) is in check",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R W K - 0 1",
            "field 2 (side to move), `W`: expected w or b",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w KX - 0 1",
            "field 3 (castling), `KX`: expected - or letters of KQkq, or of A-H and a-h",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K e9 0 1",
            "field 4 (en passant), `e9`: expected - or a square such as e3",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - -1 1",
            "field 5 (halfmove clock), `-1`: expected a number, 0 or more",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 4294967296",
            "field 6 (fullmove number), `4294967296`: the number is too large (more than 32 bits)",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R",
            "field 2 (side to move), ``: the field is missing",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - id \"x;",
            "column 31, `\"x;`: the string has no closing quote",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1 2",
            "column 32, `2`: expected an opcode, which begins with a letter",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - D1 many;",
            "opcode D1, `many`: expected a count, a whole number of 0 or more",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - D1 -5;",
            "opcode D1, `-5`: expected a count, a whole number of 0 or more",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - D9 999999999999999999999999999999999999999;",
            "opcode D9, `999999999999999999999999999999999999999`: the count is too large (more than 128 bits)",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - D99999999999 5;",
            "opcode D99999999999, `99999999999`: expected a depth, 0 to 255",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - D1 15; D1 16;",
            "opcode D1, `16`: the count of depth 1 is already 15",
        ),
        (
            "perft 1 20",
            "`perft 1 20`: no position belongs to this line: expected an epd or fen line",
        ),
        (
            "id nothing",
            "`id nothing`: no position belongs to this line: expected an epd or fen line",
        ),
        (
            "hello \u{1b}[31mred",
            "field 1 (board), `hello`: 1 ranks, expected 8",
        ),
    ] {
        let said = between_good_lines(line, false, "line.epd");
        let first = said.lines().next().unwrap_or("accepted");
        assert_eq!(first, format!("line.epd:2: {message}"));
    }
    // The negative control: a good line between them is a job.
    assert_eq!(between_good_lines(GOOD, false, "line.epd"), "line.epd:2");
}

#[test]
fn all_reasons_against_a_line_are_given() {
    let said = between_good_lines("4k1P1/8/8/8/8/8/8/p7 w - - 0 1", false, "reasons.epd");
    assert_eq!(said.lines().count(), 3, "{said}");
    let said = between_good_lines("4k3/8/8/8/8/8/8/4K2R x KX e9 y z", false, "reasons.epd");
    assert_eq!(said.lines().count(), 3, "{said}");
}

#[test]
fn strict_refuses_by_name_what_is_else_read_with_a_warning() {
    for (line, message) in [
        (
            "4k3/8/8/8/8/8/8/4K2R w K",
            "field 4 (en passant), ``: field 4 (en passant) is missing",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0",
            "field 6 (fullmove number), ``: field 6 (fullmove number) is missing",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - - 1",
            "field 5 (halfmove clock), `-`: field 5 (halfmove clock) is - and not a number",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 0",
            "field 6 (fullmove number), `0`: fullmove number 0 read as 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w Q - 0 1",
            "field 3 (castling), `Q`: castling right Q ignored: no rook on its corner",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w KK - 0 1",
            "field 3 (castling), `KK`: castling right K repeated",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K e6 0 1",
            "field 4 (en passant), `e6`: e.p. square e6 ignored: no pawn that could have jumped over it stands in front of it",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+",
            "opcode bm, `bm`: the last operation has no semicolon",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+ dm 5;",
            "opcode dm, `dm`: no semicolon before this operation",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+;;",
            "`;;`: two semicolons with no operation between them",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - id one;",
            "opcode id, `one`: a string without quotes",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - D1 1,500;",
            "opcode D1, `1,500`: a count not written as D1 1500",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - d1=15;",
            "opcode d1=15, ``: a count not written as D1 15",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8;",
            "opcode bm, `Rh8`: not the canonical form, which is Rh8+",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - bm Rh9;",
            "opcode bm, `Rh9`: not a move, in SAN or coordinates",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1\0",
            "`4k3/8/8/8/8/8/8/4K2R w K - 0 1`: a NUL byte at the end of the line",
        ),
    ] {
        let said = between_good_lines(line, true, "strict.epd");
        assert_eq!(said, format!("strict.epd:2: {message}"));
        assert_eq!(
            between_good_lines(line, false, "strict.epd"),
            "strict.epd:2",
            "lenient"
        );
    }
    let latin = [
        b"4k3/8/8/8/8/8/8/4K2R w K - id \"M\xfcller\";\n",
        GOOD.as_bytes(),
    ]
    .concat();
    let message = "latin.epd:1: `4k3/8/8/8/8/8/8/4K2R w K - id \"Müller\";`: the text is not UTF-8; read as Latin-1";
    assert_eq!(
        said(file("latin.epd", &latin), true),
        [message, "latin.epd:2"]
    );
    assert_eq!(
        said(file("latin.epd", &latin), false),
        ["latin.epd:1", "latin.epd:2"]
    );
}

#[test]
fn lines_too_long_or_with_nul_bytes_are_refused_alone() {
    let long = "x".repeat(LINE_BYTES_MAX + 1);
    let text = format!("{GOOD}\n{long}\n{GOOD} ;D1 \0 15\n{GOOD}");
    let said = said(file("long.epd", text.as_bytes()), false);
    assert_eq!(said.len(), 4);
    let cut = format!(
        "long.epd:2: `{}…`: the line is longer than 16 MiB",
        &long[..80]
    );
    assert_eq!(said[1], cut);
    let nul = format!("long.epd:3: `{GOOD} ;D1 \\0 15`: a NUL byte inside the line");
    assert_eq!(said[2], nul);
    assert_eq!(said[3], "long.epd:4");
}

#[test]
fn blocks_never_borrow_a_position() {
    let text = "id one\nepd 4k3/8/8/8/8/8/8/4K2R w K -\nperft 1 15\nperft 2 x\n\
                id two\nepd 4k3/8/8/8/8/8/8/4K3R w K -\nperft 1 1\n\
                id three\nfen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\n# a remark\nperft 1 15\nperft 32 1\n\
                epd 4k3/8/8/8/8/8/8/4K2R w - -\nperft 1 14\n\
                4k3/8/8/8/8/8/8/4K2R w K -\nperft 1 15\n";
    let path = file("blocks.perft", text.as_bytes());
    let expected = [
        "blocks.perft:4: opcode perft, `x`: expected a count, a whole number of 0 or more",
        "blocks.perft:6: field 1 (board), `4k3/8/8/8/8/8/8/4K3R`: rank 1 has more than 8 squares",
        "blocks.perft:9",
        "blocks.perft:14",
        "blocks.perft:16",
        "blocks.perft:17: `perft 1 15`: no position belongs to this line: expected an epd or fen line",
    ];
    assert_eq!(said(path.clone(), false), expected);
    let jobs = open_jobs(&Source::File(path), FenOptions::default()).unwrap();
    let jobs: Vec<_> = jobs.flatten().collect();
    let counts: Vec<_> = jobs[0]
        .expected
        .iter()
        .map(|it| (it.depth, it.count))
        .collect();
    assert_eq!(counts, [(1, 15), (32, 1)]);
    assert_eq!(jobs[0].id.as_deref(), Some("three"));
    assert_eq!(
        (jobs[1].id.as_deref(), jobs[1].expected[0].count),
        (None, 14)
    );
    assert!(jobs[2].expected.is_empty());
}

#[test]
fn sources_that_cannot_be_read_say_why() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let missing = said(folder.join("missing.epd"), false);
    assert!(
        missing[0].ends_with("no such file, and neither a FEN nor the name of a position"),
        "{missing:?}"
    );
    let directory = said(folder.clone(), false);
    assert!(
        directory[0].ends_with(": a directory, expected a file"),
        "{directory:?}"
    );
    for (name, bytes, message) in [
        (
            "binary.epd",
            &b"\x7fELF\x02\0\0\0"[..],
            "binary.epd: binary data; expected lines of UTF-8 text",
        ),
        (
            "utf16.epd",
            b"\xff\xfe4\0k\0",
            "utf16.epd: UTF-16 text; expected lines of UTF-8 text",
        ),
        (
            "packed.xz",
            b"\xfd7zXZ\0\0",
            "packed.xz: xz-compressed data, which is not unpacked; expected lines of UTF-8 text",
        ),
    ] {
        assert_eq!(said(file(name, bytes), false), [message]);
    }
    let broken = said(file("broken.zip", b"PK\x03\x04 and nothing more"), false);
    assert!(
        broken[0].starts_with("broken.zip: not a readable zip archive: "),
        "{broken:?}"
    );
    let broken = said(file("broken.gz", b"\x1f\x8b\x08 and nothing more"), false);
    assert!(
        broken[0].starts_with("broken.gz: cannot be read: "),
        "{broken:?}"
    );
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// A zip archive with these members, every second one deflated.
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (index, (name, content)) in members.iter().enumerate() {
        let deflated = index % 2 == 1;
        let method = if deflated {
            rawzip::CompressionMethod::DEFLATE
        } else {
            rawzip::CompressionMethod::STORE
        };
        let builder = archive.new_file(name).compression_method(method);
        let (mut entry, config) = builder.start().unwrap();
        let descriptor = if deflated {
            let level = flate2::Compression::default();
            let packer = flate2::write::DeflateEncoder::new(&mut entry, level);
            let mut writer = config.wrap(packer);
            writer.write_all(content).unwrap();
            let (packer, descriptor) = writer.finish().unwrap();
            packer.finish().unwrap();
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(content).unwrap();
            writer.finish().unwrap().1
        };
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

#[test]
fn packed_files_are_read_by_their_first_bytes_whatever_their_names() {
    let text = format!("{GOOD}\nrubbish w - -\n{GOOD}");
    let text = text.as_bytes();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let zstd = ruzstd::encoding::compress_to_vec(text, level);
    for bytes in [text.to_vec(), gzip(text), zstd] {
        let said = said(file("packed", &bytes), false);
        assert_eq!(said.len(), 3, "{said:?}");
        assert_eq!(
            (said[0].as_str(), said[2].as_str()),
            ("packed:1", "packed:3")
        );
        assert!(
            said[1].starts_with("packed:2: field 1 (board), `rubbish`: "),
            "{said:?}"
        );
    }
}

#[test]
fn each_member_of_an_archive_is_a_file_of_its_own() {
    let good = GOOD.as_bytes();
    let inner = gzip(good);
    let nested = zip(&[("x.epd", good)]);
    let archive = zip(&[
        ("a.epd", good),
        ("sub/b.epd", b"# two lines\n4k3/8/8/8/8/8/8/4K2R w K -"),
        ("c.png", b"\x89PNG\r\n\x1a\n\0"),
        ("d.epd.gz", &inner),
        ("e.zip", &nested),
        ("f.epd", b"rubbish\n"),
    ]);
    let expected = [
        "all.zip/a.epd:1",
        "all.zip/sub/b.epd:2",
        "all.zip/c.png:1: ``: an image; expected lines of UTF-8 text",
        "all.zip/d.epd.gz:1",
        "all.zip/e.zip:1: ``: an archive inside an archive; expected lines of UTF-8 text",
    ];
    let read = said(file("all.zip", &archive), false);
    assert_eq!(read[..5], expected);
    assert!(
        read[5].starts_with("all.zip/f.epd:1: field 1 (board), `rubbish`: "),
        "{read:?}"
    );

    // One damaged byte in the stored text of the first member.
    let mut damaged = archive.clone();
    let at = damaged.windows(4).position(|it| it == b"4k3/").unwrap();
    damaged[at] = b'3';
    damaged[at + 2] = b'4';
    let read = said(file("all.zip", &damaged), false);
    let message = "reading stopped here: length or checksum of the zip member differs";
    assert!(
        read.iter()
            .any(|it| it.starts_with("all.zip/a.epd:") && it.ends_with(message)),
        "{read:?}"
    );
    assert!(
        read.contains(&"all.zip/sub/b.epd:2".to_string()),
        "the others are read: {read:?}"
    );
}

/// A hidden member holds what some program keeps for itself; a name with dots in it hides nothing.
#[test]
fn hidden_members_of_an_archive_are_left_out() {
    let (good, binary) = (GOOD.as_bytes(), &b"\0\x05\x16\x07\0\x02"[..]);
    let archive = zip(&[
        ("__MACOSX/._a.epd", binary),
        ("set/__MACOSX/._b.epd", binary),
        (".DS_Store", binary),
        ("._c.epd", good),
        (".git/d.epd", good),
        ("./a.epd", good),
        ("set/b..epd", good),
        ("MACOSX/c.epd", good),
    ]);
    let expected = [
        "all.zip/a.epd:1",
        "all.zip/set/b..epd:1",
        "all.zip/MACOSX/c.epd:1",
    ];
    assert_eq!(said(file("all.zip", &archive), false), expected);
}

#[test]
fn a_package_cut_short_keeps_what_was_read() {
    let lines: String = (0..5_000)
        .map(|it| format!("{GOOD} ;D1 15 ;id \"{it}\"\n"))
        .collect();
    let whole = gzip(lines.as_bytes());
    assert_eq!(said(file("whole.gz", &whole), false).len(), 5_000);
    let read = said(file("cut.gz", &whole[..whole.len() / 2]), false);
    assert!(read.len() > 1_000, "{}", read.len());
    assert!(
        read.last().unwrap().contains("reading stopped here: "),
        "{:?}",
        read.last()
    );
}
