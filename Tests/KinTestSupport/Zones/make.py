#!/usr/bin/env python3
"""Writes the pinned zones next to this file, and the changes that Python's zoneinfo reports for them. One source is
compiled twice: with all transitions up to 2037 ("fat"), and without those that the footer implies ("slim", the default
of zic).

    make.py FAT SLIM

FAT and SLIM are folders of compiled zones with their source, tzdata.zi. FAT comes from `zic -b fat` (as does Debian's
package tzdata), and SLIM from the PyPI package tzdata of the same version. Slim files from a zic before 2023 have
Ojinaga wrong.
`fat` and `slim` are folders in the form of TZDIR. Each line of `transitions.txt` has a zone, its offset from UTC in
seconds at the beginning of 1970, and each change up to 2050: the second since 1970, a colon, the new offset. The source
is in the public domain. Needs Python 3.9; the tests need neither Python nor zic.
"""
import pathlib
import shutil
import sys
import zoneinfo
from datetime import datetime, timedelta, timezone

# Permanent rules, abolished rules, offsets of half an hour, negative summer time, a change of date, a zone without any
# change. From Lisbon on: all zones whose last written change does not change the offset, so that only its instant shows
# when the footer applies.
ZONES = """Africa/Cairo Africa/Casablanca America/New_York America/Santiago America/Sao_Paulo America/St_Johns Antarctica/Troll
America/Los_Angeles Asia/Gaza Asia/Kathmandu Asia/Tehran Asia/Tokyo Australia/Lord_Howe Etc/UTC Europe/Berlin Europe/Dublin
Pacific/Apia Pacific/Auckland Pacific/Kiritimati Pacific/Pago_Pago
Europe/Lisbon America/Grand_Turk America/Indiana/Petersburg America/Indiana/Vincennes America/North_Dakota/Beulah America/Nuuk
America/Ojinaga America/Resolute America/Scoresbysund""".split()

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
END = int((datetime(2050, 1, 1, tzinfo=timezone.utc) - EPOCH).total_seconds())


def table(path):
    with open(path, "rb") as file:
        zone = zoneinfo.ZoneInfo.from_file(file)

    def offset(second):
        return int((EPOCH + timedelta(seconds=second)).astimezone(zone).utcoffset().total_seconds())

    parts = [str(offset(0))]
    step = 86_400  # No zone has had two changes of offset within a day since 1970.
    for low in range(0, END, step):
        high = low + step
        if offset(low) == offset(high):
            continue
        before = offset(low)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(middle) == before else (low, middle)
        parts.append(f"{high}:{offset(high)}")
    return parts


def main():
    here = pathlib.Path(__file__).parent
    lines, versions = {}, set()
    for form, folder in zip(("fat", "slim"), map(pathlib.Path, sys.argv[1:3])):
        versions.add((folder / "tzdata.zi").read_text().splitlines()[0].removeprefix("# "))
        shutil.rmtree(here / form, ignore_errors=True)
        for zone in ZONES:
            place = here / form / zone
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / zone, place)
            parts = table(place)
            if lines.setdefault(zone, parts) != parts:
                sys.exit(f"{zone}: fat and slim differ")
    if len(versions) != 1:
        sys.exit(f"one version is needed, here are {sorted(versions)}")
    text = f"tzdata {versions.pop()}; see make.py\n" + "".join(f"{zone} {' '.join(lines[zone])}\n" for zone in sorted(ZONES))
    (here / "transitions.txt").write_text(text)


main()
