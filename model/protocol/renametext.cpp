// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/renametext.h"

#include "model/runtime/environment.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard::renametext
{

using namespace Qt::StringLiterals;

namespace
{

bool isWord(QChar c) { return (c.unicode() < 0x80 && c.isLetterOrNumber()) || c == u'_'; }

// One step of a template's key at `at`: ".name" or "[0]". Nothing where the key ends or goes on in another way.
struct Step {
    QString name;
    qsizetype begin = 0; // with the dot or bracket
    qsizetype end = 0;
};

std::optional<qsizetype> indexEnd(const QString &text, qsizetype at, qsizetype end)
{
    qsizetype i = at + 1;
    while (i < end && text.at(i).isDigit()) {
        ++i;
    }
    return i > at + 1 && i < end && text.at(i) == u']' ? std::optional(i + 1) : std::nullopt;
}

std::optional<Step> stepAt(const QString &text, qsizetype at, qsizetype end)
{
    if (at >= end) {
        return std::nullopt;
    }
    if (text.at(at) == u'[') {
        const std::optional<qsizetype> after = indexEnd(text, at, end);
        return after ? std::optional(Step{text.mid(at + 1, *after - at - 2), at, *after}) : std::nullopt;
    }
    if (text.at(at) != u'.') {
        return std::nullopt;
    }
    qsizetype i = at + 1;
    while (i < end && text.at(i) != u'.' && !(text.at(i) == u'[' && indexEnd(text, i, end))) {
        ++i;
    }
    return Step{text.mid(at + 1, i - at - 1), at, i};
}

} // namespace

bool isReachable(const QString &name)
{
    static const QRegularExpression pattern(u"^[^\\s.\\[\\]%<>{}\"'\\\\]+\\z"_s);
    return pattern.match(name).hasMatch();
}

QList<Hit> inTemplates(const QString &text, const QString &scope, const QStringList &path, const QString &to)
{
    QList<Hit> hits;
    for (qsizetype begin = text.indexOf("<%"_L1); begin >= 0; begin = text.indexOf("<%"_L1, begin)) {
        const qsizetype close = text.indexOf("%>"_L1, begin + 2);
        if (close < 0) {
            break;
        }
        qsizetype at = begin + 2;
        qsizetype end = close;
        while (at < end && text.at(at).isSpace()) {
            ++at;
        }
        while (end > at && text.at(end - 1).isSpace()) {
            --end;
        }
        begin = close + 2;
        if (QStringView(text).mid(at, end - at).startsWith(scope)) {
            std::optional<Step> step;
            at += scope.size();
            for (const QString &name : path) {
                step = stepAt(text, at, end);
                if (!step || step->name != name) {
                    step.reset();
                    break;
                }
                at = step->end;
            }
            if (step) {
                hits.append({step->begin, step->end, u'.' + to});
            }
        }
    }
    for (Hit &hit : hits) {
        if (text.at(hit.begin) == u'.') {
            ++hit.begin; // the name alone
            hit.text.remove(0, 1);
        }
    }
    return hits;
}

RoleFinder::RoleFinder(const QString &from, const QString &to, const QStringList &otherRoles) : m_from(from), m_to(to)
{
    for (const QString &role : otherRoles) {
        m_others.insert(role);
        m_others.insert(squeezedRoleName(role));
    }
    const QString squeezedFrom = squeezedRoleName(from);
    m_squeezedFrom = m_others.contains(squeezedFrom) ? QString() : squeezedFrom;
    const QString squeezedTo = squeezedRoleName(to);
    m_squeezedTo = m_others.contains(squeezedTo) ? QString() : squeezedTo;
}

QList<Hit> RoleFinder::hits(const QString &text) const
{
    QList<Hit> hits;
    if (!text.contains("PAI_"_L1) && !text.contains("FC_TASKROLE_NAME"_L1)) {
        return hits;
    }
    find(text, m_from, m_from == m_squeezedFrom, hits);
    if (!m_squeezedFrom.isEmpty() && m_squeezedFrom != m_from) {
        find(text, m_squeezedFrom, true, hits);
    }
    std::sort(hits.begin(), hits.end(), [](const Hit &a, const Hit &b) { return a.begin < b.begin; });
    const auto same = [](const Hit &a, const Hit &b) { return a.begin == b.begin; };
    hits.erase(std::unique(hits.begin(), hits.end(), same), hits.end());
    return hits;
}

void RoleFinder::find(const QString &text, const QString &spelling, bool squeezed, QList<Hit> &hits) const
{
    const QString name = QRegularExpression::escape(spelling);
    // Some variables have the name as it is written, some as the cluster's runtime squeezes it (docs/protocol.md).
    const QString other = squeezed && !m_squeezedTo.isEmpty() ? m_squeezedTo : m_to;
    const struct {
        QString pattern;
        QString replacement;
    } rows[] = {
        {u"(?<![A-Za-z0-9_])PAI_(?:TASK_ROLE_TASK_COUNT|RESOURCE|MIN_FAILED_TASK_COUNT|MIN_SUCCEEDED_TASK_COUNT)_("_s
                + name + u")(?![A-Za-z0-9_])"_s,
            spelling == m_from ? m_to : other},
        {u"(?<![A-Za-z0-9_])PAI_TASK_ROLE_("_s + name + u")_HOST_LIST(?![A-Za-z0-9_])"_s, other},
        {u"(?<![A-Za-z0-9_])PAI_(?:HOST_IP|PORT_LIST)_("_s + name + u")_(?![A-Za-z_])"_s, other},
        // The index may be a number or something that a shell or a program puts in.
        {u"(?<![A-Za-z0-9_])PAI_("_s + name
                + u")_(?:[0-9]+|\\$\\w+|\\$?\\{[^{}]*\\}|<%[^%]*%>|%[ds])_[A-Za-z_]\\w*_PORT(?![A-Za-z0-9_])"_s,
            other},
        {u"(?:PAI_CURRENT_TASK_ROLE_NAME|PAI_TASK_ROLE_NAME)[\\]\\)}\"']{0,3}\\s*(?:==?|!=)\\s*[\"']?("_s + name
                + u")(?![\\w.-])"_s,
            spelling == m_from ? m_to : QString()},
        {u"FC_TASKROLE_NAME[\\]\\)}\"']{0,3}\\s*(?:==?|!=)\\s*[\"']?("_s + name + u")(?![\\w.-])"_s,
            squeezed ? squeezedRoleName(m_to) : QString()},
    };
    for (const auto &[pattern, replacement] : rows) {
        if (replacement.isEmpty()) {
            continue;
        }
        const QRegularExpression expression(pattern);
        for (auto it = expression.globalMatch(text); it.hasNext();) {
            const QRegularExpressionMatch match = it.next();
            const qsizetype begin = match.capturedStart(1);
            if (!isLongerName(text, begin, spelling)) {
                hits.append({begin, match.capturedEnd(1), replacement});
            }
        }
    }
}

// "worker" in PAI_HOST_IP_worker_1_0 does not contain the role "worker" if a role is called worker_1.
bool RoleFinder::isLongerName(const QString &text, qsizetype begin, const QString &spelling) const
{
    return std::any_of(m_others.cbegin(), m_others.cend(), [&](const QString &role) {
        const qsizetype end = begin + role.size();
        return role.size() > spelling.size() && role.startsWith(spelling)
            && QStringView(text).mid(begin).startsWith(role)
            && (end >= text.size() || !isWord(text.at(end)) || text.at(end) == u'_');
    });
}

int RoleFinder::mentions(const QString &text, const QList<Hit> &hits) const
{
    static const QRegularExpression aware(
        u"PAI_(?:CURRENT_)?TASK_ROLE_NAME|FC_TASKROLE_NAME|PAI_(?:JOB_)?TASK_ROLE_LIST|PAI_TASK_ROLE_INSTANCES"_s);
    const QString name = QRegularExpression::escape(m_from);
    // "worker-0" is how a task is called over ssh; any other word counts where the text looks at role names at all.
    const QString tail = aware.match(text).hasMatch() ? u"(?![\\w])"_s : u"-(?=[0-9]|\\$)"_s;
    const QRegularExpression word(u"(?<![\\w./-])"_s + name + tail);
    int count = 0;
    for (auto it = word.globalMatch(text); it.hasNext();) {
        const qsizetype begin = it.next().capturedStart();
        count += std::none_of(hits.cbegin(), hits.cend(), [&](const Hit &hit) { return hit.begin == begin; }) ? 1 : 0;
    }
    return count;
}

} // namespace trainyard::renametext
