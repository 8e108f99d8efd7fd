// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/theme.h"

#include "ui/text/meaning_colors.h"

#include <QApplication>
#include <QColor>
#include <QFile>
#include <QFontDatabase>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QStyleFactory>
#include <QSvgRenderer>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lockui {

QColor blend(const QColor &under, const QColor &over, qreal part)
{
    const auto mix = [part](int a, int b) { return qRound(a + (b - a) * part); };
    return { mix(under.red(), over.red()), mix(under.green(), over.green()), mix(under.blue(), over.blue()) };
}

QBrush hatching(const QColor &color, const QPaintDevice &device)
{
    constexpr double Period = 8;
    const double scale = device.devicePixelRatioF();
    if (scale <= 1)
        return { color, Qt::BDiagPattern };
    const int size = qRound(Period * scale);
    QPixmap tile(size, size);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, scale));
    for (const int corner : { 0, size, 2 * size }) // what a line of its neighbours reaches into it as well
        painter.drawLine(corner + size, -size, corner - 2 * size, 2 * size);
    painter.end();
    QBrush brush(tile);
    brush.setTransform(QTransform::fromScale(Period / size, Period / size));
    return brush;
}

} // namespace lockui

/// The resources of a static library are only there when asked for.
static void loadResources() { Q_INIT_RESOURCE(lockscope); }

namespace lockui {

namespace {

constexpr double Wash = 0.14; // of a colour, behind text in it

void setMeanings(Colors &c, const MeaningColors &meanings)
{
    c.accent = QColor::fromRgb(meanings.watchdog);
    c.fixed = QColor::fromRgb(meanings.fixed);
    c.warning = QColor::fromRgb(meanings.warning);
    c.danger = QColor::fromRgb(meanings.danger);
    c.waiting = QColor::fromRgb(meanings.waiting);
    c.good = QColor::fromRgb(meanings.good);
}

Colors darkColors()
{
    Colors c;
    c.dark = true;
    c.window = QColor(0x21, 0x24, 0x2b);
    c.surface = QColor(0x1a, 0x1b, 0x20);
    c.field = QColor(0x2b, 0x2e, 0x36);
    c.fieldHover = QColor(0x34, 0x38, 0x42);
    c.line = QColor(0x30, 0x33, 0x3b);
    c.border = QColor(0x3a, 0x3e, 0x48);
    c.text = QColor(0xe7, 0xe9, 0xee);
    c.muted = QColor(0xa2, 0xa9, 0xb6);
    c.faint = QColor(0x3a, 0x3d, 0x45);
    c.selection = QColor(0x24, 0x3f, 0x60);
    c.hover = QColor(0x24, 0x27, 0x2f);
    setMeanings(c, ColorsOnDark);
    return c;
}

Colors lightColors()
{
    Colors c;
    c.window = QColor(0xff, 0xff, 0xff);
    c.surface = QColor(0xf6, 0xf7, 0xf9);
    c.field = QColor(0xf0, 0xf2, 0xf5);
    c.fieldHover = QColor(0xe4, 0xe8, 0xee);
    c.line = QColor(0xe3, 0xe6, 0xeb);
    c.border = QColor(0xd2, 0xd7, 0xdf);
    c.text = QColor(0x1b, 0x1f, 0x26);
    c.muted = QColor(0x5b, 0x64, 0x73);
    c.faint = QColor(0xdc, 0xe0, 0xe6);
    c.selection = QColor(0xd9, 0xe8, 0xfd);
    c.hover = QColor(0xee, 0xf2, 0xf7);
    setMeanings(c, ColorsOnLight);
    return c;
}

QPalette paletteOf(const Colors &c)
{
    QPalette palette;
    palette.setColor(QPalette::Window, c.window);
    palette.setColor(QPalette::WindowText, c.text);
    palette.setColor(QPalette::Base, c.surface);
    palette.setColor(QPalette::AlternateBase, c.window);
    palette.setColor(QPalette::Text, c.text);
    palette.setColor(QPalette::Button, c.field);
    palette.setColor(QPalette::ButtonText, c.text);
    palette.setColor(QPalette::BrightText, c.danger);
    palette.setColor(QPalette::PlaceholderText, c.muted);
    palette.setColor(QPalette::Highlight, c.accent);
    palette.setColor(QPalette::HighlightedText, c.dark ? c.surface : c.window);
    palette.setColor(QPalette::ToolTipBase, c.field);
    palette.setColor(QPalette::ToolTipText, c.text);
    palette.setColor(QPalette::Link, c.accent);
    palette.setColor(QPalette::Light, c.fieldHover);
    palette.setColor(QPalette::Mid, c.border);
    palette.setColor(QPalette::Dark, c.border);
    for (const auto role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText })
        palette.setColor(QPalette::Disabled, role, blend(c.window, c.muted, 0.65));
    return palette;
}

bool installed(const QString &family) { return QFontDatabase::hasFamily(family); }

} // namespace

Theme::Theme(QApplication &application)
    : m_application(application)
    , m_systemIsDark(application.palette().color(QPalette::Window).lightness() < 128)
    , m_uiFont(QFontDatabase::systemFont(QFontDatabase::GeneralFont))
    , m_monoFont(QFontDatabase::systemFont(QFontDatabase::FixedFont))
{
    loadResources();
    if (installed(QStringLiteral("Inter")))
        m_uiFont.setFamily(QStringLiteral("Inter"));
    if (installed(QStringLiteral("JetBrains Mono")))
        m_monoFont.setFamily(QStringLiteral("JetBrains Mono"));
    m_uiFont.setPixelSize(13);
    m_monoFont.setPixelSize(12);
    m_application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    apply();
}

