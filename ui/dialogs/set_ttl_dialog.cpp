// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/set_ttl_dialog.h"

#include "lockcore/base/duration.h"
#include "ui/dialogs/holder_list.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace lockui {

using namespace lockcore;
using namespace lockcore::synchronizers;

namespace {

/// Seconds, which can be typed as `90`, `90s`, `10m` or `2h`.
class SecondsBox : public QSpinBox {
public:
    explicit SecondsBox(QWidget *parent)
        : QSpinBox(parent)
    {
        setRange(1, 86'400);
        setSuffix(SetTtlDialog::tr(" s"));
        setAccessibleName(SetTtlDialog::tr("Time to live from now, in seconds"));
        setToolTip(plainToolTip(SetTtlDialog::tr("Seconds, or 10m, 2h")));
        connect(this, &QSpinBox::editingFinished, this,
            [this] { lineEdit()->setText(textFromValue(value()) + suffix()); }); // what was typed is seen in seconds
    }

protected:
    QValidator::State validate(QString &text, int &) const override
    {
        const QString given = withoutSuffix(text);
        if (given.isEmpty())
            return QValidator::Intermediate;
        const auto seconds = parsed(given);
        if (!seconds)
            return QValidator::Invalid;
        return *seconds < minimum() ? QValidator::Intermediate : QValidator::Acceptable;
    }
    int valueFromText(const QString &text) const override { return parsed(withoutSuffix(text)).value_or(value()); }

private:
    QString withoutSuffix(const QString &text) const
    {
        return (text.endsWith(suffix()) ? text.chopped(suffix().size()) : text).trimmed();
    }
    std::optional<int> parsed(const QString &given) const
    {
        constexpr Millis Second{ 1'000 };
        const auto millis = parseDuration(given.toStdString(), { Second, Millis(0), maximum() * Second });
        return millis && *millis % Second == Millis(0) ? std::optional(int(*millis / Second)) : std::nullopt;
    }
};

} // namespace

SetTtlDialog::SetTtlDialog(Lock seen, const ActionPlace &place, QWidget *parent)
    : GuardedDialog({ tr("Renew"), tr("Re&new") }, std::move(seen), place, parent)
    , m_seconds(new SecondsBox(this))
{
    m_seconds->setValue(secondsToOffer(lock().seen(), now()));
    m_seconds->setFixedWidth(120);
    auto *subject = new QWidget(this);
    m_holders = new HoldersView(names(), tr("Held by"), subject);
    auto *question = plainLabel({}, subject);
    question->setText(tr("Time to live from now"));
    auto *line = new QHBoxLayout;
    line->setSpacing(10);
    line->addWidget(question);
    line->addWidget(m_seconds);
    line->addStretch();
    auto *layout = new QVBoxLayout(subject);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_holders);
    layout->addLayout(line);
    connect(m_holders, &HoldersView::lookAgainChosen, this, &SetTtlDialog::lookAgain);
    build(subject);
}

void SetTtlDialog::showSubject() { m_holders->show(lock(), isDone(), now()); }

QString SetTtlDialog::changed() const
{
    if (lock().sight() == SeenLock::Sight::Free)
        return tr("The lock is free: there is nothing to renew.");
    return lock().sight() == SeenLock::Sight::Changed ? tr("The holders changed since you looked. Look again first.")
                                                      : QString();
}

QString SetTtlDialog::warning() const
{
    return tr(
        "All holders get this time. Redisson's watchdog sets it anew at its next tick, lockctl's when less than its "
        "own time is left; and a short time frees the lock while its holder goes on.");
}

AdminCommand SetTtlDialog::command(std::string reason) const
{
    return SetTtl{ lockName(), lock().shown().kind, expectedHolders(lock().seen()),
        Millis(m_seconds->value() * 1'000LL), std::move(reason) };
}

QString SetTtlDialog::refusal(const CommandOutcome &outcome) const
{
    return tr("It is held by\n%1").arg(holderLines(outcome.found, names()));
}

QString SetTtlDialog::doneText(const CommandOutcome &) const { return tr("Renewed."); }

int secondsToOffer(const lockcore::monitor::LockState &lock, lockcore::MonoTime now)
{
    constexpr std::int64_t Usual = 30;
    constexpr std::int64_t Day = 86'400;
    if (!lock.holders.empty() && !lock.expiresAt)
        return Day; // it never expires
    const auto left
        = std::chrono::ceil<std::chrono::seconds>(lockcore::monitor::ttlAt(lock, now).value_or(lockcore::Millis{ 0 }));
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), Usual, Day));
}

RenewDialog::RenewDialog(const lockcore::monitor::LockState &lock, QWidget *parent)
    : QDialog(parent)
    , m_seconds(new SecondsBox(this))
{
    setWindowTitle(tr("Renew"));
    QLabel *title = plainLabel(QStringLiteral("dialogTitle"), this);
    title->setText(tr("Renew “%1”").arg(displayText(lock.name, 80)));
    m_seconds->setValue(secondsToOffer(lock, ViewClock::steadyNow()));
    auto *form = new QFormLayout;
    form->addRow(tr("Time to live from now"), m_seconds);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton *renew = buttons->addButton(tr("Renew"), QDialogButtonBox::AcceptRole);
    renew->setProperty("role", QStringLiteral("primary"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addLayout(form);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

lockcore::Millis RenewDialog::lease() const { return lockcore::Millis(m_seconds->value() * 1000LL); }

} // namespace lockui
