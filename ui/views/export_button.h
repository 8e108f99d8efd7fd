// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/widgets.h"
#include "ui/text/table_export.h"

#include <QTimer>
#include <QToolButton>
#include <functional>

namespace lockui {

struct Picture;

/// Where an export was written, for a moment; takes no room otherwise.
class WrittenNote : public ElidedLabel {
    Q_OBJECT
public:
    explicit WrittenNote(QWidget *parent = nullptr);

    void tell(const QString &file);
    std::function<void(const QString &)> teller(); // that may outlive it

private:
    QTimer m_over;
};

/// Writes what a page shows to a file that a person names, in a format that is chosen from its menu.
class ExportButton : public QToolButton {
    Q_OBJECT
public:
    /// Asked for when a file has been named.
    using MakeTable = std::function<ExportTable(ExportFormat)>;
    using MakePicture = std::function<Picture()>;

    /// `name`: what files are called at first, without time and suffix.
    explicit ExportButton(QString name, QWidget *parent = nullptr);

    void offerTable(MakeTable table);
    void offerPicture(MakePicture picture);

Q_SIGNALS:
    void written(const QString &file);

private:
    const QString m_name;
};

} // namespace lockui
