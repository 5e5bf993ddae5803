// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/problemsmodel.h"

#include "widgets/common/labels.h"
#include "widgets/text/texts.h"

#include <algorithm>

namespace trainyard
{

QString problemCategory(const Diagnostic &diagnostic)
{
    const QString &code = diagnostic.code;
    const auto has = [&](const char *part) { return code.contains(QLatin1String(part)); };
    if (has("unused")) {
        return ProblemsModel::tr("unused");
    }
    if (code.startsWith(u"yaml.")) {
        return ProblemsModel::tr("syntax");
    }
    if (has("undefined") || has("unknown") || has("unresolved") || has("missing") || has("cycle")) {
        return ProblemsModel::tr("reference");
    }
    if (code.startsWith(u"template.")) {
        return ProblemsModel::tr("template");
    }
    if (code.startsWith(u"secret")) {
        return ProblemsModel::tr("secrets");
    }
    if (diagnostic.severity != Severity::Error
        && (diagnostic.strict || has("portable") || has("no-plugin") || has("here-only"))) {
        return ProblemsModel::tr("portability");
    }
    return ProblemsModel::tr("value");
}

QList<ProblemsModel::Problem> inPlace(
    const QList<ProblemsModel::Problem> &shown, QList<ProblemsModel::Problem> now, QList<ProblemsModel::Problem> hidden)
{
    QList<ProblemsModel::Problem> rows;
    for (ProblemsModel::Problem problem : shown) {
        const auto takeSame = [&problem](QList<ProblemsModel::Problem> &from) {
            const auto same = std::find_if(from.cbegin(), from.cend(), [&problem](const ProblemsModel::Problem &each) {
                return each.diagnostic.code == problem.diagnostic.code && each.text == problem.text;
            });
            if (same == from.cend()) {
                return false;
            }
            problem = from.takeAt(same - from.cbegin());
            return true;
        };
        problem.isGone = !takeSame(now) && !takeSame(hidden);
        rows.append(problem);
    }
    while (!rows.isEmpty() && rows.constLast().isGone) { // below them nothing moves
        rows.removeLast();
    }
    return rows + now;
}

int ProblemsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_problems.size()); }

QVariant ProblemsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_problems.size()) {
        return {};
    }
    const Problem &problem = m_problems.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return problem.text;
    case Qt::ToolTipRole:
        return plainTip(problem.text);
    case Qt::AccessibleTextRole:
        if (problem.isGone) {
            return ProblemsModel::tr("No longer a problem: %1").arg(problem.text);
        }
        return ProblemsModel::tr("%1, line %2: %3")
            .arg(severityText(problem.diagnostic.severity), QString::number(problem.position.line), problem.text);
    case ProblemRole:
        return QVariant::fromValue(&problem);
    default:
        return {};
    }
}

void ProblemsModel::setProblems(const QList<Problem> &problems)
{
    const int before = int(m_problems.size());
    const int now = int(problems.size());
    // Rows that stay keep their selection.
    if (now < before) {
        beginRemoveRows({}, now, before - 1);
        m_problems.resize(now);
        endRemoveRows();
    } else if (now > before) {
        beginInsertRows({}, before, now - 1);
        m_problems = problems;
        endInsertRows();
    }
    m_problems = problems;
    if (now > 0) {
        Q_EMIT dataChanged(index(0), index(now - 1));
    }
}

} // namespace trainyard
