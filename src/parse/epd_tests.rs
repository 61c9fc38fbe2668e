//! Tests of `epd.rs`.

use super::*;

const KING_AND_ROOK: &str = "4k3/8/8/8/8/8/8/4K2R w K -";

fn read(rest: &str) -> EpdRecord {
    read_epd(&format!("{KING_AND_ROOK}{rest}"), FenOptions::default()).unwrap()
}

fn faults(rest: &str) -> Vec<Fault> {
    read_epd(&format!("{KING_AND_ROOK}{rest}"), FenOptions::default()).unwrap_err()
}

fn strict(rest: &str) -> Result<EpdRecord, Vec<Fault>> {
    let options = FenOptions {
        strict: true,
        ..FenOptions::default()
    };
    read_epd(&format!("{KING_AND_ROOK}{rest}"), options)
}

fn written(rest: &str) -> String {
    let line = read(rest).to_string();
    line.strip_prefix(KING_AND_ROOK).unwrap().trim().to_string()
}

#[test]
fn operations_are_kept_in_order_and_written_back() {
    for rest in [
        " bm Rh8+ Kd2; id \"a; b\"; c0 \"back\\\\slash \\\"quoted\\\"\"; zz 1 \"2\";",
        " noop;",
        "",
        " c1 \"\"; pv e1e2 e8e7;",
    ] {
        assert_eq!(read(rest).to_string(), format!("{KING_AND_ROOK}{rest}"));
    }
}

#[test]
fn counters_are_no_opcodes() {
    let record = read(" 12 34 bm Kd2;");
    assert_eq!(record.position.position.halfmove_clock(), 12);
    assert_eq!(record.position.position.fullmove_number(), 34);
    assert_eq!(record.operations, [Operation::new("bm", &["Kd2"])]);
    // One dash too many is a counter, not an opcode.
    let record = read(" - bm Kd2;");
    assert_eq!(record.operations, [Operation::new("bm", &["Kd2"])]);
    assert_eq!(
        record.position.warnings.len(),
        2,
        "{:?}",
        record.position.warnings
    );
    assert!(strict(" - bm Kd2;").is_err());
    assert!(strict(" 12 34 bm Kd2;").is_ok());
}

#[test]
fn clock_opcodes_count_where_fields_are_missing() {
    let clocks = |rest| {
        let position = read(rest).position.position;
        (position.halfmove_clock(), position.fullmove_number())
    };
    assert_eq!(clocks(" hmvc 99; fmvn 60;"), (99, 60));
    assert_eq!(clocks(" hmvc 99;"), (99, 1));
    assert_eq!(clocks(" 1 2 hmvc 99; fmvn 60;"), (1, 2));
    assert_eq!(written(" 7 8 id \"x\";"), "id \"x\"; hmvc 7; fmvn 8;");
    assert_eq!(written(" hmvc 7;"), "hmvc 7;");
    let fault = &faults(" hmvc many;")[0];
    let message = "field 5 (halfmove clock), `many`: expected a number, 0 or more";
    assert_eq!(fault.to_string(), message);
}

#[test]
fn semicolons_may_begin_or_end_operations() {
    let counts = [Operation::new("D1", &["15"]), Operation::new("D2", &["66"])];
    for rest in [
        " 0 1 ;D1 15 ;D2 66",
        " ;D1 15 ;D2 66",
        " 0 1;15;66",
        ";15;66;",
        " 0 1 ;D1 15; D2 66",
    ] {
        assert_eq!(read(rest).operations, counts, "{rest}");
        assert!(strict(rest).is_ok(), "{rest}");
    }
    assert_eq!(read(" D1 15; D2 66").operations, counts);
    let refused = strict(" D1 15; D2 66").unwrap_err();
    assert_eq!(refused[0].reason, Reason::FinalSemicolonMissing);
}

#[test]
fn strict_refuses_what_is_read_with_a_warning() {
    for (rest, reason) in [
        (" bm Kd2", Reason::FinalSemicolonMissing),
        (" bm Kd2;; id \"x\";", Reason::OperationEmpty),
        (" bm Kd2 dm 26;", Reason::SemicolonMissing),
        (" id BK.01;", Reason::StringUnquoted),
    ] {
        let warnings = read(rest).warnings;
        assert_eq!(warnings.len(), 1, "{rest}: {warnings:?}");
        assert_eq!(warnings[0].reason, reason);
        assert_eq!(strict(rest).unwrap_err(), warnings);
    }
    assert!(strict(" bm Kd2; id \"x\";").is_ok());
}

#[test]
fn pawn_moves_are_no_opcodes_and_opcodes_no_pawn_moves() {
    assert_eq!(read(" bm c4;").operations, [Operation::new("bm", &["c4"])]);
    assert_eq!(read(" bm c4 c5; c6 \"x\";").operations.len(), 2);
    let split = read(" bm c4 c5 c6 \"x\" id \"y\";").operations;
    assert_eq!(split[0], Operation::new("bm", &["c4", "c5"]));
    assert_eq!(split[1].opcode, "c6");
    assert_eq!(read(" bm Rc8+ dm 26;").operations.len(), 2);
    assert_eq!(
        read(" id Mate in dm 26;").operations.len(),
        1,
        "an id may hold any words"
    );
}

#[test]
fn strings_without_an_end_and_things_that_are_no_opcodes_are_refused() {
    let fault = &faults(" id \"no end; c0 \"x\";")[0];
    assert_eq!(fault.reason, Reason::StringUnterminated);
    assert_eq!(fault.place, Some(Place::Column(45)));
    for (rest, text) in [
        (" 0 1 17 bm Kd2;", "17"),
        (" 0 1 \"x\";", "x"),
        (" bm Kd2; +5;", "+5"),
        (";15 c0 \"x\";", "15"),
    ] {
        let fault = &faults(rest)[0];
        assert_eq!(
            (&fault.reason, fault.text.as_str()),
            (&Reason::OpcodeExpected, text)
        );
    }
}

#[test]
fn a_missing_ep_field_never_shifts_the_rest() {
    let options = FenOptions::default();
    let line = "4k3/8/8/8/8/8/8/4K2R w K bm Kd2;";
    let fault = &read_epd(line, options).unwrap_err()[0];
    assert_eq!(fault.place, Some(Place::Field(4)));
    assert_eq!(fault.text, "bm");
}

#[test]
fn a_name_stands_for_its_position() {
    let record = read_epd("  kiwipete ;D1 48", FenOptions::default()).unwrap();
    assert!(
        record
            .position
            .position
            .to_string()
            .starts_with("r3k2r/p1ppqpb1")
    );
    assert_eq!(record.operations, [Operation::new("D1", &["48"])]);
}
