// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/compare/comparefacts.h"

#include "engine/api/foreignid.h"
#include "model/base/shortnumber.h"
#include "model/protocol/jobname.h"
#include "model/yaml/yamldocument.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int mostDepth = 16; // of a text or record
constexpr qsizetype mostPaths = 4000; // of one run

// The facts of all runs by their kinds and names, in the order in which they come.
class FactCollector
{
public:
    explicit FactCollector(qsizetype runs) : m_runs(runs) { }

    void add(CompareFact::Kind kind, const QString &name, qsizetype run, const QString &value)
    {
        const std::pair<int, QString> key{int(kind), name};
        auto place = m_places.constFind(key);
        if (place == m_places.constEnd()) {
            place = m_places.insert(key, m_facts.size());
            m_facts.append({kind, name, QStringList(m_runs)});
        }
        // An empty value is not the same as none.
        m_facts[*place].values[run] = value.isNull() ? u""_s : value;
    }
    QList<CompareFact> take() { return std::move(m_facts); }

private:
    qsizetype m_runs;
    QHash<std::pair<int, QString>, qsizetype> m_places;
    QList<CompareFact> m_facts;
};

// Leaves of a text or record, by their paths.
class LeafWalk
{
public:
    using Use = std::function<void(const QStringList &path, const QString &value)>;
    explicit LeafWalk(Use use) : m_use(std::move(use)) { }

    void walk(const YamlNode *node, const QStringList &path)
    {
        if (!node || !mayGoOn(path)) {
            return;
        }
        node = node->resolved();
        if (!node->isMap() && !node->isSequence()) {
            use(path, QString::fromUtf8(node->scalar));
            return;
        }
        for (qsizetype i = 0; i < node->entries.size(); ++i) {
            const YamlNode::Entry &entry = node->entries.at(i);
            const YamlNode *name = entry.value->resolved()->isMap() ? entry.value->resolved()->find("name") : nullptr;
            walk(entry.value,
                path
                    + QStringList{entry.key ? QString::fromUtf8(entry.key->scalar)
                            : name          ? QString::fromUtf8(name->scalar)
                                            : QString::number(i)});
        }
    }

    void walk(const QJsonValue &value, const QStringList &path)
    {
        if (!mayGoOn(path)) {
            return;
        }
        if (value.isObject()) {
            const QJsonObject object = value.toObject();
            for (auto it = object.begin(); it != object.end(); ++it) {
                walk(it.value(), path + QStringList{it.key()});
            }
        } else if (value.isArray()) {
            const QJsonArray list = value.toArray();
            for (qsizetype i = 0; i < list.size(); ++i) {
                const QString name = list.at(i).toObject().value("name"_L1).toString();
                walk(list.at(i), path + QStringList{name.isEmpty() ? QString::number(i) : name});
            }
        } else if (!value.isNull()) {
            use(path, compareText(value));
        }
    }

private:
    bool mayGoOn(const QStringList &path) const { return path.size() <= mostDepth && m_count < mostPaths; }
    void use(const QStringList &path, const QString &value)
    {
        ++m_count;
        m_use(path, value);
    }
    Use m_use;
    qsizetype m_count = 0;
};

QStringList roleNames(const YamlDocument &document)
{
    const YamlNode *root = document.root() ? document.root()->resolved() : nullptr;
    const YamlNode *roles = root && root->isMap() ? root->find("taskRoles") : nullptr;
    roles = roles ? roles->resolved() : nullptr;
    QStringList names;
    for (qsizetype i = 0; roles && roles->isMap() && i < roles->entries.size(); ++i) {
        names.append(QString::fromUtf8(roles->entries.at(i).key->scalar));
    }
    return names;
}

