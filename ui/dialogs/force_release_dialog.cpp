// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/force_release_dialog.h"

#include "ui/dialogs/fit_height.h"
#include "ui/dialogs/holder_list.h"
#include "ui/dialogs/release_guard.h"
#include "ui/dialogs/release_text.h"
#include "ui/support/display_text.h"
#include "ui/support/error_text.h"
#include "ui/support/lock_text.h"
#include "ui/support/view_clock.h"
#include "ui/support/widgets.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <limits>

namespace lockui {

using namespace lockcore;

namespace {

bool isProduction(const QString &environment)
{
    return environment.trimmed().startsWith(QLatin1String("prod"), Qt::CaseInsensitive);
}

/// What has to be typed: the name as it is shown, whole.
QString wholeName(const LockName &name) { return displayText(name, std::numeric_limits<qsizetype>::max()); }

/// After these the command may have reached the server.
bool mayHaveArrived(ErrorCode code)
{
    return code == ErrorCode::ReplyTimeout || code == ErrorCode::ConnectionClosed || code == ErrorCode::NetworkOther
        || code == ErrorCode::MalformedReply;
}

} // namespace

class ForceReleaseDialog::Private {
    Q_DECLARE_TR_FUNCTIONS(ForceReleaseDialog)
public:
    enum class Step { Asking, Sent, Done };

    Private(ForceReleaseDialog &dialog, std::shared_ptr<const LockState> lock, QString tag, const ViewClock &viewClock)
        : q(dialog)
        , guard(std::move(lock))
        , environment(std::move(tag))
        , clock(viewClock)
    {
    }

    void build();
    void buildHead(QVBoxLayout &layout);
    void buildChange(QVBoxLayout &layout);
    void buildQuestions(QVBoxLayout &layout);
    void buildButtons(QVBoxLayout &layout);
    QLabel *addSection(QVBoxLayout &layout);
    QLineEdit *addQuestion(QVBoxLayout &layout, const QString &question);

    void refresh();
    void tick();
    void lookAgain();
    void release();
    QString obstacle() const;
    bool isHeldAsSeen() const { return step != Step::Done && guard.sight() == ReleaseGuard::Sight::Same; }
    QString sightObstacle() const;
    void showOutcome(const CommandOutcome &outcome);
    void showNote(const QString &text, const QString &tone);
    void showTrouble(const QString &text);

    ForceReleaseDialog &q;
    ReleaseGuard guard;
    QString environment;
    const ViewClock &clock;
    Step step = Step::Asking;

    QLabel *kind = nullptr;
    QLabel *where = nullptr;
    QLabel *seenTitle = nullptr;
    HolderList *seen = nullptr;
    QLabel *times = nullptr;
    QWidget *change = nullptr;
    HolderList *now = nullptr;
    QLabel *wokenTitle = nullptr;
    QLabel *woken = nullptr;
    QLabel *warnings = nullptr;
    QWidget *questions = nullptr;
    QLineEdit *reason = nullptr;
    QLineEdit *typedName = nullptr; // null: nothing has to be typed
    QLabel *note = nullptr;
    QLabel *trouble = nullptr;
    QLabel *why = nullptr;
    QPushButton *close = nullptr;
    QPushButton *confirm = nullptr;
};

void ForceReleaseDialog::Private::build()
{
    q.setWindowTitle(tr("Force release"));
    q.setMinimumWidth(660);
    auto *layout = new QVBoxLayout(&q);
    layout->setContentsMargins(20, 18, 20, 18);
    layout->setSpacing(4);
    buildHead(*layout);

    seenTitle = addSection(*layout);
    seen = new HolderList(&q);
    seen->setAccessibleName(tr("Holders as you saw them"));
    layout->addWidget(seen);
    times = plainLabel(QStringLiteral("small"), &q);
    layout->addWidget(times);
    buildChange(*layout);
    wokenTitle = addSection(*layout);
    wokenTitle->setText(tr("Who is woken"));
    woken = plainLabel({}, &q);
    woken->setWordWrap(true);
    layout->addWidget(woken);
    layout->addSpacing(10);
    warnings = plainLabel(QStringLiteral("warningBox"), &q);
    warnings->setWordWrap(true);
    layout->addWidget(warnings);
    buildQuestions(*layout);
    layout->addSpacing(6);
    note = plainLabel({}, &q);
    trouble = plainLabel(QStringLiteral("dangerBox"), &q);
    for (QLabel *label : { note, trouble }) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->hide();
        layout->addWidget(label);
    }
    layout->addStretch();
    layout->addSpacing(10);
    buildButtons(*layout);
}

