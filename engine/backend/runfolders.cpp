// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/runfolders.h"

#include <QUrl>

namespace trainyard
{

using namespace Qt::StringLiterals;

QString RunFolders::runs() const { return m_state + u"/runs"_s; }

QString RunFolders::ofJob(const QString &uuid) const { return runs() + u'/' + uuid; }

QString RunFolders::checkpoint(const QString &uuid) const { return ofJob(uuid) + u"/checkpoint"_s; }

QString RunFolders::ofTry(const QString &uuid, int attempt, const QString &role, int index, int taskTry) const
{
    // A role's name comes from the document: whatever it holds, it is one part of a path.
    return ofJob(uuid) + u'/' + QString::number(attempt) + u'/' + QString::fromLatin1(QUrl::toPercentEncoding(role))
        + u'-' + QString::number(index) + u'/' + QString::number(taskTry);
}

QString RunFolders::jobOf(const QString &folder) const { return belowRuns(folder).section(u'/', 1, 1); }

QString RunFolders::belowRuns(const QString &folder) const { return folder.mid(runs().size()); }

} // namespace trainyard
