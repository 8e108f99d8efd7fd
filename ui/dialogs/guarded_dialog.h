// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/synchronizers/admin_command.h"
#include "ui/dialogs/connection_store.h"
#include "ui/dialogs/seen_lock.h"
#include "ui/models/client_overview.h"

#include <QDialog>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace lockui {

class BulletList;
class ClientNames;
class PressGuard;
class ViewClock;

/// Where something is done to a lock, what its clients are called, and what time it is.
struct ActionPlace {
    const ConnectionProfile &profile;
    const ClientNames &names; // outlives the dialog, as the clock does
    const ViewClock &clock;
};

/// Asks for a reason before something is done to a lock of others, as it was seen. Whatever changes meanwhile disarms
/// it. In production the name of the lock has to be typed too.
class GuardedDialog : public QDialog {
    Q_OBJECT
public:
    using Lock = SeenLock::Lock;

    const lockcore::LockName &lockName() const { return m_lock.seen().name; }
    const lockcore::monitor::LockState &seen() const { return m_lock.seen(); }

    void setCurrent(Lock lock); // of the newest snapshot; null: gone
    /// Of the same snapshot: nothing is done on stale sight. `lostServers`: that have the lock, while others are seen.
    /// `notAsked`: independent servers that are out of sight, and may have the lock.
    void setStatus(const lockcore::monitor::SourceStatus &status, const QStringList &lostServers = {},
        std::vector<std::string> notAsked = {});
    void setSent(); // what was confirmed cannot be cancelled any more
    /// The answer to `confirmed`. It is shown even if the dialog was hidden meanwhile.
    void setOutcome(const lockcore::Result<lockcore::synchronizers::CommandOutcome> &outcome);
    void withdraw(); // there is nothing to act on any more: closes, unless an outcome is awaited
    void reject() override;

Q_SIGNALS:
    void confirmed(const lockcore::synchronizers::AdminCommand &command);
    void cancelled(); // what was confirmed, if it is not sent yet; an outcome follows

protected:
    struct Words {
        QString title;
        QString action; // on the button
    };
    GuardedDialog(Words words, Lock seen, const ActionPlace &place, QWidget *parent);

    /// To be called at the end of the constructor of a class that is derived: shows what was seen.
    void build(QWidget *subject);
    void refresh();
    void lookAgain(); // what is there now is what was seen
    bool isAsking() const { return m_step == Step::Asking; } // nothing was confirmed yet
    bool isDone() const { return m_step == Step::Done; }
    const SeenLock &lock() const { return m_lock; }
    QString elsewhere() const; // that another server has it by now; empty: that is not so
    const ClientNames &names() const { return m_names; }
    lockcore::MonoTime now() const;
    ToldMoment told() const; // of what is shown

private:
    /// Why it cannot be done to what is there now, which is not gone; empty: it is as it was seen.
    virtual QString changed() const = 0;
    virtual QString warning() const = 0;
    virtual lockcore::synchronizers::AdminCommand command(std::string reason) const = 0;
    virtual QString refusal(const lockcore::synchronizers::CommandOutcome &outcome) const = 0;
    virtual QString doneText(const lockcore::synchronizers::CommandOutcome &outcome) const = 0;
    virtual QString unanswered() const { return {}; } // what the subject still asks a person; empty: nothing
    virtual void showSubject() { } // as it is at this moment
    virtual int roomForChange() const { return 0; } // so much the subject may grow

    enum class Step { Asking, Confirmed, Cancelling, Sent, Done };

    void buildHead(QVBoxLayout &layout);
    void buildQuestions(QVBoxLayout &layout);
    void buildButtons(QVBoxLayout &layout);
    QLineEdit *addQuestion(QVBoxLayout &layout, const QString &question);
    void tick();
    QString obstacle() const;
    QString refusedForLoss() const;
    const QLineEdit *openQuestion() const;
    QString whyAsked(const QLineEdit *question) const;
    void confirm();
    bool eventFilter(QObject *watched, QEvent *event) override;
    void fit();
    void grow();
    void closeEvent(QCloseEvent *event) override;
    bool awaitsOutcome() const;
    QString closeText() const;
    void say(QLabel *label, const QString &text);
    void sayWhatIsOpen(const lockcore::synchronizers::CommandOutcome &outcome);

    const Words m_words;
    SeenLock m_lock;
    std::optional<lockcore::MonoTime> m_lostSince; // nothing is seen of it since then
    QStringList m_lostServers;
    std::vector<std::string> m_notAsked;
    QStringList m_told; // what there was room made for
    const QString m_server;
    const bool m_isOneServer; // which m_server names
    const QString m_environment;
    const bool m_production;
    const ClientNames &m_names;
    const ViewClock &m_clock;
    Step m_step = Step::Asking;
    lockcore::MonoTime m_confirmedAt; // at last, whatever time the window shows
    QVBoxLayout *m_head = nullptr; // what is acted on, and where: never scrolled away
    QScrollArea *m_texts = nullptr; // all between that and the buttons
    QLabel *m_kind = nullptr;
    QLabel *m_where = nullptr;
    BulletList *m_warning = nullptr;
    QWidget *m_questions = nullptr;
    QLineEdit *m_reason = nullptr;
    QLineEdit *m_typedName = nullptr; // null: nothing has to be typed
    bool m_entered = false; // in a field
    std::set<const QObject *> m_left; // questions that the person has been at
    QLabel *m_note = nullptr;
    QLabel *m_trouble = nullptr;
    QLabel *m_why = nullptr;
    QPushButton *m_close = nullptr;
    QPushButton *m_confirm = nullptr;
    PressGuard *m_presses = nullptr;
};

} // namespace lockui
