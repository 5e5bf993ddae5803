// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/trybegins.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard
{
namespace
{

class TryWords
{
    Q_DECLARE_TR_FUNCTIONS(TryWords)
public:
    TryWords(const QList<TryBegin> &tries, const TryBegin &one)
        : m_attempt(QString::number(one.attempt + 1)), m_number(QString::number(one.number + 1))
    {
        const auto ofAttempt = std::count_if(
            tries.cbegin(), tries.cend(), [&one](const TryBegin &each) { return each.attempt == one.attempt; });
        m_isOneAttempt = ofAttempt == tries.size();
        m_isOnlyTry = ofAttempt == 1 && one.number == 0;
    }
    QString name() const
    {
        return m_isOnlyTry   ? tr("attempt %1").arg(m_attempt)
            : m_isOneAttempt ? tr("try %1").arg(m_number)
                             : tr("attempt %1, try %2").arg(m_attempt, m_number);
    }
    QString sentence() const
    {
        return m_isOnlyTry   ? tr("Attempt %1 begins here.").arg(m_attempt)
            : m_isOneAttempt ? tr("Try %1 begins here.").arg(m_number)
                             : tr("Try %2 of attempt %1 begins here.").arg(m_attempt, m_number);
    }
    static QString with(const QString &label, const QString &sentence) { return tr("%1: %2").arg(label, sentence); }

private:
    QString m_attempt, m_number;
    bool m_isOneAttempt = false, m_isOnlyTry = false;
};

} // namespace

std::optional<TryBegin> tryAt(const QList<TryBegin> &tries, qint64 time)
{
    const auto begun
        = std::find_if(tries.crbegin(), tries.crend(), [time](const TryBegin &one) { return one.time <= time; });
    return begun != tries.crend() ? std::optional(*begun)
        : tries.isEmpty()         ? std::nullopt
                                  : std::optional(tries.constFirst());
}

QString tryName(const QList<TryBegin> &tries, const TryBegin &one) { return TryWords(tries, one).name(); }

QList<CurveMark> tryMarks(const CurveLine &line, bool areSeveral)
{
    QList<CurveMark> marks;
    for (qsizetype i = 1; i < line.tries.size(); ++i) {
        const TryBegin &one = line.tries.at(i);
        const QString sentence = TryWords(line.tries, one).sentence();
        marks.append({std::nullopt, one.time, areSeveral ? TryWords::with(line.label, sentence) : sentence});
    }
    return marks;
}

std::optional<double> placeOfTry(const CurveLine &line, qint64 begin, const CurveLook &look)
{
    if (!line.series) {
        return std::nullopt;
    }
    const std::size_t first = line.series->risingTimes().lowerBound(double(begin));
    return first > 0 && first < line.series->size() ? std::optional(placeOf(line, line.series->at(first), look))
                                                    : std::nullopt;
}

} // namespace trainyard
