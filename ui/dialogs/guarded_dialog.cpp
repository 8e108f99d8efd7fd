// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/guarded_dialog.h"

#include "lockcore/monitor/server_sight.h"
#include "lockcore/service/actions/audit_entry.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/action_text.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/text/lock_text.h"
#include "ui/text/look_alikes.h"

#include <QAction>
#include <QClipboard>
#include <QCloseEvent>
#include <QFocusEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>
#include <limits>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

/// What has to be typed: the name as it is shown, whole.
QString wholeName(const LockName &name) { return lockNameText(name, std::numeric_limits<qsizetype>::max()); }

/// The name of the lock, in as many lines as it needs: without blanks it is broken anywhere, and no name makes the
/// dialog wider than the screen.
class NameLabel : public QLabel {
public:
    explicit NameLabel(QWidget *parent)
        : QLabel(parent)
    {
        setTextFormat(Qt::PlainText);
        setProperty("role", QStringLiteral("lockTitle"));
        setWordWrap(true);
        setContextMenuPolicy(Qt::ActionsContextMenu);
    }

    QSize sizeHint() const override { return minimumSizeHint(); }
    QSize minimumSizeHint() const override
    {
        constexpr int Letters = 12;
        return { Letters * fontMetrics().averageCharWidth(), fontMetrics().height() };
    }
    int heightForWidth(int width) const override { return rectIn(width, wrapIn(width)).height(); }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | wrapIn(width()), text());
    }

private:
    QRect rectIn(int width, int wrap) const
    {
        return fontMetrics().boundingRect(QRect(0, 0, width, QWIDGETSIZE_MAX), wrap, text());
    }
    int wrapIn(int width) const
    {
        return rectIn(width, Qt::TextWordWrap).width() <= width ? Qt::TextWordWrap : Qt::TextWrapAnywhere;
    }
};

QLabel *addNote(QVBoxLayout &layout, const QString &role, QWidget *parent)
{
    QLabel *label = plainLabel(role, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    layout.addWidget(label);
    return label;
}

} // namespace

GuardedDialog::GuardedDialog(Words words, Lock seen, const ActionPlace &place, QWidget *parent)
    : QDialog(parent)
    , m_words(std::move(words))
    , m_lock(std::move(seen))
    , m_server(place.profile.titleWithPlace())
    , m_isOneServer(place.profile.deployment.topology == lockcore::transport::Topology::Single)
    , m_environment(place.profile.environment.trimmed())
    , m_production(place.profile.isProduction())
    , m_names(place.names)
    , m_clock(place.clock)
{
}

MonoTime GuardedDialog::now() const { return m_clock.now(); }

ToldMoment GuardedDialog::told() const
{
    const bool isPast = m_clock.isFrozen() || !m_lock.isLive();
    return { isPast ? std::min(now(), m_lostSince.value_or(now())) : now(), isPast };
}

void GuardedDialog::build(QWidget *subject)
{
    setWindowTitle(m_words.title);
    setMinimumWidth(660);
    auto *content = new QWidget(this);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(20, 0, 20, 0);
    layout->setSpacing(4);
    layout->addWidget(subject);
    layout->addSpacing(10);
    m_warning = new BulletList({}, this);
    m_warning->setProperty("role", QStringLiteral("warningBox"));
    m_warning->setAttribute(Qt::WA_StyledBackground);
    m_warning->layout()->setContentsMargins(10, 8, 10, 8);
    layout->addWidget(m_warning);
    buildQuestions(*layout);
    layout->addSpacing(6);
    m_note = addNote(*layout, {}, this);
    m_trouble = addNote(*layout, QStringLiteral("dangerBox"), this);
    layout->addStretch();
    m_texts = new QScrollArea(this);
    m_texts->setFrameShape(QFrame::NoFrame);
    m_texts->setWidgetResizable(true);
    m_texts->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_texts->setFocusPolicy(Qt::NoFocus);
    m_texts->setWidget(content);
    content->setAutoFillBackground(false);
    m_texts->viewport()->setAutoFillBackground(false);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 18, 0, 18);
    whole->setSpacing(0);
    m_head = new QVBoxLayout;
    m_head->setContentsMargins(20, 0, 20, 4);
    m_head->setSpacing(4);
    buildHead(*m_head);
    whole->addLayout(m_head);
    whole->addWidget(m_texts, 1);
    whole->addSpacing(10);
    buildButtons(*whole);
    m_reason->setFocus();
    connect(&m_clock, &ViewClock::tick, this, &GuardedDialog::tick);
    connect(&m_names, &ClientNames::changed, this, &GuardedDialog::refresh);
    refresh();
}

