// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/lineindex.h"

#include <QAbstractListModel>

namespace trainyard
{

// The problems of one document, in the order of the text. Fed with a whole list each time.
class ProblemsModel : public QAbstractListModel
{
    Q_OBJECT
public:
    struct Problem {
        Diagnostic diagnostic;
        LineColumn position;
        QString text;
        QString category;
        bool isGone = false; // it is no longer a problem, and its row keeps the others in their places
    };
    enum Role { ProblemRole = Qt::UserRole };
    using QAbstractListModel::QAbstractListModel;
    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    void setProblems(const QList<Problem> &problems);
    const Problem &at(int row) const { return m_problems.at(row); }
    const QList<Problem> &problems() const { return m_problems; }

private:
    QList<Problem> m_problems;
};

// The rows as they are shown while none of them may move: a problem that is still there, even if a filter hides it by
// now, stays in its row, that of one which has gone stays without its fixes, and new ones come last.
QList<ProblemsModel::Problem> inPlace(const QList<ProblemsModel::Problem> &shown, QList<ProblemsModel::Problem> now,
    QList<ProblemsModel::Problem> hidden);

QString problemCategory(const Diagnostic &diagnostic); // "syntax", in the language of the user

} // namespace trainyard

Q_DECLARE_METATYPE(const trainyard::ProblemsModel::Problem *)
