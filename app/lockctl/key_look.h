// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/transport/deployment.h"
#include "lockcore/transport/link.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

namespace lockctl {

/// What there is under a name of which no lock was recognised: the type of the key and, of a hash, how many fields it
/// has and some of them. For people who know that something is there.
class KeyLook : public QObject {
    Q_OBJECT
public:
    KeyLook(const lockcore::transport::Deployment &deployment, lockcore::LockName name);
    ~KeyLook() override;

    void start();

Q_SIGNALS:
    void seen(const QString &what); // a sentence; empty: nothing is there, or it cannot be told

private:
    void askType();
    void askSize();
    void askFields(std::int64_t size);
    void ask(lockcore::protocol::Command command, std::function<void(const lockcore::protocol::Reply &)> take);
    void end(const QString &what);

    const lockcore::LockName m_name;
    std::unique_ptr<lockcore::transport::Link> m_link; // null: several servers, each with its own
    QTimer m_patience;
    bool m_asked = false;
    bool m_over = false;
};

} // namespace lockctl
