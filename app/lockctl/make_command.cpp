// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/make_command.h"

#include "app/lockctl/act.h"
#include "app/lockctl/client.h"
#include "app/lockctl/diagnose.h"
#include "app/lockctl/hold.h"
#include "app/lockctl/ls.h"
#include "app/lockctl/record.h"
#include "app/lockctl/run.h"
#include "app/lockctl/show.h"
#include "app/lockctl/watch.h"

namespace lockctl {

namespace {

struct Maker {
    const Globals &globals;

    std::unique_ptr<Command> operator()(const LsRequest &request) const
    {
        return std::make_unique<Ls>(request, globals);
    }
    std::unique_ptr<Command> operator()(const ShowRequest &request) const
    {
        return std::make_unique<Show>(request, globals);
    }
    std::unique_ptr<Command> operator()(const WatchRequest &request) const
    {
        return std::make_unique<Watch>(request, globals);
    }
    std::unique_ptr<Command> operator()(const DiagnoseRequest &request) const
    {
        return std::make_unique<Diagnose>(request, globals);
    }
    std::unique_ptr<Command> operator()(const HoldRequest &request) const
    {
        return std::make_unique<Hold>(request, globals);
    }
    std::unique_ptr<Command> operator()(const ActRequest &request) const
    {
        return std::make_unique<Act>(request, globals);
    }
    std::unique_ptr<Command> operator()(const RecordRequest &request) const
    {
        return std::make_unique<Record>(request, globals);
    }
    std::unique_ptr<Command> operator()(const RunRequest &request) const
    {
        return std::make_unique<ForeignRun>(request);
    }
    std::unique_ptr<Command> operator()(const ClientRequest &request) const
    {
        if (request.cleanUp)
            return std::make_unique<CleanUpCommand>(*request.cleanUp);
        return std::make_unique<Client>(request);
    }
    template <typename Other>
    std::unique_ptr<Command> operator()(const Other &) const
    {
        return nullptr;
    }
};

} // namespace

std::unique_ptr<Command> makeCommand(const CommandLine &commandLine)
{
    return std::visit(Maker{ commandLine.globals }, commandLine.request);
}

} // namespace lockctl
