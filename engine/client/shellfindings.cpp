// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/shellfindings.h"

#include "model/template/pluginsteps.h"
#include "model/template/render.h"

#include <QHash>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr qsizetype mostScripts = 16;
constexpr int bashPatienceMs = 2000; // of each

// Which of the commands has the line of the script; nothing where they are not all that it consists of, such as with a
// parameter of several lines.
std::optional<qsizetype> commandOfLine(const QStringList &commands, const QString &script, int line)
{
    int end = 0;
    std::optional<qsizetype> found;
    for (qsizetype i = 0; i < commands.size(); ++i) {
        end += int(commands.at(i).trimmed().count(u'\n')) + 1;
        if (!found && line <= end) {
            found = i;
        }
    }
    return end == script.count(u'\n') + 1 ? found : std::nullopt;
}

} // namespace

ShellFault shellFaultOf(const QString &script)
{
    const QString bash = QStandardPaths::findExecutable(u"bash"_s);
    if (bash.isEmpty()) {
        return {};
    }
    QProcess process;
    process.setProgram(bash);
    // Only of a file bash tells the lines. Patterns such as !(a) are right in scripts that switch them on, which is not
    // done while they are only read.
    process.setArguments({u"--noprofile"_s, u"--norc"_s, u"-O"_s, u"extglob"_s, u"-n"_s, u"/dev/stdin"_s});
    QProcessEnvironment environment; // without BASH_ENV, which names a file that is executed
    environment.insert(u"LC_ALL"_s, u"C"_s);
    process.setProcessEnvironment(environment);
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start();
    process.write(script.toUtf8() + '\n');
    process.closeWriteChannel();
    if (!process.waitForFinished(bashPatienceMs)) {
        process.kill();
        process.waitForFinished(bashPatienceMs);
        return {};
    }
    static const QRegularExpression fault(u"line (\\d+): (.*syntax error.*|unexpected EOF.*)"_s);
    const QRegularExpressionMatch match = fault.match(QString::fromUtf8(process.readAllStandardError()));
    return process.exitStatus() == QProcess::NormalExit && process.exitCode() != 0 && match.hasMatch()
        ? ShellFault{match.captured(1).toInt(), match.captured(2).trimmed()}
        : ShellFault();
}

ShellFault movedFault(const ShellFault &fault, const QString &from, const QString &to)
{
    const QStringList before = from.split(u'\n'), after = to.split(u'\n');
    const qsizetype shorter = std::min(before.size(), after.size());
    qsizetype above = 0, below = 0; // lines that are the same
    while (above < shorter && before.at(above) == after.at(above)) {
        ++above;
    }
    while (below < shorter - above && before.at(before.size() - 1 - below) == after.at(after.size() - 1 - below)) {
        ++below;
    }
    ShellFault moved = fault;
    if (fault.line > before.size() - below) {
        moved.line += int(after.size() - before.size());
    } else if (fault.line > above) { // among the changed ones
        const qsizetype last = std::max(above + 1, after.size() - below);
        moved.line = int(std::min({qsizetype(fault.line), last, after.size()}));
    }
    return moved;
}

QList<Diagnostic> checkShell(const YamlDocument &document, const JobSpec &job, const KnownShellFault &faultOf)
{
    static const QRegularExpression secret(u"<%\\s*\\$secrets\\.[^%]*%>"_s);
    ComposeOptions options;
    options.strict = isStrict(job);
    QSet<QString> scripts;
    QList<Diagnostic> all;
    for (const TaskRole &role : job.taskRoles) {
        const Result<ComposedRole> composed = composeRole(job, role, options);
        QString script = composed ? composed->userScript : QString();
        script.replace(secret, u"x"_s);
        if (script.isEmpty() || script.contains("<%"_L1)
            || (!scripts.contains(script) && scripts.size() >= mostScripts)) {
            continue;
        }
        scripts.insert(script);
        const std::optional<ShellFault> fault = faultOf(role.name, script);
        if (!fault || fault->line == 0 || role.commands.isEmpty()) {
            continue;
        }
        const int line = std::min(fault->line, int(script.count(u'\n')) + 1); // that of an end is behind it
        Diagnostic found;
        found.code = u"role.commands-syntax"_s;
        found.severity = Severity::Warning;
        found.args = {{u"role"_s, role.name}, {u"line"_s, line}, {u"message"_s, fault->message}};
        const YamlPath commands = YamlPath().child(u"taskRoles"_s).child(role.name).child(u"commands"_s);
        const std::optional<qsizetype> place = commandOfLine(shellCommandsOf(job, role), script, line);
        // A deployment puts commands of its own around them; then only the role is known.
        const bool areOwn = shellCommandsOf(job, role).size() == role.commands.size();
        found.path = place && areOwn ? commands.child(*place) : commands;
        const YamlNode *node = document.find(found.path);
        if (const YamlNode *whole = node ? node : document.find(commands)) {
            found.at = whole->at;
        }
        all.append(found);
    }
    return all;
}

void addShellFindings(ParseOutcome &outcome)
{
    if (!outcome.spec) {
        return;
    }
    QHash<QString, ShellFault> known;
    const auto faultOf = [&known](const QString &, const QString &script) -> std::optional<ShellFault> {
        const auto at = known.constFind(script);
        return at != known.cend() ? *at : *known.insert(script, shellFaultOf(script));
    };
    const QList<Diagnostic> all = checkShell(outcome.document, *outcome.spec, faultOf);
    for (const Diagnostic &found : all) {
        const auto behind = std::upper_bound(outcome.diagnostics.begin(), outcome.diagnostics.end(), found,
            [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
        outcome.diagnostics.insert(behind, found);
    }
}

} // namespace trainyard
