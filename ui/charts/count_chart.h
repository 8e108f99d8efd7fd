// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/count_curve.h"
#include "ui/support/theme.h"

#include <QWidget>

namespace lockui {

/// The free permits of a semaphore, or the count of a latch, as steps over the last while. What nobody saw is hatched.
class CountChart : public QWidget {
    Q_OBJECT
public:
    CountChart(const Theme &theme, QWidget *parent = nullptr);

    struct Picture {
        CountCurve curve;
        lockcore::WallTime from;
        lockcore::WallTime to; // at the right edge
        QString end; // what the right edge is called where it is not now
        bool isGone = false; // at the right edge: what it was at last is told
        std::optional<std::int64_t> all; // permits, free and leased together, at the right edge; absent: not known
        bool isLatch = false;
        bool isGrey = false; // of the past, or no longer sure
        std::optional<lockcore::WallTime> watchedSince; // absent: not known
        bool operator==(const Picture &) const = default;
    };
    void show(Picture picture);
    const Picture &picture() const { return m_picture; }

    struct Label {
        QString text;
        QRectF place;
    };
    std::vector<Label> labels() const; // in what is hatched: as they are drawn

    QSize sizeHint() const override { return { 300, 160 }; }
    QSize minimumSizeHint() const override { return { 180, 90 }; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QRectF plot() const;
    double placeOf(lockcore::WallTime at) const;
    double heightOf(std::int64_t value) const;
    std::int64_t top() const; // of the scale
    std::vector<CountCurve::Span> hatched() const;
    QString allText() const;
    QString numberText() const; // the last one
    QString beforeText(lockcore::WallTime seenFrom) const;
    void drawScale(QPainter &painter) const;
    void drawSteps(QPainter &painter) const;
    QFont smallFont() const;
    void describe();

    const Theme &m_theme;
    Picture m_picture;
};

} // namespace lockui
