// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/diagnosis.h"

#include "app/common/words.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/output.h"
#include "app/lockctl/suspects.h"

namespace lockctl {

using app::Words;
using lockcore::LockName;
using lockui::pluralOf;

namespace {

QString verdict(const Diagnosis &diagnosis)
{
    const int locks = pluralOf(diagnosis.locks);
    if (diagnosis.isFiltered && diagnosis.locks == 0 && isFine(diagnosis))
        return diagnosis.isComplete ? Words::tr("No lock matches the filter, watched for %1.")
                                    : Words::tr("No lock that could be watched matches the filter, watched for %1.");
    if (isFine(diagnosis))
        return diagnosis.isComplete
            ? Words::tr("Nothing looks wrong with %n locks, watched for %1.", nullptr, locks)
            : Words::tr("Nothing looks wrong with what could be watched: %n locks, watched for %1.", nullptr, locks);
    return diagnosis.isComplete
        ? Words::tr("That is all with %n locks, watched for %1.", nullptr, locks)
        : Words::tr("That is all with what could be watched: %n locks, watched for %1.", nullptr, locks);
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
        printLine(lockui::printable(name));
        for (const std::string &line : suspectLines(diagnosis.analysis.get(), name))
            printLine("  " + line);
    }
    if (diagnosis.deadlocks) {
        for (const std::string &line : deadlockLines(*diagnosis.deadlocks))
            printLine(line);
    }
    printLine(verdict(diagnosis).arg(lockui::ttlText(diagnosis.watched)));
    if (const auto more = diagnosis.analysis->moreSuspects; more > 0)
        printLine(Words::tr("Not listed: %n more suspects.", nullptr, pluralOf(more)));
    if (const auto pending = diagnosis.analysis->pending; pending > 0)
        printLine(
            Words::tr("%n things would take longer to tell: try it with a longer --for.", nullptr, pluralOf(pending)));
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
