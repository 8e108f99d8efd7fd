// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/widgets.h"

#include "ui/text/display_text.h"
#include "ui/text/printable_text.h"

#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>
#include <QStyle>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace lockui {

namespace {

struct WidgetText {
    Q_DECLARE_TR_FUNCTIONS(WidgetText)
};

} // namespace

QLabel *plainLabel(const QString &role, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", role);
    return label;
}

void makeBar(QWidget &widget)
{
    widget.setProperty("role", QStringLiteral("bar"));
    widget.setAttribute(Qt::WA_StyledBackground);
}

void giveKeysBackAfter(QDialog &dialog)
{
    QObject::connect(&dialog, &QDialog::finished, &dialog, [before = QPointer<QWidget>(QApplication::activeWindow())] {
        if (before && before->isVisible())
            before->activateWindow();
    });
}

void pressByEnter(QPushButton &button)
{
    for (const auto key : { Qt::Key_Return, Qt::Key_Enter }) {
        auto *shortcut = new QShortcut(key, &button, nullptr, nullptr, Qt::WidgetShortcut);
        shortcut->setAutoRepeat(false);
        QObject::connect(shortcut, &QShortcut::activated, &button, &QPushButton::click);
    }
}

PressGuard::PressGuard(std::initializer_list<QAbstractButton *> buttons, QObject *parent)
    : QObject(parent)
    , m_buttons(buttons)
{
    for (QAbstractButton *button : m_buttons)
        button->installEventFilter(this);
}

void PressGuard::begin()
{
    m_until.setRemainingTime(QApplication::doubleClickInterval());
    m_held = m_pressed;
    for (QAbstractButton *button : m_buttons)
        button->setDown(false);
}

bool PressGuard::eventFilter(QObject *watched, QEvent *event)
{
    const auto isLeft = [event] { return static_cast<QMouseEvent *>(event)->button() == Qt::LeftButton; };
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
        if (!isLeft())
            break; // presses no button
        m_held.erase(watched);
        if (!m_until.hasExpired())
            return true;
        m_pressed.insert(watched);
        break;
    case QEvent::MouseButtonRelease:
        if (isLeft())
            m_pressed.erase(watched);
        break;
    case QEvent::MouseMove:
        return m_held.contains(watched); // it would be down again
    case QEvent::ShortcutOverride: // accepted, it presses nothing, and comes once more as a key
    case QEvent::KeyPress: {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isOfButton
            = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter || key->key() == Qt::Key_Space;
        const bool presses = isOfButton && !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
        if (!presses || (m_until.hasExpired() && !key->isAutoRepeat()))
            break;
        event->accept();
        return true;
    }
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

namespace {

class AltFilter : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::KeyPress)
            return QObject::eventFilter(watched, event);
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isLetter = !key->text().isEmpty() && key->text().front().isPrint();
        return isLetter && (key->modifiers() & (Qt::AltModifier | Qt::ControlModifier)) == Qt::AltModifier;
    }
};

} // namespace

void keepAltOut(QLineEdit &field) { field.installEventFilter(new AltFilter(&field)); }

namespace {

QString withoutUnseen(const QString &text)
{
    QString seen;
    for (const char32_t each : text.toUcs4()) {
        if (QChar::category(each) == QChar::Separator_Space)
            seen += u' ';
        else if (!isHazardous(each))
            seen += QString::fromUcs4(&each, 1);
    }
    return seen;
}

} // namespace

void keepUnseenOut(QLineEdit &field)
{
    QObject::connect(&field, &QLineEdit::textChanged, &field, [&field](const QString &text) {
        const QString seen = withoutUnseen(text);
        if (seen == text)
            return;
        const auto cursor = withoutUnseen(text.left(field.cursorPosition())).size();
        field.setText(seen);
        field.setCursorPosition(static_cast<int>(cursor));
        const QString why
            = WidgetText::tr("Characters that cannot be seen, or turn the direction of text, are left out.");
        field.setAccessibleDescription(why);
        QToolTip::showText(field.mapToGlobal(QPoint(0, field.height())), plainToolTip(why), &field);
    });
}

QString enterHint(const QString &button)
{
    return WidgetText::tr("Enter does nothing in this field: press the button “%1”.")
        .arg(QString(button).remove(QLatin1Char('&')));
}

void takeFocusFrom(const QWidget &control, QWidget &harmless)
{
    const auto focused = [&control]() -> QWidget * {
        QWidget *focus = control.window()->focusWidget();
        return focus != nullptr && (focus == &control || control.isAncestorOf(focus)) ? focus : nullptr;
    };
    if (focused() == nullptr)
        return;
    harmless.setFocus(Qt::OtherFocusReason);
    if (QWidget *left = focused(); left != nullptr && left != &harmless)
        left->clearFocus();
}

