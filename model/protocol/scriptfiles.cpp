// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/scriptfiles.h"

#include "model/protocol/findings.h"

#include <QRegularExpression>

#include <optional>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype longestName = 4096; // PATH_MAX
constexpr qsizetype longestCommand = 128 << 10; // in which a name is looked for

// A word that is more than itself to a shell.
bool isSpecial(const QString &word)
{
    static const QRegularExpression special(u"[$`*?\\[\\]{}()<>|&;\\\\\"'~#]"_s);
    return word.contains(special);
}

// A reference is a value like any other; what it is, is not known. All places stay.
QString withoutReferences(QString command)
{
    static const QRegularExpression reference(u"<%.*?%>"_s, QRegularExpression::DotMatchesEverythingOption);
    const QString text = command;
    for (auto it = reference.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        command.replace(match.capturedStart(), match.capturedLength(), QString(match.capturedLength(), u'$'));
    }
    return command;
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

// A command that only looks whether something is there, and says and ends it where it is not.
bool isGuard(const QString &command)
{
    static const QRegularExpression guard(
        u"\\A\\s*(?:command -v|which|test -[a-z]|\\[ -[a-z]) [^\\s;&|]+(?: "
        u"\\])?(?:\\s*>\\s*/dev/null(?:\\s*2>&1)?)?\\s*\\|\\|\\s*"
        "(?:exit(?: [0-9]+)?|\\{\\s*(?:(?:echo|printf)\\s[^;`{}]*;\\s*)?exit(?: [0-9]+)?;?\\s*\\})\\s*\\z"_s);
    return guard.match(command).hasMatch() && !command.contains("$("_L1);
}

// With the values of parameters, as far as these are texts and numbers of the document. As it is written where that
// would be longer than a command that names a file.
QString withParameters(const QString &command, const JobSpec &job)
{
    static const QRegularExpression reference(u"<%\\s*\\$parameters\\.([A-Za-z_][A-Za-z0-9_]*)\\s*%>"_s);
    QString filled;
    qsizetype upTo = 0;
    for (auto it = reference.globalMatch(command); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        const Value *value = job.parameters.find(match.captured(1));
        if (!value || !(value->asString() || value->asInt() || value->asDouble())) {
            continue;
        }
        const QString text = value->toText();
        if (text.size() > longestName || filled.size() > longestCommand) {
            return command; // no name of a file, and a large text, repeated often, would fill the memory
        }
        filled += QStringView(command).sliced(upTo, match.capturedStart() - upTo) + text;
        upTo = match.capturedEnd();
    }
    return filled + QStringView(command).sliced(upTo);
}

// A word, and where it begins.
using Word = std::pair<QStringView, qsizetype>;

QList<Word> wordsOf(QStringView command)
{
    QList<Word> words;
    for (qsizetype i = 0; i < command.size(); ++i) {
        const qsizetype begin = i;
        while (i < command.size() && !command.at(i).isSpace()) {
            ++i;
        }
        if (i > begin) {
            words.append({command.sliced(begin, i - begin), begin});
        }
    }
    return words;
}

// The script that the simple command runs, and where it begins: a relative file, or nothing.
std::pair<QString, qsizetype> scriptOf(QStringView command)
{
    static const QRegularExpression interpreter(u"\\A(?:python[0-9.]*|bash|sh)\\z"_s);
    static const QRegularExpression assignment(u"\\A[A-Za-z_][A-Za-z0-9_]*="_s);
    static const QRegularExpression harmlessSwitch(u"\\A-[uOBsEIvxel]+\\z"_s);
    QList<Word> words = wordsOf(command);
    while (!words.isEmpty() && assignment.match(words.constFirst().first.toString()).hasMatch()) {
        words.removeFirst();
    }
    if (words.isEmpty() || !interpreter.match(words.takeFirst().first.toString()).hasMatch()) {
        return {};
    }
    while (!words.isEmpty() && harmlessSwitch.match(words.constFirst().first.toString()).hasMatch()) {
        words.removeFirst();
    }
    const auto [word, at] = words.value(0);
    const QString file = word.toString();
    return file.startsWith(u'-') || file.startsWith(u'/') || isSpecial(file) ? std::pair(QString(), at)
                                                                             : std::pair(file, at);
}

// Simple commands in their order, as far as they can be told apart without being a shell: parts of `command`.
QList<Word> simpleCommands(const QString &command)
{
    static const QRegularExpression between(u"\\n|&&|;"_s);
    QList<Word> simple;
    qsizetype begin = 0;
    const auto addUpTo = [&](qsizetype end) {
        if (end > begin) {
            simple.append({QStringView(command).sliced(begin, end - begin), begin});
        }
    };
    for (auto it = between.globalMatch(command); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        addUpTo(match.capturedStart());
        begin = match.capturedEnd();
    }
    addUpTo(command.size());
    return simple;
}

// Whether none of the commands brings files or leaves the folder.
bool areHarmless(const QStringList &commands)
{
    return std::all_of(commands.cbegin(), commands.cend(), [](const QString &each) {
        const ScriptWord word = scriptWord(each);
        return word.file.isEmpty() && word.goesOn;
    });
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

void addMissing(Findings &findings, const YamlDocument &document, const YamlPath &path, const QString &command,
    const ScriptWord &word, const ScriptPlace &place)
{
    const YamlNode *node = document.find(path);
    const std::optional<ByteRange> range
        = word.at < 0 ? std::nullopt : writtenPart(document, path, command, word.at, word.at + word.file.size());
    const bool isUnsaved = place.folder.isEmpty();
    QJsonObject args{{u"file"_s, word.file}};
    if (!isUnsaved) {
        args.insert(u"folder"_s, place.folder);
    }
    Diagnostic &missing = findings.addAt(isUnsaved ? u"role.script-unsaved"_s : u"role.script-missing"_s,
        Severity::Warning, ServerVerdict::Accepts, path,
        range      ? *range
            : node ? node->at
                   : ByteRange{},
        args);
    const QString meant = isUnsaved || !range ? QString() : meantFile(word.file, place);
    if (!meant.isEmpty()) {
        findings.fixText(missing, u"fix.did-you-mean"_s, {{*range, meant.toUtf8()}});
        missing.fixes.last().args = {{u"name"_s, meant}};
    }
}

// The script with which the commands of a role begin, and the item that runs it.
struct FirstScript {
    qsizetype item = 0;
    ScriptWord word;
};
std::optional<FirstScript> firstScript(const JobSpec &job, const TaskRole &role)
{
    const DeploymentCommands *deployment = job.activeDeployment(role.name);
    if (bringsFiles(job, role) || (deployment && !areHarmless(deployment->preCommands))) {
        return std::nullopt;
    }
    for (qsizetype i = 0; i < role.commands.size(); ++i) {
        ScriptWord word = scriptWord(role.commands.at(i));
        if (word.goesOn) {
            continue;
        }
        if (word.file.isEmpty()) { // a parameter may name it: then the command is marked
            word = scriptWord(withParameters(role.commands.at(i), job));
            word.at = -1;
        }
        return word.file.isEmpty() ? std::nullopt : std::optional(FirstScript{i, word});
    }
    return std::nullopt;
}

} // namespace

ScriptWord scriptWord(const QString &command)
{
    const QString plain = withoutReferences(command);
    if (isGuard(plain)) {
        return {{}, 0, true};
    }
    const QList<Word> simple = simpleCommands(plain);
    for (const auto &[each, begin] : simple) {
        const auto [file, at] = scriptOf(each);
        if (!file.isEmpty()) {
            return {file, begin + at, false};
        }
        if (!isHarmless(each.toString())) {
            return {};
        }
    }
    return {{}, 0, true};
}

QStringList neededScripts(const JobSpec &job)
{
    QStringList files;
    for (const TaskRole &role : job.taskRoles) {
        const std::optional<FirstScript> script = firstScript(job, role);
        if (script && !files.contains(script->word.file)) {
            files.append(script->word.file);
        }
    }
    return files;
}

QList<Diagnostic> checkScriptFiles(const YamlDocument &document, const JobSpec &job, const ScriptPlace &place)
{
    Findings findings(document);
    const bool inContainer = !job.trainyard.runIn.isEmpty() && job.trainyard.runIn != "host"_L1;
    for (const TaskRole &role : job.taskRoles) {
        const std::optional<FirstScript> script = inContainer ? std::nullopt : firstScript(job, role);
        if (script && (place.folder.isEmpty() || !place.has(script->word.file))) {
            const YamlPath list = YamlPath{u"taskRoles"_s}.child(role.name).child(u"commands"_s);
            addMissing(findings, document, itemPath(document, list, script->item), role.commands.at(script->item),
                script->word, place);
        }
    }
    return findings.take();
}

} // namespace trainyard