void Theme::setMode(Mode mode)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    apply();
    Q_EMIT changed();
}

QColor Theme::color(Tone tone) const
{
    switch (tone) {
    case Tone::Normal:
        return m_colors.text;
    case Tone::Muted:
        return m_colors.muted;
    case Tone::Accent:
        return m_colors.accent;
    case Tone::Waiting:
        return m_colors.waiting;
    case Tone::Good:
        return m_colors.good;
    case Tone::Fixed:
        return m_colors.fixed;
    case Tone::Warning:
        return m_colors.warning;
    case Tone::Danger:
        return m_colors.danger;
    }
    return m_colors.text;
}

namespace {

double luminance(const QColor &color)
{
    const auto part = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * part(color.redF()) + 0.7152 * part(color.greenF()) + 0.0722 * part(color.blueF());
}

double contrast(const QColor &a, const QColor &b)
{
    const auto [low, high] = std::minmax({ luminance(a), luminance(b) });
    return (high + 0.05) / (low + 0.05);
}

constexpr double Readable = 4.5; // WCAG 2.1, level AA

} // namespace

QColor readableOn(const QColor &ground, std::initializer_list<QColor> inks)
{
    const auto isReadable = [&](const QColor &ink) { return contrast(ink, ground) >= Readable; };
    if (const auto first = std::ranges::find_if(inks, isReadable); first != inks.end())
        return *first;
    return *std::ranges::max_element(inks, {}, [&](const QColor &ink) { return contrast(ink, ground); });
}

QColor inkOf(const QColor &color, const Colors &colors)
{
    constexpr int Steps = 40;
    const std::array grounds{ colors.window, colors.surface, colors.selection, blend(colors.window, color, Wash),
        blend(colors.surface, color, Wash) };
    QColor ink = color;
    for (int step = 1; step <= Steps; ++step) {
        if (std::ranges::all_of(grounds, [&](const QColor &ground) { return contrast(ink, ground) >= Readable; }))
            break;
        ink = blend(color, colors.text, double(step) / Steps);
    }
    return ink;
}

void Theme::apply()
{
    const bool dark = m_mode == Dark || (m_mode == System && m_systemIsDark);
    m_colors = dark ? darkColors() : lightColors();
    for (std::size_t tone = 0; tone < m_inks.size(); ++tone)
        m_inks[tone] = inkOf(color(static_cast<Tone>(tone)), m_colors);
    m_application.setPalette(paletteOf(m_colors));
    QToolTip::setPalette(paletteOf(m_colors));
    m_application.setFont(m_uiFont);
    m_application.setStyleSheet(styleSheet(m_colors, m_monoFont.family()));
}

namespace {

QString tones(const Colors &c)
{
    const std::pair<const char *, QColor> all[] = { { "accent", c.accent }, { "fixed", c.fixed },
        { "warning", c.warning }, { "danger", c.danger }, { "waiting", c.waiting }, { "good", c.good } };
    QString sheet;
    for (const auto &[name, color] : all) {
        const QString tone = QLatin1String(name);
        sheet += QStringLiteral("QLabel[tone=\"%1\"], QToolButton[tone=\"%1\"] { color: %2; }\n"
                                "*[role=\"pill\"][tone=\"%1\"], *[role=\"kind\"][tone=\"%1\"]:checked { color: %2; "
                                "background: %3; border-color: %4; }\n")
                     .arg(tone, inkOf(color, c).name(), blend(c.window, color, Wash).name(),
                         blend(c.window, color, 0.55).name());
    }
    return sheet;
}

} // namespace

QString styleSheet(const Colors &c, const QString &monoFamily)
{
    QFile file(QStringLiteral(":/lockscope/style.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const std::pair<const char *, QString> names[] = { { "@fieldHover", c.fieldHover.name() },
        { "@field", c.field.name() }, { "@window", c.window.name() }, { "@surface", c.surface.name() },
        { "@line", c.line.name() }, { "@border", c.border.name() }, { "@text", c.text.name() },
        { "@muted", c.muted.name() }, { "@faint", c.faint.name() }, { "@selection", c.selection.name() },
        { "@hover", c.hover.name() }, { "@accentText", (c.dark ? c.surface : c.window).name() },
        { "@accentInk", inkOf(c.accent, c).name() }, { "@accent", c.accent.name() },
        { "@dangerWash", blend(c.window, c.danger, Wash).name() }, { "@dangerInk", inkOf(c.danger, c).name() },
        { "@danger", c.danger.name() }, { "@warningWash", blend(c.window, c.warning, Wash).name() },
        { "@warning", c.warning.name() }, { "@disabled", blend(c.window, c.muted, 0.65).name() },
        { "@mono", monoFamily }, { "@shade", c.dark ? QStringLiteral("dark") : QStringLiteral("light") } };
    for (const auto &[name, value] : names)
        sheet.replace(QLatin1String(name), value);
    return sheet + tones(c);
}

QIcon tintedIcon(const QString &name, const QColor &color)
{
    QFile file(QStringLiteral(":/lockscope/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QSvgRenderer renderer(file.readAll().replace("currentColor", color.name().toLatin1()));
    QIcon icon;
    for (const int size : { 16, 32, 48 }) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace lockui
