// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/whytexts.h"

#include "engine/api/health.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/scriptnames.h"
#include "widgets/text/sentences.h"
#include "widgets/text/whytable.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

struct WhyTexts {
    Q_DECLARE_TR_FUNCTIONS(WhyTexts)
};

constexpr qsizetype longestQuote = 200;

bool isFillable(const QString &text, const QJsonObject &args)
{
    static const QRegularExpression placeholder(u"\\{(\\w+)\\}"_s);
    for (auto it = placeholder.globalMatch(text); it.hasNext();) {
        if (!args.contains(it.next().captured(1))) {
            return false;
        }
    }
    return true;
}

QString shortened(const QString &text)
{
    return text.size() <= longestQuote ? text : text.left(longestQuote - 1).trimmed() + u'…';
}

QJsonObject shortened(QJsonObject args)
{
    for (auto it = args.begin(); it != args.end(); ++it) {
        if (it.value().isString()) {
            it.value() = shortened(withShortScriptName(it.value().toString()));
        }
    }
    return args;
}

// Not a launcher of ranks, which have logs or a table of their own.
bool isFailedCommand(const FailureFacts &facts)
{
    return facts.cause == "process-failed"_L1 && facts.args.contains("said"_L1)
        && facts.args.value("type"_L1).toString().endsWith("CalledProcessError"_L1);
}

// A training can diverge with finite values: only where the output says so are they NaN or infinite.
bool isReportedDivergence(const FailureFacts &facts)
{
    static const QRegularExpression reported(u"diverg|explod"_s, QRegularExpression::CaseInsensitiveOption),
        notFinite(u"\\b(?:nans?|inf(?:s|init\\w*)?|\\w*finite)\\b"_s, QRegularExpression::CaseInsensitiveOption);
    const QString said = facts.args.value("said"_L1).toString();
    return facts.cause == "diverged"_L1 && said.contains(reported) && !said.contains(notFinite);
}

// Where the output was not at hand, it is not known whether there is one.
bool isEmptyOutput(const FailureFacts &facts)
{
    return facts.cause == "unknown"_L1 && facts.args.contains("empty"_L1) && !facts.args.contains("logOn"_L1);
}

// A file was to be made in a folder that does not exist.
bool isMissingParent(const FailureFacts &facts)
{
    return facts.cause == "file-missing"_L1 && facts.args.contains("parent"_L1);
}

QString rowName(const FailureFacts &facts)
{
    const QString end = facts.cause == "peer-lost"_L1 ? facts.args.value("end"_L1).toString() : QString();
    return isEmptyOutput(facts)       ? u"unknown.empty"_s
        : isFailedCommand(facts)      ? u"process-failed.command"_s
        : isReportedDivergence(facts) ? u"diverged.reported"_s
        : isMissingParent(facts)      ? u"file-missing.parent"_s
        : end == "server"_L1          ? u"peer-lost.server"_s
        : end == "any"_L1             ? u"peer-lost.any"_s
                                      : facts.cause;
}

} // namespace

bool isMissingScript(const FailureFacts &facts)
{
    return facts.cause == "command-missing"_L1 && facts.args.value("command"_L1).toString().contains(u'/');
}

QString FailureWords::explanation() const
{
    return quote.isEmpty() ? sentence : sentence + u' ' + WhyTexts::tr("The output says: %1").arg(quote);
}

QString FailureWords::whole() const
{
    return place.isEmpty() ? explanation() : explanation() + u' ' + WhyTexts::tr("Where: %1.").arg(place);
}

FailureWords failureWords(const FailureFacts &facts)
{
    FailureWords text;
    const auto words = whyWords();
    const auto rowOf = [&words](QStringView cause) {
        return std::find_if(
            words.begin(), words.end(), [&](const WhyWords &each) { return cause == QLatin1StringView(each.cause); });
    };
    const auto row = rowOf(rowName(facts));
    const QJsonObject args = shortened(facts.args);
    if (row == words.end()) {
        // The cause comes from a newer engine.
        text.sentence = WhyTexts::tr("The program failed (%1).").arg(facts.cause);
    } else {
        for (const char *each : row->sentences) {
            if (each && isFillable(QString::fromUtf8(each), args)) {
                text.sentence = withFullStop(filledText(QCoreApplication::translate("Why", each), args));
                break;
            }
        }
        const auto helps = isMissingScript(facts) ? rowOf(u"file-missing") : row;
        for (const char *each : helps->remedies) {
            if (each) {
                text.remedies.append(QCoreApplication::translate("Why", each));
            }
        }
    }
    if (const QString ended = args.value("ended"_L1).toString(); !ended.isEmpty() && !text.sentence.contains(ended)) {
        text.sentence += u' ' + WhyTexts::tr("The program ended with %1").arg(withFullStop(ended));
    }
    if (facts.certainty == "likely"_L1) {
        text.sentence += u' ' + WhyTexts::tr("This is the likely cause; the output does not prove it.");
    }
    if (const std::optional<HealthMark> mark = explainingMark(facts)) {
        text.sentence += u' ' + healthText(*mark, QDateTime::currentMSecsSinceEpoch());
    }
    if (args.value("cut"_L1).toBool()) {
        text.sentence += u' '
            + WhyTexts::tr(
                "The output ends in the middle of a traceback, so the error that it leads to is missing: the "
                "process was likely killed while it wrote it, or the end of the output was not kept.");
    }
    if (const QString earlier = args.value("earlier"_L1).toString(); !earlier.isEmpty()) {
        text.sentence += u' ' + WhyTexts::tr("An error before it may have led to it: %1").arg(withFullStop(earlier));
    }
    if (!facts.task.isEmpty()) {
        text.sentence = WhyTexts::tr("The cause is in the output of %1: %2").arg(facts.task, text.sentence);
    }
    // The sentence may have it already.
    const QString said = args.value("said"_L1).toString();
    const QString message = args.value("message"_L1).toString();
    const bool isSaid = text.sentence.contains(said) || (!message.isEmpty() && text.sentence.contains(message));
    text.quote = isSaid ? QString() : withFullStop(said);
    if (!facts.file.isEmpty()) {
        const bool hasFunction = !facts.function.isEmpty() && !facts.function.startsWith(u'<');
        text.place = hasFunction
            ? WhyTexts::tr("%1 in %2, line %3").arg(facts.function, facts.file, QString::number(facts.fileLine))
            : WhyTexts::tr("%1, line %2").arg(facts.file, QString::number(facts.fileLine));
    }
    return text;
}

} // namespace trainyard
