// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/connection_store.h"

#include <QWidget>
#include <optional>
#include <string>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace lockui {

/// The fields of a connection, and the URL that says the same. What cannot be right is said below its field.
class ConnectionForm : public QWidget {
    Q_OBJECT
public:
    explicit ConnectionForm(QWidget *parent = nullptr);

    void setKnown(std::vector<ConnectionProfile> profiles); // whose URL may be typed
    void setProfile(const ConnectionProfile &profile);
    void setKeyring(const QString &whyNot); // empty: it can be used
    ConnectionProfile profile() const;
    bool isValid() const { return m_problems == 0; }
    void beginWithUrl(); // what is typed or pasted first replaces it
    void beginWithPassword(bool ofSentinels); // likewise

Q_SIGNALS:
    void changed();

private:
    struct Field {
        QLineEdit *edit = nullptr;
        QLabel *reason = nullptr;
        std::vector<QWidget *> beside = {}; // its name and buttons
    };

    struct SetAside {
        ConnectionProfile said;
        ConnectionProfile here; // what was known
    };

    using Change = void (ConnectionForm::*)();

    struct Place {
        QGridLayout &grid;
        int row;
        int column;
        int span; // of the field
    };

    Field addField(const Place &place, const QString &label, QWidget *beside = nullptr);
    Field addFile(QGridLayout &grid, int row, const QString &label, Change change);
    void buildAddress(QGridLayout &grid);
    void buildServers(QGridLayout &grid);
    void buildLogin(QGridLayout &grid);
    QWidget *buildTls();
    void buildPolicy(QGridLayout &grid);

    void readUrl();
    void fieldsChanged(); // of the servers or the login
    void restChanged(); // what else there is
    void fill(const lockcore::transport::Deployment &deployment);
    void fillServers(const lockcore::transport::Deployment &deployment);
    void followPlace();
    void follow(const ConnectionProfile &before, const ConnectionProfile &here);
    ConnectionProfile said() const;
    lockcore::transport::TlsOptions tlsFields() const;
    ConnectionProfile knownHere() const;
    /// As they stand in a URL; none at all is right too.
    static lockcore::Result<lockcore::transport::Deployment> serversIn(
        const QString &text, lockcore::transport::Topology topology);
    lockcore::transport::Topology topology() const;
    lockcore::transport::Endpoint endpoint() const;
    lockcore::transport::Deployment deployment() const;
    void topologyChosen();
    void check();
    void checkServers();
    void checkTls();
    std::vector<std::string> tokenNames() const;
    void setRemembered(bool isRemembered);
    void show(const Field &field, bool shown);
    void say(const Field &field, const QString &problem);

    Field m_url;
    Field m_host;
    Field m_port;
    Field m_socket; // one server
    Field m_more; // the others
    Field m_master; // Sentinel: its name
    Field m_sentinelUser;
    Field m_sentinelPassword;
    bool m_plainMessages = false; // of the URL
    Field m_user;
    Field m_password;
    Field m_database;
    Field m_clientName;
    Field m_caFile;
    Field m_certificate;
    Field m_key;
    Field m_serverName;
    Field m_name; // of the connection
    Field m_alsoLocks; // of other libraries
    QComboBox *m_topology;
    QCheckBox *m_tls;
    QWidget *m_tlsFields;
    QComboBox *m_environment;
    QCheckBox *m_neverWritable;
    QCheckBox *m_remember;
    std::optional<std::string> m_filledFor; // where the passwords of the profile belong; absent: typed by hand
    std::vector<ConnectionProfile> m_known;
    std::optional<ConnectionProfile> m_given;
    ConnectionProfile m_here; // what is known of the servers that the fields say
    std::optional<SetAside> m_setAside; // what the fields said before the URL came to be wrong
    QString m_urlProblem; // of what was typed there; the fields may be right all the same
    int m_problems = 0;
};

} // namespace lockui
