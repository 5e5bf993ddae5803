// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logrules.h"

#include "model/base/boundedpattern.h"

#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{
constexpr qsizetype lookedCharacters = 2000;

// In the order of LogRule::Level.
const QStringList &levelWords()
{
    static const QStringList words{QStringLiteral("error"), QStringLiteral("warning"), QStringLiteral("good"),
        QStringLiteral("notable"), QStringLiteral("faint")};
    return words;
}

// Whether an expression of one line finds at least those lines when it is one of several, in a text of many lines: it
// names no group, whose number or name may be another one's as well, knows no begin and end of the whole text, does
// not look around itself and gives back what it has taken.
bool isSameAmongOthers(const QString &pattern)
{
    static const QRegularExpression special(uR"(\\[1-9AZzGKQEgkCX]|\(\*|\(\?(?!:|i\)|i:)|[+*?}]\+)"_s);
    return !pattern.contains(special);
}
} // namespace

const QList<LogRule> &LogRules::builtIn()
{
    // Words that name a number ("validation error: 0.3") are not errors.
    static const QList<LogRule> rules{
        {QStringLiteral("^\\s*Traceback \\(most recent call last\\):"), LogRule::Level::Error},
        {QStringLiteral("^\\s*(?:\\w+\\.)*\\w*(?:Error|Exception|KeyboardInterrupt)(?::.*)?$"), LogRule::Level::Error},
        {QStringLiteral("^\\s*(?:\\S+:\\s*)*(?:fatal |internal )?[Ee]rror: "), LogRule::Level::Error},
        {QStringLiteral("\\b(?:ERROR|FATAL|CRITICAL)\\b|\\bpanic: |Segmentation fault|core dumped|: command not found"
                        "|CUDA out of memory|CUDA error: "),
            LogRule::Level::Error},
        {QStringLiteral("\\b\\w*Warning: |\\bWARN(?:ING)?\\b|\\b[Ww]arning: "), LogRule::Level::Warning}};
    return rules;
}

LogRules::LogRules(const QList<LogRule> &rules)
{
    for (const LogRule &rule : rules.mid(0, most)) {
        const QRegularExpression expression = boundedPattern(rule.pattern);
        if (expression.isValid() && !rule.pattern.isEmpty()) {
            m_rules.append(rule);
            m_expressions.append(expression);
        }
    }
}

std::optional<LogRule::Level> LogRules::levelOf(const QString &line) const
{
    const QString looked = line.size() > lookedCharacters ? line.left(lookedCharacters) : line;
    for (qsizetype i = 0; i < m_rules.size(); ++i) {
        if (m_rules.at(i).isOn && m_expressions.at(i).match(looked).hasMatch()) {
            return m_rules.at(i).level;
        }
    }
    return std::nullopt;
}

QRegularExpression LogRules::candidates(const QList<LogRule::Level> &levels) const
{
    QStringList patterns;
    for (const LogRule &rule : m_rules) {
        if (rule.isOn && levels.contains(rule.level)) {
            patterns.append(isSameAmongOthers(rule.pattern) ? u"(?:"_s + rule.pattern + u')' : u"^"_s);
        }
    }
    // Without a rule nothing matches. For a redrawn line, the text after the last carriage return is shown.
    return boundedPattern(
        u"(*ANYCRLF)"_s + (patterns.isEmpty() ? u"(?!)"_s : patterns.join(u'|')), QRegularExpression::MultilineOption);
}

LogRules LogRules::fromJson(const QJsonArray &array)
{
    QList<LogRule> rules;
    for (const QJsonValue &value : array) {
        const QJsonObject object = value.toObject();
        const qsizetype level = levelWords().indexOf(object.value(QLatin1String("level")).toString());
        const QString pattern = object.value(QLatin1String("pattern")).toString();
        if (level >= 0) {
            rules.append({pattern, LogRule::Level(level), object.value(QLatin1String("on")).toBool(true)});
        }
    }
    return LogRules(rules);
}

QJsonArray LogRules::toJson() const
{
    QJsonArray array;
    for (const LogRule &rule : m_rules) {
        array.append(QJsonObject{{QStringLiteral("pattern"), rule.pattern},
            {QStringLiteral("level"), levelWords().at(int(rule.level))}, {QStringLiteral("on"), rule.isOn}});
    }
    return array;
}

} // namespace trainyard
