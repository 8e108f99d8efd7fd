// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/export_file.h"

#include "lockcore/base/result.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/text/error_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QSaveFile>
#include <QStandardPaths>
#include <string_view>
#include <utility>

namespace lockui {

namespace {

/// In the folder of a person's documents, not wherever the program was started.
QString fileFor(const QString &name, const QString &suffix)
{
    const QDir documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    const QDir folder = documents.exists() ? documents : QDir::home();
    const QString time = QDateTime::currentDateTime().toString(QStringLiteral("-yyyyMMdd-HHmmss."));
    return folder.filePath(name + time + suffix);
}

struct SaveFile {
    Q_DECLARE_TR_FUNCTIONS(SaveFile)
};

/// Writes the file as a whole or not at all: what stood there before stays when it fails.
lockcore::Result<void> saveFile(const QString &file, std::string_view bytes)
{
    QSaveFile writer(file);
    const auto size = static_cast<qint64>(bytes.size());
    if (writer.open(QIODevice::WriteOnly) && writer.write(bytes.data(), size) == size && writer.commit())
        return {};
    return lockcore::failure(lockcore::ErrorCode::FileFailed, writer.errorString().toStdString(),
        SaveFile::tr("writing %1").arg(file).toStdString());
}

} // namespace

ExportFile::ExportFile(
    const QString &name, const char *format, const char *suffix, MakeBytes bytes, QWidget *window, const QString &title)
    : QObject(window)
    , m_bytes(std::move(bytes))
    , m_window(window)
{
    const QString ending = QString::fromLatin1(suffix);
    const QString filter
        = tr("%1 (*.%2);;All files (*)", "a format, its suffix").arg(QString::fromLatin1(format), ending);
    auto *dialog = new QFileDialog(window, title.isEmpty() ? tr("Export to") : title, fileFor(name, ending), filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOption(QFileDialog::DontUseNativeDialog);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    connect(dialog, &QFileDialog::fileSelected, this, &ExportFile::write);
    connect(dialog, &QObject::destroyed, this, &QObject::deleteLater);
    dialog->open();
}

void ExportFile::write(const QString &file)
{
    if (const auto saved = saveFile(file, m_bytes()); saved)
        Q_EMIT written(file);
    else
        (new NoticeDialog(tr("Export"), tr("Nothing was exported."), errorDetail(saved.error()), m_window))->show();
}

} // namespace lockui
