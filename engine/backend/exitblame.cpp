// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/exitblame.h"

#include "engine/contract/leftout.h"
#include "model/protocol/plugins.h"
#include "model/template/tags.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

QStringList secretsInCommands(const QStringList &commands)
{
    QStringList names;
    for (const QString &command : commands) {
        const Result<QList<TemplateTag>> tags = templateTags(command);
        for (const TemplateTag &tag : tags ? *tags : QList<TemplateTag>()) {
            const TemplateReference reference = templateReference(tag.key);
            const QString name = reference.scope == u"$secrets"_s ? reference.path.value(0) : QString();
            if (!name.isEmpty() && !names.contains(name)) {
                names.append(name);
            }
        }
    }
    return names;
}

FailureFacts blamingSecrets(FailureFacts facts, const QStringList &secrets, const QStringList &takenApart)
{
    static const QRegularExpression inMemory(u"(?:/dev/fd/\\d+|/proc/self/fd/\\d+|/memfd:[^:]*|/[^:]*/"
                                             u"(?:(?:sealed|inside)/task\\.sh|(?:\\d+|inside)/commands))"
                                             ": line (?<line>\\d+): (?<said>.*)\\z"_s);
    const QRegularExpressionMatch match = inMemory.match(facts.text);
    // The messages of a shell about a word, and of a program about its arguments: a whole value would not be one that
    // it splits.
    static const QStringList ofWords{
        u"command-missing"_s, u"not-executable"_s, u"unset-variable"_s, u"shell-error"_s, u"bad-arguments"_s};
    if (!takenApart.isEmpty() && ofWords.contains(facts.cause) && facts.text.contains(maskedText())) {
        facts.cause = u"secret-split"_s;
        facts.onlyLast = false; // it shows the part
        facts.certainty = u"likely"_s;
        facts.transient = false;
        facts.args = {{u"said"_s, match.hasMatch() ? match.captured(u"said"_s) : facts.text.trimmed()},
            {u"secrets"_s, takenApart.join(u", "_s)}};
        return facts;
    }
    if (facts.cause != "syntax-error"_L1 || secrets.isEmpty() || !match.hasMatch()) {
        return facts;
    }
    facts.cause = u"secret-in-script"_s;
    facts.certainty = u"likely"_s;
    facts.args.insert(u"said"_s, match.captured(u"said"_s));
    facts.args.insert(u"scriptLine"_s, match.captured(u"line"_s).toInt());
    facts.args.insert(u"secrets"_s, secrets.join(u", "_s));
    return facts;
}

FailureFacts blamingReferences(FailureFacts facts, const QList<UnresolvedReference> &references)
{
    static const QRegularExpression noFile(u": line \\d+: %: No such file or directory\\s*\\z"_s);
    static const QRegularExpression unexpected(u": line \\d+: syntax error near unexpected token [`'](.+)'\\s*\\z"_s);
    const QString named = facts.args.value("name"_L1).toString();
    const bool isVariable = facts.cause == "unset-variable"_L1;
    const bool isReference = facts.cause == "reference-unresolved"_L1;
    // Under errexit, bash ends before it has shown the line.
    const bool isSyntax = facts.cause == "syntax-error"_L1;
    const QString token = unexpected.match(facts.text).captured(1);
    const auto made = std::find_if(references.cbegin(), references.cend(), [&](const UnresolvedReference &each) {
        return isVariable ? each.scope.sliced(1) == named
            : isReference ? named.contains(each.key)
            : isSyntax    ? each.before.contains(token)
                          : noFile.match(facts.text).hasMatch();
    });
    if (made == references.cend()) {
        return facts;
    }
    const FailureFacts said = unresolvedFacts(*made);
    facts.onlyLast = false;
    facts.cause = said.cause;
    facts.transient = said.transient;
    facts.args = said.args;
    if (isSyntax) {
        facts.certainty = u"likely"_s; // another mistake may stop at the same token
    }
    return facts;
}

QStringList leftOutVariables(const QByteArray &runtimeLog)
{
    const QByteArrayView words(contract::leftOutWords.data(), qsizetype(contract::leftOutWords.size()));
    const qsizetype at = runtimeLog.indexOf(words);
    const qsizetype begin = at + words.size();
    const qsizetype end = at < 0 ? -1 : runtimeLog.indexOf('.', begin);
    return end < 0 ? QStringList()
                   : QString::fromUtf8(runtimeLog.sliced(begin, end - begin)).split(u", "_s, Qt::SkipEmptyParts);
}

FailureFacts blamingLeftOut(FailureFacts facts, const QStringList &variables)
{
    static const QStringList causes{u"environment-missing"_s, u"unset-variable"_s, u"user-code-error"_s,
        u"uncaught-exception"_s, u"program-error"_s};
    static const QRegularExpression word(u"\\w+"_s);
    if (variables.isEmpty() || !causes.contains(facts.cause)) {
        return facts;
    }
    for (auto it = word.globalMatch(facts.text); it.hasNext();) {
        if (const QString name = it.next().captured(); variables.contains(name)) {
            const bool isOfEnvironment = facts.cause == "environment-missing"_L1 || facts.cause == "unset-variable"_L1;
            facts.certainty = isOfEnvironment ? facts.certainty : u"likely"_s; // another thing may have that name
            facts.cause = u"variable-left-out"_s;
            facts.transient = false;
            facts.args = {{u"name"_s, name}};
            break;
        }
    }
    return facts;
}

FailureFacts suspecting(FailureFacts facts, const QStringList &silent, const QString &onlyProgram)
{
    if (facts.args.contains("silent"_L1) && !onlyProgram.isEmpty()) {
        facts.args.insert(u"program"_s, onlyProgram);
    } else if (facts.args.contains("silent"_L1) && !silent.isEmpty()) {
        facts.args.insert(u"suspects"_s, u"'%1'"_s.arg(silent.join(u"', '"_s)));
    }
    return facts;
}

// Commands may have gone to a folder below, so a name without a place says little, and only one with a place is
// looked for. A whole path of this computer says nothing of the copy, which lies elsewhere and may have the file.
static bool isOnlyHere(const QString &file, const QString &work)
{
    if (work.isEmpty() || !file.contains(u'/') || QDir::isAbsolutePath(file)) {
        return false;
    }
    const QString here = QDir::cleanPath(QDir(work).absoluteFilePath(file));
    return here.startsWith(QString(QDir::cleanPath(work) + u'/')) && QFileInfo::exists(here);
}

FailureFacts blamingCopy(FailureFacts facts, bool worksInCopy, const QString &work)
{
    const QString file = facts.args.value("file"_L1).toString();
    if (worksInCopy && facts.cause == "file-missing"_L1 && isOnlyHere(file, work)) {
        facts.cause = u"file-uncopied"_s;
        facts.certainty = u"likely"_s; // it may have been made since
        facts.args = {{u"file"_s, file}, {u"folder"_s, work}};
        facts.transient = false;
    }
    if (worksInCopy && facts.cause == "git-folder"_L1 && facts.text.contains("not a git repository"_L1)) {
        facts.cause = u"git-copy"_s;
        facts.certainty = u"likely"_s; // the commands may have gone to another folder
        facts.transient = false;
    }
    return facts;
}

} // namespace trainyard
