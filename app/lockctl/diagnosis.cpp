// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/diagnosis.h"

#include "app/common/printable_text.h"
#include "app/lockctl/duration_text.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/output.h"
#include "app/lockctl/troubles.h"
#include "lockcore/monitor/words.h"

namespace lockctl {

using lockcore::LockName;

namespace {

std::string verdict(const Diagnosis &diagnosis)
{
    if (diagnosis.isFiltered && diagnosis.locks == 0 && isFine(diagnosis))
        return diagnosis.isComplete ? "No lock matches the filter" : "No lock that could be watched matches the filter";
    return std::string(isFine(diagnosis) ? "Nothing looks wrong" : "That is all")
        + (diagnosis.isComplete ? " with " : " with what could be watched: ")
        + lockcore::counted(diagnosis.locks, "lock");
}

} // namespace

bool isFine(const Diagnosis &diagnosis)
{
    const bool isDeadlocked = diagnosis.deadlocks && !diagnosis.deadlocks->empty();
    return diagnosis.suspected.empty() && diagnosis.analysis->moreSuspects == 0 && !isDeadlocked;
}

void printText(const Diagnosis &diagnosis)
{
    for (const LockName &name : diagnosis.suspected) {
        printLine(app::printable(name));
        for (const std::string &line : suspectLines(diagnosis.analysis.get(), name))
            printLine("  " + line);
    }
    if (diagnosis.deadlocks) {
        for (const std::string &line : deadlockLines(*diagnosis.deadlocks))
            printLine(line);
    }
    printLine(verdict(diagnosis) + ", watched for " + durationText(diagnosis.watched) + ".");
    if (diagnosis.analysis->moreSuspects > 0)
        printLine("Not listed: " + lockcore::counted(diagnosis.analysis->moreSuspects, "more trouble") + ".");
    if (diagnosis.analysis->pending > 0)
        printLine(lockcore::counted(diagnosis.analysis->pending, "thing")
            + " would take longer to tell: try it with a longer --for.");
}

Json diagnosisJson(const Diagnosis &diagnosis)
{
    Json locks = Json::array();
    for (const LockName &name : diagnosis.suspected) {
        Json object;
        addName(object, "name", name);
        object["suspects"] = suspectsJson(diagnosis.analysis.get(), name);
        locks.push_back(std::move(object));
    }
    return { { "watchedMs", diagnosis.watched.count() }, { "complete", diagnosis.isComplete },
        { "locks", diagnosis.locks }, { "suspected", std::move(locks) },
        { "deadlocks", diagnosis.deadlocks ? deadlocksJson(*diagnosis.deadlocks) : Json() },
        { "notListed", diagnosis.analysis->moreSuspects }, { "pending", diagnosis.analysis->pending } };
}

} // namespace lockctl
