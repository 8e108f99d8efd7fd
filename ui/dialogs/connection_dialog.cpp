// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connection_dialog.h"

#include "lockcore/service/rights/connection_probe.h"
#include "ui/dialogs/connection_form.h"
#include "ui/dialogs/connection_store.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/text/right_text.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace lockui {

using lockcore::Result;
using lockcore::service::ConnectionProbe;
using lockcore::service::ConnectionReport;

namespace {

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
    QLabel *headline = nullptr;
    BulletList *detail = nullptr;
    QPushButton *tryIt = nullptr;
    QPushButton *accept = nullptr;

    QLayout *buildRecent(QWidget &parent)
    {
        auto *title = plainLabel(QStringLiteral("section"), &parent);
        title->setText(tr("Recent"));
        recent = new QListWidget(&parent);
        recent->setProperty("role", QStringLiteral("recent"));
        recent->setAccessibleName(tr("Recent connections"));
        recent->setFixedWidth(200);
        recent->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        recent->setTextElideMode(Qt::ElideRight);
        for (const ConnectionProfile &connection : connections) {
            const QString url = connectionUrl(connection.deployment);
            const QString text = connection.name.isEmpty() ? url : connection.name + QLatin1Char('\n') + url;
            auto *item = new QListWidgetItem(text, recent);
            item->setToolTip(plainToolTip(url));
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
        tryIt = new QPushButton(tr("&Test"), box);
        tryIt->setAutoDefault(false);
        QObject::connect(tryIt, &QPushButton::clicked, form, [this] { toggleTest(); });

        auto *texts = new QVBoxLayout;
        texts->setSpacing(4);
        texts->addWidget(headline);
        texts->addWidget(detail);
        auto *layout = new QHBoxLayout(box);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(12);
        layout->addWidget(tryIt, 0, Qt::AlignTop);
        layout->addLayout(texts, 1);
        return box;
    }

    QLayout *buildButtons(QDialog &dialog)
    {
        auto *cancel = new QPushButton(tr("Cancel"), &dialog);
        cancel->setAutoDefault(false);
        accept = new QPushButton(tr("&Connect"), &dialog);
        accept->setProperty("role", QStringLiteral("primary"));
        accept->setDefault(true);
        QObject::connect(cancel, &QPushButton::clicked, &dialog, &QDialog::reject);
        QObject::connect(accept, &QPushButton::clicked, &dialog, &QDialog::accept);
        auto *layout = new QHBoxLayout;
        layout->addStretch();
        layout->addWidget(cancel);
        layout->addWidget(accept);
        return layout;
    }

    void show(const QString &text, const QString &tone, const QString &more)
    {
        headline->setText(text);
        setStyleProperty(*headline, "tone", tone);
        detail->setText(more);
        detail->setVisible(!more.isEmpty());
        fitHeight(q);
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
        show(tr("Trying %1 …").arg(displayText(deployment.display())), {}, {});
        test->start(deployment);
    }

    void showReport(const Result<ConnectionReport> &report)
    {
        tryIt->setText(tr("&Test"));
        if (!report)
            return show(errorText(report.error().code), QStringLiteral("danger"), errorDetail(report.error()));
        QStringList lines = answerLines(*report);
        lines << permitted(*report);
        for (const auto &missing : report->missing)
            lines << BulletList::item(missingRightText(missing));
        if (!report->aclLine.empty())
            lines << tr("All of it: %1").arg(displayText(report->aclLine));
        show(summary(*report), report->missing.empty() ? QStringLiteral("good") : QStringLiteral("warning"),
            lines.join(QLatin1Char('\n')));
    }
};

ConnectionDialog::ConnectionDialog(const std::vector<ConnectionProfile> &recent, QWidget *parent)
    : QDialog(parent)
    , d(std::make_unique<Private>(*this))
{
    setWindowTitle(tr("Connect"));
    d->connections = recent;
    d->form = new ConnectionForm(this);
    d->form->setKnown(recent);
    d->test = new ConnectionProbe(this);
    auto *right = new QVBoxLayout;
    right->setSpacing(12);
    right->addWidget(d->form);
    right->addWidget(d->buildResult(*this));
    right->addStretch();
    right->addLayout(d->buildButtons(*this));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 18);
    layout->setSpacing(20);
    if (!recent.empty())
        layout->addLayout(d->buildRecent(*this));
    layout->addLayout(right, 1);
    setMinimumWidth(recent.empty() ? 680 : 900);

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

void ConnectionDialog::beginWithPassword() { d->form->beginWithPassword(); }

ConnectionProfile ConnectionDialog::profile() const { return d->form->profile(); }

} // namespace lockui