// Jobs that were made from different scripts name the same role differently. As many roles without a name in common are
// compared by their position.
bool areRolesByPosition(const QList<QStringList> &namesOfTexts)
{
    const QSet<QStringList> lists(namesOfTexts.cbegin(), namesOfTexts.cend());
    const qsizetype size = namesOfTexts.isEmpty() ? 0 : namesOfTexts.constFirst().size();
    QSet<QString> names;
    for (const QStringList &list : lists) {
        if (list.size() != size) {
            return false;
        }
        names.unite(QSet<QString>(list.cbegin(), list.cend()));
    }
    return lists.size() > 1 && names.size() == lists.size() * size;
}

QStringList withRoleAsPosition(QStringList path, const QStringList &roles)
{
    constexpr qsizetype ofJob = 1, ofDeployment = 3;
    const qsizetype at = path.value(0) == "deployments"_L1 ? ofDeployment : ofJob;
    if (const qsizetype role = roles.indexOf(path.value(at)); role >= 0 && path.value(at - 1) == "taskRoles"_L1) {
        path[at] = QString::number(role);
    }
    return path;
}

bool isSameInAll(const CompareFact &fact, const QList<CompareRun> &runs)
{
    std::optional<QString> first;
    for (qsizetype i = 0; i < runs.size(); ++i) {
        if (!isKnownOf(fact, runs.at(i))) {
            continue;
        }
        const QString &value = fact.values.at(i);
        if (first && (*first != value || first->isNull() != value.isNull())) {
            return false;
        }
        first = value;
    }
    return true;
}

void addRun(FactCollector &facts, qsizetype i, const JobSummary &job)
{
    const auto add
        = [&](const QString &code, const QString &value) { facts.add(CompareFact::Kind::Run, code, i, value); };
    add(u"name"_s, job.name);
    if (isForeign(job.uuid)) {
        return; // it was not sent anywhere from here, and its GPUs are not known
    }
    add(u"hosts"_s, job.hosts.join(", "_L1));
    add(u"target"_s, job.target);
    add(u"gpus"_s, QString::number(job.totalGpu));
    add(u"tasks"_s, QString::number(job.totalTasks));
    add(u"retries"_s, QString::number(job.retries));
}

} // namespace

bool isKnownOf(const CompareFact &fact, const CompareRun &run)
{
    return fact.kind == CompareFact::Kind::Configuration ? !run.yaml.isEmpty()
        : fact.kind == CompareFact::Kind::Environment    ? !run.environment.isEmpty()
        : fact.kind == CompareFact::Kind::Run && fact.name == "hosts"_L1
        ? !run.job.hosts.isEmpty() // one that waits has no host yet
        : fact.kind == CompareFact::Kind::Run ? fact.name == "name"_L1 || !isForeign(run.job.uuid)
                                              : true;
}

qsizetype firstKnownOf(const CompareFact &fact, const QList<CompareRun> &runs)
{
    const auto found
        = std::find_if(runs.cbegin(), runs.cend(), [&fact](const CompareRun &run) { return isKnownOf(fact, run); });
    return found == runs.cend() ? -1 : found - runs.cbegin();
}

QString compareText(const QJsonValue &value)
{
    if (value.isBool()) {
        return value.toBool() ? u"true"_s : u"false"_s;
    }
    if (value.isDouble()) {
        const double number = value.toDouble();
        constexpr double exact = 1e15;
        return number == std::trunc(number) && std::abs(number) < exact ? QString::number(qint64(number))
                                                                        : shortNumber(number);
    }
    return value.toString();
}

bool CompareFact::isSeed() const
{
    static const QRegularExpression hump(u"([a-z0-9])([A-Z])"_s), other(u"[^a-z]+"_s);
    const QStringList words = QString(name).replace(hump, u"\\1 \\2"_s).toLower().split(other);
    return kind == Kind::Parameter && (words.contains("seed"_L1) || words.contains("seeds"_L1));
}

QString seedOf(const QJsonObject &parameters)
{
    const QStringList names = parameters.keys();
    const auto seed = std::find_if(names.cbegin(), names.cend(), [](const QString &name) {
        return CompareFact{CompareFact::Kind::Parameter, name, {}}.isSeed();
    });
    return seed == names.cend() ? QString() : *seed;
}

