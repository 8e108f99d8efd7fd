// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/free_play_hands.h"

#include "ui/dialogs/notice_dialog.h"
#include "ui/text/error_text.h"

#include <utility>

namespace lockui {

FreePlayHands::FreePlayHands(QWidget &view)
    : QObject(&view)
    , m_view(view)
{
}

void FreePlayHands::begin()
{
    m_isSomethingLeft = false;
    m_endedOn.clear();
}

void FreePlayHands::setState(const lab::FreePlayState &state)
{
    auto holds = handHolds(state);
    if (holds == m_holds)
        return;
    m_holds = std::move(holds);
    Q_EMIT changed();
}

void FreePlayHands::leave(const QString &server)
{
    m_endedOn = server;
    m_gaveBack = !m_holds.empty();
}

/// Whoever has switched it to read-only looks at another page. What may be left there has been told by itself.
void FreePlayHands::tellEnd(const QString &text)
{
    if (!m_endedOn.isEmpty() && m_gaveBack && !m_isSomethingLeft)
        notice(tr("Free play has ended"), text);
}

void FreePlayHands::tellCutShort(const lockcore::Error &error)
{
    notice(tr("Free play has ended"), errorSentence(error));
}

/// Others use that server: it must not go by unseen.
void FreePlayHands::tellLeft(const lockcore::Error &error)
{
    m_isSomethingLeft = true;
    notice(tr("Something of free play may be left on the server"), errorSentence(error));
}

void FreePlayHands::notice(const QString &title, const QString &text)
{
    auto *dialog = new NoticeDialog(tr("Free play"), title, text, &m_view);
    dialog->show();
}

} // namespace lockui
