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
    };
    enum Role { ProblemRole = Qt::UserRole };
    using QAbstractListModel::QAbstractListModel;
    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    void setProblems(const QList<Problem> &problems);
    const Problem &at(int row) const { return m_problems.at(row); }

private:
    QList<Problem> m_problems;
};

QString problemCategory(const Diagnostic &diagnostic); // "syntax", in the language of the user

} // namespace trainyard

Q_DECLARE_METATYPE(const trainyard::ProblemsModel::Problem *)
