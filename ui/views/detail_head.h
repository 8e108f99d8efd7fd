// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/support/freshness.h"
#include "ui/support/lock_end.h"

#include <QWidget>

#include <optional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace lockui {

class ClientNames;
class ElidedLabel;

/// Which lock is shown in detail: its name, what it is, how old that is, where it is, and what can be done to it. The
/// name says what the buttons act upon: where there is no room for all, what it is gives way first, then where it is;
/// then the buttons stand below, and only then the name is cut.
class DetailHead : public QWidget {
    Q_OBJECT
public:
    DetailHead(const ViewClock &clock, QWidget *parent = nullptr);

    /// `end`: absent while the lock is there.
    /// `lostSince`: its server; absent: it is seen.
    void show(const lockcore::monitor::LockState &lock, const std::optional<LockEnd> &end,
        const std::optional<lockcore::MonoTime> &lostSince);
    void setClientNames(const ClientNames &names) { m_names = &names; }
    void setInCluster(bool inCluster) { m_inCluster = inCluster; } // where slots say something
    void setHidden(bool hidden); // by the filter
    void setNarrow(bool narrow) { m_isNarrow = narrow; } // shorter words
    /// `whyNot`: empty when it can be acted on. `permitChosen`: that could be returned.
    void showActions(const lockcore::monitor::LockState *lock, const QString &whyNot, bool permitChosen);
    void sayCopied();
    QToolButton &copyAs() const { return *m_copyAs; } // whose menu others fill

Q_SIGNALS:
    void copyRequested();
    void renewRequested();
    void forceReleaseRequested();
    void returnRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override; // something in it has another size

private:
    struct Pill {
        QLabel *label;
        QString text; // whole
        QString tip;
    };

    void setPill(QLabel &label, const QString &text, const QString &tip);
    void arrange();
    int widthOf(const Pill &pill, const QString &text) const;
    QString cut(const Pill &pill, int by) const; // to a few letters at least
    void setButtonsBelow(bool areBelow);
    void releaseByKey();
    void showPills(const lockcore::monitor::LockState &lock, bool isGone);
    void showQuorum(const lockcore::monitor::LockState &lock, bool isGone);
    QString endedText(const LockEnd &end) const;

    const ViewClock &m_clock;
    const ClientNames *m_names = nullptr;
    bool m_inCluster = false;
    bool m_isNarrow = false;

    ElidedLabel *m_title;
    std::vector<Pill> m_pills;
    QStringList m_said; // when it was arranged last
    QLabel *m_kindPill;
    QLabel *m_leasePill;
    QLabel *m_quorumPill; // on independent servers
    QLabel *m_hiddenPill;
    QLabel *m_read; // how old it is: never cut
    ElidedLabel *m_where;
    QPushButton *m_copy;
    QToolButton *m_copyAs;
    QPushButton *m_renew;
    QPushButton *m_forceRelease;
    QPushButton *m_return; // of a permit
    QWidget *m_buttons; // these
    QHBoxLayout *m_line;
    QHBoxLayout *m_lineBelow;
    int m_readRoom = 0; // for how old it is, which changes all the time
};

} // namespace lockui
