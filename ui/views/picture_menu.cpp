// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/picture_menu.h"

#include "ui/views/export_file.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>

namespace lockui {

namespace {

struct PictureMenu {
    Q_DECLARE_TR_FUNCTIONS(PictureMenu)
};

/// Whoever takes it chooses between pixels and lines.
void copyPicture(const Picture &picture)
{
    auto *data = new QMimeData;
    data->setImageData(picture.image());
    data->setData(QStringLiteral("image/svg+xml"), QByteArray::fromStdString(picture.svg()));
    QGuiApplication::clipboard()->setMimeData(data);
}

} // namespace

void addPictureEntries(QMenu &menu, const QString &name, const MakePicture &picture, const TellWritten &told)
{
    QWidget *window = menu.parentWidget()->window();
    for (const PictureFormatRow &format : PictureFormats)
        QObject::connect(menu.addAction(PictureMenu::tr("Save picture as %1…").arg(QString::fromLatin1(format.entry))),
            &QAction::triggered, window, [window, name, picture, told, &format] {
                auto *file = new ExportFile(
                    name, format.name, format.suffix, [picture, &format] { return format.make(picture()); }, window,
                    PictureMenu::tr("Save the picture"));
                if (told)
                    QObject::connect(file, &ExportFile::written, file, told);
            });
    QObject::connect(menu.addAction(PictureMenu::tr("Copy pict&ure")), &QAction::triggered, window,
        [picture] { copyPicture(picture()); });
}

void offerPicture(QWidget &chart, const QString &name, const MakePicture &picture, const TellWritten &told)
{
    chart.setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(
        &chart, &QWidget::customContextMenuRequested, &chart, [&chart, name, picture, told](const QPoint &place) {
            auto *menu = new QMenu(&chart);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            addPictureEntries(*menu, name, picture, told);
            menu->popup(chart.mapToGlobal(place));
        });
}

} // namespace lockui
