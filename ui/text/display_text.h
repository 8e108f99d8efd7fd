// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"

#include <QString>
#include <string>
#include <string_view>

namespace lockui {

/// Bytes from Redis as text that can be trusted, in the notation of printable(). Longer than `limit` characters: cut,
/// with the size.
QString displayText(std::string_view bytes, qsizetype limit = 512);

/// The same of the name of a lock: Redis takes an empty one, too, and that is not nothing. Stray letters of another
/// alphabet, that look like those of the word that they stand in, are written by their numbers.
QString lockNameText(std::string_view name, qsizetype limit = 512);
std::string lockNameBytes(std::string_view name); // the whole of that, in UTF-8
QString lockNameTip(std::string_view name); // with what else is to be known of its letters

/// What may be pasted anywhere, whole and in the notation in which it is shown: no two names are copied alike.
QString copyText(std::string_view bytes);

/// `7f21aa09…:7`
QString shortOwner(const lockcore::OwnerId &owner);
QString fullOwner(const lockcore::OwnerId &owner);

/// All durations are cut off, never rounded up, so that what is said to be at least so long is. What goes on is written
/// as this, and what is over, or is a sum, as exactDurationText(): the same value looks the same wherever it stands.
/// `0.4 s`, `38 s`, `4 m 12 s`, `1 h 22 m`, `3 d 4 h`
QString durationText(lockcore::Millis duration);
/// `in 38 s`; below zero `overdue 38 s`.
QString leftText(lockcore::Millis left);
/// A countdown: tenths of a second below a minute.
QString ttlText(lockcore::Millis ttl);
/// What was measured: `42 ms`, `0.4 s`, `16.0 s`, `4 m 12 s`
QString exactDurationText(lockcore::Millis duration);
/// At a line of a scale: without digits that say nothing, such as `0.1 s`, `1 s`, `10 m`.
QString scaleText(lockcore::Millis duration);
QString millisText(lockcore::Millis duration); // `1400 ms`
/// For text that is broken into lines: none begins with the unit of a number, or between `13 m` and `00 s`.
QString withUnbrokenTimes(QString text);
/// `14:02:11.380`, local time; with the date when it is not of today.
QString clockText(lockcore::WallTime at, lockcore::WallTime now);
QString zonedText(lockcore::WallTime at); // `2026-11-27 07:46:16.809 (UTC+01:00)`: for what is looked up elsewhere

/// `8,412`
QString countText(qint64 count);
QString rateText(double perSecond); // `412`, `0.3`
QString keysText(qint64 keys); // `1 key`, `1.20 M keys`

/// A count as what chooses between singular and plural in `tr()`, where countText() writes it.
int pluralOf(qint64 count);

/// Tool tips take rich text when it looks like it: this one is shown as it is. A long word in it is broken anywhere.
QString plainToolTip(const QString &text);
/// May be broken behind so many letters of a word: text is broken into lines at the ends of words alone, and a name may
/// be one word. To be painted, not to be read or copied: that these breaks are there is not seen.
QString breakable(const QString &text, qsizetype letters);
/// A text in a menu or on a button, whose `&` is no shortcut.
QString plainMenuText(QString text);

/// Exactly the bytes of the UTF-8 text.
std::string toBytes(const QString &text);

} // namespace lockui
