// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/graph_taking.h"

#include "ui/charts/wait_graph_view.h"
#include "ui/models/chain_table_model.h"
#include "ui/views/client_actions.h"
#include "ui/views/data_table.h"

#include <QMenu>

namespace lockui {

using namespace lockcore;

ExportTable chainsExport(const ChainTableModel &chains, const ChainText &text, const Now &now, ExportFormat format)
{
    std::vector<const WaitChain *> rows;
    for (int row = 0; row < chains.rowCount(); ++row)
        rows.push_back(&chains.chainAt(row));
    return chainExport(rows, text, now, format);
}

void offerNodeMenu(WaitGraphView &view, const ViewClock &clock, const std::function<const Origin &()> &origin,
    const MakePicture &picture, const TellWritten &told, const std::function<void(const std::string &)> &showClient)
{
    view.setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(&view, &QWidget::customContextMenuRequested, &view,
        [&view, &clock, origin, picture, told, showClient](const QPoint &place) {
            auto *menu = new QMenu(&view);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            if (const ChainNode *node = view.nodeUnder(place)) {
                CopyTarget target = copyTargetOf({ node->lock }, origin(), clock);
                if (node->kind == ChainNode::Kind::Owner) {
                    target.owners = { node->owner };
                    QObject::connect(menu->addAction(allOfClientText()), &QAction::triggered, &view,
                        [showClient, client = node->owner.client] { showClient(client); });
                    menu->addSeparator();
                }
                addCopyEntries(*menu, target, origin());
                menu->addSeparator();
            }
            addPictureEntries(*menu, QStringLiteral("wait-graph"), picture, told);
            menu->popup(view.viewport()->mapToGlobal(place));
        });
}

void offerChainCopies(DataTable &table, const ChainTableModel &chains, const ViewClock &clock,
    const std::function<const Origin &()> &origin)
{
    offerCopies(
        table,
        [&chains, &clock, origin](const std::vector<int> &rows) {
            std::vector<LockName> names;
            for (const int row : rows)
                for (const LockName &name : chains.chainAt(row).locks)
                    names.push_back(name);
            return copyTargetOf(names, origin(), clock);
        },
        origin);
}

} // namespace lockui