void ForceReleaseDialog::Private::buildHead(QVBoxLayout &layout)
{
    auto *name = plainLabel(QStringLiteral("lockTitle"), &q);
    name->setText(displayText(guard.seen().name));
    name->setWordWrap(true);
    name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    name->setAccessibleName(tr("Lock %1").arg(name->text()));
    kind = plainLabel(QStringLiteral("pill"), &q);
    where = plainLabel(QStringLiteral("small"), &q);
    auto *line = new QHBoxLayout;
    line->setSpacing(6);
    line->addWidget(name, 1);
    line->addWidget(kind);
    if (!environment.trimmed().isEmpty()) {
        auto *tag = plainLabel(QStringLiteral("pill"), &q);
        tag->setText(environment.trimmed());
        if (isProduction(environment))
            tag->setProperty("tone", QStringLiteral("warning"));
        line->addWidget(tag);
    }
    layout.addLayout(line);
    layout.addWidget(where);
}

/// Shown when the lock changed hands while the dialog was open.
void ForceReleaseDialog::Private::buildChange(QVBoxLayout &layout)
{
    change = new QWidget(&q);
    auto *inner = new QVBoxLayout(change);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(4);
    addSection(*inner)->setText(tr("Now it is held by"));
    now = new HolderList(change);
    now->setAccessibleName(tr("Holders now"));
    inner->addWidget(now);
    auto *again = new QPushButton(tr("&Look again"), change);
    again->setAutoDefault(false);
    again->setToolTip(plainToolTip(tr("Takes the holders of now as those to release")));
    QObject::connect(again, &QPushButton::clicked, &q, [this] { lookAgain(); });
    inner->addSpacing(2);
    inner->addWidget(again, 0, Qt::AlignLeft);
    layout.addWidget(change);
}

void ForceReleaseDialog::Private::buildQuestions(QVBoxLayout &layout)
{
    questions = new QWidget(&q);
    auto *inner = new QVBoxLayout(questions);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(4);
    reason = addQuestion(*inner, tr("&Reason, for the audit log"));
    reason->setPlaceholderText(tr("ticket, who asked for it, why now"));
    if (isProduction(environment)) {
        typedName = addQuestion(*inner, tr("Type the lock's &name to confirm"));
        typedName->setPlaceholderText(displayText(guard.seen().name));
        setStyleProperty(*typedName, "role", QStringLiteral("mono"));
    }
    layout.addWidget(questions);
}

void ForceReleaseDialog::Private::buildButtons(QVBoxLayout &layout)
{
    why = plainLabel(QStringLiteral("fieldError"), &q);
    why->setWordWrap(true);
    close = new QPushButton(tr("Cancel"), &q);
    close->setAutoDefault(false);
    confirm = new QPushButton(tr("&Force release"), &q);
    confirm->setProperty("role", QStringLiteral("danger"));
    confirm->setAutoDefault(false); // not by Enter in a field
    QObject::connect(close, &QPushButton::clicked, &q, &QDialog::reject);
    QObject::connect(confirm, &QPushButton::clicked, &q, [this] { release(); });
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(why, 1);
    line->addWidget(close);
    line->addWidget(confirm);
    layout.addLayout(line);
}

QLabel *ForceReleaseDialog::Private::addSection(QVBoxLayout &layout)
{
    auto *title = plainLabel(QStringLiteral("section"), &q);
    layout.addSpacing(10);
    layout.addWidget(title);
    return title;
}

QLineEdit *ForceReleaseDialog::Private::addQuestion(QVBoxLayout &layout, const QString &question)
{
    auto *edit = new QLineEdit(&q);
    edit->setAccessibleName(QString(question).remove(QLatin1Char('&')));
    auto *title = addSection(layout);
    title->setText(question);
    title->setBuddy(edit);
    layout.addWidget(edit);
    QObject::connect(edit, &QLineEdit::textChanged, &q, [this] { refresh(); });
    return edit;
}

void ForceReleaseDialog::Private::refresh()
{
    const LockState &lock = guard.shown();
    const bool changed = guard.sight() == ReleaseGuard::Sight::Changed && step != Step::Done;
    kind->setText(kindText(lock).toLower());
    seenTitle->setText(changed ? tr("You saw") : step == Step::Done ? tr("Was held by") : tr("Held by"));
    change->setVisible(changed);
    const bool known = step != Step::Done && (isHeldAsSeen() || guard.sight() == ReleaseGuard::Sight::Stale);
    wokenTitle->setVisible(known);
    woken->setVisible(known);
    woken->setText(wokenText(lock));
    warnings->setText(QStringLiteral("•  ") + releaseWarnings(lock).join(QStringLiteral("\n•  ")));
    const QString reasonNot = obstacle();
    why->setText(reasonNot);
    confirm->setEnabled(reasonNot.isEmpty() && step == Step::Asking);
    confirm->setAccessibleDescription(reasonNot);
    tick();
    fitHeight(q);
}

