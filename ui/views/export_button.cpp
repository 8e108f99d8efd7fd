// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/export_button.h"

#include "ui/support/picture.h"
#include "ui/text/display_text.h"
#include "ui/views/export_file.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QPointer>
#include <utility>

namespace lockui {

WrittenNote::WrittenNote(QWidget *parent)
    : ElidedLabel(QStringLiteral("statusLine"), parent)
{
    hide();
    setElideMode(Qt::ElideMiddle);
    m_over.setSingleShot(true);
    connect(&m_over, &QTimer::timeout, this, &QWidget::hide);
}

void WrittenNote::tell(const QString &file)
{
    const auto told = [](const QString &path) { return tr("written to %1").arg(displayText(toBytes(path))); };
    setText(told(QDir::toNativeSeparators(file)));
    setShorterTexts({ told(QFileInfo(file).fileName()) });
    show();
    m_over.start(std::chrono::seconds(6));
}

std::function<void(const QString &)> WrittenNote::teller()
{
    return [note = QPointer(this)](const QString &file) {
        if (note)
            note->tell(file);
    };
}

ExportButton::ExportButton(QString name, QWidget *parent)
    : QToolButton(parent)
    , m_name(std::move(name))
{
    setText(tr("Export ▾"));
    setAccessibleName(tr("Export"));
    setToolTip(tr("Writes what is shown to a file, whole"));
    setProperty("role", QStringLiteral("button"));
    setPopupMode(InstantPopup);
    setFocusPolicy(Qt::TabFocus);
    setMenu(new QMenu(this));
}

void ExportButton::offerTable(MakeTable table)
{
    menu()->addSeparator();
    for (const ExportFormatRow &format : ExportFormats) {
        QAction *entry = menu()->addAction(QLatin1Char('&') + QString::fromLatin1(format.name) + QChar(0x2026));
        connect(entry, &QAction::triggered, this, [this, table, &format] {
            auto *file = new ExportFile(
                m_name, format.name, format.suffix,
                [table, value = format.value] { return exported(table(value), value); }, window());
            connect(file, &ExportFile::written, this, &ExportButton::written);
        });
    }
}

void ExportButton::offerPicture(MakePicture picture)
{
    menu()->addSeparator();
    for (const PictureFormatRow &format : PictureFormats) {
        QAction *entry = menu()->addAction(QLatin1Char('&') + QString::fromLatin1(format.name) + QChar(0x2026));
        connect(entry, &QAction::triggered, this, [this, picture, &format] {
            auto *file = new ExportFile(
                m_name, format.name, format.suffix, [picture, &format] { return format.make(picture()); }, window());
            connect(file, &ExportFile::written, this, &ExportButton::written);
        });
    }
}

} // namespace lockui
