// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"
#include "ui/support/freshness.h"
#include "ui/support/theme.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QPushButton;

namespace lockui {

class ClientNames;
class PressGuard;

/// Over every page while something is not as it should be: a sign, what it is, and what can be done. Hidden until then.
/// The parent has the focus where the button is there no more.
class Banner : public QWidget {
    Q_OBJECT
public:
    Banner(const Theme &theme, Tone tone, QWidget *parent); // Warning or Danger

Q_SIGNALS:
    void actionChosen();

protected:
    void setShown(bool isShown);
    void setAction(const QString &title); // empty: nothing can be done
    void say(const QString &text, const QString &more); // `more`: when asked for

private:
    void applyTheme();

    const Theme &m_theme;
    const Tone m_tone;
    QLabel *m_sign;
    QLabel *m_text;
    QPushButton *m_action;
    PressGuard *m_presses;
};

/// While what is shown may no longer be true: since when, and what is being done about it.
class StaleBanner : public Banner {
    Q_OBJECT
public:
    StaleBanner(const Theme &theme, const ViewClock &clock, QWidget *parent);

    void setSnapshot(const lockcore::monitor::Snapshot &snapshot);
    void setPaused(std::optional<lockcore::MonoTime> since); // absent: what is shown goes on

private:
    struct Server {
        QString name;
        std::optional<lockcore::MonoTime> since; // absent: never reached
        QString reason;
    };
    using Servers = std::vector<Server>;

    /// What is not watched.
    struct Loss {
        Servers lost;
        Servers unreached; // never yet
        QStringList details; // of both
        bool whole = false; // none is watched
    };

    static QString namesOf(const Servers &servers);
    static QString about(const Servers &servers, const QString &one, const QString &several);
    static std::optional<SeenLast> seenLastOf(const Servers &servers);
    static std::vector<Servers> byReason(const Servers &servers);

    void add(Servers &servers, const std::string &name, const lockcore::monitor::SourceStatus &status);
    void decide();
    void refresh();
    QString pausedText(lockcore::MonoTime now) const;
    QString meanwhileText() const;
    QString recordingText(lockcore::MonoTime now) const;
    QString partText(lockcore::MonoTime now) const;
    QString unreachedText(const Servers &servers) const;
    QString retryText(lockcore::MonoTime now) const;
    QString wholeText(lockcore::MonoTime now) const;

    const ViewClock &m_clock;
    lockcore::monitor::SourceStatus m_status;
    Loss m_loss;
    std::optional<lockcore::MonoTime> m_pausedSince;
    Loss m_lossAtPause;
};

/// While clients wait for each other in a circle: who, and for what.
class DeadlockBanner : public Banner {
    Q_OBJECT
public:
    DeadlockBanner(const Theme &theme, const ClientNames &names, QWidget *parent);

    void setSnapshot(const lockcore::monitor::Snapshot &snapshot); // without an analysis: nothing is known

Q_SIGNALS:
    void lockChosen(const lockcore::LockName &lock); // of the first circle

private:
    void refresh();

    const ClientNames &m_names;
    std::shared_ptr<const lockcore::monitor::WaitGraph> m_graph;
    bool m_isLost = false; // a server of the first of them
};

} // namespace lockui
