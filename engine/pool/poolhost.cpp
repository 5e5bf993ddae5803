// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/poolhost.h"

#include "engine/backend/activejob.h"
#include "engine/backend/workfolder.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

QString AgentFolders::belowState(const QString &local) const
{
    return u"remote/"_s + m_epoch + m_folders.belowRuns(local);
}

QString AgentFolders::on(const PoolHost &host, const QString &local) const
{
    if (host.isLocal()) {
        return local;
    }
    return QString::fromStdString(host.agent->hello().stateFolder) + u'/' + belowState(local);
}

QString AgentFolders::workOn(const PoolHost &host, const StoredDocument &document)
{
    return workFolderOf(document, QString::fromStdString(host.agent->hello().home), host.isLocal());
}

} // namespace trainyard
