// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace lockui {

/// One or more curves of a value a second, the newest at the right edge, what the lines across mean at their left.
/// Where nothing is known there is no curve.
class CurveChart : public QWidget {
    Q_OBJECT
public:
    struct Curve {
        QString name;
        Tone tone = Tone::Accent;
        bool isFilled = false;
        std::vector<std::optional<double>> values; // the newest last
    };
    struct Data {
        std::vector<Curve> curves;
        std::int64_t seconds = 60; // from edge to edge
        double least = 0;
        double most = 1; // of the scale; several charts that are compared have the same
        bool isLogarithmic = false; // then the least is above zero
        bool hasTimes = false; // below: from when to when
        QString end{}; // when the newest was, as words; empty: now
        std::function<QString(double)> text; // of a value
    };

    explicit CurveChart(const Theme &theme, const QString &accessibleName, QWidget *parent = nullptr);

    void setData(Data data);
    const Data &data() const { return m_data; }

    QSize sizeHint() const override { return { 240, 60 }; }
    QSize minimumSizeHint() const override { return { 100, 40 }; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override; // tool tips: the values at the pointer

private:
    QRectF plot() const;
    QFont smallFont() const;
    QString momentText(std::int64_t behind) const; // so many seconds before the newest
    double x(const Curve &curve, std::size_t i) const;
    double y(double value) const;
    std::vector<double> lines() const;
    void paintLines(QPainter &painter) const;
    void paintCurve(QPainter &painter, const Curve &curve) const;
    QString textAt(double position) const;
    void describe();

    const Theme &m_theme;
    Data m_data;
};

} // namespace lockui
