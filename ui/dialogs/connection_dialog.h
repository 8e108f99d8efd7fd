// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/deployment.h"

#include <QDialog>
#include <QString>
#include <memory>
#include <vector>

namespace lockui {

struct ConnectionChoice {
    lockcore::Deployment deployment{ lockcore::Endpoint() };
    QString environment; // `PROD`, `TEST`, free text, or empty
    bool neverWritable = false;
    bool rememberPassword = false;
};

struct RecentConnection {
    QString name;
    QString url; // without password
};

/// Asks for servers, tries them on demand, and is accepted only with fields that can be right.
class ConnectionDialog : public QDialog {
    Q_OBJECT
public:
    explicit ConnectionDialog(const std::vector<RecentConnection> &recent, QWidget *parent = nullptr);
    ~ConnectionDialog() override;

    void setChoice(const ConnectionChoice &choice);
    ConnectionChoice choice() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockui
