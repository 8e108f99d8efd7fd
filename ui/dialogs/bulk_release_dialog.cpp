// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/bulk_release_dialog.h"

#include "ui/dialogs/bulk_table.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

std::vector<BulkLine::Lock> firstOf(std::vector<BulkLine::Lock> locks)
{
    if (locks.size() > BulkReleaseDialog::Most)
        locks.resize(BulkReleaseDialog::Most);
    return locks;
}

} // namespace

BulkReleaseDialog::BulkReleaseDialog(const BulkChoice &choice, const ActionPlace &place, QWidget *parent)
    : QDialog(parent)
    , m_names(place.names)
    , m_clock(place.clock)
    , m_server(place.profile.titleWithPlace())
    , m_environment(place.profile.environment.trimmed())
    , m_production(place.profile.isProduction())
    , m_client(choice.client)
    , m_lines(bulkLines(firstOf(choice.locks), choice.client))
    , m_where(plainLabel(QStringLiteral("small"), this))
    , m_table(new BulkTable(m_lines, m_names, m_clock, this))
    , m_aliveBox(new BulletList({}, this))
    , m_acknowledged(new QCheckBox(tr("I &know that it looks alive: release all the same"), this))
    , m_questions(new QWidget(this))
    , m_others(plainLabel(QStringLiteral("fieldError"), this))
    , m_progress(new QProgressBar(this))
    , m_note(plainLabel({}, this))
    , m_why(plainLabel(QStringLiteral("fieldError"), this))
    , m_close(new QPushButton(tr("Cancel"), this))
    , m_confirm(new QPushButton(this))
    , m_presses(new PressGuard({ m_close, m_confirm }, this))
{
    build(choice.locks.size());
    if (choice.client) {
        const QString name = namedOwner({ *choice.client, {} }, &m_names);
        setWindowTitle(tr("Release all of %1").arg(name));
    }
    connect(&m_clock, &ViewClock::tick, this, [this] {
        if (!m_next.hasExpired())
            return;
        m_next.setRemainingTime(ViewClock::FiguresEvery);
        showAll();
    });
    connect(m_table, &BulkTable::turned, this, &BulkReleaseDialog::turn);
    showAll();
    refresh();
    m_reason->setFocus();
}

void BulkReleaseDialog::build(std::size_t chosen)
{
    setWindowTitle(tr("Release several locks"));
    constexpr QSize Frame(16, 48); // it is known only when it is there
    resize(QSize(1040, 620).boundedTo(screen()->availableSize() - Frame));
    auto *title = plainLabel(QStringLiteral("dialogTitle"), this);
    title->setText(tr("Release these locks by force"));
    if (m_production)
        setStyleProperty(*m_where, "tone", QStringLiteral("warning"));
    auto *text = plainLabel({}, this);
    text->setWordWrap(true);
    QString what
        = tr("One after the other, each only if its holders are still those shown here. The holders are not told: "
             "they go on working while the next ones start, and their unlocks fail.");
    if (chosen > m_lines.size())
        what += QLatin1Char('\n')
            + tr("These are the first %1 of %2: the others can be released after them.")
                  .arg(countText(std::ssize(m_lines)), countText(static_cast<qint64>(chosen)));
    text->setText(what);
    m_aliveBox->setAttribute(Qt::WA_StyledBackground);
    m_aliveBox->layout()->setContentsMargins(10, 8, 10, 8);
    m_others->setWordWrap(true);
    m_others->hide();
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(6);
    m_progress->hide();
    m_note->setWordWrap(true);
    m_note->hide();
    m_why->setWordWrap(true);
    m_confirm->setProperty("role", QStringLiteral("danger"));
    m_close->setAutoDefault(false);
    m_confirm->setAutoDefault(false); // not by Enter in a field
    pressByEnter(*m_close);
    pressByEnter(*m_confirm);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_confirm, &QPushButton::clicked, this, &BulkReleaseDialog::confirm);
    connect(m_acknowledged, &QCheckBox::toggled, this, &BulkReleaseDialog::refresh);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(6);
    for (QWidget *widget : std::initializer_list<QWidget *>{ title, m_where, text })
        layout->addWidget(widget);
    layout->addWidget(m_others);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_aliveBox);
    layout->addWidget(m_acknowledged);
    buildQuestions(*layout);
    layout->addWidget(m_progress);
    layout->addWidget(m_note);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_why, 1);
    buttons->addWidget(m_close);
    buttons->addWidget(m_confirm);
    layout->addSpacing(4);
    layout->addLayout(buttons);
}

void BulkReleaseDialog::showAll()
{
    QStringList parts{ m_server, m_environment, asItWasText(m_clock) };
    parts.removeAll(QString());
    m_where->setText(parts.join(QStringLiteral(" · ")));
    m_table->showAll();
    showAlive();
}

void BulkReleaseDialog::showAlive()
{
    if (m_step != Step::Asking)
        return;
    QStringList lines;
    const bool isPast = m_clock.isFrozen();
    for (const QString &text : aliveTexts(m_lines, m_names, { m_clock.now(), isPast }))
        lines << BulletList::warning(text);
    const bool appears = m_alive.isEmpty() && !lines.isEmpty();
    const bool goes = !m_alive.isEmpty() && lines.isEmpty();
    m_alive = lines;
    const QString noSign = isPast
        ? tr("No sign of life of the holders was seen in the half minute before the connection was lost, or since this "
             "program looked. That alone does not mean that they were gone.")
        : tr("No sign of life of the holders was seen in the last half minute, or since this program looks. That alone "
             "does not mean that they are gone.");
    m_aliveBox->setText(lines.isEmpty() ? BulletList::item(noSign) : lines.join(QLatin1Char('\n')));
    setStyleProperty(*m_aliveBox, "role", lines.isEmpty() ? QStringLiteral("panel") : QStringLiteral("warningBox"));
    m_acknowledged->setVisible(!lines.isEmpty());
    if (appears)
        m_acknowledged->setChecked(false); // it was not known when it was ticked
    if (appears || goes)
        refresh();
}

void BulkReleaseDialog::buildQuestions(QVBoxLayout &layout)
{
    auto *inner = new QVBoxLayout(m_questions);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(4);
    auto *reason = plainLabel(QStringLiteral("section"), m_questions);
    reason->setText(tr("&Reason, for the audit log: it is recorded with each lock"));
    m_reason = addQuestion(*inner, reason);
    m_reason->setAccessibleName(tr("Reason, for the audit log"));
    m_reason->setPlaceholderText(tr("ticket, who asked for it, why now"));
    if (m_production) {
        m_typedTitle = plainLabel(QStringLiteral("section"), m_questions);
        m_typed = addQuestion(*inner, m_typedTitle);
        setStyleProperty(*m_typed, "role", QStringLiteral("mono"));
    }
    layout.addWidget(m_questions);
}

QLineEdit *BulkReleaseDialog::addQuestion(QVBoxLayout &layout, QLabel *title)
{
    auto *edit = new QLineEdit(m_questions);
    title->setBuddy(edit);
    keepAltOut(*edit);
    layout.addWidget(title);
    layout.addWidget(edit);
    connect(edit, &QLineEdit::textChanged, this, &BulkReleaseDialog::refresh);
    connect(edit, &QLineEdit::returnPressed, this, [this] {
        m_entered = true;
        refresh();
    });
    return edit;
}

void BulkReleaseDialog::turn(std::size_t row, bool isWanted)
{
    m_lines[row].isWanted = isWanted;
    m_lines[row].untickedFor.clear();
    m_table->showRow(row);
    showAlive();
    refresh();
}

void BulkReleaseDialog::setSnapshot(const Snapshot &snapshot)
{
    countOthers(snapshot);
    m_live = isFresh(snapshot);
    for (std::size_t row = 0; row < m_lines.size(); ++row) {
        BulkLine &line = m_lines[row];
        const BulkLine::Lock before = line.current;
        setCurrent(line, snapshot.locks.find(line.seen->name), m_names);
        const LockState &known = line.current ? *line.current : *line.seen;
        const QStringList lost = lostServersOf(snapshot, known);
        auto notAsked = serversOutOfSight(snapshot, known);
        const bool isAskedAsBefore = line.notAsked == notAsked;
        line.notAsked = std::move(notAsked);
        line.isSeen = m_live && lost.isEmpty();
        line.seenUntil = seenUntil(snapshot, known, MonoTime::max());
        const bool isOther = line.lostServers != lost || line.current != before || !isAskedAsBefore;
        setLostServers(line, lost);
        if (isOther)
            m_table->showRow(row);
    }
    refresh();
}

/// Counts once, since it is a walk over all locks.
void BulkReleaseDialog::countOthers(const Snapshot &snapshot)
{
    if (!m_client || !std::exchange(m_countsOthers, false))
        return;
    std::set<LockName> listed;
    for (const BulkLine &line : m_lines)
        listed.insert(line.seen->name);
    qint64 others = 0;
    for (const auto &lock : snapshot.locks) {
        const bool isIts = std::ranges::any_of(
            lock->holders, [this](const Holder &holder) { return holder.owner.client == *m_client; });
        others += isIts && !listed.contains(lock->name) ? 1 : 0;
    }
    if (others == 0)
        return;
    setWindowTitle(tr("Release locks of %1").arg(namedOwner({ *m_client, {} }, &m_names)));
    m_others->setText(tr("%1 other locks that it holds are not among these, and stay held.", nullptr, pluralOf(others))
                          .arg(countText(others)));
    m_others->show();
}

std::size_t BulkReleaseDialog::countOf(State state) const
{
    return static_cast<std::size_t>(std::ranges::count(m_lines, state, &BulkLine::state));
}

std::size_t BulkReleaseDialog::openCount() const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_lines, &BulkLine::isOpen));
}

/// The words to type name the number of locks: whoever types them has seen it, and types anew when it changes.
QString BulkReleaseDialog::toType() const { return tr("release %1").arg(openCount()); }

/// Why it cannot be done now; empty: it can.
QString BulkReleaseDialog::obstacle() const
{
    if (m_step != Step::Asking)
        return {};
    if (!m_live)
        return lossText({});
    if (openCount() == 0)
        return tr("None of these can be released.");
    return {};
}

/// What a person has yet to say; empty: nothing.
QString BulkReleaseDialog::unanswered() const
{
    if (m_step != Step::Asking)
        return {};
    if (!m_alive.isEmpty() && !m_acknowledged->isChecked())
        return tr("Say that you know that it looks alive.");
    if (m_reason->text().trimmed().isEmpty())
        return tr("A reason is needed.");
    if (m_typed && m_typed->text().trimmed() != toType())
        return tr("Type “%1” to confirm.").arg(toType());
    return {};
}

QString BulkReleaseDialog::summary() const
{
    QStringList parts;
    const auto add = [&](State state, const QString &text) {
        if (const auto count = static_cast<qint64>(countOf(state)); count > 0 || state == State::Released)
            parts << text.arg(countText(count));
    };
    add(State::Released, tr("%1 released"));
    add(State::Refused, tr("%1 refused by the server"));
    add(State::Changed, tr("%1 left out: changed since you looked"));
    add(State::Failed, tr("%1 failed"));
    add(State::Unknown, tr("%1 not known"));
    add(State::NotSent, tr("%1 not sent"));
    qint64 unticked = 0;
    qint64 unseen = 0;
    for (const BulkLine &line : m_lines)
        if (line.state == State::Open && !line.isWanted)
            ++(line.untickedFor.isEmpty() ? unticked : unseen);
    if (unseen > 0)
        parts << tr("%1 left out: the server was lost").arg(countText(unseen));
    if (unticked > 0)
        parts << tr("%1 not wanted").arg(countText(unticked));
    return parts.join(QStringLiteral(" · "));
}

