// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/picture.h"

#include <QBuffer>
#include <QFontMetrics>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgGenerator>

#include <algorithm>

namespace lockui {

namespace {

constexpr int PictureMargin = 16;
constexpr int Fineness = 2; // of pixels
constexpr int WrappedText = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap | Qt::TextWrapAnywhere;

/// Many programs draw nothing where an SVG has a pattern, and hatching means that nothing is known: such places get a
/// tint under it.
QString tintedWhereHatched(QString svg)
{
    static const QRegularExpression hatched(
        QStringLiteral("(<g fill=\"url\\(#fillpattern[0-9]+_([0-9a-f]{6})\\)\" fill-opacity=\"[0-9.]+\"(.*?</g>))"),
        QRegularExpression::DotMatchesEverythingOption);
    return svg.replace(hatched, QStringLiteral("<g fill=\"#\\2\" fill-opacity=\"0.3\"\\3\n\\1"));
}

} // namespace

std::vector<QWidget *> Picture::shownParts() const
{
    std::vector<QWidget *> shown;
    for (const QWidget *part : parts)
        if (!part->size().isEmpty())
            shown.push_back(const_cast<QWidget *>(part)); // QWidget::render() is not const
    return shown;
}

QFont Picture::titleFont() const
{
    QFont font = theme.uiFont();
    font.setPixelSize(15);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont Picture::subtitleFont() const
{
    QFont font = theme.uiFont();
    font.setPixelSize(12);
    return font;
}

/// A long name of a server or a lock is wrapped, not cut.
Picture::Heading Picture::heading() const
{
    constexpr int Gap = 3;
    const QRect room(PictureMargin, PictureMargin * 3 / 4, width() - 2 * PictureMargin, 10'000);
    Heading heading{};
    heading.title = QFontMetrics(titleFont()).boundingRect(room, WrappedText, title);
    heading.title.setWidth(room.width());
    heading.subtitle = QFontMetrics(subtitleFont())
                           .boundingRect(room.translated(0, heading.title.height() + Gap), WrappedText, subtitle);
    heading.subtitle.setWidth(room.width());
    heading.height = heading.subtitle.bottom() + 1 + PictureMargin * 3 / 4;
    return heading;
}

int Picture::width() const
{
    constexpr int Least = 360; // for the heading
    int width = Least;
    for (const QWidget *part : shownParts())
        width = std::max(width, part->width());
    return width;
}

QSize Picture::size() const
{
    int height = heading().height;
    for (const QWidget *part : shownParts())
        height += part->height();
    return { width(), height };
}

/// From the bottom up, the heading last: a format may know no clipping, and what is scrolled reaches above its place.
void Picture::paint(QPainter &painter) const
{
    const Heading heading = this->heading();
    const auto fill = [&](const QRect &place) { painter.fillRect(place, background); };
    fill({ QPoint(), size() });
    int y = size().height();
    const std::vector<QWidget *> shown = shownParts();
    for (auto each = shown.rbegin(); each != shown.rend(); ++each) {
        QWidget *part = *each;
        const int x = part->width() < width() ? PictureMargin : 0;
        y -= part->height();
        fill({ 0, y, width(), part->height() });
        part->render(&painter, QPoint(x, y), {}, QWidget::DrawChildren);
    }
    fill({ 0, 0, width(), heading.height });
    painter.setFont(titleFont());
    painter.setPen(theme.colors().text);
    painter.drawText(heading.title, WrappedText, title);
    painter.setFont(subtitleFont());
    painter.setPen(theme.colors().muted);
    painter.drawText(heading.subtitle, WrappedText, subtitle);
}

QImage Picture::image() const
{
    QImage image(size() * Fineness, QImage::Format_RGB32);
    image.setDevicePixelRatio(Fineness);
    QPainter painter(&image);
    paint(painter);
    return image;
}

std::string Picture::png() const
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image().save(&buffer, "PNG");
    return buffer.data().toStdString();
}

std::string Picture::svg() const
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size());
    generator.setViewBox(QRect(QPoint(), size()));
    generator.setResolution(96); // as that of pixels: sizes of fonts are the same
    // Without setTitle(): Qt 6.4 writes it as it is, and a name such as `<b>` would break the file.
    QPainter painter(&generator);
    paint(painter);
    painter.end();
    return tintedWhereHatched(QString::fromUtf8(buffer.data())).toStdString();
}

} // namespace lockui
