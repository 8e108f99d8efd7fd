// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/activity.h"
#include "ui/support/theme.h"

#include <QWidget>

namespace lockui {

class ServerStrip;

/// Acquires and renewals per second over a while, with what ran out and with the times of which nothing was seen; those
/// of the while before it, dashed. Below, on the same axis, what the servers went through.
class RateChart : public QWidget {
    Q_OBJECT
public:
    struct Data {
        lockcore::WallTime from; // of the first step
        std::chrono::seconds step{ 1 };
        std::vector<Activity::Step> steps;
        std::vector<UnseenSpan> unseen;
        std::vector<Activity::Step> before{}; // as many, of the time before; empty: nothing to compare with
    };

    explicit RateChart(const Theme &theme, QWidget *parent = nullptr);

    void setData(Data given);
    const Data &data() const { return m_data; }
    ServerStrip &strip() { return *m_strip; }

    QSize sizeHint() const override { return { 600, 220 }; }
    QSize minimumSizeHint() const override { return { 240, 140 }; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override; // tool tips: the figures at the pointer
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Axis {
        double step = 1; // between lines
        double most = 4;
    };

    QRectF plot() const;
    Axis axis() const;
    double rate(std::int64_t count) const;
    double x(lockcore::WallTime at) const;
    lockcore::WallTime end() const;
    void paintAxes(QPainter &painter, const Axis &axis) const;
    void paintUnseen(QPainter &painter) const;
    void paintCurve(
        QPainter &painter, const Axis &axis, std::int64_t ActivityCounts::*count, Tone tone, bool filled) const;
    void paintBefore(QPainter &painter, const Axis &axis, std::int64_t ActivityCounts::*count, Tone tone) const;
    void paintExpiries(QPainter &painter) const;
    bool isUnseen(const lockcore::WallTime &from) const;
    lockcore::WallTime placeIn(lockcore::WallTime from) const;
    QString textAt(double position) const;
    void describe();

    const Theme &m_theme;
    Data m_data;
    ServerStrip *m_strip;
};

} // namespace lockui
