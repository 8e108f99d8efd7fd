// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/admin_command.h"

#include <QDialog>
#include <QString>
#include <memory>

namespace lockui {

class ViewClock;

/// Says what a force release would do to the lock as it was seen, and asks for it. Whatever changes meanwhile disarms
/// it.
class ForceReleaseDialog : public QDialog {
    Q_OBJECT
public:
    ForceReleaseDialog(std::shared_ptr<const lockcore::LockState> seen, const QString &environment,
        const ViewClock &clock, QWidget *parent = nullptr);
    ~ForceReleaseDialog() override;

    const lockcore::LockName &lockName() const;

    void setCurrent(std::shared_ptr<const lockcore::LockState> lock); // of the newest snapshot; null: gone
    void setStatus(const lockcore::SourceStatus &status); // of the same snapshot: nothing is released on stale sight
    void setOutcome(const lockcore::Result<lockcore::CommandOutcome> &outcome); // the answer to `confirmed`

Q_SIGNALS:
    void confirmed(const lockcore::ForceRelease &command);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockui
