// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/shellfindings.h"

#include "model/template/pluginsteps.h"
#include "model/template/render.h"

#include <QHash>
#include <QProcess>
#include <QRegularExpression>
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

struct ShellFault {
    int line = 0; // 0: none
    QString message;
};

ShellFault faultOf(const QString &bash, const QString &script)
{
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

void addShellFindings(ParseOutcome &outcome)
{
    const QString bash = outcome.spec ? QStandardPaths::findExecutable(u"bash"_s) : QString();
    if (bash.isEmpty()) {
        return;
    }
    const JobSpec &job = *outcome.spec;
    static const QRegularExpression secret(u"<%\\s*\\$secrets\\.[^%]*%>"_s);
    ComposeOptions options;
    options.strict = isStrict(job);
    QHash<QString, ShellFault> known;
    for (const TaskRole &role : job.taskRoles) {
        const Result<ComposedRole> composed = composeRole(job, role, options);
        QString script = composed ? composed->userScript : QString();
        script.replace(secret, u"x"_s);
        if (script.isEmpty() || script.contains("<%"_L1) || (!known.contains(script) && known.size() >= mostScripts)) {
            continue;
        }
        auto fault = known.find(script);
        if (fault == known.end()) {
            fault = known.insert(script, faultOf(bash, script));
            fault->line = std::min(fault->line, int(script.count(u'\n')) + 1); // that of an end is behind it
        }
        if (fault->line == 0 || role.commands.isEmpty()) {
            continue;
        }
        Diagnostic found;
        found.code = u"role.commands-syntax"_s;
        found.severity = Severity::Warning;
        found.args = {{u"role"_s, role.name}, {u"line"_s, fault->line}, {u"message"_s, fault->message}};
        const YamlPath commands = YamlPath().child(u"taskRoles"_s).child(role.name).child(u"commands"_s);
        const std::optional<qsizetype> place = commandOfLine(shellCommandsOf(job, role), script, fault->line);
        // A deployment puts commands of its own around them; then only the role is known.
        const bool areOwn = shellCommandsOf(job, role).size() == role.commands.size();
        found.path = place && areOwn ? commands.child(*place) : commands;
        const YamlNode *node = outcome.document.find(found.path);
        if (const YamlNode *whole = node ? node : outcome.document.find(commands)) {
            found.at = whole->at;
        }
        const auto behind = std::upper_bound(outcome.diagnostics.begin(), outcome.diagnostics.end(), found,
            [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
        outcome.diagnostics.insert(behind, found);
    }
}

} // namespace trainyard
