// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/duration_field.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSpinBox>

namespace lockui {

using lockcore::Millis;

DurationField::DurationField(const QString &accessibleName, Millis value, QWidget *parent)
    : QWidget(parent)
    , m_number(new QSpinBox(this))
    , m_unit(new QComboBox(this))
{
    const bool wholeSeconds = value.count() % 1'000 == 0;
    m_number->setRange(1, 9'999'999);
    m_number->setValue(static_cast<int>(wholeSeconds ? value.count() / 1'000 : value.count()));
    m_number->setFixedWidth(64);
    m_number->setAccessibleName(accessibleName);
    m_unit->addItem(tr("ms"), 1);
    m_unit->addItem(tr("s"), 1'000);
    m_unit->setCurrentIndex(wholeSeconds ? 1 : 0);
    m_unit->setFixedWidth(58);
    m_unit->setAccessibleName(tr("Unit of: %1").arg(accessibleName));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_number);
    layout->addWidget(m_unit);
    setFocusProxy(m_number);
    connect(m_number, &QSpinBox::valueChanged, this, &DurationField::changed);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &DurationField::changed);
}

Millis DurationField::value() const
{
    return Millis(static_cast<qint64>(m_number->value()) * m_unit->currentData().toInt());
}

} // namespace lockui
