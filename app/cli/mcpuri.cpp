// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpuri.h"

#include <QRegularExpression>

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

QString scheme() { return u"trainyard://"_s; }

// A page may be chosen of all but the cause of a failure, which is short.
QString fromText(const ResourceUri &uri) { return uri.from ? u"?from="_s + QString::number(*uri.from) : QString(); }

constexpr struct {
    ResourceUri::Kind kind;
    QLatin1StringView word;
} wordsOfKinds[] = {
    {ResourceUri::Kind::Jobs, QLatin1StringView("jobs")},
    {ResourceUri::Kind::Job, QLatin1StringView("job")},
    {ResourceUri::Kind::Yaml, QLatin1StringView("yaml")},
    {ResourceUri::Kind::Why, QLatin1StringView("why")},
    {ResourceUri::Kind::Log, QLatin1StringView("log")},
    {ResourceUri::Kind::Metrics, QLatin1StringView("metrics")},
};

ResourceUri::Kind kindOf(const QString &word)
{
    const auto *it = std::find_if(
        std::begin(wordsOfKinds), std::end(wordsOfKinds), [&word](const auto &each) { return each.word == word; });
    return it == std::end(wordsOfKinds) ? ResourceUri::Kind::Jobs : it->kind;
}

} // namespace

QString ResourceUri::word(Kind kind)
{
    const auto *it = std::find_if(
        std::begin(wordsOfKinds), std::end(wordsOfKinds), [kind](const auto &each) { return each.kind == kind; });
    return it == std::end(wordsOfKinds) ? QString() : QString(it->word);
}

QString ResourceUri::task() const { return role.isEmpty() ? QString() : role + u'/' + QString::number(index); }

QString ResourceUri::text() const
{
    const bool isPart = kind != Kind::Jobs && kind != Kind::Job;
    const QString path
        = kind == Kind::Jobs ? word(kind) : word(Kind::Job) + u'/' + job + (isPart ? u'/' + word(kind) : QString());
    return scheme() + path + (role.isEmpty() ? QString() : u'/' + task()) + fromText(*this);
}

ResourceUri ResourceUri::whole() const { return {kind, job, role, index, std::nullopt}; }

std::optional<ResourceUri> ResourceUri::parse(const QString &text)
{
    // The number of a job, or at least 8 characters of its UUID, and the names that roles may have.
    static const QRegularExpression pattern(
        u"\\Atrainyard://(?:(?<jobs>jobs)|job/(?<job>[1-9][0-9]{0,8}|[0-9a-f]{8}[0-9a-f-]{0,28})"
        "(?:/(?<what>yaml|why|metrics|log(?=/))(?:/(?<role>[A-Za-z0-9_-]{1,255})/(?<index>0|[1-9][0-9]{0,6}))?)?)"
        "(?:\\?from=(?<from>0|[1-9][0-9]{0,8}))?\\z"_s);
    if (text.size() > longest) {
        return std::nullopt;
    }
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    ResourceUri uri;
    const QString what = match.captured(u"what"_s), from = match.captured(u"from"_s);
    uri.job = match.captured(u"job"_s);
    uri.role = match.captured(u"role"_s);
    uri.index = uri.role.isEmpty() ? -1 : match.captured(u"index"_s).toInt();
    uri.kind = uri.job.isEmpty() ? Kind::Jobs : what.isEmpty() ? Kind::Job : kindOf(what);
    if (!from.isEmpty()) {
        uri.from = from.toLongLong();
    }
    const bool isOfLines = uri.kind == Kind::Log || uri.kind == Kind::Yaml; // which are counted from 1
    if ((uri.kind == Kind::Yaml && !uri.role.isEmpty()) || (uri.kind == Kind::Why && uri.from)
        || (isOfLines && uri.from == 0)) {
        return std::nullopt;
    }
    return uri;
}

} // namespace trainyard::cli::mcp
