// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/free_play_place.h"

#include "ui/text/display_text.h"
#include "ui/views/free_play_hands.h"

#include <QStandardItemModel>
#include <QStyleOptionComboBox>
#include <QStylePainter>

#include <algorithm>

namespace lockui {

namespace {

constexpr int LeastOfPlace = 170; // its name is short
constexpr int MostOfPlace = 250;
constexpr int MostOfReason = 360;
constexpr int BesideText = 6;

enum PlaceRow { PrivateServer, ConnectedServer };

} // namespace

FreePlayPlace::FreePlayPlace(QWidget *parent)
    : QComboBox(parent)
{
    addItems({ tr("A private server"), {} });
    setAccessibleName(tr("Where to play"));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(this, &QComboBox::currentIndexChanged, this, &FreePlayPlace::showPlaces);
    showPlaces();
}

void FreePlayPlace::setConnected(const ConnectedPlace &place)
{
    m_connected = place;
    showPlaces();
}

bool FreePlayPlace::isOnConnected() const { return currentIndex() == ConnectedServer; }

void FreePlayPlace::chooseConnected(bool connected) { setCurrentIndex(connected ? ConnectedServer : PrivateServer); }

void FreePlayPlace::showPlaces()
{
    const QString text = m_connected.server ? tr("Connected: %1").arg(m_connected.title)
                                            : tr("The connected server: %1").arg(m_connected.whyNot);
    setItemText(ConnectedServer, text);
    setItemData(ConnectedServer, plainToolTip(text), Qt::ToolTipRole);
    auto *items = qobject_cast<QStandardItemModel *>(model());
    items->item(ConnectedServer)->setEnabled(m_connected.server.has_value());
    const bool isGone = isOnConnected() && !m_connected.server;
    const int reason = std::clamp(widthFor(text), MostOfPlace, MostOfReason);
    setMinimumWidth(isGone ? reason : 0);
    setMaximumWidth(isGone ? reason : isOnConnected() ? MostOfPlace : LeastOfPlace);
    setToolTip(plainToolTip(isGone ? text
            : isOnConnected()
            ? tr("Groups contend there under names of their own, which are removed when it stops. Clients that are led "
                 "by hand take the lock that you name, and give back what they hold when it stops.")
            : tr("Started for it, and gone when it stops. %1").arg(text)));
}

int FreePlayPlace::widthFor(const QString &text) const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QSize content(fontMetrics().horizontalAdvance(text) + BesideText, fontMetrics().height());
    return style()->sizeFromContents(QStyle::CT_ComboBox, &option, content, this).width();
}

/// Qt cuts in the middle of a letter.
void FreePlayPlace::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width());
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

QString FreePlayPlace::about() const
{
    if (isOnConnected())
        return tr(
            "Clients are real processes on the connected server. Those that are led by hand take the lock that you "
            "name, as any client of it does, and give back what they hold when it stops. Groups that contend by "
            "themselves do so under names of their own, and all of that is removed when it stops.");
    return tr("Clients are real processes on a private server of their own. Turn the knobs while they run, take one by "
              "the hand, let it crash.");
}

QStringList FreePlayPlace::noteTexts(
    lab::FreePlayPhase phase, const lab::FreePlayState *shown, bool contends, const FreePlayHands &hands) const
{
    switch (phase) {
    case lab::FreePlayPhase::Stopped:
        return shown ? stoppedTexts(hands) : QStringList(QString());
    case lab::FreePlayPhase::Starting:
        return { tr("Starting…") };
    case lab::FreePlayPhase::Stopping:
        return { tr("Stopping: what clients hold is given back, and what they wrote is removed…"), tr("Stopping…") };
    case lab::FreePlayPhase::Running:
        break;
    }
    return shown ? runningTexts(shown->server, contends ? shown->prefix : std::string()) : runningTexts({}, {});
}

QStringList FreePlayPlace::runningTexts(const std::string &server, const std::string &prefix) const
{
    if (isOnConnected() && prefix.empty())
        return { tr("On %1").arg(m_connected.title) };
    if (isOnConnected())
        return { tr("On %1, under names with %2").arg(m_connected.title, displayText(prefix)),
            tr("Under names with %1").arg(displayText(prefix)) };
    QStringList texts{ tr("Private server, gone when it stops"), tr("Gone when it stops") };
    if (!server.empty())
        texts.prepend(tr("Private server %1, gone when it stops").arg(displayText(server)));
    return texts;
}

QStringList FreePlayPlace::stoppedTexts(const FreePlayHands &hands) const
{
    const QString &left = hands.endedOn();
    if (!left.isEmpty() && hands.isSomethingLeft())
        return {
            tr("Stopped: the window is no longer connected to %1 for writing; something may be left there").arg(left),
            tr("Stopped: something may be left on %1").arg(left), tr("Stopped: something may be left")
        };
    if (!left.isEmpty())
        return { tr("Stopped: the window is no longer connected to %1 for writing. What clients held is given back")
                     .arg(left),
            tr("Stopped: what clients held is given back") };
    if (isOnConnected() && hands.isSomethingLeft())
        return { tr("Stopped: something may be left on the server; the figures are those of its end"),
            tr("Stopped: something may be left on the server"), tr("Stopped: something may be left") };
    if (isOnConnected())
        return { tr("Stopped: what clients held is given back; the figures are those of its end"),
            tr("Stopped: what clients held is given back") };
    return { tr("Stopped: server and clients are gone; the figures are those of its end"),
        tr("Stopped: server and clients are gone") };
}

} // namespace lockui
