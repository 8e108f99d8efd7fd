// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace lockui {

/// A small curve without figures: where nothing is known there is none.
class Sparkline : public QWidget {
    Q_OBJECT
public:
    Sparkline(const Theme &theme, Tone tone, QWidget *parent = nullptr);

    /// At equal distances, the newest last.
    void setValues(std::vector<std::optional<double>> values);

    QSize sizeHint() const override { return { 120, 36 }; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    const Tone m_tone;
    std::vector<std::optional<double>> m_values;
};

} // namespace lockui
