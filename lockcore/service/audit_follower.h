// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/export.h"
#include "lockcore/service/actions/audit_reader.h"

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>

namespace lockcore::service {

/// What an audit log was found to say; what was told before goes on, unless it was begun anew.
struct AuditReport {
    bool restarted = false; // what was told before is no longer true
    bool isThere = false; // the file; without it nothing was done yet
    bool isReading = false; // more follows at once
    AuditNews news;
    std::int64_t damagedLines = 0; // in all
    std::int64_t passedOver = 0; // bytes at the beginning of a long file: what is older is not told
    std::optional<Error> error; // why it cannot be read
};

/// Tells what an audit log says, and what is written to it from then on, also by other programs.
/// Units:  bytes.
/// Errors: none; those of AuditReader stand in the report.
/// Thread: that of the object; the file is read on another one.
/// Source: AuditLog.
class LOCKCORE_EXPORT AuditFollower : public QObject {
    Q_OBJECT
public:
    static constexpr std::int64_t Most = std::int64_t{ 16 } * 1024 * 1024; // of a long log, at its end

    explicit AuditFollower(QObject *parent = nullptr);
    ~AuditFollower() override; // waits for the thread

    /// Tells all that the file says if it is another one than before, else what has become known since. `most`: of the
    /// file, at its end, when it is read first.
    void follow(const QString &file, std::int64_t most = Most);
    void rest(); // until it is to follow again: the file is not looked at
    void stop(); // and all that it says is told again then

Q_SIGNALS:
    void reported(const lockcore::service::AuditReport &report);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore::service
