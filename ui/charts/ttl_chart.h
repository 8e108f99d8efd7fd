// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/ttl_curve.h"
#include "ui/models/lock_table_model.h"

#include <QChartView>
#include <QGraphicsSimpleTextItem>
#include <vector>

class QAreaSeries;
class QLineSeries;
class QScatterSeries;
class QValueAxis;

namespace lockui {

class Theme;

/// The saw-tooth of one lock's time to live over the last 90 seconds, with renewals, hand-overs, and late renewals
/// shaded.
class TtlChart : public QChartView {
    Q_OBJECT
public:
    static constexpr lockcore::Millis Window{ 90'000 };

    TtlChart(const Theme &theme, const ViewClock &clock, QWidget *parent = nullptr);

    void setLock(LockTableModel::Lock lock); // null: none
    void setEnd(std::optional<lockcore::MonoTime> end, const QString &how); // it stands still there; absent: it goes on
    void refresh(); // once a frame at most

    struct HandOver {
        lockcore::MonoTime at;
        QString to;

        bool operator==(const HandOver &) const = default;
    };
    void setHandOvers(std::vector<HandOver> handOvers); // oldest first
    void setUnseen(std::vector<UnseenTime> unseen); // beside what the lock tells of itself
    void setWatchedSince(std::optional<lockcore::MonoTime> since) { m_watchedSince = since; } // absent: not known
    QString gapText() const; // `median gap 10.0 s · worst 19.8 s`

protected:
    void drawForeground(QPainter *painter, const QRectF &rect) override;

private:
    struct Mark {
        double x = 0;
        QString text;
    };

    /// All that can be seen of the curve, in pixels and times of corners: only another one has to be drawn.
    using Picture = std::vector<qint64>;

    Picture picture() const;
    bool isHandOver(double x) const; // that was told of
    QPointF placeOf(double x, double ttl) const;
    void drawUnseen(QPainter &painter) const;
    void drawLine(QPainter &painter) const;
    bool wasWatchedBefore() const;
    QString unseenText(const TtlCurve::Span &span) const;
    void drawMarks(QPainter &painter) const;
    std::vector<Mark> marks() const; // oldest first
    void buildChart();
    void applyTheme();
    void draw(const TtlCurve &curve);
    void placeLabels();
    void describe();

    const Theme &m_theme;
    const ViewClock &m_clock;
    LockTableModel::Lock m_lock;
    TtlCurve m_curve;
    Picture m_picture; // as it was drawn last
    std::optional<lockcore::MonoTime> m_end;
    QString m_howItEnded;
    std::vector<HandOver> m_handOvers;
    std::vector<UnseenTime> m_unseenTimes;
    std::optional<lockcore::MonoTime> m_watchedSince;
    double m_unitSeconds = 1; // what the TTL axis counts in
    QScatterSeries *m_renewals = nullptr;
    QLineSeries *m_lateEdge = nullptr;
    QAreaSeries *m_late = nullptr;
    QValueAxis *m_timeAxis = nullptr;
    QValueAxis *m_ttlAxis = nullptr;
    QGraphicsSimpleTextItem *m_lateLabel = nullptr;
    QGraphicsSimpleTextItem *m_endlessLabel = nullptr;
};

} // namespace lockui
