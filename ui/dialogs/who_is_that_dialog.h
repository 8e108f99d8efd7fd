// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/client_finder.h"

#include <QDialog>
#include <QTimer>
#include <string>

class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace lockui {

class ClientNames;
class PressGuard;

/// Says what a look through MONITOR costs, looks only when told to, and offers what it finds as names of clients.
class WhoIsThatDialog : public QDialog {
    Q_OBJECT
public:
    /// `client`: whom the question is about.
    WhoIsThatDialog(
        lockcore::transport::Endpoint server, std::string client, ClientNames &names, QWidget *parent = nullptr);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void build();
    void startOrStop();
    void showTime();
    void showLook(const lockcore::Result<lockcore::service::ClientLook> &look);
    void showAnswer(const lockcore::monitor::ClientSighting *sighting); // null: the client was not heard
    void markAnswer(); // in the first row
    void addRow(const lockcore::monitor::ClientSighting &sighting);
    void makeRoom();
    void keepNames();

    const lockcore::transport::Endpoint m_server;
    const std::string m_client;
    ClientNames &m_names;
    lockcore::service::ClientFinder m_finder;
    QTimer m_time; // left to listen
    QSpinBox *m_seconds;
    QPushButton *m_listen;
    QPushButton *m_keep;
    QLabel *m_answer;
    QLabel *m_state;
    QTableWidget *m_found;
    PressGuard *m_presses;
};

} // namespace lockui
