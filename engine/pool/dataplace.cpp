// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/dataplace.h"

#include "engine/backend/activejob.h"

#include <QDir>
#include <QFileInfo>

namespace trainyard
{

using namespace Qt::StringLiterals;

DataPlace dataPlaceOf(const PoolHost &at)
{
    launch::DataHost host{at.id, at.use.labels, at.isLocal(), QDir::homePath()};
    if (!at.isLocal()) {
        host.home = at.agent->wasOnline() ? QString::fromStdString(at.agent->hello().home) : u"~"_s;
    }
    return {host, at.id, {}};
}

QList<launch::DataWant> dataWantsOf(
    const JobSpec &spec, const StoredDocument &document, const QString &role, const launch::DataHost &at)
{
    const QString home = QDir::homePath();
    QString base = document.work;
    if (base.isEmpty() && !document.file.isEmpty()) {
        base = QFileInfo(document.file).path();
    }
    base = base.startsWith("~/"_L1) ? home + base.sliced(1) : base;
    return launch::dataFor(spec, role, at, base, home);
}

} // namespace trainyard
