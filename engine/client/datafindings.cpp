// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/datafindings.h"

#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

// Empty: nobody knows where it begins.
QString placeOf(const QString &path, const QString &base)
{
    if (path == "~"_L1 || path.startsWith("~/"_L1)) {
        return QDir::homePath() + path.sliced(1);
    }
    return path.startsWith(u'/') ? path : base.isEmpty() ? QString() : base + u'/' + path;
}

} // namespace

void addDataFindings(ParseOutcome &outcome, const QString &file)
{
    if (!outcome.spec || isStrict(*outcome.spec) || !outcome.spec->trainyard.after.isEmpty()) {
        return;
    }
    const JobSpec &job = *outcome.spec;
    const QString folder = file.isEmpty() ? QString() : QFileInfo(file).absolutePath();
    const QString base = job.trainyard.work.isEmpty() ? folder : placeOf(job.trainyard.work, folder);
    for (const DataSource &source : job.trainyard.data) {
        const QString place = placeOf(source.from, base);
        if (source.from.isEmpty() || place.isEmpty() || QFileInfo::exists(place)) {
            continue;
        }
        Diagnostic missing;
        missing.code = u"extras.data-missing"_s;
        missing.severity = Severity::Warning;
        missing.path
            = YamlPath().child(u"extras"_s).child(u"trainyard"_s).child(u"data"_s).child(source.name).child(u"from"_s);
        if (const YamlNode *node = outcome.document.find(missing.path)) {
            missing.at = node->at;
        }
        missing.args = {{u"name"_s, source.name}, {u"path"_s, QDir::cleanPath(place)}};
        const auto behind = std::upper_bound(outcome.diagnostics.begin(), outcome.diagnostics.end(), missing,
            [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
        outcome.diagnostics.insert(behind, missing);
    }
}

} // namespace trainyard
