// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connection_dialog.h"

#include "lockcore/service/connection_test.h"
#include "ui/dialogs/connection_form.h"
#include "ui/support/display_text.h"
#include "ui/support/error_text.h"
#include "ui/support/widgets.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockui {

using lockcore::ConnectionReport;
using lockcore::ConnectionTest;
using lockcore::Result;

namespace {

QString roundTripText(std::chrono::microseconds roundTrip)
{
    return ConnectionDialog::tr("%1 ms").arg(QString::number(
        static_cast<double>(roundTrip.count()) / 1000.0, 'f', roundTrip < std::chrono::milliseconds(10) ? 1 : 0));
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
    const auto part
        = [](const QString &name, bool works) { return (works ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + name; };
    return QStringList{ part(ConnectionDialog::tr("read-only scripts"), report.readOnlyScripts),
        part(ConnectionDialog::tr("client tracking"), report.clientTracking),
        part(ConnectionDialog::tr("pub/sub"), report.pubSub) }
        .join(QStringLiteral("   "));
}

} // namespace

class ConnectionDialog::Private {
public:
    ConnectionForm *form = nullptr;
    ConnectionTest *test = nullptr;
    QListWidget *recent = nullptr;
    QLabel *headline = nullptr;
    QLabel *detail = nullptr;
    QPushButton *tryIt = nullptr;
    QPushButton *accept = nullptr;

    void show(const QString &text, const QString &tone, const QString &more)
    {
        headline->setText(text);
        setStyleProperty(*headline, "tone", tone);
        detail->setText(more);
        detail->setVisible(!more.isEmpty());
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
        const auto endpoint = form->choice().endpoint;
        show(tr("Trying %1 …").arg(displayText(endpoint.display())), {}, {});
        test->start(endpoint);
    }

    void showReport(const Result<ConnectionReport> &report)
    {
        tryIt->setText(tr("&Test"));
        if (!report)
            return show(errorText(report.error().code), QStringLiteral("danger"), errorDetail(report.error()));
        QStringList lines{ permitted(*report) };
        for (const std::string &missing : report->missing)
            lines << QStringLiteral("• ") + displayText(missing);
        show(summary(*report), report->missing.empty() ? QStringLiteral("good") : QStringLiteral("warning"),
            lines.join(QLatin1Char('\n')));
    }

    static QString tr(const char *text) { return ConnectionDialog::tr(text); }
};
