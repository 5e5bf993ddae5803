// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmnamedlimit.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

std::optional<NamedLimit> limitNamedBy(const QString &words)
{
    static const QRegularExpression word(u"\\b(?:QOS|Assoc(?:iation)?)?(?:Grp|Max)[A-Za-z]+\\b"_s);
    const QString name = word.match(words).captured();
    const bool isQos = name.startsWith("QOS"_L1), isAccount = name.startsWith("Assoc"_L1);
    NamedLimit named;
    if (name.isEmpty() || name.contains("NotAllowed"_L1)) {
        return std::nullopt;
    }
    using Span = NamedLimit::Span;
    named.span = name.contains("Grp"_L1) ? Span::Group
        : name.contains("PerUser"_L1)    ? Span::User
        : name.contains("PerAcc"_L1)     ? Span::Account
        : name.contains("PerJob"_L1)     ? Span::Job
        : name.contains("PerNode"_L1)    ? Span::Node
                                         : Span::User;
    if (!isQos && !isAccount && named.span != Span::Account) {
        return std::nullopt; // of a partition, or of another kind
    }
    named.holder = isAccount ? NamedLimit::Holder::Account : NamedLimit::Holder::Qos;
    static const QRegularExpression spans(u"Per(?:User|Account|Acct|Job|Node)"_s);
    const QString what = QString(name).remove(spans);
    struct Known {
        const char *part, *what;
    };
    // The first that is in it: what is counted of a job comes before what a job has.
    static constexpr Known known[] = {{"SubmitJob", "submit"}, {"Jobs", "jobs"}, {"GRES", "gres"}, {"Gres", "gres"},
        {"CPU", "cpu"}, {"Cpu", "cpu"}, {"Mem", "mem"}, {"Node", "node"}, {"Billing", "billing"}, {"Wall", "time"}};
    const auto *it = std::ranges::find_if(
        known, [&what](const Known &each) { return what.contains(QLatin1StringView(each.part)); });
    if (it == std::end(known)) {
        return std::nullopt;
    }
    named.what = QLatin1StringView(it->what);
    named.isRunning = name.contains("RunMinutes"_L1);
    named.isMinutes = name.contains("Minutes"_L1);
    return named;
}

} // namespace trainyard::slurm
