// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"

#include <QWidget>

class QComboBox;
class QSpinBox;

namespace lockui {

/// A number and its unit, milliseconds or seconds.
class DurationField : public QWidget {
    Q_OBJECT
public:
    DurationField(const QString &accessibleName, lockcore::Millis value, QWidget *parent = nullptr);

    lockcore::Millis value() const;

Q_SIGNALS:
    void changed();

private:
    QSpinBox *m_number;
    QComboBox *m_unit;
};

} // namespace lockui
