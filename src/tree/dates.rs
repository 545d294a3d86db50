//! Whether a file's times tell that it was written.

/// How a file system dates writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dates {
    /// Later, or never: networks, and programs that serve files.
    Unsure,
    /// At once, by a clock that goes on in steps.
    BySteps,
    /// At once, and whoever looked at a file's times sees other ones after the next write, however soon that comes:
    /// Linux's multigrain timestamps (Documentation/filesystems/multigrain-ts.rst).
    BySight,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{fs::File, sync::Mutex};

    use rustix::fs::Stat;

    use super::Dates;

    // By the numbers of `statfs(2)`.
    const BCACHEFS: i64 = 0xca45_1a4e;
    const BTRFS: i64 = 0x9123_683e;
    const EXT: i64 = 0xef53;
    const F2FS: i64 = 0xf2f5_2010;
    const OVERLAY: i64 = 0x794c_7630;
    const TMPFS: i64 = 0x0102_1994;
    const XFS: i64 = 0x5846_5342;
    const ZFS: i64 = 0x2fc1_2fc1;
    /// The kernel from which on four file systems have multigrain timestamps.
    const MULTIGRAIN: (u32, u32) = (6, 13);

    /// How the file system of an open file dates writes; asked once a device.
    pub(in super::super) fn of(file: &File, stat: &Stat) -> Dates {
        static KNOWN: Mutex<Vec<(u64, Dates)>> = Mutex::new(Vec::new());
        let Ok(mut known) = KNOWN.lock() else { return Dates::Unsure };
        if let Some((_, dates)) = known.iter().find(|(device, _)| *device == stat.st_dev) {
            return *dates;
        }
        let release = rustix::system::uname().release().to_string_lossy().into_owned();
        let dates = rustix::fs::fstatfs(file).map_or(Dates::Unsure, |fs| kind(fs.f_type as _, &release));
        known.push((stat.st_dev, dates));
        dates
    }

    fn kind(number: i64, release: &str) -> Dates {
        // Some of the numbers are wider than the field on small systems, where they come out negative.
        match number & 0xffff_ffff {
            BTRFS | EXT | TMPFS | XFS if version(release).is_some_and(|found| found >= MULTIGRAIN) => {
                Dates::BySight
            }
            BCACHEFS | BTRFS | EXT | F2FS | OVERLAY | TMPFS | XFS | ZFS => Dates::BySteps,
            _ => Dates::Unsure,
        }
    }

    /// `6.18.44-cloud` is 6.18.
    fn version(release: &str) -> Option<(u32, u32)> {
        let mut parts = release.split(|c: char| !c.is_ascii_digit());
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    }

    #[cfg(test)]
    mod tests {
        use std::os::unix::fs::FileExt;

        use super::*;

        #[test]
        fn each_kind_by_its_number_and_the_kernel() {
            const NFS: i64 = 0x6969;
            const FUSE: i64 = 0x6573_5546;
            const NINE_P: i64 = 0x0102_1997;
            const SMB2: i64 = 0xfe53_4d42;
            for number in [NFS, FUSE, NINE_P, SMB2, 0] {
                assert_eq!(kind(number, "6.18.1"), Dates::Unsure, "{number:x}");
            }
            let negative = i64::from(0x9123_683e_u32 as i32);
            for (number, release, want) in [
                (EXT, "6.12.9-amd64", Dates::BySteps),
                (EXT, "6.13.0", Dates::BySight),
                (TMPFS, "7.0", Dates::BySight),
                (negative, "6.18.44+", Dates::BySight),
                (OVERLAY, "6.18.44", Dates::BySteps),
                (XFS, "unknown", Dates::BySteps),
                (XFS, "6", Dates::BySteps),
            ] {
                assert_eq!(kind(number, release), want, "{number:x} {release}");
            }
        }

        #[test]
        fn what_has_no_disk_behind_it_is_not_trusted() {
            let file = File::open("/proc/self/status").expect("there");
            let stat = rustix::fs::fstat(&file).expect("known");
            assert_eq!([of(&file, &stat), of(&file, &stat)], [Dates::Unsure; 2]);
        }

        /// The promise on which [`Dates::BySight`] stands, tried on the file system that holds temporary files.
        #[test]
        fn whoever_looked_sees_the_next_write() {
            let base = tempfile::tempdir().expect("a folder");
            let path = base.path().join("f");
            std::fs::write(&path, "0").expect("written");
            let file = File::options().read(true).write(true).open(&path).expect("there");
            let look = || rustix::fs::fstat(&file).expect("known");
            if of(&file, &look()) != Dates::BySight {
                return;
            }
            let time = |stat: &Stat| (stat.st_ctime, stat.st_ctime_nsec);
            for round in 0..2_000 {
                let before = look();
                file.write_all_at(b"1", 0).expect("written");
                assert_ne!(time(&before), time(&look()), "round {round}");
            }
        }
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::of;

#[cfg(not(target_os = "linux"))]
pub(super) fn of(_: &std::fs::File, _: &rustix::fs::Stat) -> Dates {
    Dates::Unsure
}
