// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDialog>
#include <QGenericPlugin>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTimer>

#include <cstdio>

namespace {

void say(const char *what, const QString &text)
{
    std::printf("%s %s\n", what, text.toUtf8().toBase64().constData());
    std::fflush(stdout);
}

template <typename Widget>
Widget *shown(const QWidget &within)
{
    for (Widget *each : within.findChildren<Widget *>())
        if (each->isVisible())
            return each;
    return nullptr;
}

/// A person in a process of its own: Qt takes this into the unchanged program.
class Hands : public QObject {
public:
    /// What is typed into the scenario that is shown; empty: nothing, and what is asked at the start is answered.
    explicit Hands(QString typed)
        : m_typed(std::move(typed))
    {
        constexpr int LookEvery = 20;
        m_look.callOnTimeout(this, &Hands::look);
        m_look.start(LookEvery);
    }

private:
    void look()
    {
        for (QWidget *window : QApplication::topLevelWidgets()) {
            auto *dialog = qobject_cast<QDialog *>(window);
            if (!window->isVisible())
                continue;
            if (dialog && m_typed.isEmpty())
                answer(*dialog);
            else if (!dialog && !m_typed.isEmpty())
                openScenarios(*window);
            if (auto *text = shown<QPlainTextEdit>(*window); text && !text->toPlainText().isEmpty())
                return write(*text);
        }
    }
    static void answer(const QDialog &dialog)
    {
        for (auto *button : dialog.findChildren<QPushButton *>()) {
            if (button->text() != QStringLiteral("Show them"))
                continue;
            say("asked", shown<QLabel>(dialog)->text());
            return button->click();
        }
    }
    static void openScenarios(const QWidget &window)
    {
        for (auto *tabs : window.findChildren<QTabBar *>())
            for (int tab = 0; tab < tabs->count(); ++tab)
                if (tabs->tabText(tab) == QStringLiteral("My scenarios"))
                    tabs->setCurrentIndex(tab);
    }
    void write(QPlainTextEdit &text)
    {
        m_look.stop();
        if (!m_typed.isEmpty()) {
            text.setFocus();
            for (const QChar letter : m_typed) {
                QKeyEvent press(QEvent::KeyPress, 0, {}, letter);
                QCoreApplication::sendEvent(&text, &press);
            }
        }
        say("text", text.toPlainText());
    }

    const QString m_typed;
    QTimer m_look;
};

class HandsPlugin : public QGenericPlugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "window_hands.json")
public:
    QObject *create(const QString &, const QString &typed) override { return new Hands(typed); }
};

} // namespace

#include "window_hands.moc"
