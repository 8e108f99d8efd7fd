// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QString>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace lockui {

enum class PaletteKind { Action, Page, Lock, Chapter };

/// What has to be done first, and the step that does it, if it is one that may be done for a person.
struct PaletteNeed {
    QString text; // empty: nothing
    std::function<void()> step;
};

/// Something that can be found and done by its name.
struct PaletteEntry {
    PaletteKind kind = PaletteKind::Action;
    QString text; // as it is shown, so nothing in it acts
    QString note; // more about it
    QString keys; // that do the same; empty: none
    QString needs; // what has to be done first; empty: it can be done now
    std::function<void()> run; // or, while something is needed, the step there; none: there is no such step
    QString about = {}; // a longer text, by whole words of which it is found as well, after all others
};

/// Entries of one sort, as many as there may be: their texts are looked through, and of the best the whole is asked
/// for.
class PaletteSource {
public:
    virtual ~PaletteSource() = default;

    virtual std::size_t count() const = 0;
    virtual QString text(std::size_t index) const = 0;
    virtual QString about(std::size_t) const { return {}; }
    virtual PaletteEntry entry(std::size_t index) const = 0;
};

using PaletteSources = std::vector<std::unique_ptr<PaletteSource>>;

/// Those that are few.
class PaletteList : public PaletteSource {
public:
    explicit PaletteList(std::vector<PaletteEntry> entries)
        : m_entries(std::move(entries))
    {
    }

    std::size_t count() const override { return m_entries.size(); }
    QString text(std::size_t index) const override { return m_entries[index].text; }
    QString about(std::size_t index) const override { return m_entries[index].about; }
    PaletteEntry entry(std::size_t index) const override { return m_entries[index]; }

private:
    std::vector<PaletteEntry> m_entries;
};

/// All locks of a snapshot, by their names as they are shown.
class LockSource : public PaletteSource {
public:
    using Choose = std::function<void(const lockcore::LockName &)>;

    LockSource(lockcore::monitor::LockList locks, Choose choose);

    std::size_t count() const override { return m_locks.size(); }
    QString text(std::size_t index) const override;
    PaletteEntry entry(std::size_t index) const override;

private:
    lockcore::monitor::LockList m_locks;
    Choose m_choose;
};

} // namespace lockui
