// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaidocument.h"

#include "model/yaml/yamledit.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

namespace trainyard::openpai
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype mostNameLength = 255;
constexpr char maskedInText[] = "******"; // as maskSecrets() writes it

// JSON is flow YAML. Text with a line feed is escaped there, and is therefore on one line.
QByteArray flowOf(const Value &value)
{
    const QByteArray list = QJsonDocument(QJsonArray{value.toJson()}).toJson(QJsonDocument::Compact);
    return list.mid(1, list.size() - 2);
}

edit::Op setTo(const YamlPath &path, const Value &value)
{
    if (const QString *text = value.asString()) {
        return edit::SetText{path, *text};
    }
    return edit::SetValue{path, flowOf(value)};
}

} // namespace

QString nameThere(const QString &runName, const QUuid &job, int attempt)
{
    QString suffix = u'_' + job.toString(QUuid::Id128).left(12);
    if (attempt > 0) {
        suffix += u"_a"_s + QString::number(attempt);
    }
    return runName.left(mostNameLength - suffix.size()) + suffix;
}

QString nameWithoutSuffix(const QString &nameThere)
{
    static const QRegularExpression own(u"^(.+)_[0-9a-f]{12}(?:_a[0-9]+)?$"_s);
    const QRegularExpressionMatch match = own.match(nameThere);
    return match.hasMatch() ? match.captured(1) : nameThere;
}

QByteArray documentToOpen(const QByteArray &kept)
{
    const YamlDocument document = YamlDocument::parse(kept);
    const YamlPath path{u"name"_s};
    const YamlNode *name = document.find(path);
    if (!name || name->resolved()->scalar.isEmpty()) {
        return kept;
    }
    const QString written = QString::fromUtf8(name->resolved()->scalar);
    const QString wanted = nameWithoutSuffix(written);
    if (wanted == written) {
        return kept;
    }
    const Result<PlannedChange> change = planChange(document, {edit::SetText{path, wanted}});
    return change ? change->document.bytes() : kept;
}

Result<QByteArray> documentFor(const DocumentInput &input)
{
    const JobSpec &spec = *input.spec;
    QList<edit::Op> ops{edit::SetText{YamlPath{u"name"_s}, input.name}};
    if (const Value::Map *secrets = spec.secrets.asMap(); secrets && !secrets->isEmpty()) {
        if (spec.secretsMasked) { // the whole block is one mask
            ops.append(edit::SetValue{YamlPath{u"secrets"_s}, flowOf(spec.secrets)});
        } else {
            for (const auto &[name, value] : *secrets) {
                ops.append(setTo(YamlPath{u"secrets"_s, name}, value));
            }
        }
    }
    for (const QString &name : input.parameters) {
        if (const Value *value = spec.parameters.find(name)) {
            ops.append(setTo(YamlPath{u"parameters"_s, name}, *value));
        }
    }
    const bool wantsCluster = !input.virtualCluster.isEmpty() && input.virtualCluster != "default"_L1;
    if (spec.virtualCluster.isEmpty() && wantsCluster) {
        ops.append(edit::SetText{YamlPath{u"defaults"_s, u"virtualCluster"_s}, input.virtualCluster});
    }
    const YamlDocument document = YamlDocument::parse(input.yaml);
    // A password that stood in a login is a secret of the job by now, and the login refers to it.
    for (qsizetype i = 0; i < spec.prerequisites.size(); ++i) {
        const std::optional<RegistryAuth> &auth = spec.prerequisites.at(i).auth;
        const YamlPath path = YamlPath{u"prerequisites"_s}.child(i).child(u"auth"_s).child(u"password"_s);
        const YamlNode *written = auth ? document.find(path) : nullptr;
        if (written && written->resolved()->scalar == maskedInText) {
            ops.append(edit::SetText{path, auth->password});
        }
    }
    const Result<PlannedChange> change = planChange(document, ops);
    if (!change) {
        return tl::unexpected<Error>(change.error());
    }
    return change->document.bytes();
}

QStringList withoutEffect(const JobSpec &spec)
{
    const TrainyardExtras &own = spec.trainyard;
    QStringList names;
    const std::pair<bool, QLatin1StringView> fields[] = {
        {!own.runIn.isEmpty(), "runIn"_L1},
        {!own.work.isEmpty(), "work"_L1},
        {own.priority != 0, "priority"_L1},
        {own.stop != StopRule(), "stop"_L1},
        {!own.hosts.isEmpty(), "hosts"_L1},
        {own.results != ResultsRule(), "results"_L1},
    };
    for (const auto &[isSaid, name] : fields) {
        if (isSaid) {
            names.append(name);
        }
    }
    const Value *extras = spec.extras.find(u"trainyard"_s);
    for (const QLatin1StringView name : {"environment"_L1, "variables"_L1, "holdAfterFailureMinutes"_L1, "copyWork"_L1,
             "checkPeers"_L1, "gpuMemoryMB"_L1, "metrics"_L1}) {
        if (extras && extras->find(name)) {
            names.append(name);
        }
    }
    return names;
}

} // namespace trainyard::openpai