void enableSafely(QWidget &control, bool isEnabled, QWidget &harmless)
{
    if (!isEnabled)
        takeFocusFrom(control, harmless);
    control.setEnabled(isEnabled);
}

void showSafely(QWidget &control, bool isShown, QWidget &harmless)
{
    if (!isShown)
        takeFocusFrom(control, harmless);
    control.setVisible(isShown);
}

namespace {

void collectByRows(QLayout &layout, std::vector<QWidget *> &widgets)
{
    std::vector<int> items(static_cast<std::size_t>(layout.count()));
    std::iota(items.begin(), items.end(), 0);
    if (const auto *grid = qobject_cast<QGridLayout *>(&layout))
        std::ranges::sort(items, {}, [grid](int item) {
            int row = 0, column = 0, rows = 0, columns = 0;
            grid->getItemPosition(item, &row, &column, &rows, &columns);
            return std::pair(row, column);
        });
    for (const int each : items) {
        QLayoutItem &item = *layout.itemAt(each);
        QLayout *inner = item.widget() ? item.widget()->layout() : item.layout();
        if (item.widget() && item.widget()->focusPolicy() & Qt::TabFocus)
            widgets.push_back(item.widget());
        else if (inner)
            collectByRows(*inner, widgets);
    }
}

} // namespace

void tabByRows(QGridLayout &grid)
{
    std::vector<QWidget *> widgets;
    collectByRows(grid, widgets);
    for (std::size_t i = 1; i < widgets.size(); ++i)
        QWidget::setTabOrder(widgets[i - 1], widgets[i]);
}

void makeOpaque(QWidget &widget) { widget.setAttribute(Qt::WA_OpaquePaintEvent); }

void makePlain(QWidget &dialog)
{
    for (QLabel *label : dialog.findChildren<QLabel *>())
        label->setTextFormat(Qt::PlainText);
}

void setStyleProperty(QWidget &widget, const char *name, const QString &value)
{
    if (widget.property(name).toString() == value)
        return;
    widget.setProperty(name, value);
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
    widget.update();
}

QString elided(const QString &text, const QFontMetricsF &metrics, double width)
{
    constexpr QChar Ellipsis(0x2026);
    const qsizetype cut = text.indexOf(Ellipsis);
    for (qsizetype kept = cut; kept > 0; --kept) {
        QString shorter = text.left(kept) + text.mid(cut);
        if (metrics.horizontalAdvance(shorter) <= width)
            return shorter;
    }
    // Names and ids differ at their ends: `…:pay`, `…:41`.
    return metrics.elidedText(cut < 0 ? text : QString(text).remove(Ellipsis), Qt::ElideMiddle, width);
}

QString elidedOwner(const QString &text, const QString &name, const QFontMetricsF &metrics, double width)
{
    constexpr qsizetype ShortestId = 4; // letters of an id that still tell it from most others
    const qsizetype begin = text.indexOf(QStringLiteral(" (") + name + QLatin1Char(')'));
    if (begin < 0 || metrics.horizontalAdvance(text) <= width)
        return elided(text, metrics, width);
    const QString after = text.mid(begin + name.size() + 3);
    const QString owner = text.left(begin);
    QString shown = owner;
    const qsizetype cut = owner.indexOf(QStringLiteral("…:"));
    for (qsizetype kept = cut - 1; kept >= ShortestId; --kept) {
        shown = owner.left(kept) + owner.mid(cut);
        QString whole = shown + text.mid(begin);
        if (metrics.horizontalAdvance(whole) <= width)
            return whole;
    }
    const QString frame = QStringLiteral(" ()") + after;
    const double room = width - metrics.horizontalAdvance(shown + frame);
    const QString cutName = metrics.elidedText(name, Qt::ElideRight, std::max(0.0, room));
    if (cutName.size() > 1) // more than an ellipsis
        return shown + QStringLiteral(" (") + cutName + QLatin1Char(')') + after;
    return elided(owner + after, metrics, width);
}