void GuardedDialog::buildHead(QVBoxLayout &layout)
{
    auto *name = new NameLabel(this);
    name->setText(lockNameText(lockName()));
    auto *copy = new QAction(tr("Copy the name"), name);
    connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(copyText(lockName())); });
    name->addAction(copy);
    name->setAccessibleName(tr("Lock %1").arg(name->text()));
    auto *letters = plainLabel(QStringLiteral("small"), this);
    letters->setText(lookAlikeText(lockName()));
    letters->setProperty("tone", QStringLiteral("warning"));
    letters->setWordWrap(true);
    letters->setHidden(letters->text().isEmpty());
    m_kind = plainLabel(QStringLiteral("pill"), this);
    m_where = plainLabel(QStringLiteral("small"), this);
    m_where->setWordWrap(true);
    auto *line = new QHBoxLayout;
    line->setSpacing(6);
    line->addWidget(name, 1);
    line->addWidget(m_kind, 0, Qt::AlignTop);
    if (!m_environment.isEmpty()) {
        auto *tag = plainLabel(QStringLiteral("pill"), this);
        tag->setText(m_environment);
        if (m_production)
            tag->setProperty("tone", QStringLiteral("warning"));
        line->addWidget(tag, 0, Qt::AlignTop);
    }
    layout.addLayout(line);
    layout.addWidget(letters);
    layout.addWidget(m_where);
}

void GuardedDialog::buildQuestions(QVBoxLayout &layout)
{
    m_questions = new QWidget(this);
    auto *inner = new QVBoxLayout(m_questions);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(4);
    m_reason = addQuestion(*inner, tr("&Reason, for the audit log"));
    m_reason->setPlaceholderText(tr("ticket, who asked for it, why now"));
    if (m_production) {
        m_typedName = addQuestion(*inner, tr("Type the lock's &name to confirm"));
        m_typedName->setPlaceholderText(lockNameText(lockName()));
        setStyleProperty(*m_typedName, "role", QStringLiteral("mono"));
    }
    layout.addWidget(m_questions);
}

QLineEdit *GuardedDialog::addQuestion(QVBoxLayout &layout, const QString &question)
{
    auto *edit = new QLineEdit(this);
    edit->setAccessibleName(QString(question).remove(QLatin1Char('&')));
    auto *title = plainLabel(QStringLiteral("section"), this);
    title->setText(question);
    title->setBuddy(edit);
    layout.addSpacing(10);
    layout.addWidget(title);
    layout.addWidget(edit);
    connect(edit, &QLineEdit::textChanged, this, &GuardedDialog::refresh);
    edit->installEventFilter(this);
    keepAltOut(*edit);
    return edit;
}

void GuardedDialog::buildButtons(QVBoxLayout &layout)
{
    m_why = plainLabel(QStringLiteral("fieldError"), this);
    m_why->setWordWrap(true);
    m_close = new QPushButton(tr("Cancel"), this);
    m_close->setAutoDefault(false);
    m_confirm = new QPushButton(m_words.action, this);
    m_confirm->setProperty("role", QStringLiteral("danger"));
    m_confirm->setAutoDefault(false); // not by Enter in a field
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_confirm, &QPushButton::clicked, this, &GuardedDialog::confirm);
    pressByEnter(*m_close);
    pressByEnter(*m_confirm);
    m_presses = new PressGuard({ m_close, m_confirm }, this);
    m_why->setMinimumHeight(2 * m_why->fontMetrics().lineSpacing()); // it comes and goes beside the buttons
    auto *line = new QHBoxLayout;
    line->setContentsMargins(20, 0, 20, 0);
    line->setSpacing(8);
    line->addWidget(m_why, 1);
    line->addWidget(m_close, 0, Qt::AlignBottom);
    line->addWidget(m_confirm, 0, Qt::AlignBottom);
    layout.addLayout(line);
}

