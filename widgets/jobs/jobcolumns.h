// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// The columns of the table of all jobs, by their keys: fixed ones ("state", "name", ...), and those of a name
// ("param:lr", "result:loss", "min:loss", "max:loss").
QStringList fixedJobColumns();
QStringList usualJobColumns(); // that are shown until the user chooses others
// These, and the parameters in which such jobs differ and their results, the most frequent first. Tags are beside the
// names once a job has some: after all results, they would not be found.
QStringList suggestedJobColumns(const QList<JobSummary> &jobs);
bool isJobColumn(const QString &key);
QString jobColumnTitle(const QString &key);
// The same among others: of a parameter and a result of one name, which of them it is.
QString jobColumnTitle(const QString &key, const QStringList &shown);
bool isNumberColumn(const QString &key); // is right-aligned

// The text of a cell, and its sort key: a number, a text, or neither if the cell is empty. `now` is ms UTC.
QString jobCellText(const JobSummary &job, const QString &key, qint64 now);
struct JobSortKey {
    std::optional<double> number;
    QString text = {};
    bool isEmpty() const { return !number && text.isEmpty(); }
};
JobSortKey jobSortKey(const JobSummary &job, const QString &key, qint64 now);

// The text for export: whole numbers of seconds, times as UTC in ISO format, all digits.
QString jobCellValue(const JobSummary &job, const QString &key, qint64 now);
// With a line of the keys at the top. `separator` is a comma (quotes around what needs them, as in RFC 4180) or a tab
// (blanks in place of tabs and line ends).
QByteArray jobsAsText(const QList<JobSummary> &jobs, const QStringList &keys, char separator, qint64 now);

} // namespace trainyard
