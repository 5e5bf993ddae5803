// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/listedsigns.h"

#include <QHash>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

using Role = FailureCause::Role;

constexpr qsizetype linesBetween = 2;
constexpr qsizetype fewestKinds = 3;

// Causes of which one leads to another are of one kind.
QString kindOf(const QString &cause, Role role)
{
    static const QHash<QString, QString> kinds = [] {
        const QList<QStringList> all{
            {u"disk-full"_s, u"quota-exceeded"_s, u"io-error"_s, u"read-only"_s, u"file-size-limit"_s},
            {u"host-oom"_s, u"shared-memory"_s, u"locked-memory"_s, u"process-limit"_s, u"too-many-open-files"_s,
                u"segfault"_s, u"bus-error"_s, u"illegal-instruction"_s, u"arithmetic-fault"_s, u"heap-corruption"_s,
                u"assertion-failed"_s},
            {u"dns"_s, u"network-unreachable"_s, u"connection-refused"_s, u"connection-closed"_s,
                u"connection-timeout"_s, u"proxy"_s, u"ssl-verify"_s, u"tls-failed"_s, u"server-error"_s,
                u"rate-limit"_s, u"ssh-auth"_s, u"ssh-host-key"_s, u"port-in-use"_s},
            {u"time-limit"_s, u"preempted"_s, u"node-failure"_s, u"cancelled"_s, u"timeout-command"_s},
            {u"gpu-oom"_s, u"device-assert"_s, u"gpu-fault"_s, u"no-gpu"_s, u"nccl-error"_s, u"nccl-timeout"_s},
            {u"git-folder"_s, u"git-repository"_s, u"git-auth"_s, u"git-conflict"_s, u"git-tracking"_s},
            {u"bad-arguments"_s},
            {u"permission-denied"_s},
        };
        QHash<QString, QString> result;
        for (const QStringList &kind : all) {
            for (const QString &cause : kind) {
                result.insert(cause, kind.constFirst());
            }
        }
        return result;
    }();
    return kinds.value(cause, role == Role::Missing ? u"missing"_s : QString());
}

QString kindOf(const WhySign &sign) { return kindOf(sign.cause, sign.role); }

} // namespace

bool areListedIn(QByteArrayView between, const WhySign &known, const FailureCause &other)
{
    const QString kind = kindOf(known), next = kindOf(other.name, other.role);
    return !kind.isEmpty() && !next.isEmpty() && kind != next
        && (between.contains(", ") || between.contains(" and ") || between.contains(" or "));
}

void markListed(QList<WhySign> &signs)
{
    const auto mayBeListed
        = [](const WhySign &sign) { return !sign.weak && sign.block < 0 && !sign.isThrown && !kindOf(sign).isEmpty(); };
    for (qsizetype first = 0; first < signs.size();) {
        QSet<QString> kinds;
        qsizetype end = first;
        while (end < signs.size() && mayBeListed(signs.at(end))
            && (end == first || signs.at(end).line <= signs.at(end - 1).last + 1 + linesBetween)) {
            kinds.insert(kindOf(signs.at(end)));
            ++end;
        }
        // One that follows a text that is only told may be what ended the program.
        const auto told = std::count_if(
            signs.cbegin() + first, signs.cbegin() + end, [](const WhySign &sign) { return sign.isTold; });
        const bool endsWithOther = end > first && told == end - first - 1 && !signs.at(end - 1).isTold;
        for (qsizetype i = first; i < end && kinds.size() >= fewestKinds && !endsWithOther; ++i) {
            signs[i].isTold = signs[i].likely = true;
        }
        first = std::max(end, first + 1);
    }
}

} // namespace trainyard::core
