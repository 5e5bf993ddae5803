// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpailist.h"

#include <QJsonDocument>

#include <algorithm>

namespace trainyard::openpai
{

using namespace Qt::StringLiterals;

namespace
{

// Lists of older servers call the time of a submission that of the creation.
qint64 submittedIn(const QJsonObject &job)
{
    const qint64 submitted = job.value("submissionTime"_L1).toInteger();
    return submitted > 0 ? submitted : std::max<qint64>(0, job.value("createdTime"_L1).toInteger());
}

} // namespace

Result<ClusterJobs> jobsIn(const QByteArray &answer, const QString &target)
{
    const QJsonDocument said = QJsonDocument::fromJson(answer);
    const bool isList = said.isArray();
    if (!isList && !said.object().value("data"_L1).isArray()) {
        return fail(u"openpai.no-list"_s, {{u"target"_s, target}});
    }
    ClusterJobs found;
    const QJsonArray all = isList ? said.array() : said.object().value("data"_L1).toArray();
    for (const QJsonValue &each : all) {
        const QJsonObject job = each.toObject();
        const QString name = job.value("name"_L1).toString();
        if (name.isEmpty()) {
            continue;
        }
        found.jobs.append({name, job.value("state"_L1).toString(), job.value("virtualCluster"_L1).toString(),
            submittedIn(job), job.value("totalGpuNumber"_L1).toInt(), job.value("totalTaskNumber"_L1).toInt()});
    }
    std::stable_sort(found.jobs.begin(), found.jobs.end(),
        [](const ClusterJob &a, const ClusterJob &b) { return a.submitted > b.submitted; });
    found.total = std::max<qint64>(found.jobs.size(), said.object().value("totalCount"_L1).toInteger());
    return found;
}

QJsonArray skusIn(const QJsonObject &answer)
{
    // Numbers, or, from some servers, numbers as texts.
    const auto number = [](const QJsonValue &value) { return std::max<qint64>(0, value.toVariant().toLongLong()); };
    QJsonArray skus;
    for (auto it = answer.begin(); it != answer.end(); ++it) { // sorted by its names
        const QJsonObject sku = it.value().toObject();
        if (it.key().isEmpty() || sku.isEmpty()) {
            continue;
        }
        skus.append(QJsonObject{{u"name"_s, it.key()}, {u"gpus"_s, number(sku.value("gpu"_L1))},
            {u"cpus"_s, number(sku.value("cpu"_L1))}, {u"memoryMiB"_s, number(sku.value("memory"_L1))}});
    }
    return skus;
}

QStringList tagsIn(const QJsonObject &detail)
{
    QStringList tags;
    const QJsonArray all = detail.value("tags"_L1).toArray();
    for (const QJsonValue &each : all) {
        const QString tag = each.isObject() ? each.toObject().value("name"_L1).toString() : each.toString();
        if (!tag.isEmpty() && !tags.contains(tag)) {
            tags.append(tag);
        }
    }
    tags.sort();
    return tags;
}

bool isTag(const QString &tag)
{
    constexpr qsizetype longest = 255;
    return !tag.trimmed().isEmpty() && tag == tag.trimmed() && tag.size() <= longest
        && std::all_of(tag.cbegin(), tag.cend(), [](QChar c) { return c.category() != QChar::Other_Control; });
}

} // namespace trainyard::openpai
