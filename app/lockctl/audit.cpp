// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/audit.h"

#include "app/common/exit_status.h"
#include "app/common/printable_text.h"
#include "app/lockctl/output.h"

#include <QFile>

namespace lockctl {

int printAudit(const AuditRequest &request)
{
    QFile file(QFile::decodeName(request.auditFile.c_str()));
    if (!file.exists())
        return app::Done;
    if (!file.open(QIODevice::ReadOnly)) {
        app::complain("lockctl",
            { lockcore::ErrorCode::FileFailed, file.errorString().toStdString(), "reading " + request.auditFile });
        return app::ServerError;
    }
    while (!file.atEnd()) {
        if (!printLine(app::printable(file.readLine().trimmed().toStdString())))
            break;
    }
    return app::Done;
}

} // namespace lockctl
