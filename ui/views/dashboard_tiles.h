// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/models/activity.h"
#include "ui/support/theme.h"

#include <QWidget>

#include <array>
#include <optional>

class QGridLayout;
class QLabel;

namespace lockui {

class ElidedLabel;
class Sparkline;

/// A range of the dashboard: so long, up to now, in such steps.
struct DashboardRange {
    std::chrono::seconds length;
    std::chrono::seconds step;

    lockcore::WallTime end(lockcore::WallTime now) const
    {
        return lockcore::WallTime(now.time_since_epoch() / step * step);
    }
    int steps() const { return static_cast<int>(length / step); }
};

/// `+12 %`; absent: there was nothing to compare with.
std::optional<QString> changeText(double now, double before);

/// What there is now, as figures, each with its last minutes and how it differs from the range before.
class DashboardTiles : public QWidget {
    Q_OBJECT
public:
    explicit DashboardTiles(const Theme &theme, QWidget *parent = nullptr);

    void setInRow(int count); // tiles
    /// `comparesWith`: the range before begins then; absent: it is not compared.
    void show(const Activity &activity, const lockcore::monitor::Snapshot &snapshot, const DashboardRange &range,
        lockcore::WallTime now, std::optional<lockcore::WallTime> comparesWith);

private:
    struct Tile {
        QWidget *card = nullptr;
        QLabel *figure = nullptr;
        ElidedLabel *note = nullptr;
        Sparkline *curve = nullptr;
    };
    enum TileName { Held, Waiting, Acquires, Renewals, Expiries, Suspects, TileCount };
    struct Shown;

    Tile buildTile(const QString &title, Tone tone);
    template <typename ValueOf>
    void fill(TileName name, const QString &figure, const QString &note, const Shown &shown, ValueOf valueOf);
    void showCounts(const Shown &shown);
    static QString waitingNote(const Shown &shown, const LockCounts &locks);
    static QString lastExpiryText(const Shown &shown);
    void showRates(const Shown &shown);
    void showSuspects(const Shown &shown);

    const Theme &m_theme;
    LockCounter m_counter;
    std::array<Tile, TileCount> m_tiles;
    QGridLayout *m_grid;
};

} // namespace lockui
