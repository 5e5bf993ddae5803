// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobfilter.h"

#include "engine/api/filterparser.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

using Field = FilterTerm::Field;

} // namespace

std::optional<JobNumbers> jobNumbersIn(const QString &word)
{
    static const QRegularExpression form(u"\\A#?([1-9]\\d{0,17})(?:-#?([1-9]\\d{0,17}))?\\z"_s);
    const QRegularExpressionMatch match = form.match(word);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const qint64 first = match.captured(1).toLongLong();
    const qint64 last = match.hasCaptured(2) ? match.captured(2).toLongLong() : first;
    return first <= last ? std::optional(JobNumbers{first, last}) : std::nullopt;
}

Result<JobFilter> JobFilter::parse(const QString &text, qint64 now)
{
    // Such a filter is unlikely, and the database limits the length of patterns.
    constexpr qsizetype mostCharacters = 2000;
    if (text.size() > mostCharacters) {
        return fail(u"filter.too-long"_s,
            {{u"most"_s, mostCharacters}, {u"at"_s, mostCharacters}, {u"length"_s, text.size() - mostCharacters}});
    }
    Result<QList<FilterTerm>> terms = filterTermsIn(text, now);
    if (!terms) {
        return tl::unexpected<Error>(terms.error());
    }
    return JobFilter(*terms);
}

bool JobFilter::saysArchived() const
{
    return std::any_of(m_terms.cbegin(), m_terms.cend(), [](const FilterTerm &term) {
        return term.field == Field::Archived || (term.field == Field::Is && term.words.contains("archived"_L1))
            || (term.field == Field::Id && !term.isNegated);
    });
}

QString withoutArchived(const QString &text)
{
    const Result<JobFilter> filter = JobFilter::parse(text, 0);
    return !filter || filter->saysArchived() ? text : QString(u"-is:archived "_s + text);
}

QStringList filterStates()
{
    return {u"waiting"_s, u"running"_s, u"stopping"_s, u"succeeded"_s, u"failed"_s, u"stopped"_s, u"unknown"_s,
        u"active"_s, u"ended"_s, u"paused"_s};
}

QStringList filterTraits()
{
    return {u"starred"_s, u"archived"_s, u"tagged"_s, u"noted"_s, u"grouped"_s, u"paused"_s, u"retried"_s, u"due"_s,
        u"unhealthy"_s};
}

QStringList filterCounts()
{
    return {u"time"_s, u"gpus"_s, u"tasks"_s, u"failed"_s, u"retries"_s, u"priority"_s, u"code"_s, u"id"_s};
}

QString filterQuoted(const QString &name)
{
    const bool isPlain = !name.isEmpty() && std::none_of(name.cbegin(), name.cend(), [](QChar c) {
        return c.isSpace() || c == u':' || c == u',' || c == u'<' || c == u'>' || c == u'=' || c == u'!';
    });
    return isPlain && !name.startsWith(u'-') ? name : QString(u'"' + name + u'"');
}

QString groupFilter(const QString &group) { return u"group:" + filterQuoted(group); }

} // namespace trainyard