void ForceReleaseDialog::Private::tick()
{
    const LockState &lock = guard.shown();
    const MonoTime moment = clock.now();
    seen->show(lock, isHeldAsSeen() ? std::optional(moment) : std::nullopt);
    const auto ttl = ttlAt(lock, moment);
    QStringList facts;
    if (lock.holders.size() > 1)
        facts << (ttl ? tr("%1 to live in all").arg(ttlText(*ttl)) : tr("never expires"));
    if (!lock.holders.empty())
        facts << leaseProof(lock) << tr("held %1").arg(heldText(lock, moment));
    times->setText(isHeldAsSeen() ? facts.join(QStringLiteral(" · ")) : QString());
    where->setText(tr("node %1 · read %2").arg(displayText(lock.node), agoText(lock.readAtMono, moment)));
    if (guard.current() && !change->isHidden())
        now->show(*guard.current(), moment);
}

/// Why it cannot be released now; empty: it can.
QString ForceReleaseDialog::Private::obstacle() const
{
    if (step != Step::Asking)
        return {};
    if (QString unseen = sightObstacle(); !unseen.isEmpty())
        return unseen;
    if (reason->text().trimmed().isEmpty())
        return tr("A reason is needed.");
    if (typedName && typedName->text() != wholeName(guard.seen().name))
        return tr("The lock's name is not typed yet, letter for letter.");
    return {};
}

QString ForceReleaseDialog::Private::sightObstacle() const
{
    switch (guard.sight()) {
    case ReleaseGuard::Sight::Same:
        return {};
    case ReleaseGuard::Sight::Changed:
        return tr("The holders changed since you looked. Look again first.");
    case ReleaseGuard::Sight::Free:
        return tr("The lock is free: there is nothing to release.");
    case ReleaseGuard::Sight::Gone:
        return tr("The lock is no longer in Redis: there is nothing to release.");
    case ReleaseGuard::Sight::Stale:
        return tr("The connection is lost: nobody knows who holds the lock now.");
    }
    return {};
}

void ForceReleaseDialog::Private::lookAgain()
{
    guard.lookAgain();
    trouble->hide();
    if (typedName)
        typedName->clear(); // other holders, another decision
    refresh();
    reason->setFocus();
}

void ForceReleaseDialog::Private::release()
{
    if (step != Step::Asking || !obstacle().isEmpty())
        return;
    step = Step::Sent;
    questions->setEnabled(false);
    showNote(tr("Sent. Waiting for the server's answer …"), {});
    refresh();
    Q_EMIT q.confirmed(guard.command(toBytes(reason->text().trimmed())));
}

void ForceReleaseDialog::Private::showOutcome(const CommandOutcome &outcome)
{
    if (!outcome.done)
        return showTrouble(
            tr("Refused, and nothing was changed: the holders were not those you saw.\n\nExpected\n%1\n\nFound\n%2")
                .arg(holderLines(guard.seen()), holderLines(outcome.found)));
    step = Step::Done;
    showNote(outcome.published ? tr("✓ Released. Waiting clients were told.")
                               : tr("✓ Released. No message was sent to waiting clients."),
        QStringLiteral("good"));
    for (QWidget *widget : std::initializer_list<QWidget *>{ warnings, questions, confirm })
        widget->hide();
    close->setText(tr("Close"));
    close->setFocus();
}

void ForceReleaseDialog::Private::showNote(const QString &text, const QString &tone)
{
    trouble->hide();
    note->setText(text);
    setStyleProperty(*note, "tone", tone);
    note->show();
}

void ForceReleaseDialog::Private::showTrouble(const QString &text)
{
    note->hide();
    trouble->setText(text);
    trouble->show();
}

ForceReleaseDialog::ForceReleaseDialog(
    std::shared_ptr<const LockState> seen, const QString &environment, const ViewClock &clock, QWidget *parent)
    : QDialog(parent)
    , d(std::make_unique<Private>(*this, std::move(seen), environment, clock))
{
    d->build();
    d->refresh();
    d->reason->setFocus();
    connect(&clock, &ViewClock::tick, this, [this] { d->tick(); });
}

ForceReleaseDialog::~ForceReleaseDialog() = default;

const LockName &ForceReleaseDialog::lockName() const { return d->guard.seen().name; }

void ForceReleaseDialog::setCurrent(std::shared_ptr<const LockState> lock)
{
    if (d->step == Private::Step::Done || lock == d->guard.current())
        return;
    d->guard.setCurrent(std::move(lock));
    d->refresh();
}

void ForceReleaseDialog::setStatus(const SourceStatus &status)
{
    d->guard.setLive(status.phase == SourcePhase::Live || status.phase == SourcePhase::Sweeping);
    d->refresh();
}

void ForceReleaseDialog::setOutcome(const Result<CommandOutcome> &outcome)
{
    d->questions->setEnabled(true);
    d->step = Private::Step::Asking;
    if (outcome) {
        d->showOutcome(*outcome);
    } else {
        QString text = errorText(outcome.error().code) + QLatin1Char('\n') + errorDetail(outcome.error());
        if (mayHaveArrived(outcome.error().code))
            text += QLatin1Char('\n') + tr("Whether it was done is not known: look at the lock before you try again.");
        d->showTrouble(text);
    }
    d->refresh();
}

} // namespace lockui
