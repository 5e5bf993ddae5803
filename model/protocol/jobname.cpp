// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobname.h"

#include "model/protocol/jobdocument.h"
#include "model/yaml/yamledit.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{
constexpr qsizetype longestJobName = 255;
}

QString jobNameWith(const QString &name, const QString &ending)
{
    return name.first(std::clamp<qsizetype>(longestJobName - ending.size(), 0, name.size())) + ending;
}

bool isJobName(const QString &name)
{
    static const QRegularExpression pattern(u"\\A[a-zA-Z0-9_-]{1,255}\\z"_s);
    return pattern.match(name).hasMatch();
}

bool isAboutJobName(const Diagnostic &diagnostic)
{
    return diagnostic.severity == Severity::Error
        && (diagnostic.path == YamlPath{u"name"_s}
            || (diagnostic.path.isEmpty() && diagnostic.code == "field.required"_L1
                && diagnostic.args.value("field"_L1).toString() == "name"_L1));
}

QByteArray withJobName(const QByteArray &yaml, const QString &name)
{
    if (!isJobName(name)) {
        return yaml;
    }
    const ParseOutcome outcome = parseJob(yaml);
    if (std::none_of(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(), isAboutJobName)) {
        return yaml;
    }
    const Result<TextEdits> edits = planEdit(outcome.document, edit::SetText{YamlPath{u"name"_s}, name});
    return edits ? applyEdits(yaml, *edits) : yaml;
}

bool isSameWithJobName(const QByteArray &one, const QByteArray &other, const QString &name)
{
    return one == other || withJobName(one, name) == withJobName(other, name);
}

} // namespace trainyard
