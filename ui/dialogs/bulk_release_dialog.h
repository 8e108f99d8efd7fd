// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/bulk_lines.h"
#include "ui/dialogs/guarded_dialog.h"

#include <QDeadlineTimer>
#include <QDialog>

#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace lockui {

class BulkTable;
class BulletList;
class PressGuard;

/// What is to be released together.
struct BulkChoice {
    std::vector<BulkLine::Lock> locks;
    std::optional<std::string> client; // whose holds are meant; absent: of all who hold them
};

/// Releases several locks one after the other, each only while it is held as it was seen. Asks for a reason, in
/// production for what is to be typed, and for the word that a client is known to look alive. Tells of each lock what
/// became of it; what is not sent yet can be stopped.
class BulkReleaseDialog : public QDialog {
    Q_OBJECT
public:
    BulkReleaseDialog(const BulkChoice &choice, const ActionPlace &place, QWidget *parent = nullptr);

    void setSnapshot(const lockcore::monitor::Snapshot &snapshot);
    void setSent(); // the one that was asked for last: it cannot be cancelled any more
    void setOutcome(const lockcore::Result<lockcore::synchronizers::CommandOutcome> &outcome); // of that one
    void withdraw(); // nothing may be done there any more
    void reject() override;

    static constexpr std::size_t Most = 500; // locks: what a person can look over, and a server is asked for in a row

Q_SIGNALS:
    void wanted(const lockcore::synchronizers::AdminCommand &command); // an outcome follows
    void cancelled(); // the one that was asked for last, if it is not sent yet

private:
    enum class Step { Asking, Running, Stopping, Done };
    using State = BulkLine::State;

    void build(std::size_t chosen);
    void buildQuestions(QVBoxLayout &layout);
    QLineEdit *addQuestion(QVBoxLayout &layout, QLabel *title);
    void showAll();
    void showAlive();
    void countOthers(const lockcore::monitor::Snapshot &snapshot);
    void refresh();
    void turn(std::size_t row, bool isWanted);
    QString toType() const;
    QString obstacle() const;
    QString unanswered() const;
    QString summary() const;
    std::size_t countOf(State state) const;
    std::size_t openCount() const;
    void confirm();
    void next();
    void end(const QString &whyNotSent);
    bool isRunning() const { return m_step == Step::Running || m_step == Step::Stopping; }

    const ClientNames &m_names;
    const ViewClock &m_clock;
    const QString m_server;
    const QString m_environment;
    const bool m_production;
    const std::optional<std::string> m_client; // whose holds are meant; absent: of all who hold them
    std::vector<BulkLine> m_lines;
    std::optional<std::size_t> m_asked; // whose outcome is awaited
    Step m_step = Step::Asking;
    bool m_live = true;
    bool m_entered = false; // Enter was pressed in a field
    bool m_countsOthers = true; // not done yet
    QDeadlineTimer m_next{ 0 }; // all rows are looked at again
    QStringList m_alive;
    QLabel *m_where;
    BulkTable *m_table;
    BulletList *m_aliveBox;
    QCheckBox *m_acknowledged;
    QWidget *m_questions;
    QLineEdit *m_reason = nullptr;
    QLabel *m_typedTitle = nullptr;
    QLineEdit *m_typed = nullptr; // null: nothing has to be typed
    QLabel *m_others; // that the client holds too, and that are not in the list
    QProgressBar *m_progress;
    QLabel *m_note;
    QLabel *m_why;
    QPushButton *m_close;
    QPushButton *m_confirm;
    PressGuard *m_presses;
};

} // namespace lockui
