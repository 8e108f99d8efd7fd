// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/who_is_that_dialog.h"

#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::transport;

namespace {

enum FoundColumn { FoundClient, FoundPlace, FoundName, FoundColumns };

constexpr int DefaultSeconds = 11;

QString placeText(const ClientSighting &sighting)
{
    QString text = displayText(sighting.host, 80);
    for (const std::string &name : sighting.names)
        text += QStringLiteral(" · ") + displayText(name, 60);
    return sighting.alsoElsewhere ? text + QStringLiteral(" · ") + WhoIsThatDialog::tr("and from elsewhere") : text;
}

/// No longer than it would be kept.
QString suggestion(const ClientSighting &sighting)
{
    return displayText(sighting.names.empty() ? sighting.host : sighting.names.front()).left(ClientNames::LongestName);
}

/// What is typed is what is kept.
class NameDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QWidget *editor = QStyledItemDelegate::createEditor(parent, option, index);
        if (auto *edit = qobject_cast<QLineEdit *>(editor)) {
            edit->setMaxLength(static_cast<int>(ClientNames::LongestName));
            keepUnseenOut(*edit);
        }
        return editor;
    }
};

QString lookText(const ClientLook &look)
{
    QString text = WhoIsThatDialog::tr("%1 commands in %2; inferred from the clients that they name.")
                       .arg(countText(look.commands), durationText(look.lasted));
    if (look.clients.empty())
        text += QLatin1Char(' ') + WhoIsThatDialog::tr("No command of a lock was among them.");
    if (look.full)
        text += QLatin1Char(' ') + WhoIsThatDialog::tr("Ended early: the server told too much.");
    if (look.namesMissing)
        text += QLatin1Char(' ')
            + WhoIsThatDialog::tr("Names of connections are not known: %1").arg(errorDetail(*look.namesMissing));
    return text;
}

} // namespace

WhoIsThatDialog::WhoIsThatDialog(Endpoint server, std::string client, ClientNames &names, QWidget *parent)
    : QDialog(parent)
    , m_server(std::move(server))
    , m_client(std::move(client))
    , m_names(names)
    , m_seconds(new QSpinBox(this))
    , m_listen(new QPushButton(tr("Listen now"), this))
    , m_keep(new QPushButton(tr("Keep the names"), this))
    , m_answer(plainLabel({}, this))
    , m_state(plainLabel(QStringLiteral("small"), this))
    , m_found(new QTableWidget(0, FoundColumns, this))
    , m_presses(new PressGuard({ m_listen }, this))
{
    build();
    m_time.setInterval(200);
    connect(&m_time, &QTimer::timeout, this, &WhoIsThatDialog::showTime);
    connect(m_listen, &QPushButton::clicked, this, &WhoIsThatDialog::startOrStop);
    connect(m_keep, &QPushButton::clicked, this, &WhoIsThatDialog::keepNames);
    m_seconds->installEventFilter(this);
    connect(&m_finder, &ClientFinder::listening, this, [this] { m_state->setText(tr("Listening…")); });
    connect(&m_finder, &ClientFinder::finished, this, &WhoIsThatDialog::showLook);
}

