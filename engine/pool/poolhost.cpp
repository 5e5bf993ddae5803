// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/poolhost.h"

#include "engine/backend/activejob.h"

#include <QFileInfo>

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
    QString work = document.work;
    if (work.isEmpty() && host.isLocal() && !document.file.isEmpty()) {
        work = QFileInfo(document.file).path();
    }
    if (work.startsWith("~/"_L1)) {
        work = QString::fromStdString(host.agent->hello().home) + work.mid(1);
    }
    return work;
}

} // namespace trainyard