void GuardedDialog::setCurrent(Lock lock)
{
    if (m_step == Step::Done || lock == m_lock.current())
        return;
    m_lock.setCurrent(std::move(lock));
    refresh();
}

void GuardedDialog::setStatus(
    const SourceStatus &status, const QStringList &lostServers, std::vector<std::string> notAsked)
{
    m_lostServers = lostServers;
    m_notAsked = std::move(notAsked);
    m_lock.setLive(isSeenNow(status));
    m_lostSince = m_lock.isLive() ? std::nullopt : status.staleSince;
    refresh();
}

void GuardedDialog::lookAgain()
{
    m_lock.lookAgain();
    m_trouble->hide();
    if (m_typedName)
        m_typedName->clear(); // other holders, another decision
    m_left.clear();
    m_entered = false;
    refresh();
    m_reason->setFocus();
}

/// Why it cannot be done now; empty: it can.
QString GuardedDialog::obstacle() const
{
    if (m_step != Step::Asking)
        return {};
    if (!m_lock.isLive())
        return refusedForLoss();
    if (m_lock.sight() == SeenLock::Sight::Gone)
        return tr("It is no longer in Redis: there is nothing to act on.");
    const QString why = changed();
    return why.isEmpty() ? unanswered() : why;
}

/// A new connection has seen nothing of what the lost server has: that one is not asked then.
QString GuardedDialog::refusedForLoss() const
{
    QString loss = lossText(m_lostServers);
    const auto &current = m_lock.current();
    const bool othersHaveIt = current && current->quorum && current->quorum->held > 0;
    if (m_lostServers.isEmpty() || !othersHaveIt)
        return loss;
    return m_lostServers.size() == 1
        ? tr("%1 To go on without that server, connect again: it is not asked then, and named here.").arg(loss)
        : tr("%1 To go on without those servers, connect again: they are not asked then, and named here.").arg(loss);
}

QString GuardedDialog::elsewhere() const
{
    if (!m_lock.wasElsewhere() || !m_lock.current())
        return {};
    const std::string &now = m_lock.current()->node;
    const std::string &then = m_lock.seen().node;
    return now == then ? tr("It was read from another server for a while since you looked.")
                       : tr("It is read from another server since you looked: %1 instead of %2.")
                             .arg(displayText(now), displayText(then));
}

/// What a person has yet to say; null: nothing.
const QLineEdit *GuardedDialog::openQuestion() const
{
    if (m_step != Step::Asking)
        return nullptr;
    if (m_reason->text().trimmed().isEmpty())
        return m_reason;
    // Blanks at the ends of a name are shown as `\x20`: those that are typed there come along when a name is pasted.
    const QString typed = m_typedName ? m_typedName->text().trimmed() : QString();
    const bool isTyped = !m_typedName || typed == wholeName(lockName())
        || (!typed.isEmpty() && (typed == copyText(lockName()) || toBytes(typed) == lockName()));
    return isTyped ? nullptr : m_typedName;
}

QString GuardedDialog::whyAsked(const QLineEdit *question) const
{
    if (!question)
        return {};
    return question == m_reason ? tr("A reason is needed.") : tr("The lock's name is not typed, letter for letter.");
}

/// A question without an answer is marked as a mistake once the person has left it, not before.
bool GuardedDialog::eventFilter(QObject *watched, QEvent *event)
{
    const auto why
        = event->type() == QEvent::FocusOut ? static_cast<QFocusEvent *>(event)->reason() : Qt::NoFocusReason;
    const bool left = why == Qt::MouseFocusReason || why == Qt::TabFocusReason || why == Qt::BacktabFocusReason
        || why == Qt::ShortcutFocusReason;
    const bool entered = event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->matches(QKeySequence::InsertParagraphSeparator);
    const bool isNews = (left || entered) && m_left.insert(watched).second;
    const bool isFirstEnter = entered && !std::exchange(m_entered, true);
    if (isNews || isFirstEnter)
        refresh();
    return QDialog::eventFilter(watched, event);
}

