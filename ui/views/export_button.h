// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/text/table_export.h"

#include <QToolButton>
#include <functional>

namespace lockui {

/// Writes what a page shows to a file that a person names, in a format that is chosen from its menu.
class ExportButton : public QToolButton {
    Q_OBJECT
public:
    using MakeTable = std::function<ExportTable()>;

    /// `name`: what files are called at first, without time and suffix. `table`: asked for when a file has been named.
    ExportButton(QString name, MakeTable table, QWidget *parent = nullptr);

Q_SIGNALS:
    void written(const QString &file);

private:
    void askForFile(const ExportFormatRow &format);
    void write(const QString &file, ExportFormat format);

    const QString m_name;
    const MakeTable m_table;
};

} // namespace lockui
