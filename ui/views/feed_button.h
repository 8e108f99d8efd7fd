// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QToolButton>
#include <optional>

class QAction;
class QActionGroup;
class QLabel;

namespace lockui {

/// How changes reach us. Its menu says why in this way and what that leaves out, and lets a person choose another.
class FeedButton : public QToolButton {
    Q_OBJECT
public:
    explicit FeedButton(QWidget *parent = nullptr);

    void setStatus(const lockcore::SourceStatus *status); // null: not connected, and nothing is chosen any more

Q_SIGNALS:
    void feedChosen(std::optional<lockcore::Feed> feed); // none: the best possible

private:
    void addChoice(const QString &text, std::optional<lockcore::Feed> feed);

    QLabel *m_reason;
    QActionGroup *m_choices;
};

} // namespace lockui
