// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/audit_path.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <cstdlib>

namespace app {

std::string auditPath()
{
    const char *state = std::getenv("XDG_STATE_HOME");
    const bool usable = state != nullptr && state[0] == '/'; // the specification ignores relative ones
    const QString base = usable ? QFile::decodeName(state) : QDir::homePath() + QStringLiteral("/.local/state");
    return QFile::encodeName(base + QStringLiteral("/lockscope/audit.jsonl")).toStdString();
}

QString preparedAuditFile(const std::string &path)
{
    // What goes wrong here shows when the log is opened, and then no action is possible.
    QString file = QFile::decodeName(path.c_str());
    if (path == auditPath())
        QDir().mkpath(QFileInfo(file).path());
    return file;
}

} // namespace app