ElidedLabel::ElidedLabel(const QString &role, QWidget *parent)
    : QWidget(parent)
{
    setProperty("role", role);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void ElidedLabel::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize ElidedLabel::sizeHint() const
{
    return { fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() + 2 };
}

QSize ElidedLabel::minimumSizeHint() const
{
    return { std::min(sizeHint().width(), fontMetrics().averageCharWidth() * 6), sizeHint().height() };
}

QString ElidedLabel::shownText() const
{
    QString shown = fontMetrics().elidedText(m_text, m_elide, width());
    const QString *whole = &m_text;
    for (const QString &shorter : m_shorter) {
        if (shown == *whole)
            break;
        whole = &shorter;
        shown = fontMetrics().elidedText(shorter, m_elide, width());
    }
    return shown;
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QString shown = shownText();
    QStringList tip{ shown == m_text ? QString() : m_text, m_explanation };
    tip.removeAll(QString());
    setToolTip(plainToolTip(tip.join(QLatin1Char('\n'))));
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

namespace {

QString signOf(const QString &line)
{
    for (const QString &sign : { QStringLiteral("•"), QStringLiteral("⚠") })
        if (line.startsWith(sign))
            return sign;
    return {};
}

} // namespace

BulletList::BulletList(const QString &role, QWidget *parent, const QString &tone)
    : QWidget(parent)
    , m_role(role)
    , m_tone(tone)
    , m_layout(new QGridLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setHorizontalSpacing(6);
    m_layout->setVerticalSpacing(3);
    m_layout->setColumnStretch(1, 1);
}

/// A line that only says something else keeps its label, and with it what a person has selected elsewhere.
void BulletList::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    const QStringList lines = text.isEmpty() ? QStringList() : text.split(QLatin1Char('\n'));
    const auto keeps = [&](std::size_t i) {
        const QString sign = m_lines[i].sign != nullptr ? m_lines[i].sign->text() : QString();
        return i < static_cast<std::size_t>(lines.size()) && signOf(lines[static_cast<qsizetype>(i)]) == sign;
    };
    std::size_t kept = 0;
    while (kept < m_lines.size() && keeps(kept))
        ++kept;
    for (; m_lines.size() > kept; m_lines.pop_back()) {
        delete m_lines.back().sign;
        delete m_lines.back().text;
    }
    for (const QString &line : lines) {
        const QString sign = signOf(line);
        const auto i = static_cast<std::size_t>(&line - lines.constData());
        if (i == m_lines.size())
            m_lines.push_back(addLine(sign));
        m_lines[i].text->setText(line.mid(sign.size()).trimmed());
    }
    setAccessibleDescription(text);
}

QLabel *BulletList::addLabel()
{
    auto *label = plainLabel(m_role, this);
    label->setProperty("tone", m_tone);
    return label;
}

BulletList::Line BulletList::addLine(const QString &sign)
{
    const int row = static_cast<int>(m_lines.size());
    auto *text = addLabel();
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->setFocusPolicy(Qt::ClickFocus); // each a stop of the tab key would be many
    if (sign.isEmpty()) {
        m_layout->addWidget(text, row, 0, 1, 2);
        return { nullptr, text };
    }
    auto *label = addLabel();
    label->setText(sign);
    m_layout->addWidget(label, row, 0, Qt::AlignTop);
    m_layout->addWidget(text, row, 1);
    return { label, text };
}

void renewLayouts(QDialog &dialog)
{
    const auto widgets = dialog.findChildren<QWidget *>();
    for (auto widget = widgets.rbegin(); widget != widgets.rend(); ++widget) {
        if (QLayout *inner = (*widget)->layout()) {
            inner->invalidate();
            (*widget)->updateGeometry();
        }
    }
    dialog.layout()->invalidate();
    dialog.layout()->activate();
}

void fitHeight(QDialog &dialog)
{
    renewLayouts(dialog);
    QLayout &layout = *dialog.layout();
    const int width = std::max(dialog.width(), layout.totalMinimumSize().width());
    const int needed = layout.hasHeightForWidth() ? layout.totalHeightForWidth(width) : layout.totalSizeHint().height();
    if (needed == dialog.minimumHeight())
        return; // a height that a person chose stays
    dialog.setMinimumHeight(needed);
    dialog.resize(width, needed);
}

using lockcore::Millis;

DurationField::DurationField(const QString &accessibleName, Millis value, QWidget *parent)
    : QWidget(parent)
    , m_number(new QSpinBox(this))
    , m_unit(new QComboBox(this))
{
    m_number->setRange(1, 9'999'999);
    m_number->setFixedWidth(64);
    m_number->setAccessibleName(accessibleName);
    m_unit->addItem(tr("ms"), 1);
    m_unit->addItem(tr("s"), 1'000);
    setValue(value);
    m_unit->setFixedWidth(58);
    m_unit->setAccessibleName(tr("Unit of: %1").arg(accessibleName));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_number);
    layout->addWidget(m_unit);
    setFocusProxy(m_number);
    connect(m_number, &QSpinBox::valueChanged, this, &DurationField::changed);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &DurationField::changed);
}

void DurationField::setValue(Millis value)
{
    if (value == this->value() && m_unit->currentIndex() >= 0)
        return;
    const bool wholeSeconds = value.count() % 1'000 == 0;
    {
        const QSignalBlocker numberBlocker(m_number);
        const QSignalBlocker unitBlocker(m_unit);
        m_number->setValue(static_cast<int>(wholeSeconds ? value.count() / 1'000 : value.count()));
        m_unit->setCurrentIndex(wholeSeconds ? 1 : 0);
    }
    Q_EMIT changed();
}

Millis DurationField::value() const
{
    return Millis(static_cast<qint64>(m_number->value()) * m_unit->currentData().toInt());
}

} // namespace lockui
