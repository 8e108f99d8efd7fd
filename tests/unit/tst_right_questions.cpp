// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/synchronizers/scripts.h"

#include <QTest>
#include <algorithm>
#include <regex>
#include <set>

using namespace lockcore;
using namespace lockcore::service;
using namespace lockcore::synchronizers;

namespace {

/// Where one of these is refused, the scripts find out otherwise: nothing is lost.
const std::set<std::string> GetsByWithout{ "EXISTS", "MEMORY" };

/// `call('PTTL', …)`, `redis.pcall('ZCARD', …)`, and the command that the options of SCAN are added to.
std::vector<std::string> commandsOf(const protocol::Script &script)
{
    static const std::regex Calls(R"((?:call\(|ask\(|pcall\(call, |= \{ )'([A-Z_]+)')");
    const std::string text(script.text);
    std::vector<std::string> commands;
    for (auto call = std::sregex_iterator(text.begin(), text.end(), Calls); call != std::sregex_iterator(); ++call) {
        if (!GetsByWithout.contains((*call)[1]))
            commands.push_back((*call)[1]);
    }
    std::ranges::sort(commands);
    commands.erase(std::ranges::unique(commands).begin(), commands.end());
    return commands;
}

} // namespace

class TestRightQuestions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Whoever may not use one of them would never be told so.
    void askForEachCommandOfTheScriptsThatRead_data()
    {
        QTest::addColumn<QByteArray>("command");
        for (const auto *script : { &scripts::sweepPage(), &scripts::readLocks() }) {
            const auto commands = commandsOf(*script);
            QVERIFY2(commands.size() > 5, script->name.data());
            for (const std::string &command : commands)
                QTest::newRow((std::string(script->name) + ' ' + command).c_str()) << QByteArray(command.c_str());
        }
    }
    void askForEachCommandOfTheScriptsThatRead()
    {
        QFETCH(QByteArray, command);
        const auto questions = rightQuestions(false, "order");
        QVERIFY(std::ranges::any_of(questions,
            [&](const RightQuestion &question) { return question.command.front() == command.toStdString(); }));
    }
};

QTEST_GUILESS_MAIN(TestRightQuestions)
#include "tst_right_questions.moc"
