// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/connection_store.h"

#include <QDialog>
#include <memory>
#include <vector>

namespace lockui {

/// Asks for servers, tries them on demand, and is accepted only with fields that can be right.
class ConnectionDialog : public QDialog {
    Q_OBJECT
public:
    explicit ConnectionDialog(const std::vector<ConnectionProfile> &recent, QWidget *parent = nullptr);
    ~ConnectionDialog() override;

    void setProfile(const ConnectionProfile &profile);
    void beginWithPassword(bool ofSentinels); // what is missing
    void setKeyring(const QString &whyNot); // empty: it can be used
    ConnectionProfile profile() const;

Q_SIGNALS:
    void forgetWanted(const lockui::ConnectionProfile &profile); // it is not in the list any more

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockui
