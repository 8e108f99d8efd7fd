// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/ttl_curve.h"
#include "ui/models/lock_table_model.h"
#include "ui/support/theme.h"

#include <QChartView>
#include <chrono>
#include <vector>

class QAreaSeries;
class QLineSeries;
class QScatterSeries;
class QValueAxis;

namespace lockui {

/// The saw-tooth of one lock's time to live over the last 90 seconds, with renewals, hand-overs, and late renewals
/// shaded.
class TtlChart : public QChartView {
    Q_OBJECT
public:
    static constexpr lockcore::Millis Window{ 90'000 };

    TtlChart(const Theme &theme, const ViewClock &clock, QWidget *parent = nullptr);

    /// `lock`: null: none. `end`: it stands still there, and how it ended; absent: it goes on.
    void setLock(LockTableModel::Lock lock, std::optional<lockcore::MonoTime> end = {}, const QString &howItEnded = {});
    /// Grey, as all that may no longer be true. `seenUntil`: nothing is known of later; absent: of the clock's moment.
    void setStale(bool stale, std::optional<lockcore::MonoTime> seenUntil);
    QString endText() const; // `14:02:11`: the moment of its right end; empty: that is now
    void refresh(); // once a frame at most

    struct HandOver {
        lockcore::MonoTime at;
        QString to;

        bool operator==(const HandOver &) const = default;
    };
    void setHandOvers(std::vector<HandOver> handOvers); // oldest first
    void setUnseen(std::vector<UnseenTime> unseen); // beside what the lock tells of itself
    void setPassedOver(const std::optional<UnseenTime> &passedOver); // it was seen, and the lock does not tell of it
    /// Since when nobody had held it when the course begins; absent: not known.
    void setFreeSince(std::optional<lockcore::MonoTime> since);
    void setWatchedSince(std::optional<lockcore::MonoTime> since); // absent: not known
    void setRecordedSince(lockcore::MonoTime since); // it may have been watched before; until something else is said
    QString gapText() const; // `median gap 10.0 s · worst 19.8 s`

    struct Label {
        QString text;
        QRectF place; // in the viewport
        Tone tone = Tone::Muted;
    };
    std::vector<Label> labels() const; // as they are drawn in the plot: none lies on another
    std::vector<Label> moments() const; // at the axis of times
    std::vector<QRectF> feet() const; // of the marks, oldest first; a label lies on none

protected:
    bool event(QEvent *event) override;
    void drawForeground(QPainter *painter, const QRectF &rect) override;
    void resizeEvent(QResizeEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    static constexpr double WindowSeconds = std::chrono::duration<double>(Window).count();
    static constexpr std::chrono::seconds LabelEvery{ 15 }; // of the times

    struct Mark {
        double x = 0;
        QString text;
    };

    /// All that can be seen of the curve, in pixels and times of corners: only another one has to be drawn.
    using Picture = std::vector<qint64>;

    lockcore::MonoTime moment() const; // of its right end
    Picture picture() const;
    double tickStep() const; // seconds
    std::vector<UnseenTime> unseenTimes() const;
    bool isHandOver(double x) const; // that was told of
    QPointF placeOf(double x, double ttl) const;
    void drawUnseen(QPainter &painter) const;
    void drawPassedOver(QPainter &painter) const;
    void drawLine(QPainter &painter) const;
    void drawFeet(QPainter &painter) const;
    void drawLabels(QPainter &painter) const;
    void drawMoments(QPainter &painter) const;
    void addNames(std::vector<Label> &labels) const;
    void addUnseen(std::vector<Label> &labels) const;
    bool wasWatchedBefore(double x) const;
    std::optional<double> freeFrom() const; // until the course begins, in the window
    QString beforeText(double x) const; // why nothing is drawn before that
    QRectF placeOf(const TtlCurve::Span &span) const;
    QString unseenText(const TtlCurve::Span &span) const;
    QFont smallFont() const;
    std::vector<Mark> marks() const; // oldest first
    void buildChart();
    void applyTheme();
    void draw(const TtlCurve &curve);
    bool isFreeThroughout() const;
    void describe();

    const Theme &m_theme;
    const ViewClock &m_clock;
    LockTableModel::Lock m_lock;
    TtlCurve m_curve;
    Picture m_picture; // as it was drawn last
    std::optional<lockcore::MonoTime> m_end;
    QString m_howItEnded;
    QString m_toldEnd; // of its axis
    bool m_stale = false;
    std::optional<lockcore::MonoTime> m_seenUntil;
    std::vector<HandOver> m_handOvers;
    std::vector<UnseenTime> m_unseenTimes; // as they are told
    std::optional<UnseenTime> m_passedOver;
    std::optional<lockcore::MonoTime> m_freeSince;
    std::optional<lockcore::MonoTime> m_watchedSince;
    std::optional<lockcore::MonoTime> m_recordedSince;
    double m_unitSeconds = 1; // what the TTL axis counts in
    QScatterSeries *m_renewals = nullptr;
    QLineSeries *m_lateEdge = nullptr;
    QAreaSeries *m_late = nullptr;
    QValueAxis *m_timeAxis = nullptr;
    QValueAxis *m_ttlAxis = nullptr;
};

} // namespace lockui
