// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/datafindings.h"

#include "engine/client/scriptplace.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

// Empty: it is not known where it begins.
QString placeOf(const QString &path, const QString &base)
{
    if (path == "~"_L1 || path.startsWith("~/"_L1)) {
        return QDir::homePath() + path.sliced(1);
    }
    return path.startsWith(u'/') ? path : base.isEmpty() ? QString() : base + u'/' + path;
}

// In the order of the text.
void insertInOrder(ParseOutcome &outcome, const Diagnostic &missing)
{
    const auto behind = std::upper_bound(outcome.diagnostics.begin(), outcome.diagnostics.end(), missing,
        [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
    outcome.diagnostics.insert(behind, missing);
}

void insertFinding(ParseOutcome &outcome, Diagnostic missing)
{
    missing.severity = Severity::Warning;
    if (const YamlNode *node = outcome.document.find(missing.path)) {
        missing.at = node->at;
    }
    insertInOrder(outcome, missing);
}

// A folder that is missing here may then be one of theirs.
bool namesHosts(const JobSpec &job)
{
    return std::all_of(job.taskRoles.cbegin(), job.taskRoles.cend(), [&job](const TaskRole &role) {
        const HostRule rule = job.trainyard.hostRule(role.name);
        return !rule.labels.isEmpty() || (!rule.names.isEmpty() && !rule.names.contains(u"local"_s));
    });
}

} // namespace

void addWorkFinding(ParseOutcome &outcome, const QString &file)
{
    if (!outcome.spec || isStrict(*outcome.spec) || namesHosts(*outcome.spec)) {
        return;
    }
    const QString &work = outcome.spec->trainyard.work;
    const QString place = work.startsWith("~/"_L1) // which is each host's own
        ? QString()
        : placeOf(work, file.isEmpty() ? QString() : QFileInfo(file).absolutePath());
    if (work.isEmpty() || place.isEmpty() || QFileInfo(place).isDir()) {
        return;
    }
    Diagnostic missing;
    missing.code = u"extras.work-missing"_s;
    missing.path = YamlPath().child(u"extras"_s).child(u"trainyard"_s).child(u"work"_s);
    missing.args = {{u"path"_s, QDir::cleanPath(place)}};
    insertFinding(outcome, missing);
}

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
        missing.path
            = YamlPath().child(u"extras"_s).child(u"trainyard"_s).child(u"data"_s).child(source.name).child(u"from"_s);
        missing.args = {{u"name"_s, source.name}, {u"path"_s, QDir::cleanPath(place)}};
        insertFinding(outcome, missing);
    }
}

std::optional<QString> workFolderOf(const JobSpec &job, const QString &folder)
{
    const QString &work = job.trainyard.work;
    if (work.isEmpty()) {
        return folder;
    }
    const QString place = placeOf(work, folder);
    return place.isEmpty() ? std::nullopt : std::optional(QDir::cleanPath(place));
}

void addScriptFindings(ParseOutcome &outcome, const QString &folder)
{
    if (!outcome.spec || isStrict(*outcome.spec) || !outcome.spec->trainyard.after.isEmpty()
        || namesHosts(*outcome.spec) || (!folder.isEmpty() && !QFileInfo(folder).isDir())) {
        return;
    }
    const QList<Diagnostic> missing = checkScriptFiles(outcome.document, *outcome.spec, scriptPlace(folder));
    for (const Diagnostic &each : missing) {
        insertInOrder(outcome, each);
    }
}

} // namespace trainyard
