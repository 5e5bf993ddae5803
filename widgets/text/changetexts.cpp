// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/changetexts.h"

#include "engine/api/jobcauses.h"
#include "widgets/text/formats.h"
#include "widgets/text/whytexts.h"

#include <QCoreApplication>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

class ChangeTexts
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::Changes)
public:
    static QString isNow(const QString &value) { return tr("It is %1 now").arg(value); }
    static QString notSet() { return tr("It is not set now"); }
    static ChangeWords words(const JobChange &change);
};

QString roleOf(const YamlPath &path)
{
    const bool isOfRole = path.size() > 1 && std::get_if<QString>(&path.at(0))
        && std::get<QString>(path.at(0)) == "taskRoles"_L1 && std::get_if<QString>(&path.at(1));
    return isOfRole ? std::get<QString>(path.at(1)) : QString();
}

ChangeWords ChangeTexts::words(const JobChange &change)
{
    const QString role = roleOf(change.path);
    const qint64 to = change.to.toInteger(), from = change.from.toInteger();
    const bool isSet = !change.from.isNull();
    if (change.code == "memory.raise"_L1) {
        return {tr("Raise the memory of %1 to %2").arg(role, formatMiB(to)), isNow(formatMiB(from))};
    }
    if (change.code == "shm.raise"_L1) {
        return {tr("Raise the shared memory of %1 to %2").arg(role, formatMiB(to)),
            isSet ? isNow(formatMiB(from)) : notSet()};
    }
    if (change.code == "time.raise"_L1) {
        return {tr("Raise the time limit to %1").arg(formatDuration(to * 1000)), isNow(formatDuration(from * 1000))};
    }
    if (change.code == "gpu-memory.raise"_L1) {
        return {tr("Ask for GPUs with at least %1").arg(formatMiB(to)), isSet ? isNow(formatMiB(from)) : notSet()};
    }
    if (change.code == "gpu.fewer"_L1) {
        return {tr("Use %n GPU(s) for each task of %1", nullptr, int(to)).arg(role),
            tr("It asks for %1 now").arg(QString::number(from))};
    }
    if (change.code == "gpu.ask"_L1) {
        return {tr("Ask for a GPU for each task of %1").arg(role), tr("It asks for none now")};
    }
    if (change.code == "port.other"_L1) {
        return {tr("Use the port %1").arg(QString::number(to)), isNow(QString::number(from))};
    }
    if (change.code == "rate.tenth"_L1) {
        const auto rate = [](const QJsonValue &value) {
            return QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
        };
        return {tr("Divide %1 by ten to %2").arg(change.name, rate(change.to)),
            tr("It is %1 now, which is likely too much").arg(rate(change.from))};
    }
    if (change.code == "script.other"_L1) {
        return {tr("Run %1 instead").arg(change.to.toString()),
            tr("There is no %1 in the work folder").arg(change.from.toString())};
    }
    return {tr("Halve %1 to %2").arg(change.name, QString::number(to)), isNow(QString::number(from))};
}

} // namespace

ChangeWords changeWords(const JobChange &change) { return ChangeTexts::words(change); }

FailedPart failedPart(const QString &reason, const QJsonObject &reasonArgs, const QString &role)
{
    const FailureFacts facts = failureFacts(reasonArgs);
    if (!facts.isEmpty()) {
        return {facts.cause, role, facts.args};
    }
    return {reason == "limit.time"_L1 ? u"time-limit.own"_s : causeOfReason(reason), role, {}};
}

} // namespace trainyard
