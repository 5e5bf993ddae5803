// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/silentcommands.h"

#include <QRegularExpression>

#include <algorithm>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype mostSilent = 3;
constexpr qsizetype longestSilent = 80;

// Commands for which bash does not end, since it decides by the status.
bool decides(const QString &line)
{
    static const QRegularExpression deciding(u"\\A(?:if|elif|while|until|!|case|for|select)(?:\\s|\\z)"_s);
    return deciding.match(line).hasMatch();
}

bool isSilent(const QString &line)
{
    static const QRegularExpression condition(u"\\A(?:\\(\\(|let\\s|\\[\\[?\\s|test\\s)"_s);
    static const QRegularExpression search(
        u"(?:\\A|[|;&]\\s*|\\$\\(\\s*|`)(?:[efz]?grep|pgrep|pidof|cmp|diff|read|expr|false)(?:\\s|\\z)"_s);
    static const QRegularExpression leaving(u"(?:\\A|[|;&{]\\s*)(?:exit|return)\\s+[1-9]"_s);
    static const QRegularExpression thrownAway(u"(?:2>>?|&>>?|>&)\\s*/dev/null|2>&-"_s);
    const auto has = [&line](const QRegularExpression &each) { return each.match(line).hasMatch(); };
    return has(condition) || has(search) || has(leaving) || has(thrownAway);
}

// Without what quotes hold, unless commands may be in it.
QString withoutTexts(QString command)
{
    static const QRegularExpression quoted(u"'[^']*'|\"(?:[^\"\\\\`$]|\\\\.|\\$(?!\\())*\""_s);
    return command.replace(quoted, u"''"_s);
}

QString shortened(const QString &line)
{
    return line.size() <= longestSilent ? line : QString(line.left(longestSilent - 1) + u'…');
}

// The lines without comments and without the documents that they hold.
QStringList linesOf(const QStringList &commands)
{
    static const QRegularExpression heredoc(u"<<-?\\s*['\"\\\\]?(?<end>\\w+)"_s);
    QStringList lines;
    QString end; // of the document that is read
    for (const QString &each : commands.join(u'\n').split(u'\n')) {
        const QString line = each.trimmed();
        if (!end.isEmpty()) {
            end = line == end ? QString() : end;
            continue;
        }
        end = line.contains("<<<"_L1) ? QString() : heredoc.match(line).captured(u"end"_s);
        if (!line.isEmpty() && !line.startsWith(u'#')) {
            lines.append(line);
        }
    }
    return lines;
}

// What follows a command of a line. Next: another one, whatever its status is.
enum class ShellJoint { Next, And, Or, Background };

struct ShellPart {
    QString text;
    ShellJoint joint = ShellJoint::Next;
    qsizetype line = 0;
};

// Where a command ends: the sign at this place, and its length. Nothing: no sign that parts commands.
std::optional<std::pair<ShellJoint, qsizetype>> jointAt(const QString &line, qsizetype at)
{
    const QChar sign = line.at(at);
    const QChar before = at > 0 ? line.at(at - 1) : QChar(), behind = at + 1 < line.size() ? line.at(at + 1) : QChar();
    if (sign == u';') {
        return std::pair{ShellJoint::Next, 1};
    }
    if ((sign == u'&' || sign == u'|') && behind == sign) {
        return std::pair{sign == u'&' ? ShellJoint::And : ShellJoint::Or, 2};
    }
    const bool isOfRedirection = before == u'>' || before == u'<' || before == u'|' || behind == u'>';
    return sign == u'&' && !isOfRedirection ? std::optional(std::pair{ShellJoint::Background, qsizetype(1)})
                                            : std::nullopt;
}

// Adds a command without the words of the shell that stand in front of it, and none for such words alone.
void addPart(const QString &text, ShellJoint joint, qsizetype line, QList<ShellPart> &parts)
{
    static const QRegularExpression opening(u"\\A(?:(?:do|then|else|\\{)(?:\\s+|\\z))+"_s);
    static const QRegularExpression closing(u"\\A(?:\\}|done|fi|esac)(?:\\s*[<>].*)?\\z"_s);
    const QString command = text.trimmed().remove(opening);
    if (!command.isEmpty() && !closing.match(command).hasMatch()) {
        parts.append({command, joint, line});
    }
}