void WhoIsThatDialog::build()
{
    setWindowTitle(tr("Who is that?"));
    auto *title = plainLabel(QStringLiteral("dialogTitle"), this);
    title->setText(tr("Where is client %1?").arg(displayText(m_client, 60)));
    auto *cost = plainLabel({}, this);
    cost->setWordWrap(true);
    cost->setText(tr("Redis does not say where the holder of a lock is. Lockscope can listen for a short time to every "
                     "command that %1 gets (MONITOR): those of locks name their client, so its address becomes known.")
                      .arg(displayText(m_server.display())));
    auto *warning = plainLabel({}, this);
    setStyleProperty(*warning, "tone", QStringLiteral("warning"));
    warning->setWordWrap(true);
    warning->setText(
        tr("MONITOR can halve the throughput of the server while it lasts, and shows all commands with their "
           "data. Nothing of it is kept but ids and addresses."));
    m_seconds->setRange(1, 30);
    m_seconds->setValue(DefaultSeconds);
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setFixedWidth(120);
    m_seconds->setToolTip(tr("A watchdog of Redisson speaks every 10 seconds unless it is set otherwise"));
    m_found->setHorizontalHeaderLabels({ tr("Client"), tr("Address, name of the connection"), tr("Call it") });
    m_found->verticalHeader()->hide();
    m_found->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter); // as in every other table
    m_found->setAccessibleName(tr("Clients that were found"));
    m_found->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_found->setItemDelegateForColumn(FoundName, new NameDelegate(m_found));
    m_found->hide();
    m_state->setWordWrap(true);

    auto *form = new QFormLayout;
    form->addRow(tr("Listen for at most"), m_seconds);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_listen, QDialogButtonBox::ActionRole);
    buttons->addButton(m_keep, QDialogButtonBox::ActionRole);
    m_keep->hide(); // adding shows it
    for (QPushButton *button : { buttons->button(QDialogButtonBox::Close), m_listen, m_keep }) {
        button->setAutoDefault(false); // not by Enter in a field
        pressByEnter(*button);
    }
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    for (QWidget *widget : std::initializer_list<QWidget *>{ title, cost, warning })
        layout->addWidget(widget);
    layout->addLayout(form);
    m_answer->setWordWrap(true);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_answer->hide();
    layout->addWidget(m_answer);
    layout->addWidget(m_state);
    layout->addWidget(m_found, 1);
    layout->addWidget(buttons);
    setMinimumWidth(560);
}

bool WhoIsThatDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_seconds && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->matches(QKeySequence::InsertParagraphSeparator))
        m_state->setText(enterHint(m_listen->text()));
    return QDialog::eventFilter(watched, event);
}

