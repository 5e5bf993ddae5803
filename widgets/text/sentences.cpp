// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/shellquote.h"
#include "widgets/text/sentencetables.h"

#include <QCoreApplication>
#include <QHash>
#include <QJsonArray>
#include <QLocale>

namespace trainyard
{

namespace
{

const QHash<QString, const char *> &index()
{
    static const QHash<QString, const char *> byCode = [] {
        QHash<QString, const char *> hash;
        for (const auto &table : sentences::tables()) {
            for (const SentenceRow &row : table) {
                hash.insert(QString::fromLatin1(row.code), row.text);
            }
        }
        return hash;
    }();
    return byCode;
}

// Set once, before other threads ask for sentences.
bool isWindow = false;

QString argumentText(const QJsonValue &value)
{
    if (value.isArray()) {
        QStringList parts;
        const QJsonArray items = value.toArray();
        for (const QJsonValue &item : items) {
            parts += argumentText(item);
        }
        return parts.join(QStringLiteral(", "));
    }
    if (value.isBool()) {
        return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    }
    if (value.isDouble()) {
        const double number = value.toDouble();
        const qint64 whole = value.toInteger();
        return double(whole) == number ? QString::number(whole) : QString::number(number, 'g', 12);
    }
    return value.toString();
}

// {count|task|tasks} is the number with the word that fits it. A count is written as people of the language do, unlike
// the numbers of jobs, ports and codes. {folder|shell} is a word of a command that is there to be copied.
QString argumentText(const QStringList &placeholder, const QJsonValue &value)
{
    const QString text = argumentText(value);
    if (placeholder.size() < 3) {
        return placeholder.constLast() == QLatin1String("shell") ? shellWord(text) : text;
    }
    const qint64 whole = value.toInteger();
    const bool isCount = value.isDouble() && double(whole) == value.toDouble();
    return (isCount ? QLocale().toString(whole) : text) + QLatin1Char(' ')
        + placeholder.at(value.toDouble() == 1 ? 1 : 2);
}

} // namespace

// One pass, so that braces in an argument are text.
QString filledText(const QString &text, const QJsonObject &args)
{
    QString result;
    qsizetype at = 0;
    while (at < text.size()) {
        const qsizetype open = text.indexOf(QLatin1Char('{'), at);
        const qsizetype close = open < 0 ? -1 : text.indexOf(QLatin1Char('}'), open);
        if (close < 0) {
            break;
        }
        const QStringList placeholder = text.mid(open + 1, close - open - 1).split(QLatin1Char('|'));
        result += QStringView(text).mid(at, open - at);
        const auto value = args.constFind(placeholder.constFirst());
        result
            += value == args.constEnd() ? text.mid(open, close - open + 1) : argumentText(placeholder, value.value());
        at = close + 1;
    }
    return result + text.mid(at);
}

QList<std::span<const SentenceRow>> sentences::tables()
{
    return {app(), agent(), designer(), legacy(), batch(), clusters(), engine(), assistants(), submission(), waits(),
        ends(), hosts(), taskFiles(), health(), metrics(), filter(), yaml(), job(), portability(), modelErrors(),
        fixes(), exports(), sweep(), shortForms(), window()};
}

bool hasSentence(const QString &code) { return index().contains(code); }

void useWindowSentences(bool on) { isWindow = on; }

bool areForWindow() { return isWindow; }

QString sentence(const QString &code, const QJsonObject &args)
{
    const char *const ofWindow = isWindow ? index().value(code + QLatin1String(".window")) : nullptr;
    const char *const text = ofWindow ? ofWindow : index().value(code);
    if (!text) {
        return QCoreApplication::translate("Sentences", "Something went wrong that has no description yet (%1).")
            .arg(code);
    }
    return filledText(QCoreApplication::translate("Sentences", text), args);
}

QString withFullStop(const QString &text)
{
    return text.isEmpty() || text.endsWith(u'.') || text.endsWith(u'!') || text.endsWith(u'?') || text.endsWith(u'…')
        ? text
        : text + u'.';
}

} // namespace trainyard
