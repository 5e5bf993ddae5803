// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QList>
#include <QRegularExpression>
#include <QString>

#include <optional>

namespace trainyard
{

// The meaning of a line of a log that matches a regular expression.
struct LogRule {
    enum class Level { Error, Warning, Good, Notable, Faint };
    QString pattern; // of one line
    Level level = Level::Error;
    bool isOn = true;
    friend bool operator==(const LogRule &, const LogRule &) = default;
};

// Which lines of a log are errors, warnings and so on. The first rule that matches a line decides. Pure.
class LogRules
{
public:
    static constexpr qsizetype most = 200;
    LogRules() : LogRules(builtIn()) { }
    explicit LogRules(const QList<LogRule> &rules);

    // As Python, compilers, shells and logging frameworks write them.
    static const QList<LogRule> &builtIn();

    const QList<LogRule> &rules() const { return m_rules; }
    std::optional<LogRule::Level> levelOf(const QString &line) const; // of its first 2,000 characters
    // Finds, in a text of many lines, where a line of these levels may be; levelOf() decides.
    QRegularExpression candidates(const QList<LogRule::Level> &levels) const;

    // [{pattern, level: "error", on}]; what is not such an object, or has an invalid pattern, is left out.
    static LogRules fromJson(const QJsonArray &array);
    QJsonArray toJson() const;

    friend bool operator==(const LogRules &one, const LogRules &other) { return one.m_rules == other.m_rules; }

private:
    QList<LogRule> m_rules;
    QList<QRegularExpression> m_expressions; // of each rule
};

} // namespace trainyard
