// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connection_dialog.h"

#include "lockcore/service/rights/connection_probe.h"
#include "ui/dialogs/connection_form.h"
#include "ui/dialogs/connection_store.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/text/right_text.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>
#include <functional>
#include <utility>

namespace lockui {

using lockcore::Result;
using lockcore::service::ConnectionProbe;
using lockcore::service::ConnectionReport;
using lockcore::service::ServerAnswer;

namespace {

constexpr int ButtonSpacing = 12; // above the buttons

QString roundTripText(std::chrono::microseconds roundTrip)
{
    const double ms = static_cast<double>(roundTrip.count()) / 1000.0;
    return ConnectionDialog::tr("%1 ms").arg(QString::number(ms, 'f', ms < 1 ? 2 : ms < 10 ? 1 : 0));
}

QString summary(const ConnectionReport &report)
{
    QStringList parts;
    parts << (report.version.empty() ? ConnectionDialog::tr("Connected, version unknown")
                                     : ConnectionDialog::tr("Redis %1").arg(displayText(report.version)));
    for (const std::string &part : { report.role, report.mode })
        if (!part.empty())
            parts << displayText(part);
    parts << roundTripText(report.roundTrip);
    return parts.join(QStringLiteral(" · "));
}

QString permitted(const ConnectionReport &report)
{
    const auto part = [](const QString &name, bool works) -> QString {
        return (works ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + name;
    };
    return QStringList{ part(ConnectionDialog::tr("read-only scripts"), report.readOnlyScripts),
        part(ConnectionDialog::tr("client tracking"), report.clientTracking),
        part(ConnectionDialog::tr("pub/sub"), report.pubSub) }
        .join(QStringLiteral("   "));
}

/// What the style makes of the size of a widget is known only once that is shown.
class ShownScroll : public QScrollArea {
public:
    ShownScroll(std::function<void()> shown, QWidget *parent)
        : QScrollArea(parent)
        , m_shown(std::move(shown))
    {
    }

protected:
    void showEvent(QShowEvent *event) override
    {
        QScrollArea::showEvent(event);
        m_shown();
    }

private:
    std::function<void()> m_shown;
};

} // namespace

class ConnectionDialog::Private {
    Q_DECLARE_TR_FUNCTIONS(ConnectionDialog)
public:
    explicit Private(ConnectionDialog &dialog)
        : q(dialog)
    {
    }

    ConnectionDialog &q;
    std::vector<ConnectionProfile> connections; // as in the list
    ConnectionForm *form = nullptr;
    ConnectionProbe *test = nullptr;
    QListWidget *recent = nullptr; // null: there are none
    QPushButton *forget = nullptr;
    QScrollArea *scroll = nullptr; // of the form and the result
    int fitted = 0; // the height that was chosen last
    QLabel *headline = nullptr;
    BulletList *detail = nullptr;
    QHBoxLayout *buttons = nullptr;
    QPushButton *tryIt = nullptr;
    QPushButton *accept = nullptr;

    QLayout *buildRecent(QWidget &parent)
    {
        auto *title = plainLabel(QStringLiteral("section"), &parent);
        title->setText(tr("Recent"));
        recent = new QListWidget(&parent);
        recent->setProperty("role", QStringLiteral("recent"));
        recent->setAccessibleName(tr("Recent connections"));
        recent->setFixedWidth(240);
        recent->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        recent->setTextElideMode(Qt::ElideMiddle); // what comes last tells them apart
        for (const ConnectionProfile &connection : connections) {
            const QString url = connectionUrl(connection.deployment);
            QStringList facts; // what a person must not overlook
            if (!connection.environment.isEmpty())
                facts << connection.environment;
            if (connection.readOnlyLocked)
                facts << tr("read-only, locked");
            QStringList lines{ connection.name.isEmpty() ? url : connection.name };
            if (!facts.isEmpty())
                lines.front() = facts.join(QStringLiteral(" · ")) + QStringLiteral(" · ") + lines.front();
            if (!connection.name.isEmpty())
                lines << url;
            auto *item = new QListWidgetItem(lines.join(QLatin1Char('\n')), recent);
            item->setToolTip(plainToolTip((facts << url).join(QStringLiteral(" · "))));
        }
        forget = new QPushButton(tr("Forget this one"), &parent);
        forget->setAutoDefault(false);
        forget->setEnabled(false);
        forget->setToolTip(plainToolTip(tr("Takes it out of the list, with its password (Del)")));
        QObject::connect(recent, &QListWidget::currentRowChanged, form, [this](int row) {
            forget->setEnabled(row >= 0);
            if (row >= 0)
                form->setProfile(connections[static_cast<std::size_t>(row)]);
        });
        QObject::connect(forget, &QPushButton::clicked, form, [this] { forgetChosen(); });
        auto *del = new QShortcut(QKeySequence::Delete, recent);
        del->setContext(Qt::WidgetShortcut);
        QObject::connect(del, &QShortcut::activated, form, [this] { forgetChosen(); });
        auto *layout = new QVBoxLayout;
        layout->addWidget(title);
        layout->addWidget(recent, 1);
        layout->addWidget(forget);
        return layout;
    }

