// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/listedsigns.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

using Role = FailureCause::Role;

constexpr qsizetype linesBetweenListed = 2;
constexpr qsizetype fewestKinds = 3;

// Causes of which one leads to another are of one kind.
QString causeKindOf(const QString &cause, Role role)
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

QString causeKindOf(const WhySign &sign) { return causeKindOf(sign.cause, sign.role); }

} // namespace

bool areListedIn(QByteArrayView between, const WhySign &known, const FailureCause &other)
{
    const QString kind = causeKindOf(known), next = causeKindOf(other.name, other.role);
    return !kind.isEmpty() && !next.isEmpty() && kind != next
        && (between.contains(", ") || between.contains(" and ") || between.contains(" or "));
}

// Two lines, one after the other, that are nothing but messages of different causes, without the name of a program or
// an exception before them.
static void markBarePairs(const QList<WhyLine> &lines, QList<WhySign> &signs)
{
    static const QRegularExpression prefix(
        u"\\A[\\w./-]+(?:\\[\\d+\\])?: |\\A(?:Failed|Cannot|Could not|Unable)\\b|\\b(?:[Ee]rror|ERROR|FATAL)\\b"_s);
    constexpr qsizetype longestHead = 200;
    const auto isBare = [&](const WhySign &sign) {
        return !sign.weak && sign.block < 0 && !sign.isThrown && !sign.frame && lines.at(sign.line).stream.isEmpty()
            && (sign.role == Role::Cause || sign.role == Role::Missing) && !sign.cause.isEmpty()
            && !prefix.match(QString::fromUtf8(headOf(lines.at(sign.line).words, longestHead))).hasMatch();
    };
    for (qsizetype i = 1; i < signs.size(); ++i) {
        WhySign &sign = signs[i], &before = signs[i - 1];
        if (sign.line == before.last + 1 && sign.cause != before.cause && isBare(sign) && isBare(before)) {
            sign.isTold = sign.likely = before.isTold = before.likely = true;
        }
    }
}

void markListed(const QList<WhyLine> &lines, QList<WhySign> &signs)
{
    const auto mayBeListed = [](const WhySign &sign) {
        return !sign.weak && sign.block < 0 && !sign.isThrown && !causeKindOf(sign).isEmpty();
    };
    for (qsizetype first = 0; first < signs.size();) {
        QSet<QString> kinds;
        qsizetype end = first;
        while (end < signs.size() && mayBeListed(signs.at(end))
            && (end == first || signs.at(end).line <= signs.at(end - 1).last + 1 + linesBetweenListed)) {
            kinds.insert(causeKindOf(signs.at(end)));
            ++end;
        }
        // One that follows a text that is only told may be what ended the program.
        const auto told = std::count_if(
            signs.cbegin() + first, signs.cbegin() + end, [](const WhySign &sign) { return sign.isTold; });
        const bool endsWithOther = end > first && told == end - first - 1 && !signs.at(end - 1).isTold;
        for (qsizetype i = first; i < end && kinds.size() >= fewestKinds && !endsWithOther; ++i) {
            // What stands at the end of all may be what ended it.
            const bool isLast = i + 1 == end && signs.at(i).last + 1 >= lines.size();
            signs[i].isTold = signs.at(i).isTold || !isLast;
            signs[i].likely = true;
        }
        first = std::max(end, first + 1);
    }
    markBarePairs(lines, signs);
}

} // namespace trainyard::core
