// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/results/healthmarks.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

QJsonValue valueOf(const health::Figure &figure)
{
    if (const auto *number = std::get_if<double>(&figure)) {
        return *number;
    }
    if (const auto *whole = std::get_if<std::int64_t>(&figure)) {
        return qint64(*whole);
    }
    return QString::fromStdString(std::get<std::string>(figure));
}

} // namespace

QList<HealthMark> healthMarks(const std::vector<health::Finding> &findings)
{
    QList<HealthMark> marks;
    for (const health::Finding &finding : findings) {
        HealthMark mark;
        mark.code = QString::fromStdString(finding.code);
        for (const auto &[name, figure] : finding.args) {
            mark.args.insert(QString::fromStdString(name), valueOf(figure));
        }
        mark.at = finding.at;
        mark.metric = QString::fromStdString(finding.metric);
        if (finding.step && std::isfinite(*finding.step)) {
            mark.step = finding.step;
        }
        if (finding.line && *finding.line > 0) {
            mark.line = qint64(*finding.line) - 1;
        }
        marks.append(mark);
    }
    return marks;
}

} // namespace trainyard
