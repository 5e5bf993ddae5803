// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/comparetexts.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

class CompareWords
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::Compare)
public:
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

} // namespace

QString factTitle(const CompareFact &fact)
{
    return fact.kind == CompareFact::Kind::Run ? CompareWords::ofRun(fact.name) : fact.name;
}

QString factValue(const QString &value)
{
    constexpr qsizetype longest = 120; // of a command or a diff
    const QString line = value.first(std::min(value.size(), 8 * longest)).simplified();
    return value.isNull() ? u"–"_s : line.size() > longest ? QString(line.first(longest - 1) + u'…') : line;
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

} // namespace trainyard
