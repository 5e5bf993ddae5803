// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/convertedjob.h"

#include "model/import/batchimport.h"
#include "model/protocol/legacy.h"

#include <QFileInfo>

#include <algorithm>

namespace trainyard
{

std::optional<JobImport> convertedJob(const QByteArray &bytes, const QString &name)
{
    const bool isBatch = isBatchScript(bytes);
    if (!isBatch && (!bytes.contains("jobName") || !isLegacyJob(bytes))) {
        return std::nullopt;
    }
    const JobImport import
        = isBatch ? importBatchScript(bytes, QFileInfo(name).completeBaseName()) : importLegacyJob(bytes);
    return import.yaml.isEmpty() ? std::nullopt : std::optional(import);
}

std::optional<Error> conversionTrouble(const QByteArray &bytes, bool isProgram)
{
    const JobImport import = importBatchScript(bytes);
    const auto inTheWay
        = std::find_if(import.report.cbegin(), import.report.cend(), [isProgram](const Diagnostic &each) {
              return each.severity == Severity::Error && (each.at.end > 0 || !isProgram);
          });
    return inTheWay == import.report.cend() ? std::nullopt : std::optional(Error{inTheWay->code, inTheWay->args});
}

} // namespace trainyard
