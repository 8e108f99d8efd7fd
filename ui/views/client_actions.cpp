// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/client_actions.h"

#include "ui/dialogs/notice_dialog.h"
#include "ui/dialogs/who_is_that_dialog.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"

#include <QInputDialog>
#include <QLineEdit>

#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;

QString allOfClientText() { return ClientActions::tr("A&ll of this client…"); }

QString filterFor(const std::string &client)
{
    const QString id = displayText(client);
    return id.contains(QLatin1Char(' ')) ? QStringLiteral("client:\"%1\"").arg(id) : QStringLiteral("client:") + id;
}

ClientActions::ClientActions(ClientNames &names, const ViewClock &clock, QWidget *window)
    : QObject(window)
    , m_names(names)
    , m_clock(clock)
    , m_window(window)
{
}

void ClientActions::setProfile(std::optional<ConnectionProfile> profile) { m_profile = std::move(profile); }

void ClientActions::setSnapshot(const std::shared_ptr<const Snapshot> &snapshot)
{
    m_snapshot = snapshot;
    std::erase_if(m_dialogs, [](const auto &dialog) { return dialog.isNull(); });
    for (const auto &dialog : m_dialogs)
        dialog->setSnapshot(snapshot);
}

void ClientActions::setActionsAllowed(bool allowed, const QString &whyNot)
{
    m_allowed = allowed;
    m_whyNot = whyNot;
    for (const auto &dialog : m_dialogs)
        if (dialog)
            dialog->setActionsAllowed(allowed, whyNot);
}

/// One window a client: the one that is there already comes to the front.
void ClientActions::show(const std::string &client)
{
    for (const auto &dialog : m_dialogs) {
        if (dialog && dialog->client() == client) {
            dialog->raise();
            dialog->activateWindow();
            return;
        }
    }
    auto *dialog = new ClientDialog(client, m_names, m_clock, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialogs.emplace_back(dialog);
    connect(dialog, &ClientDialog::lockOpened, this, &ClientActions::lockOpened);
    connect(dialog, &ClientDialog::onlyItRequested, this, [this, client] { Q_EMIT filterWanted(filterFor(client)); });
    connect(dialog, &ClientDialog::nameRequested, this, [this, client] { askForName(client); });
    connect(dialog, &ClientDialog::searchRequested, this,
        [this, client](const KnownLock &lock) { askWhoThatIs(client, lock); });
    connect(dialog, &ClientDialog::releaseRequested, this, [this, client] { Q_EMIT releaseRequested(client); });
    dialog->setActionsAllowed(m_allowed, m_whyNot);
    dialog->setSnapshot(m_snapshot);
    dialog->show();
}

void ClientActions::askForName(const std::string &client)
{
    auto *dialog = new QInputDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Name this client"));
    dialog->setLabelText(
        tr("What is client %1 called? It is shown beside its id, at most %2 characters; empty forgets the name.")
            .arg(plainMenuText(displayText(client, 60)), countText(ClientNames::LongestName)));
    makePlain(*dialog);
    dialog->setTextValue({}); // makes the field
    auto &field = *dialog->findChild<QLineEdit *>();
    field.setMaxLength(static_cast<int>(ClientNames::LongestName));
    keepUnseenOut(field);
    dialog->setTextValue(m_names.nameOf(client));
    connect(dialog, &QInputDialog::textValueSelected, this,
        [this, client](const QString &name) { m_names.setName(client, name); });
    giveKeysBackAfter(*dialog);
    dialog->open();
}

void ClientActions::askWhoThatIs(const std::string &client, const KnownLock &lock)
{
    if (!m_profile)
        return sayThatNobodyCanBeAsked();
    const std::string node = lock ? firstNode(*lock) : std::string();
    const auto server = endpointOf(m_profile->deployment, node);
    auto *dialog = new WhoIsThatDialog(server.value_or(m_profile->deployment.seeds.front()), client, m_names, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    giveKeysBackAfter(*dialog);
    dialog->open();
}

void ClientActions::sayThatNobodyCanBeAsked()
{
    auto *notice = new NoticeDialog(tr("Who is that?"), tr("This is a recording: there is no server to listen to."),
        tr("Who a client is can be found out while its server is connected. The name that you give it there is shown "
           "here too."),
        m_window);
    notice->show();
}

} // namespace lockui
