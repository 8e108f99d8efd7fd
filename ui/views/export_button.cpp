// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/export_button.h"

#include "ui/dialogs/notice_dialog.h"
#include "ui/support/save_file.h"
#include "ui/text/error_text.h"

#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QMenu>
#include <QStandardPaths>
#include <utility>

namespace lockui {

namespace {

/// In the folder of a person's documents, not wherever the program was started.
QString fileFor(const QString &name, const ExportFormatRow &format)
{
    const QDir documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    const QDir folder = documents.exists() ? documents : QDir::home();
    const QString time = QDateTime::currentDateTime().toString(QStringLiteral("-yyyyMMdd-HHmmss."));
    return folder.filePath(name + time + QString::fromLatin1(format.suffix));
}

} // namespace

ExportButton::ExportButton(QString name, MakeTable table, QWidget *parent)
    : QToolButton(parent)
    , m_name(std::move(name))
    , m_table(std::move(table))
{
    setText(tr("Export ▾"));
    setAccessibleName(tr("Export"));
    setToolTip(tr("Writes the rows that are shown to a file, whole"));
    setProperty("role", QStringLiteral("button"));
    setPopupMode(InstantPopup);
    setFocusPolicy(Qt::TabFocus);
    auto *formats = new QMenu(this);
    for (const ExportFormatRow &format : ExportFormats) {
        QAction *entry = formats->addAction(QLatin1Char('&') + QString::fromLatin1(format.name) + QChar(0x2026));
        connect(entry, &QAction::triggered, this, [this, &format] { askForFile(format); });
    }
    setMenu(formats);
}

void ExportButton::askForFile(const ExportFormatRow &format)
{
    const QString suffix = QString::fromLatin1(format.suffix);
    const QString filter
        = tr("%1 (*.%2);;All files (*)", "a format, its suffix").arg(QString::fromLatin1(format.name), suffix);
    auto *dialog = new QFileDialog(window(), tr("Export to"), fileFor(m_name, format), filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOption(QFileDialog::DontUseNativeDialog);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    connect(dialog, &QFileDialog::fileSelected, this,
        [this, value = format.value](const QString &file) { write(file, value); });
    dialog->open();
}

void ExportButton::write(const QString &file, ExportFormat format)
{
    if (const auto saved = saveFile(file, exported(m_table(), format)); saved)
        Q_EMIT written(file);
    else
        (new NoticeDialog(tr("Export"), tr("Nothing was exported."), errorDetail(saved.error()), window()))->show();
}

} // namespace lockui