    /// The form keeps what was known of it: it can be connected to after all, and is remembered again.
    void forgetChosen()
    {
        const int row = recent->currentRow();
        if (row < 0)
            return;
        const QSignalBlocker chosenByNobody(recent);
        delete recent->takeItem(row);
        recent->setCurrentRow(-1);
        enableSafely(*forget, false, *recent);
        const ConnectionProfile profile = connections[static_cast<std::size_t>(row)];
        connections.erase(connections.begin() + row);
        form->setKnown(connections);
        Q_EMIT q.forgetWanted(profile);
    }

    QWidget *buildResult(QWidget &parent)
    {
        auto *box = new QWidget(&parent);
        headline = plainLabel({}, box);
        detail = new BulletList(QStringLiteral("small"), box);
        headline->setWordWrap(true);
        headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
        headline->setAccessibleName(tr("Result of the test"));
        auto *texts = new QVBoxLayout(box);
        texts->setContentsMargins(0, 0, 0, 0);
        texts->setSpacing(4);
        texts->addWidget(headline);
        texts->addWidget(detail);
        return box;
    }

    /// The form may be higher than the screen, and so may what a test tells: the buttons stay below in any case.
    QWidget *buildScrolled()
    {
        scroll = new ShownScroll([this] { fit(); }, &q);
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setWidgetResizable(true);
        scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        scroll->setFocusPolicy(Qt::NoFocus);
        auto *body = new QWidget(scroll);
        form = new ConnectionForm(body);
        auto *layout = new QVBoxLayout(body);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(12);
        layout->addWidget(form);
        layout->addWidget(buildResult(*body));
        layout->addStretch();
        scroll->setWidget(body);
        QObject::connect(qApp, &QApplication::focusChanged, scroll, [this, body](QWidget *, QWidget *now) {
            if (now && body->isAncestorOf(now))
                scroll->ensureWidgetVisible(now, 0, 12);
        });
        return scroll;
    }

    /// As high as its content, as far as there is room on the screen; a height that a person chose stays.
    void fit()
    {
        renewLayouts(q);
        const QWidget &body = *scroll->widget();
        const int bar = q.style()->pixelMetric(QStyle::PM_ScrollBarExtent);
        scroll->setMinimumSize(body.minimumSizeHint().width() + bar, 160);
        const QLayout &layout = *q.layout();
        const int width = std::max(q.width(), layout.totalMinimumSize().width());
        const int beside = recent ? recent->width() + layout.spacing() : 0;
        const QMargins margins = layout.contentsMargins();
        const int inside = width - beside - margins.left() - margins.right() - bar;
        const int needed = body.layout()->totalHeightForWidth(inside) + buttons->sizeHint().height() + margins.top()
            + margins.bottom() + 2 * ButtonSpacing;
        if (needed == fitted && width == q.width())
            return;
        fitted = needed;
        const QRect room = q.screen()->availableGeometry();
        const int frame = q.frameGeometry().height() - q.height();
        q.resize(width, std::min(needed, room.height() - frame));
        if (q.isVisible() && q.frameGeometry().bottom() > room.bottom())
            q.move(q.x(), std::max(room.top(), room.bottom() - q.frameGeometry().height() + 1));
    }

    QLayout *buildButtons(QDialog &dialog)
    {
        tryIt = new QPushButton(tr("&Test"), &dialog);
        tryIt->setAutoDefault(false);
        QObject::connect(tryIt, &QPushButton::clicked, form, [this] { toggleTest(); });
        auto *cancel = new QPushButton(tr("Cancel"), &dialog);
        cancel->setAutoDefault(false);
        accept = new QPushButton(tr("&Connect"), &dialog);
        accept->setProperty("role", QStringLiteral("primary"));
        accept->setDefault(true);
        QObject::connect(cancel, &QPushButton::clicked, &dialog, &QDialog::reject);
        QObject::connect(accept, &QPushButton::clicked, &dialog, &QDialog::accept);
        buttons = new QHBoxLayout;
        buttons->addWidget(tryIt);
        buttons->addStretch();
        buttons->addWidget(cancel);
        buttons->addWidget(accept);
        return buttons;
    }