// The commands of a line, which are parted by ";", "&", "&&" and "||" outside of quotes, brackets and conditions.
void addParts(const QString &line, qsizetype number, QList<ShellPart> &parts)
{
    QChar quote; // that is open
    qsizetype start = 0, end = line.size();
    int depth = 0;
    bool isCondition = false; // [[ ... ]]
    for (qsizetype i = 0; i < end; ++i) {
        const QChar sign = line.at(i);
        const bool isBehindBlank = i == 0 || line.at(i - 1).isSpace();
        if (sign == u'\\' && quote != u'\'') {
            ++i;
        } else if (!quote.isNull()) {
            quote = sign == quote ? QChar() : quote;
        } else if (sign == u'\'' || sign == u'"' || sign == u'`') {
            quote = sign;
        } else if (sign == u'(' || sign == u')') {
            depth = std::max(0, depth + (sign == u'(' ? 1 : -1));
        } else if (isBehindBlank && (line.mid(i, 3) == "[[ "_L1 || line.mid(i, 2) == "]]"_L1)) {
            isCondition = sign == u'[';
        } else if (depth == 0 && !isCondition && sign == u'#' && isBehindBlank) {
            end = i;
        } else if (const auto joint = depth == 0 && !isCondition ? jointAt(line, i) : std::nullopt) {
            addPart(line.sliced(start, i - start), joint->first, number, parts);
            start = i + joint->second;
            i = start - 1;
        }
    }
    addPart(line.sliced(start, end - start), ShellJoint::Next, number, parts);
}

// Of commands that are joined by "&&" and "||", those with whose status bash ends. If one in front of "&&" fails, it
// goes on, but the status of the last commands of all is that of the task.
QList<ShellPart> ending(const QList<ShellPart> &joined, bool areLast)
{
    const ShellPart &last = joined.constLast();
    if (last.joint == ShellJoint::Background || decides(joined.constFirst().text)) {
        return {};
    }
    QList<ShellPart> ending{last};
    for (qsizetype i = joined.size() - 2; areLast && i >= 0 && joined.at(i).joint == ShellJoint::And; --i) {
        ending.prepend(joined.at(i));
    }
    return ending;
}

} // namespace

QStringList silentCommands(const QStringList &commands)
{
    const QStringList lines = linesOf(commands);
    QList<ShellPart> parts;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        addParts(lines.at(i), i, parts);
    }
    QStringList silent;
    qsizetype named = -1; // the line
    for (qsizetype from = 0, i = 0; i < parts.size() && silent.size() < mostSilent; ++i) {
        const bool areLast = i + 1 == parts.size();
        if (!areLast && (parts.at(i).joint == ShellJoint::And || parts.at(i).joint == ShellJoint::Or)) {
            continue;
        }
        const QList<ShellPart> which = ending(parts.sliced(from, i + 1 - from), areLast);
        from = i + 1;
        const auto part = std::find_if(
            which.cbegin(), which.cend(), [](const ShellPart &each) { return isSilent(withoutTexts(each.text)); });
        if (part != which.cend() && part->line != named) {
            named = part->line;
            const QString &line = lines.at(named);
            silent.append(line.size() <= longestSilent ? line : shortened(part->text));
        }
    }
    return silent;
}

QString onlyProgram(const QStringList &commands)
{
    static const QRegularExpression ofShell(u"[|&;<>$`(){}\\\\]"_s);
    static const QRegularExpression shell(
        u"\\A(?:\\S*/)?(?:(?:ba|da|z|k|fi|tc|c)?sh|source|\\.|eval|exec|command|time|set|cd"
        "|env|nohup|stdbuf|timeout|nice|make|srun|mpirun|mpiexec|[^\\s=]+=\\S*|\\S+\\.sh)(?:\\s|\\z)"_s);
    const QStringList lines = linesOf(commands);
    const bool isOne = lines.size() == 1 && !lines.constFirst().contains(ofShell) && !lines.constFirst().contains(shell)
        && !decides(lines.constFirst()) && !isSilent(lines.constFirst());
    return isOne ? shortened(lines.constFirst()) : QString();
}

} // namespace trainyard::core
