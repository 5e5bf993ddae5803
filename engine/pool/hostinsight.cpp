// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hostinsight.h"

#include "engine/backend/clock.h"
#include "engine/pool/hostanswer.h"
#include "model/base/shellquote.h"

#include <QPointer>

#include <algorithm>
#include <tuple>

namespace trainyard
{
namespace
{

// The command for a shell. A conda environment whose installation is not known is used by its path alone.
QString activationOf(const contract::FoundEnvironment &found)
{
    const auto quoted
        = [](const std::string &path) { return QString::fromUtf8(shellQuote(QByteArray::fromStdString(path))); };
    if (found.kind == "conda" && !found.base.empty()) {
        return QStringLiteral("source %1 %2").arg(quoted(found.base + "/bin/activate"), quoted(found.path));
    }
    if (found.kind == "venv") {
        return QStringLiteral("source ") + quoted(found.path + "/bin/activate");
    }
    return QStringLiteral("export PATH=%1:\"$PATH\"").arg(quoted(found.path + "/bin"));
}

} // namespace

Result<api::HostHistory> HostInsight::history(const QString &id) const
{
    const PoolHost *host = m_hosts.find(id);
    if (!host) {
        return fail(QStringLiteral("host.unknown"), {{QStringLiteral("host"), id}});
    }
    return host->history.told(id, steadyMs());
}

api::HostEnvironments HostInsight::told(const QString &host, const contract::EnvironmentsFound &found)
{
    api::HostEnvironments told;
    told.host = host;
    told.isWhole = found.isWhole;
    for (const contract::FoundEnvironment &one : found.environments) {
        told.environments.append({QString::fromStdString(one.kind), QString::fromStdString(one.name),
            QString::fromStdString(one.path), QString::fromStdString(one.version), activationOf(one)});
    }
    std::sort(told.environments.begin(), told.environments.end(), [](const auto &a, const auto &b) {
        return std::tie(a.kind, a.name, a.path) < std::tie(b.kind, b.name, b.path);
    });
    for (const std::string &name : found.modules) {
        told.modules.append(QString::fromStdString(name));
    }
    told.modules.sort();
    return told;
}

void HostInsight::environments(const QString &id, QObject *context, const Environments &answer) const
{
    const PoolHost *host = m_hosts.find(id);
    if (!host || !host->agent->isOnline()) {
        answer(fail(host ? QStringLiteral("host.not-connected") : QStringLiteral("host.unknown"),
            {{QStringLiteral("host"), id}}));
        return;
    }
    host->agent->request(
        contract::FindEnvironments{}, [id, answer, here = QPointer<QObject>(context)](const contract::Message &said) {
            if (!here) {
                return;
            }
            if (const auto *found = std::get_if<contract::EnvironmentsFound>(&said)) {
                answer(told(id, *found));
                return;
            }
            answer(tl::unexpected<Error>(untoldBy(id, said)));
        });
}

} // namespace trainyard