void WhoIsThatDialog::startOrStop()
{
    if (m_finder.isRunning()) {
        m_finder.finishNow();
        return;
    }
    m_presses->begin(); // it stops from now on
    ClientFinderLimits limits;
    limits.duration = Millis(m_seconds->value() * 1'000LL);
    m_found->setRowCount(0);
    m_answer->hide();
    m_state->setText(tr("Connecting…"));
    m_listen->setText(tr("Stop"));
    m_seconds->setEnabled(false);
    m_time.start();
    m_finder.start(m_server, limits);
}

void WhoIsThatDialog::showTime()
{
    if (const auto left = m_finder.timeLeft())
        m_state->setText(tr("Listening for another %1…").arg(durationText(*left)));
}

void WhoIsThatDialog::showLook(const Result<ClientLook> &look)
{
    m_time.stop();
    m_listen->setText(tr("Listen now"));
    m_seconds->setEnabled(true);
    if (!look) {
        m_state->setText(errorText(look.error()) + QLatin1Char(' ') + errorDetail(look.error())
            + (look.error().code == ErrorCode::PermissionDenied
                    ? QLatin1Char(' ') + tr("The ACL rule +monitor permits it.")
                    : QString()));
        return;
    }
    std::vector<std::string> heard;
    for (const ClientSighting &sighting : look->clients)
        heard.push_back(sighting.client);
    const MonoTime now = ViewClock::steadyNow();
    m_names.setHeard(heard, { now - look->lasted, now });
    const auto answer = std::ranges::find(look->clients, m_client, &ClientSighting::client);
    showAnswer(answer == look->clients.end() ? nullptr : &*answer);
    m_state->setText(lookText(*look));
    if (answer != look->clients.end())
        addRow(*answer); // who was asked for comes first
    for (const ClientSighting &sighting : look->clients)
        if (sighting.client != m_client)
            addRow(sighting);
    if (answer != look->clients.end())
        markAnswer();
    m_found->setVisible(!look->clients.empty());
    m_keep->setVisible(!look->clients.empty());
    if (look->clients.empty())
        fitHeight(*this);
    makeRoom();
}

/// In words, above all else that was heard.
void WhoIsThatDialog::showAnswer(const ClientSighting *sighting)
{
    const QString client = displayText(m_client, 60);
    m_answer->setText(sighting != nullptr
            ? tr("Client %1 is at %2 (inferred).").arg(client, placeText(*sighting))
            : tr("Client %1 was not heard: it named itself in no command of a lock in that time.").arg(client));
    setStyleProperty(*m_answer, "tone", sighting != nullptr ? QStringLiteral("good") : QStringLiteral("warning"));
    m_answer->show();
}

void WhoIsThatDialog::markAnswer()
{
    for (int column = 0; column < FoundColumns; ++column) {
        QTableWidgetItem *item = m_found->item(0, column);
        QFont font = item->font();
        font.setBold(true);
        item->setFont(font);
    }
    m_found->selectRow(0);
}

/// For all that was found, up to as many rows as can be looked over at once.
void WhoIsThatDialog::makeRoom()
{
    constexpr int MostRows = 6;
    constexpr int MostWidth = 1'000;
    if (m_found->rowCount() == 0)
        return;
    m_found->resizeColumnsToContents();
    const int rows = std::min(m_found->rowCount(), MostRows);
    m_found->setMinimumHeight(
        m_found->horizontalHeader()->sizeHint().height() + rows * m_found->rowHeight(0) + 2 * m_found->frameWidth());
    const QMargins margins = layout()->contentsMargins();
    const int wanted = m_found->horizontalHeader()->length() + 2 * m_found->frameWidth()
        + m_found->verticalScrollBar()->sizeHint().width() + margins.left() + margins.right();
    const QRect room = screen()->availableGeometry();
    const int most = room.width() - (frameGeometry().width() - width());
    resize(std::max(width(), std::min({ wanted, MostWidth, most })), height());
    m_found->horizontalHeader()->setStretchLastSection(true);
    fitHeight(*this);
    const int below = std::max(0, frameGeometry().bottom() - room.bottom()); // it has grown where it stood
    const int beside = std::max(0, frameGeometry().right() - room.right());
    if (below > 0 || beside > 0)
        move(std::max(room.left(), x() - beside), std::max(room.top(), y() - below));
}

void WhoIsThatDialog::addRow(const ClientSighting &sighting)
{
    const int row = m_found->rowCount();
    m_found->insertRow(row);
    auto *client = new QTableWidgetItem(displayText(sighting.client, 60));
    client->setData(Qt::UserRole, QByteArray::fromStdString(sighting.client));
    client->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    client->setCheckState(sighting.client == m_client ? Qt::Checked : Qt::Unchecked);
    auto *place = new QTableWidgetItem(placeText(sighting));
    place->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    place->setToolTip(plainToolTip(
        tr("%1 commands over %2 connections")
            .arg(countText(sighting.commands), countText(static_cast<qint64>(sighting.connections.size())))));
    const QString known = m_names.nameOf(sighting.client);
    m_found->setItem(row, FoundClient, client);
    m_found->setItem(row, FoundPlace, place);
    auto *name
        = new QTableWidgetItem(known.isEmpty() ? suggestion(sighting) : shownName({ sighting.client, {} }, &m_names));
    name->setData(Qt::UserRole, name->text());
    m_found->setItem(row, FoundName, name);
}

void WhoIsThatDialog::keepNames()
{
    for (int row = 0; row < m_found->rowCount(); ++row) {
        const QTableWidgetItem *item = m_found->item(row, FoundClient);
        const std::string client = item->data(Qt::UserRole).toByteArray().toStdString();
        const QTableWidgetItem *name = m_found->item(row, FoundName);
        const bool isAsItWas = name->text() == name->data(Qt::UserRole).toString() && !m_names.nameOf(client).isEmpty();
        if (item->checkState() == Qt::Checked && !isAsItWas) // it is shown in another notation than it is kept in
            m_names.setName(client, name->text());
    }
    accept();
}

} // namespace lockui
