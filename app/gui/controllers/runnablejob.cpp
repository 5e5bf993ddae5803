// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/runnablejob.h"

#include "app/gui/pages/documenttab.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/cataloguefolder.h"
#include "widgets/form/designerpage.h"

#include <QCoreApplication>

namespace trainyard
{
namespace
{

struct RunnableJob {
    Q_DECLARE_TR_FUNCTIONS(RunnableJob)
};

} // namespace

std::optional<ParseOutcome> runnableJob(DocumentTab *tab, Workbench *workbench)
{
    workbench->show(tab);
    const ParseOutcome job = tab->designer()->committedOutcome();
    const Result<ParseOutcome> whole = withCatalogue(job, folderCatalogue(catalogueFolder()));
    ParseOutcome outcome = whole ? *whole : readJob(job.document);
    if (!outcome.canRun()) {
        workbench->sayOf(tab,
            RunnableJob::tr("%1 cannot run. Its problems are listed below the text.")
                .arg(tab->designer()->displayName()));
        return std::nullopt;
    }
    return outcome;
}

} // namespace trainyard