void GuardedDialog::refresh()
{
    m_kind->setText(kindText(m_lock.shown()).toLower());
    const SeenLock::Sight sight = m_lock.sight();
    m_warning->setHidden(isDone()
        || (m_step == Step::Asking
            && (sight == SeenLock::Sight::Gone || (sight == SeenLock::Sight::Free && !changed().isEmpty()))));
    const QLineEdit *question = openQuestion();
    const QString obstacle = this->obstacle();
    const QString why = obstacle.isEmpty() ? whyAsked(question) : obstacle;
    if (why.isEmpty() && m_entered && m_step == Step::Asking)
        m_why->setText(enterHint(m_words.action));
    else
        m_why->setText(obstacle.isEmpty() && !m_left.contains(question) ? QString() : why);
    m_confirm->setEnabled(why.isEmpty() && m_step == Step::Asking);
    m_confirm->setAccessibleDescription(why);
    m_confirm->setToolTip(plainToolTip(why));
    m_close->setText(closeText());
    m_close->setEnabled(m_step != Step::Cancelling);
    tick();
    if (!isVisible())
        return fit();
    QStringList told;
    for (const QLabel *news : { m_note, m_trouble })
        told << (news->isHidden() ? QString() : news->text());
    const bool isAnyTold = told != QStringList{ {}, {} };
    told << obstacle; // what changed may be seen later than the answer comes
    if (std::exchange(m_told, told) == told || !isAnyTold)
        return;
    grow();
    for (QLabel *news : { m_note, m_trouble })
        if (!news->isHidden())
            QMetaObject::invokeMethod(
                this, [this, news] { m_texts->ensureWidgetVisible(news, 0, 4); }, Qt::QueuedConnection);
}

/// Only before it is seen: from then on the buttons stay where they are, whatever the texts above them say, and a click
/// hits what it was aimed at. There is room for what will be told; more than that is scrolled to.
void GuardedDialog::fit()
{
    constexpr int Room = 40;
    constexpr int Rest = 160; // of the screen: frame, buttons
    for (QWidget *widget : findChildren<QWidget *>())
        widget->ensurePolished(); // with the fonts and borders of the style sheet
    renewLayouts(*this);
    const QLayout &texts = *m_texts->widget()->layout();
    const int asWide = std::max(width(), minimumWidth());
    const int most = screen()->availableSize().height() - m_head->totalHeightForWidth(asWide) - Rest;
    m_texts->setMinimumHeight(std::min(texts.totalHeightForWidth(asWide) + std::max(Room, roomForChange()), most));
    fitHeight(*this);
}

/// Upwards first: so the buttons stay where they are. What was to be done stays in sight above what became of it.
void GuardedDialog::grow()
{
    if (!isVisible() || isMaximized() || isFullScreen())
        return;
    renewLayouts(*this);
    const QWidget &room = *m_texts->viewport();
    const int missing = m_texts->widget()->layout()->totalHeightForWidth(room.width()) - room.height();
    const QRect screen = this->screen()->availableGeometry();
    const QRect frame = frameGeometry();
    const int above = std::min(missing, frame.top() - screen.top());
    const int below = std::min(missing - std::max(0, above), screen.bottom() - frame.bottom());
    setGeometry(geometry().adjusted(0, -std::max(0, above), 0, std::max(0, below)));
}

void GuardedDialog::tick()
{
    const LockState &shown = m_lock.shown();
    QString age;
    if (!isDone() && m_lock.sight() == SeenLock::Sight::Same)
        age = m_lock.isLive() ? knownSinceText(shown, m_clock) : asItWasText(m_clock, m_lostSince);
    const bool isSaid = shown.members.empty() && m_isOneServer && m_server.contains(displayText(shown.node));
    const LockState &there = m_lock.current() ? *m_lock.current() : shown; // by now, by whomever it is held
    QStringList parts{ m_server, isSaid ? QString() : whereText(there), age };
    if (there.quorum)
        parts.prepend(quorumText(*there.quorum));
    parts.removeAll(QString());
    m_where->setText(parts.join(QStringLiteral(" · ")));
    QStringList warnings{ warning() };
    if (!m_notAsked.empty() && m_lock.isLive()) // else it is refused
        warnings.prepend(BulletList::warning(notAskedText(m_notAsked)));
    m_warning->setText(warnings.join(QLatin1Char('\n')));
    showSubject();
}

void GuardedDialog::confirm()
{
    if (m_step != Step::Asking || !obstacle().isEmpty() || openQuestion())
        return;
    m_step = Step::Confirmed;
    m_confirmedAt = m_clock.realNow();
    m_questions->setEnabled(false);
    setStyleProperty(*m_note, "tone", {});
    say(m_note, tr("Connecting to the server …"));
    refresh();
    Q_EMIT confirmed(command(toBytes(m_reason->text().trimmed())));
}

