// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/filtercompletion.h"

#include "engine/api/jobcauses.h"
#include "engine/api/jobfilter.h"
#include "engine/api/joblabels.h"

#include <QSet>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

QStringList sortedList(const QSet<QString> &set)
{
    QStringList list(set.cbegin(), set.cend());
    list.sort(Qt::CaseInsensitive);
    list.removeAll(QString());
    return list;
}

QStringList quotedNames(const QStringList &names)
{
    QStringList list;
    for (const QString &name : names) {
        list.append(filterQuoted(name));
    }
    return list;
}

QStringList valuesOf(const QString &key, const FilterWords &known)
{
    return key == "state"_L1                                       ? filterStates()
        : key == "is"_L1                                           ? filterTraits()
        : key == "with"_L1                                         ? QStringList{u"archived"_s}
        : key == "after"_L1 || key == "before"_L1                  ? QStringList{u"today"_s, u"yesterday"_s}
        : key == "tag"_L1                                          ? quotedNames(known.tags)
        : key == "host"_L1                                         ? quotedNames(known.hosts)
        : key == "group"_L1                                        ? quotedNames(known.groups)
        : key == "user"_L1                                         ? quotedNames(known.users)
        : key == "cause"_L1                                        ? quotedNames(known.causes)
        : key == "param"_L1                                        ? quotedNames(known.parameters)
        : key == "result"_L1 || key == "min"_L1 || key == "max"_L1 ? quotedNames(known.results)
                                                                   : QStringList();
}

QStringList beginningsOf(const FilterWords &known)
{
    QStringList list;
    const QStringList keys = filterKeys();
    for (const QString &key : keys) {
        list.append(key + u':');
    }
    list += quotedNames(known.parameters) + quotedNames(known.results) + filterCounts();
    const QStringList states = filterStates();
    for (const QString &state : states) { // typing the value finds the condition
        list.append("state:"_L1 + state);
    }
    const QStringList traits = filterTraits();
    for (const QString &trait : traits) {
        list.append("is:"_L1 + trait);
    }
    for (const QString &tag : known.tags) {
        list.append("tag:"_L1 + filterQuoted(tag));
    }
    for (const QString &cause : known.causes) {
        list.append("cause:"_L1 + filterQuoted(cause));
    }
    return list;
}

bool isBegunBy(const QString &candidate, const QString &typed)
{
    const auto begins = [&typed](QStringView text) {
        const QStringView plain = text.startsWith(u'"') && !typed.startsWith(u'"') ? text.sliced(1) : text;
        return plain.startsWith(typed, Qt::CaseInsensitive);
    };
    const qsizetype colon = candidate.indexOf(u':');
    return begins(candidate)
        || (!typed.contains(u':') && colon > 0 && begins(QStringView(candidate).sliced(colon + 1)) && !typed.isEmpty());
}

} // namespace

FilterWords filterWords(const QList<JobSummary> &jobs)
{
    QSet<QString> tags, hosts, groups, users, parameters, results, causes;
    for (const JobSummary &job : jobs) {
        tags += QSet<QString>(job.labels.tags.cbegin(), job.labels.tags.cend());
        hosts += QSet<QString>(job.hosts.cbegin(), job.hosts.cend());
        groups.insert(job.group);
        users.insert(job.user);
        causes.insert(failureCauses(job).value(0));
        for (auto it = job.parameters.begin(); it != job.parameters.end(); ++it) {
            parameters.insert(it.key());
        }
        for (auto it = job.results.begin(); it != job.results.end(); ++it) {
            results.insert(it.key());
        }
    }
    QStringList spelled(tags.cbegin(), tags.cend());
    spelled.sort(); // of two spellings of a tag it is always the same one that stays
    return {normalTags(spelled), sortedList(hosts), sortedList(groups), sortedList(users), sortedList(parameters),
        sortedList(results), sortedList(causes)};
}

qsizetype filterTermAt(const QString &text, qsizetype at)
{
    qsizetype begin = 0;
    bool isQuoted = false;
    for (qsizetype i = 0; i < at; ++i) {
        isQuoted = text.at(i) == u'"' ? !isQuoted : isQuoted;
        begin = text.at(i).isSpace() && !isQuoted ? i + 1 : begin;
    }
    return begin;
}

FilterCompletion filterCompletion(const QString &text, qsizetype caret, const FilterWords &known)
{
    FilterCompletion completion;
    completion.from = filterTermAt(text, caret);
    completion.from += completion.from < caret && text.at(completion.from) == u'-' ? 1 : 0;
    QString typed = text.sliced(completion.from, caret - completion.from);
    QStringList candidates;
    if (const qsizetype colon = typed.indexOf(u':'); colon > 0 && !typed.startsWith(u'"')) {
        const QString key = typed.first(colon).toLower();
        candidates = valuesOf(key, known);
        completion.from += std::max(colon, typed.lastIndexOf(u',')) + 1;
        typed = text.sliced(completion.from, caret - completion.from);
    } else if (typed.isEmpty()) {
        return completion; // not before anything is typed
    } else {
        candidates = beginningsOf(known);
    }
    for (const QString &candidate : std::as_const(candidates)) {
        if (isBegunBy(candidate, typed) && !completion.words.contains(candidate)) {
            completion.words.append(candidate);
        }
    }
    if (completion.words.size() == 1 && completion.words.constFirst() == typed) {
        completion.words.clear();
    }
    return completion;
}

bool hasCondition(const QString &text, const QString &condition)
{
    return text.split(u' ', Qt::SkipEmptyParts).contains(condition, Qt::CaseInsensitive);
}

QString withCondition(const QString &text, const QString &condition, bool on)
{
    if (hasCondition(text, condition) == on) {
        return text;
    }
    QStringList terms = text.split(u' ', Qt::SkipEmptyParts);
    if (on) {
        terms.prepend(condition);
    } else {
        terms.removeIf([&](const QString &term) { return term.compare(condition, Qt::CaseInsensitive) == 0; });
    }
    return terms.join(u' ');
}

} // namespace trainyard
