// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/access_check.h"
#include "app/common/secret_store.h"
#include "app/demo/demo.h"
#include "app/lockctl/command_line.h"

#include <QObject>
#include <memory>

namespace lockctl {

/// From the globals of the command line to servers that let us in: starts the demo, asks the keychain or the person for
/// the password.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(Globals globals, QObject *parent = nullptr);

    void open();

Q_SIGNALS:
    void ready(const lockcore::transport::Deployment &deployment);
    void failed(const lockcore::Error &error);

private:
    void findSecrets();
    void check();
    void notePart() const;
    void denied(const lockcore::Error &error);
    void failAfterAll(const lockcore::Error &last);
    void deniedBySentinels(const lockcore::Error &error);

    Globals m_globals;
    std::unique_ptr<app::Demo> m_demo;
    app::SecretStore m_secrets;
    app::AccessCheck m_check;
};

} // namespace lockctl
