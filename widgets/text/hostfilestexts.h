// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/hostfiles.h"

#include <QStringList>

// The words for what Trainyard has put on a host, and for its removal.
namespace trainyard
{

// Trainyard's files on a host: a name and the contents, for each kind that exists there.
QList<QStringList> hostFilesRows(const api::HostFiles &files);
// "3 folders of jobs that are no longer in the list, 40 MiB": what was there before and is not there afterwards. Empty:
// nothing.
QString cleanedText(const api::HostFiles &before, const api::HostFiles &after);
// The files that stay on a removed host; empty: none.
QString stayingText(const api::HostFiles &files);
// Why the helper is still there after everything was to be removed; empty: it is gone.
QString helperStaysText(const api::HostFiles &after);

} // namespace trainyard
