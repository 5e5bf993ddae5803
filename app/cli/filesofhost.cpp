// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/filesofhost.h"

#include "app/cli/console.h"
#include "app/cli/words.h"
#include "widgets/text/columns.h"
#include "widgets/text/hostfilestexts.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

std::optional<api::HostFiles> filesOf(Session &session, const HostInfo &host)
{
    if (host.state != HostState::Online || host.target.isEmpty()) {
        return std::nullopt;
    }
    const Progress progress(tr("Searching the files on %1 ...").arg(host.id));
    const Result<api::HostFiles> files = session.call<api::GetHostFiles>({host.id});
    return files ? std::optional(*files) : std::nullopt;
}

void outFiles(const api::HostFiles &files)
{
    outLine(tr("What Trainyard has there:"));
    const QStringList lines = alignedRows(hostFilesRows(files));
    for (const QString &line : lines) {
        outLine(u"  "_s + line);
    }
}

Result<api::HostFiles> cleanHost(Session &session, const api::HostToClean &host, QString &removed)
{
    const Progress progress(tr("Removing files on %1 ...").arg(host.id));
    const Result<api::HostFiles> before = session.call<api::GetHostFiles>({host.id});
    Result<api::HostFiles> after = before ? session.call<api::CleanHost>(host) : before;
    if (after) {
        removed = cleanedText(*before, *after);
    }
    return after;
}

} // namespace trainyard::cli
