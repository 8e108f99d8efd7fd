// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/save_file.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace lockui {

namespace {
struct SaveFile {
    Q_DECLARE_TR_FUNCTIONS(SaveFile)
};
} // namespace

lockcore::Result<void> saveFile(const QString &file, std::string_view bytes)
{
    QSaveFile writer(file);
    const auto size = static_cast<qint64>(bytes.size());
    if (writer.open(QIODevice::WriteOnly) && writer.write(bytes.data(), size) == size && writer.commit())
        return {};
    return lockcore::failure(lockcore::ErrorCode::FileFailed, writer.errorString().toStdString(),
        SaveFile::tr("writing %1").arg(file).toStdString());
}

} // namespace lockui