QString nameWithSeed(const QString &name, const QString &parameter, qint64 seed)
{
    constexpr qsizetype longestKey = 40; // the name of the job stays known
    static const QRegularExpression notInNames(u"[^A-Za-z0-9_]"_s);
    const QString key = QString(parameter).remove(notInNames).left(longestKey);
    QString base = name;
    base.remove(QRegularExpression(u"-%1-?\\d+\\z"_s.arg(key))); // of other seeds itself
    return jobNameWith(base, u"-%1%2"_s.arg(key, QString::number(seed)));
}

QList<CompareFact> CompareTable::of(CompareFact::Kind kind, bool isSame) const
{
    QList<CompareFact> some;
    for (const CompareFact &fact : isSame ? same : different) {
        if (fact.kind == kind) {
            some.append(fact);
        }
    }
    return some;
}

bool hasSameFacts(const JobSummary &one, const JobSummary &other)
{
    return one.parameters == other.parameters && one.name == other.name && one.hosts == other.hosts
        && one.target == other.target && one.totalGpu == other.totalGpu && one.totalTasks == other.totalTasks
        && one.retries == other.retries;
}

CompareTable compareRuns(const QList<CompareRun> &runs)
{
    FactCollector facts(runs.size());
    QSet<QString> parameters;
    for (qsizetype i = 0; i < runs.size(); ++i) {
        const QJsonObject &own = runs.at(i).job.parameters;
        for (auto it = own.begin(); it != own.end(); ++it) {
            parameters.insert(it.key());
            facts.add(CompareFact::Kind::Parameter, it.key(), i, compareText(it.value()));
        }
    }
    std::vector<std::optional<YamlDocument>> texts(std::size_t(runs.size()));
    QList<QStringList> roles;
    for (qsizetype i = 0; i < runs.size(); ++i) {
        if (!runs.at(i).yaml.isEmpty()) {
            roles.append(roleNames(texts[std::size_t(i)].emplace(YamlDocument::parse(runs.at(i).yaml))));
        }
    }
    const bool byPosition = areRolesByPosition(roles);
    for (qsizetype i = 0; i < runs.size(); ++i) {
        const std::optional<YamlDocument> &text = texts[std::size_t(i)];
        const QStringList names = byPosition && text ? roleNames(*text) : QStringList();
        addRun(facts, i, runs.at(i).job);
        for (qsizetype role = 0; role < names.size(); ++role) {
            facts.add(CompareFact::Kind::Configuration, u"taskRoles.%1"_s.arg(role), i, names.at(role));
        }
        LeafWalk ofText([&](const QStringList &path, const QString &value) {
            const bool isKnown = path.value(0) == "name"_L1
                || (path.value(0) == "parameters"_L1 && parameters.contains(path.value(1)));
            if (!isKnown && !path.isEmpty()) {
                const QStringList shared = names.isEmpty() ? path : withRoleAsPosition(path, names);
                facts.add(CompareFact::Kind::Configuration, shared.join(u'.'), i, value);
            }
        });
        if (text) {
            ofText.walk(text->root(), {});
        }
        LeafWalk ofRecord([&](const QStringList &path, const QString &value) {
            facts.add(CompareFact::Kind::Environment, path.join(u'.'), i, value);
        });
        ofRecord.walk(QJsonValue(runs.at(i).environment), {});
    }
    CompareTable table;
    QList<CompareFact> all = facts.take();
    std::stable_sort(
        all.begin(), all.end(), [](const CompareFact &a, const CompareFact &b) { return int(a.kind) < int(b.kind); });
    for (const CompareFact &fact : std::as_const(all)) {
        (isSameInAll(fact, runs) ? table.same : table.different).append(fact);
    }
    return table;
}

} // namespace trainyard
