// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/legacy.h"

#include "model/protocol/legacyimporter.h"
#include "model/protocol/legacyread.h"
#include "model/yaml/yamldocument.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

JobImport importLegacyJob(const QByteArray &bytes)
{
    JobImport result;
    bool yaml = false;
    const legacy::Text text = legacy::readEither(bytes, &yaml);
    result.report = text.diagnostics;
    const auto add = [&](const char *code, Severity severity) {
        Diagnostic d;
        d.code = QString::fromLatin1(code);
        d.severity = severity;
        result.report.append(d);
    };
    if (!text.complete || !legacy::looksLegacy(text)) {
        if (!result.hasErrors()) {
            add("legacy.not-a-job", Severity::Error);
        }
        return result;
    }
    if (yaml && bytes.contains('#')) {
        add("legacy.yaml", Severity::Note);
    }
    legacy::Importer importer(text.root);
    const YamlWriter job = importer.convert(result.report);
    std::stable_sort(result.report.begin(), result.report.end(),
        [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
    const QByteArray written = job.write(text.comments + importer.looseComments());
    if (!importer.isTooLarge() && YamlDocument::parse(written).isWellFormed()) {
        result.yaml = written;
    } else {
        add("legacy.unwritable", Severity::Error);
    }
    return result;
}

} // namespace trainyard
