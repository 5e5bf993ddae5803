// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/comparetexts.h"

#include "widgets/text/resulttexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

class CompareWords
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::Compare)
public:
    static QString spread(const QString &mean, const QString &deviation) { return tr("%1 ± %2").arg(mean, deviation); }
    static QString betterBehind(const QString &label, const QList<JobSummary> &jobs, const QString &value)
    {
        const QString text = jobs.size() > 1 ? tr("%1, none of which succeeded, reached %2. A run that failed or was "
                                                  "stopped is the best only where no other one has a value.")
            : jobs.constFirst().state == State::Failed
            ? tr("%1, which failed, reached %2. A run that failed or was stopped is the best only where no other one "
                 "has a value.")
            : tr("%1, which was stopped, reached %2. A run that failed or was stopped is the best only where no other "
                 "one has a value.");
        return text.arg(label, value);
    }
    static QString ofRun(const QString &code)
    {
        return code == "name"_L1   ? tr("Name")
            : code == "hosts"_L1   ? tr("Hosts")
            : code == "target"_L1  ? tr("Sent to")
            : code == "gpus"_L1    ? tr("GPUs")
            : code == "tasks"_L1   ? tr("Tasks")
            : code == "retries"_L1 ? tr("Retries")
                                   : code;
    }
};

int exponentOf(double value) { return int(std::floor(std::log10(std::abs(value)))); }

// Digits before the point are written as such, not as a power of ten, as long as they are few.
QString significant(double value, int digits)
{
    constexpr int few = 6;
    if (value == 0) {
        return u"0"_s;
    }
    const double rounded = QString::number(value, 'e', digits - 1).toDouble();
    const int before = exponentOf(rounded) + 1;
    return QString::number(rounded, 'g', before <= few ? std::max(digits, before) : digits);
}

} // namespace

QString spreadText(const CompareSpread &spread, bool withDeviation)
{
    if (spread.hasBroken) {
        return metricNumber(std::nan(""));
    }
    if (!withDeviation) {
        return metricNumber(spread.mean);
    }
    constexpr int ofDeviation = 2, most = 15;
    if (spread.deviation == 0 || spread.mean == 0) {
        return CompareWords::spread(metricNumber(spread.mean), significant(spread.deviation, ofDeviation));
    }
    const int digits = exponentOf(spread.mean) - exponentOf(spread.deviation) + ofDeviation;
    return CompareWords::spread(
        significant(spread.mean, std::clamp(digits, 1, most)), significant(spread.deviation, ofDeviation));
}

QString factTitle(const CompareFact &fact)
{
    return fact.kind == CompareFact::Kind::Run ? CompareWords::ofRun(fact.name) : fact.name;
}

QString factHeading(const CompareFact &fact)
{
    if (fact.kind != CompareFact::Kind::Configuration) {
        return factTitle(fact);
    }
    const QString last = fact.name.section(u'.', -1);
    bool isNumber = false;
    last.toInt(&isNumber);
    return isNumber || last == "name"_L1 ? fact.name.section(u'.', -2) : last;
}

QString factValue(const QString &value)
{
    constexpr qsizetype longest = 120; // of a command or a diff
    const QString line = value.first(std::min(value.size(), 8 * longest)).simplified();
    return value.isNull()       ? u"–"_s
        : value.isEmpty()       ? u"''"_s
        : line.size() > longest ? QString(line.first(longest - 1) + u'…')
                                : line;
}

QString sameWords(const QList<CompareFact> &same, qsizetype most, qsizetype *rest)
{
    QStringList parts;
    qsizetype more = 0;
    for (const CompareFact &fact : same) {
        if (fact.kind == CompareFact::Kind::Parameter && parts.size() < most) {
            parts.append(fact.name + u' ' + factValue(fact.values.value(0)));
        } else if (fact.kind == CompareFact::Kind::Parameter || fact.kind == CompareFact::Kind::Configuration) {
            ++more;
        }
    }
    if (rest) {
        *rest = more;
    }
    return parts.join(", "_L1);
}

QString betterBehindText(const QString &label, const QList<JobSummary> &jobs, double value)
{
    return CompareWords::betterBehind(label, jobs, metricNumber(value));
}

QStringList parameterWords(const QJsonObject &parameters)
{
    QStringList words;
    for (auto it = parameters.begin(); it != parameters.end(); ++it) {
        words.append(it.key() + u'=' + it.value().toVariant().toString());
    }
    return words;
}

} // namespace trainyard
