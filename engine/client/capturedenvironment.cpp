// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/capturedenvironment.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/environmentrecord.h"
#include "engine/contract/taskfolder.h"

namespace trainyard
{
namespace
{

using contract::EnvironmentRecord;

QString textOf(const std::string &text) { return QString::fromStdString(text); }

QStringList textsOf(const std::vector<std::string> &texts)
{
    QStringList list;
    for (const std::string &text : texts) {
        list.append(textOf(text));
    }
    return list;
}

QList<CapturedEnvironment::Named> namedOf(const std::vector<contract::NamedText> &texts)
{
    QList<CapturedEnvironment::Named> list;
    for (const contract::NamedText &one : texts) {
        list.append({textOf(one.name), textOf(one.text)});
    }
    return list;
}

CapturedEnvironment environmentOf(const EnvironmentRecord &record)
{
    CapturedEnvironment captured;
    captured.at = QDateTime::fromMSecsSinceEpoch(record.at, Qt::UTC);
    captured.host = textOf(record.host.name);
    captured.kernel = textOf(record.host.kernel);
    captured.os = textOf(record.host.os);
    captured.cpuModel = textOf(record.host.cpuModel);
    captured.gpuDriver = textOf(record.host.gpuDriver);
    captured.cpus = record.host.cpus;
    captured.memoryMiB = record.host.memoryMiB;
    captured.gpus = textsOf(record.gpus);
    captured.workFolder = textOf(record.workFolder);
    captured.runtime = textOf(record.runtime);
    captured.image = textOf(record.image);
    captured.variables = namedOf(record.variables);
    captured.gaps = textsOf(record.gaps);
    if (record.git) {
        captured.git = {textOf(record.git->top), textOf(record.git->commit), textOf(record.git->branch),
            record.git->dirty, textOf(record.git->diff), record.git->diffCut, textsOf(record.git->untracked),
            record.git->untrackedCount};
    }
    if (record.python) {
        captured.python = {textOf(record.python->executable), textOf(record.python->resolved),
            textOf(record.python->version), namedOf(record.python->packages)};
    }
    return captured;
}

std::optional<EnvironmentRecord> recordIn(const std::string &folder)
{
    const std::optional<std::string> text
        = contract::readWhole(folder + '/' + contract::file::environment, contract::greatestEnvironmentFile);
    return text ? contract::parseEnvironment(*text) : std::nullopt;
}

} // namespace

std::optional<CapturedEnvironment> CapturedEnvironment::fromJson(const QByteArray &json)
{
    const std::optional<EnvironmentRecord> record
        = contract::parseEnvironment(std::string_view(json.constData(), std::size_t(json.size())));
    return record ? std::optional(environmentOf(*record)) : std::nullopt;
}

std::optional<CapturedEnvironment> CapturedEnvironment::read(const QString &logFolder)
{
    const std::string folder = pathBytes(logFolder);
    std::optional<EnvironmentRecord> record = recordIn(folder);
    if (!record) {
        return std::nullopt;
    }
    if (const std::string other = contract::folderOfSame(folder, record->sameAs); !other.empty()) {
        if (const std::optional<EnvironmentRecord> whole = recordIn(other)) {
            record = contract::joined(*std::move(record), *whole);
        } else {
            record->gaps.emplace_back("record.away");
        }
    }
    return environmentOf(*record);
}

QString CapturedEnvironment::fileOf(const QString &logFolder)
{
    return logFolder + QLatin1Char('/') + QLatin1StringView(contract::file::environment);
}

} // namespace trainyard
