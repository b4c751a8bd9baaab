// SPDX-License-Identifier: GPL-3.0-or-later
//! csv-reader.c in Rust: each field has a block of its own with room for any text.
use std::io::BufRead;

const FIELD_SIZE: usize = 256;

#[inline(never)]
fn read_row(line: &str) -> Vec<String> {
    let mut row = Vec::with_capacity(5);
    for field in line.split(',') {
        let mut text = String::with_capacity(FIELD_SIZE);
        text.push_str(field);
        row.push(text);
    }
    row
}

#[inline(never)]
fn read_table(file: std::fs::File) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut line = String::new();
    let mut reader = std::io::BufReader::new(file);
    while reader.read_line(&mut line).unwrap() > 0 {
        rows.push(read_row(line.trim_end()));
        line.clear();
    }
    rows
}

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let rows = read_table(std::fs::File::open(path).unwrap());
    assert!(!rows.is_empty());
}
