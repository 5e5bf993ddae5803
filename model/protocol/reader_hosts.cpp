// SPDX-License-Identifier: GPL-3.0-or-later
// Reads extras.trainyard.hosts: the rules for the hosts of roles.
#include "model/base/utf8.h"
#include "model/protocol/reader.h"
#include "model/protocol/readerrules.h"

#include <QRegularExpression>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// No name of a host and no label has these: they stand between words.
const QRegularExpression &betweenWords()
{
    static const QRegularExpression pattern(u"[\\s,;]+"_s);
    return pattern;
}

void readWords(JobReader &reader, TakenField &taken, HostRule &)
{
    QStringList words;
    bool isWrong = false;
    for (const QString &text : taken.texts.value_or(QStringList())) {
        const QStringList parts = text.split(betweenWords(), Qt::SkipEmptyParts);
        isWrong = isWrong || (!text.isEmpty() && parts != QStringList{text});
        words += parts;
    }
    if (taken.texts) {
        taken.texts = words; // of what is between the words nothing can be meant
    }
    if (!isWrong) {
        return;
    }
    Diagnostic &d = reader.findings().add(
        u"extras.hosts-words"_s, Severity::Error, ServerVerdict::Accepts, taken.place.path, {{u"field"_s, taken.name}});
    QList<edit::Op> ops{edit::SetValue{taken.place.path, "[]"}};
    for (qsizetype i = 0; i < words.size(); ++i) {
        ops.append(edit::InsertText{taken.place.path.child(i), words.at(i)});
    }
    if (!words.isEmpty()) {
        reader.findings().fix(d, u"fix.make-list"_s, {{u"field"_s, taken.name}}, ops);
    }
}

void readNames(JobReader &reader, TakenField &taken, HostRule &rule)
{
    readWords(reader, taken, rule);
    rule.names = taken.texts.value_or(QStringList());
}

void readLabels(JobReader &reader, TakenField &taken, HostRule &rule)
{
    readWords(reader, taken, rule);
    rule.labels = taken.texts.value_or(QStringList());
}

void readArrangement(JobReader &, TakenField &taken, HostRule &rule)
{
    rule.arrange = arrangementOf(taken.text.value_or(QString()));
}

const FieldSection<HostRule> &hostSection()
{
    static const FieldSection<HostRule> section("/extras/trainyard/hosts/*",
        {
            {"names", readNames},
            {"labels", readLabels},
            {"arrange", readArrangement},
        });
    return section;
}

// A role that is mistyped would run anywhere.
void sayUnknownRole(
    JobReader &reader, const MapFields &hosts, const Place &place, const QString &name, const QStringList &roles)
{
    Diagnostic &d = reader.findings().add(
        u"extras.hosts-role"_s, Severity::Error, ServerVerdict::Accepts, place.path, {{u"name"_s, name}}, Point::Key);
    const QString similar = nearest(name, roles);
    if (!similar.isEmpty() && !hosts.has(similar)) {
        reader.findings().fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::RenameKey{place.path, similar}});
    }
}

// The names in `role: lab1` or `role: [lab1, lab2]`; nothing where it is anything else.
QStringList namesInShort(const Place &place)
{
    QStringList names;
    const auto take = [&names](const YamlNode &node) {
        const bool isText = node.kind == YamlNode::Kind::Scalar && !node.isNull();
        names += isText ? textFromUtf8(node.scalar).split(betweenWords(), Qt::SkipEmptyParts) : QStringList();
        return isText;
    };
    if (place.isScalar()) {
        take(*place.resolved());
    } else if (place.isSequence()) {
        for (const YamlNode::Entry &entry : place.resolved()->entries) {
            if (!take(*entry.value->resolved())) {
                return {};
            }
        }
    }
    return names;
}

// Host names alone cannot be told from labels.
void sayNamesAlone(JobReader &reader, const Place &place, const QString &role, const QStringList &names)
{
    const QString written = names.join(u", "_s);
    Diagnostic &d = reader.findings().add(u"extras.hosts-names"_s, Severity::Error, ServerVerdict::Accepts, place.path,
        {{u"name"_s, role}, {u"value"_s, written}});
    QList<edit::Op> ops{edit::SetValue{place.path, "{names: []}"}};
    for (qsizetype i = 0; i < names.size(); ++i) {
        ops.append(edit::InsertText{place.path.child(u"names"_s).child(i), names.at(i)});
    }
    reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, u"{names: [%1]}"_s.arg(written)}}, ops);
}

// Hosts that are named one by one can be counted here.
void checkCount(JobReader &reader, const JobSpec &job, const TaskRole &role, const MapFields &hosts, const Place &place)
{
    const HostRule rule = job.trainyard.hostRule(role.name);
    const QSet<QString> names(rule.names.cbegin(), rule.names.cend());
    if (job.gangAllocation && rule.arrange == Arrangement::DifferentHosts && !names.isEmpty()
        && role.instances > names.size()) {
        // At what names the hosts: the entry of the role, or that of all roles.
        const auto path = place.path.child(hosts.has(role.name) ? role.name : u"*"_s);
        reader.findings().add(u"extras.hosts-too-few"_s, Severity::Warning, ServerVerdict::Accepts, path,
            {{u"role"_s, role.name}, {u"tasks"_s, role.instances}, {u"hosts"_s, int(names.size())}}, Point::Key);
    }
}

} // namespace

void readerrules::readHosts(JobReader &reader, TakenField &taken, JobSpec &job)
{
    QStringList roles;
    for (const TaskRole &role : std::as_const(job.taskRoles)) {
        roles.append(role.name);
    }
    const QList<MapEntry> entries = taken.inside->entries();
    for (const MapEntry &entry : entries) {
        const Place place{entry.value, taken.place.path.child(entry.key)};
        if (entry.key != u"*"_s && !roles.contains(entry.key)) {
            sayUnknownRole(reader, *taken.inside, place, entry.key, roles);
        }
        if (const QStringList names = namesInShort(place); !names.isEmpty()) {
            sayNamesAlone(reader, place, entry.key, names);
            continue;
        }
        if (!reader.fields().map(place, entry.key, ServerVerdict::Accepts)) {
            continue;
        }
        MapFields fields(reader.fields(), place);
        if (fields.entries().isEmpty()) {
            Diagnostic &d = reader.findings().add(
                u"field.empty"_s, Severity::Warning, ServerVerdict::Accepts, place.path, {{u"field"_s, entry.key}});
            reader.findings().fix(d, u"fix.remove"_s, {{u"field"_s, entry.key}}, {edit::Remove{place.path}});
            continue;
        }
        HostRule rule;
        hostSection().read(reader, fields, rule, entry.key);
        job.trainyard.hosts.insert(entry.key, rule);
    }
    for (const TaskRole &role : std::as_const(job.taskRoles)) {
        checkCount(reader, job, role, *taken.inside, taken.place);
    }
}

QStringList readerrules::hostProblems() { return hostSection().problems(); }

} // namespace trainyard