void GuardedDialog::setSent()
{
    if (!awaitsOutcome())
        return;
    m_step = Step::Sent;
    say(m_note,
        tr("Sent: it cannot be cancelled any more. Waiting for the server's answer, which will be shown here …"));
    refresh();
}

bool GuardedDialog::awaitsOutcome() const
{
    return m_step == Step::Confirmed || m_step == Step::Cancelling || m_step == Step::Sent;
}

QString GuardedDialog::closeText() const
{
    switch (m_step) {
    case Step::Asking:
        return m_trouble->isHidden() ? tr("Cancel") : tr("Close"); // of what was answered nothing is called off
    case Step::Confirmed:
        return tr("Cancel");
    case Step::Cancelling:
        return tr("Cancelling …");
    case Step::Sent:
        return tr("Hide");
    case Step::Done:
        return tr("Close");
    }
    return {};
}

void GuardedDialog::reject()
{
    if (m_step == Step::Sent)
        return hide();
    if (m_step == Step::Confirmed) {
        m_step = Step::Cancelling;
        refresh();
        Q_EMIT cancelled();
    }
    if (!awaitsOutcome())
        QDialog::reject();
}

void GuardedDialog::closeEvent(QCloseEvent *event)
{
    if (!awaitsOutcome())
        return QDialog::closeEvent(event);
    event->ignore();
    reject();
}

void GuardedDialog::withdraw()
{
    if (m_step == Step::Asking)
        QDialog::reject();
}

void GuardedDialog::setOutcome(const Result<CommandOutcome> &outcome)
{
    const bool sent = m_step == Step::Sent;
    if (m_step == Step::Cancelling && !outcome && outcome.error().code == ErrorCode::Cancelled)
        return QDialog::reject();
    m_questions->setEnabled(true);
    m_step = outcome && outcome->done ? Step::Done : Step::Asking;
    if (!outcome) {
        // It stays until something else is done: what stood in the way may be over by then.
        const WallTime at = m_clock.wallAt(m_confirmedAt);
        QString text = tr("Tried at %1: %2").arg(clockText(at, at), errorText(outcome.error())) + QLatin1Char('\n')
            + errorDetail(outcome.error());
        if (sent && isDoneInPart(outcome.error()))
            text += QLatin1Char('\n') + tr("Look at the lock before you try again.");
        else if (sent && service::mayHaveBeenDone(outcome.error().code))
            text += QLatin1Char('\n') + tr("Whether it was done is not known: look at the lock before you try again.");
        if (!sent)
            text += QLatin1Char('\n') + tr("Nothing was sent.");
        say(m_trouble, text);
    } else if (!outcome->done) {
        QStringList lines{ tr("Refused, and nothing was changed."), refusal(*outcome),
            wasNotAskedText(outcome->notAsked) };
        lines.removeAll(QString());
        say(m_trouble, lines.join(QLatin1Char('\n')));
    } else {
        setStyleProperty(*m_note, "tone", QStringLiteral("good"));
        say(m_note, QStringLiteral("✓ ") + doneText(*outcome));
        for (QWidget *widget : std::initializer_list<QWidget *>{ m_questions, m_confirm })
            widget->hide();
        sayWhatIsOpen(*outcome);
        m_close->setFocus();
    }
    m_presses->begin(); // the buttons mean something else than when they were aimed at
    refresh();
    if (isHidden())
        show();
}

/// Beside that it is done.
void GuardedDialog::sayWhatIsOpen(const CommandOutcome &outcome)
{
    QStringList open{ wasNotAskedText(outcome.notAsked) };
    if (outcome.notRecorded)
        open << tr("The audit log could not be told that it is done: %1").arg(displayText(*outcome.notRecorded));
    open.removeAll(QString());
    m_trouble->setText(open.join(QLatin1Char('\n')));
    m_trouble->setVisible(!open.isEmpty());
}

void GuardedDialog::say(QLabel *label, const QString &text)
{
    m_note->setVisible(label == m_note);
    m_trouble->setVisible(label == m_trouble);
    label->setText(text);
}

} // namespace lockui
