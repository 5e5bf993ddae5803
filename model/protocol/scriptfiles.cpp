// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/scriptfiles.h"

#include "model/protocol/findings.h"

#include <QRegularExpression>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// A word that is more than itself to a shell.
bool isSpecial(const QString &word)
{
    static const QRegularExpression special(u"[$`*?\\[\\]{}()<>|&;\\\\\"'~#]"_s);
    return word.contains(special);
}

// A reference is a value like any other; what it is, is not known.
QString withoutReferences(QString command)
{
    static const QRegularExpression reference(u"<%.*?%>"_s, QRegularExpression::DotMatchesEverythingOption);
    return command.replace(reference, u"$"_s);
}

// A command that neither brings files nor leaves the folder.
bool isHarmless(const QString &command)
{
    static const QRegularExpression harmless(
        u"\\A\\s*(?:#.*|[A-Za-z_][A-Za-z0-9_]*=[^\\s;&|]*|(?:echo|printf|export|set|ulimit|sleep|date|hostname|pwd|ls|"
        u"env|"
        "nvidia-smi|pip[0-9.]*|python[0-9.]* -m pip|module|ml|conda activate|(?:source|\\.) [^\\s;&|]*activate)(?:\\s[^>|`]*)?)?\\s*\\z"_s,
        QRegularExpression::DotMatchesEverythingOption);
    return harmless.match(command).hasMatch() && !command.contains("$("_L1);
}

// The script that the command runs: a relative file, or nothing.
QString scriptOf(const QString &command)
{
    static const QRegularExpression interpreter(u"\\A(?:python[0-9.]*|bash|sh)\\z"_s);
    static const QRegularExpression assignment(u"\\A[A-Za-z_][A-Za-z0-9_]*="_s);
    static const QRegularExpression harmlessSwitch(u"\\A-[uOBsEIvxel]+\\z"_s);
    QStringList words = command.simplified().split(u' ', Qt::SkipEmptyParts);
    while (!words.isEmpty() && assignment.match(words.constFirst()).hasMatch()) {
        words.removeFirst();
    }
    if (words.isEmpty() || !interpreter.match(words.takeFirst()).hasMatch()) {
        return {};
    }
    while (!words.isEmpty() && harmlessSwitch.match(words.constFirst()).hasMatch()) {
        words.removeFirst();
    }
    const QString file = words.value(0);
    return file.startsWith(u'-') || file.startsWith(u'/') || isSpecial(file) ? QString() : file;
}

// Simple commands in their order, as far as they can be told apart without being a shell.
QStringList simpleCommands(const QStringList &commands)
{
    static const QRegularExpression between(u"\\n|&&|;"_s);
    QStringList simple;
    for (const QString &command : commands) {
        simple += withoutReferences(command).split(between, Qt::SkipEmptyParts);
    }
    return simple;
}

bool bringsFiles(const JobSpec &job, const TaskRole &role)
{
    const bool hasSteps = std::any_of(job.prerequisites.cbegin(), job.prerequisites.cend(),
        [](const Prerequisite &item) { return item.type != "dockerimage"_L1; });
    return hasSteps || !role.script.isEmpty() || !job.plugins.isEmpty();
}

// The file that seems to be meant: one of the same name elsewhere, else one with a similar name. Empty: none.
QString meantFile(const QString &file, const ScriptPlace &place)
{
    const auto nameOf = [](const QString &path) { return path.sliced(path.lastIndexOf(u'/') + 1); };
    const auto suffixOf
        = [](const QString &path) { return path.sliced(std::max<qsizetype>(0, path.lastIndexOf(u'.'))); };
    const QStringList files = place.files ? place.files() : QStringList();
    QStringList alike;
    for (const QString &each : files) {
        if (isSpecial(each) || each.contains(u' ')) {
            continue; // would have to be quoted
        }
        if (nameOf(each) == nameOf(file)) {
            return each;
        }
        if (suffixOf(each) == suffixOf(file)) {
            alike.append(each);
        }
    }
    return nearest(file, alike);
}

} // namespace

QList<Diagnostic> checkScriptFiles(const YamlDocument &document, const JobSpec &job, const ScriptPlace &place)
{
    Findings findings(document);
    const bool inContainer = !job.trainyard.runIn.isEmpty() && job.trainyard.runIn != "host"_L1;
    for (const TaskRole &role : job.taskRoles) {
        if (inContainer || bringsFiles(job, role)) {
            continue;
        }
        const DeploymentCommands *deployment = job.activeDeployment(role.name);
        const QStringList before = deployment ? simpleCommands(deployment->preCommands) : QStringList();
        if (!std::all_of(before.cbegin(), before.cend(), isHarmless)) {
            continue;
        }
        const YamlPath list = YamlPath{u"taskRoles"_s}.child(role.name).child(u"commands"_s);
        bool goesOn = true;
        for (qsizetype i = 0; goesOn && i < role.commands.size(); ++i) {
            const QStringList simple = simpleCommands({role.commands.at(i)});
            for (const QString &command : simple) {
                const QString file = scriptOf(command);
                if (file.isEmpty() && isHarmless(command)) {
                    continue;
                }
                goesOn = false;
                if (file.isEmpty() || (!place.folder.isEmpty() && place.has(file))) {
                    break;
                }
                const YamlPath path = list.child(i);
                const YamlNode *node = document.find(path);
                const qsizetype at = node ? document.bytes().indexOf(file.toUtf8(), node->at.begin) : -1;
                const ByteRange range = at >= 0 && at < node->at.end ? ByteRange{at, at + file.toUtf8().size()}
                    : node                                           ? node->at
                                                                     : ByteRange{};
                const bool isUnsaved = place.folder.isEmpty();
                QJsonObject args{{u"file"_s, file}};
                if (!isUnsaved) {
                    args.insert(u"folder"_s, place.folder);
                }
                Diagnostic &missing = findings.addAt(isUnsaved ? u"role.script-unsaved"_s : u"role.script-missing"_s,
                    Severity::Warning, ServerVerdict::Accepts, path, range, args);
                const QString meant = isUnsaved ? QString() : meantFile(file, place);
                if (!meant.isEmpty() && range.length() == file.toUtf8().size()) {
                    findings.fixText(missing, u"fix.did-you-mean"_s, {{range, meant.toUtf8()}});
                    missing.fixes.last().args = {{u"name"_s, meant}};
                }
                break;
            }
        }
    }
    return findings.take();
}

} // namespace trainyard
