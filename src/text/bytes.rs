//! Sizes for people.

const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];

/// A size such as `512 B`, `1.5 KiB` or `200 KiB`: one decimal below ten, none where it would be zero.
pub fn bytes(size: u64) -> String {
    if size < 1024 {
        return format!("{size} B");
    }
    let mut unit = 0;
    let mut scale: u64 = 1024;
    while size / scale >= 1024 && unit + 1 < UNITS.len() {
        scale *= 1024;
        unit += 1;
    }
    let whole = size / scale;
    let tenth = (size % scale) / (scale / 10);
    if whole < 10 && (1..10).contains(&tenth) {
        format!("{whole}.{tenth} {}", UNITS[unit])
    } else {
        format!("{whole} {}", UNITS[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_well() {
        let shown = |size| bytes(size);
        assert_eq!(shown(0), "0 B");
        assert_eq!(shown(1023), "1023 B");
        assert_eq!(shown(1024), "1 KiB");
        assert_eq!(shown(1536), "1.5 KiB");
        assert_eq!(shown(200 * 1024), "200 KiB");
        assert_eq!(shown(1024 * 1024 - 1), "1023 KiB");
        assert_eq!(shown(16 * 1024 * 1024), "16 MiB");
        assert_eq!(shown(u64::MAX), "16383 PiB");
    }
}
