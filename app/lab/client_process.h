// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/client_protocol.h"

#include <QObject>
#include <QProcess>
#include <functional>
#include <map>
#include <string>

namespace app {

/// The process of one client of a play: `lockctl client`, or another program that speaks as it does. It ends with this
/// object, and with the program, however that ends: killed, or, if it was told so, once it has given back what it
/// holds.
class ClientProcess : public QObject {
    Q_OBJECT
public:
    using AnswerHandler = std::function<void(const ClientAnswer &)>;

    ClientProcess(QString program, QStringList arguments, QObject *parent = nullptr);
    ~ClientProcess() override;

    void setEnvironment(const QProcessEnvironment &environment) { m_process.setProcessEnvironment(environment); }
    void inherit(int descriptor); // it is open in the process, too, under the same number
    void letItGiveBack(); // at its end, as one does that was started with --give-back

    void start();
    void close(); // its input: from then on it gives back
    /// Waits for that, and answers no order any more. False: it could not, or nobody knows.
    [[nodiscard]] bool endsGivenBack();
    void crash(); // kill -9; what it was asked for and has not answered has crashed
    void pause();
    void resume();

    const std::string &id() const { return m_id; } // of its last start; empty: it was not ready yet
    std::uint64_t order(const lockui::lab::Step &step, AnswerHandler handler);
    void giveUp(std::uint64_t order); // one that waits: it is answered then

Q_SIGNALS:
    void ready();
    void told(const ClientNews &news); // of what it holds
    void failed(const lockcore::Error &error); // it has ended, and nobody has killed it

private:
    void read();
    void ended();
    void signalProcess(int number) const;

    QString m_program;
    QStringList m_arguments;
    int m_inherited = -1; // -1: nothing
    bool m_givesBack = false;
    QProcess m_process;
    std::string m_id;
    std::map<std::uint64_t, AnswerHandler> m_orders;
    std::uint64_t m_lastNumber = 0;
    bool m_isEnding = false;
    bool m_isKilled = false; // by crash()
};

} // namespace app