    void show(const QString &text, const QString &tone, const QString &more)
    {
        headline->setText(text);
        setStyleProperty(*headline, "tone", tone);
        detail->setText(more);
        detail->setVisible(!more.isEmpty());
        fit();
    }

    void showResult(const QString &text, const QString &tone, const QString &more)
    {
        show(text, tone, more);
        renewLayouts(q);
        if (!more.isEmpty())
            scroll->ensureWidgetVisible(detail, 0, 0);
        scroll->ensureWidgetVisible(headline, 0, 4); // if there is not room for both: from its beginning on
    }

    void formChanged()
    {
        test->cancel();
        tryIt->setText(tr("&Test"));
        tryIt->setEnabled(form->isValid());
        accept->setEnabled(form->isValid());
        if (form->isValid())
            show(tr("Not tested."), {}, {});
        else
            show(tr("Correct what is marked in red first."), QStringLiteral("danger"), {});
    }

    void toggleTest()
    {
        if (test->isRunning())
            return formChanged();
        tryIt->setText(tr("S&top"));
        const auto deployment = form->profile().deployment;
        showResult(tr("Trying %1 …").arg(displayText(deployment.display())), {}, {});
        test->start(deployment);
    }

    void showReport(const Result<ConnectionReport> &report)
    {
        tryIt->setText(tr("&Test"));
        if (!report)
            return showResult(errorText(report.error()), QStringLiteral("danger"), errorDetail(report.error()));
        const QString answers = answersText(*report);
        const bool isWhole = isAllReached(*report);
        QStringList lines;
        if (isWhole && !answers.isEmpty())
            lines << answers;
        for (const ServerAnswer &each : report->servers) // first what is not as it should be
            if (each.error)
                lines << BulletList::warning(answerText(each));
        for (const ServerAnswer &each : report->servers)
            if (!each.error)
                lines << answerText(each);
        lines << permitted(*report);
        for (const auto &missing : report->missing)
            lines << BulletList::item(missingRightText(missing));
        if (!report->aclLine.empty())
            lines << tr("All of it: %1").arg(displayText(report->aclLine));
        showResult(isWhole ? summary(*report) : answers + QStringLiteral(" · ") + summary(*report),
            isWhole && report->missing.empty() ? QStringLiteral("good") : QStringLiteral("warning"),
            lines.join(QLatin1Char('\n')));
    }
};

ConnectionDialog::ConnectionDialog(const std::vector<ConnectionProfile> &recent, QWidget *parent)
    : QDialog(parent)
    , d(std::make_unique<Private>(*this))
{
    setWindowTitle(tr("Connect"));
    d->connections = recent;
    d->test = new ConnectionProbe(this);
    auto *right = new QVBoxLayout;
    right->setSpacing(ButtonSpacing);
    right->addWidget(d->buildScrolled(), 1);
    d->form->setKnown(recent);
    right->addLayout(d->buildButtons(*this));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 18);
    layout->setSpacing(20);
    if (!recent.empty())
        layout->addLayout(d->buildRecent(*this));
    layout->addLayout(right, 1);
    setMinimumWidth(recent.empty() ? 680 : 940);

    connect(d->form, &ConnectionForm::changed, this, [this] { d->formChanged(); });
    connect(d->test, &ConnectionProbe::finished, this,
        [this](const Result<ConnectionReport> &report) { d->showReport(report); });
    d->formChanged();
    d->form->beginWithUrl();
}

ConnectionDialog::~ConnectionDialog() = default;

void ConnectionDialog::setProfile(const ConnectionProfile &profile)
{
    d->form->setProfile(profile);
    d->form->beginWithUrl();
}

void ConnectionDialog::beginWithPassword(bool ofSentinels) { d->form->beginWithPassword(ofSentinels); }

void ConnectionDialog::setKeyring(const QString &whyNot) { d->form->setKeyring(whyNot); }

ConnectionProfile ConnectionDialog::profile() const { return d->form->profile(); }

} // namespace lockui
