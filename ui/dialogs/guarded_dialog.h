// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/admin_command.h"

#include <QDialog>
#include <QString>
#include <memory>

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace lockui {

/// Asks for a reason before something is done to a lock of others, as it was seen. Whatever changes meanwhile disarms
/// it.
class GuardedDialog : public QDialog {
    Q_OBJECT
public:
    using Lock = std::shared_ptr<const lockcore::LockState>;

    const lockcore::LockName &lockName() const { return m_seen->name; }

    void setCurrent(Lock lock); // of the newest snapshot; null: gone
    void setStatus(const lockcore::SourceStatus &status); // of the same snapshot: nothing is done on stale sight
    void setOutcome(const lockcore::Result<lockcore::CommandOutcome> &outcome); // the answer to `confirmed`

Q_SIGNALS:
    void confirmed(const lockcore::AdminCommand &command);

protected:
    struct Words {
        QString title;
        QString action; // on the button
        QString done; // once it is
    };
    /// `typesName`: the name of the lock has to be typed too.
    GuardedDialog(Words words, Lock seen, bool typesName, QWidget *parent);

    /// To be called at the end of the constructor of a class that is derived: shows what was seen.
    void build(QWidget *subject, const QString &warning);
    void refresh();
    const Lock &seen() const { return m_seen; }
    const Lock &current() const { return m_current; }

private:
    /// Why it cannot be done to what is there now, which is not gone; empty: it is as it was seen.
    virtual QString changed() const = 0;
    virtual lockcore::AdminCommand command(std::string reason) const = 0;
    virtual QString refusal(const lockcore::CommandOutcome &outcome) const = 0;

    enum class Step { Asking, Sent, Done };

    QLineEdit *addQuestion(QVBoxLayout &layout, const QString &question);
    QString obstacle() const;
    void confirm();
    void say(QLabel *label, const QString &text);

    const Words m_words;
    const Lock m_seen;
    Lock m_current;
    bool m_live = true;
    Step m_step = Step::Asking;
    const bool m_typesName;
    QWidget *m_questions = nullptr;
    QLineEdit *m_reason = nullptr;
    QLineEdit *m_typedName = nullptr; // null: nothing has to be typed
    QLabel *m_note = nullptr;
    QLabel *m_trouble = nullptr;
    QLabel *m_why = nullptr;
    QPushButton *m_close = nullptr;
    QPushButton *m_confirm = nullptr;
};

} // namespace lockui