void BulkReleaseDialog::refresh()
{
    const QString obstacle = this->obstacle();
    const QString why = obstacle.isEmpty() ? unanswered() : obstacle;
    const auto count = static_cast<qint64>(openCount());
    m_confirm->setText(tr("&Force release %1 locks", nullptr, pluralOf(count)).arg(countText(count)));
    // A question that nobody had the time to answer is no mistake.
    const bool isMistake = m_entered || !obstacle.isEmpty();
    setStyleProperty(*m_why, "role", isMistake ? QStringLiteral("fieldError") : QStringLiteral("small"));
    m_why->setText(why.isEmpty() && m_entered && m_step == Step::Asking ? enterHint(m_confirm->text()) : why);
    m_confirm->setEnabled(m_step == Step::Asking && why.isEmpty());
    m_confirm->setVisible(m_step == Step::Asking);
    m_confirm->setAccessibleDescription(why);
    m_close->setText(m_step == Step::Asking ? tr("Cancel")
            : m_step == Step::Running       ? tr("&Stop")
            : m_step == Step::Stopping      ? tr("Stopping …")
                                            : tr("Close"));
    m_close->setEnabled(m_step != Step::Stopping);
    const bool asking = m_step == Step::Asking;
    for (QWidget *widget : std::initializer_list<QWidget *>{ m_questions, m_aliveBox })
        widget->setVisible(asking);
    m_acknowledged->setVisible(asking && !m_alive.isEmpty());
    if (m_typedTitle)
        m_typedTitle->setText(tr("&Type “%1” to confirm").arg(toType()));
    if (m_typed) {
        m_typed->setPlaceholderText(toType());
        m_typed->setAccessibleName(tr("Type “%1” to confirm").arg(toType()));
    }
    m_progress->setVisible(isRunning());
    m_progress->setValue(static_cast<int>(std::ranges::count_if(m_lines, &BulkLine::isOver)));
    m_note->setVisible(!asking);
    m_note->setText(summary());
}

void BulkReleaseDialog::confirm()
{
    if (!obstacle().isEmpty() || !unanswered().isEmpty())
        return;
    m_step = Step::Running;
    int queued = 0;
    for (BulkLine &line : m_lines) {
        if (!line.isOpen())
            continue;
        line.state = State::Queued;
        ++queued;
    }
    m_progress->setRange(0, queued);
    m_table->tellOutcomes();
    m_close->setFocus();
    m_presses->begin(); // what stops it comes to where the button was
    next();
}

/// One at a time: a server is never asked for more than one release at once, and what is not sent can be stopped.
void BulkReleaseDialog::next()
{
    const auto line = std::ranges::find(m_lines, State::Queued, &BulkLine::state);
    if (line == m_lines.end())
        return end({});
    if (m_step == Step::Stopping)
        return end(tr("Not sent: stopped."));
    if (!m_live)
        return end(tr("Not sent: the connection was lost."));
    const auto row = static_cast<std::size_t>(line - m_lines.begin());
    if (!line->lostServers.isEmpty()) {
        line->state = State::NotSent;
        line->said = tr("Not sent: %1").arg(lossText(line->lostServers));
        m_table->showRow(row);
        return next();
    }
    m_asked = row;
    line->state = State::Asking;
    m_table->showRow(*m_asked);
    m_table->scrollToRow(*m_asked);
    refresh();
    Q_EMIT wanted(commandFor(*line, toBytes(m_reason->text().trimmed())));
}

void BulkReleaseDialog::setSent()
{
    if (!m_asked)
        return;
    m_lines[*m_asked].state = State::Sent;
    m_table->showRow(*m_asked);
}

void BulkReleaseDialog::setOutcome(const Result<CommandOutcome> &outcome)
{
    if (!m_asked)
        return;
    const std::size_t row = *std::exchange(m_asked, std::nullopt);
    const bool ends = lockui::setOutcome(m_lines[row], outcome, m_names);
    m_table->showRow(row);
    refresh();
    if (!ends || m_step == Step::Stopping)
        QTimer::singleShot(0, this, &BulkReleaseDialog::next);
    else
        end(tr("Not sent: ended after an error."));
}

void BulkReleaseDialog::end(const QString &whyNotSent)
{
    for (BulkLine &line : m_lines) {
        if (line.state != State::Queued)
            continue;
        line.state = State::NotSent;
        line.said = whyNotSent;
    }
    m_step = Step::Done;
    m_table->tellOutcomes();
    m_presses->begin();
    refresh();
    m_close->setFocus(); // which it lost if it was pressed to stop
    if (isHidden())
        show();
}

void BulkReleaseDialog::withdraw()
{
    if (m_step == Step::Asking)
        QDialog::reject();
    else
        reject();
}

void BulkReleaseDialog::reject()
{
    if (!isRunning())
        return QDialog::reject();
    if (m_step == Step::Stopping)
        return;
    m_step = Step::Stopping;
    refresh();
    if (m_asked && m_lines[*m_asked].state == State::Asking)
        Q_EMIT cancelled();
}

} // namespace lockui
