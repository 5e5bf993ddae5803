// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QRegularExpression>
#include <QSet>
#include <QString>

#include <optional>

namespace trainyard
{

// The meaning of a text in the output of a failed run. A cause has one entry for each role that it can have.
struct FailureCause {
    // Other causes that can have led to it, beginning with the least likely: they explain it first.
    enum class Role { Report, Cancel, Abort, Peer, Crash, Missing, Cause, Decisive };
    enum class Where { Anywhere, Text, Python };
    struct Line {
        QByteArray hint; // text that the line holds
        QRegularExpression pattern; // which that line must match; its named groups are shown to the user
        QByteArray above; // text that one of the lines before it must have, if it is not empty
        Where where = Where::Anywhere;
        bool warning = false; // counts although the line calls itself a warning
        bool likely = false; // the line alone does not prove it
    };
    QString name; // "gpu-oom"; widgets/text has a sentence for each
    Role role = Role::Cause;
    bool likely = false;
    std::optional<bool> transient; // whether the same may go well at the next try; nothing: it depends
    QSet<QString> after; // of a missing thing: causes before it that explain it
    QList<Line> lines;
};

// resources/failure-causes.json: causes of failures as data.
class FailureCauses
{
public:
    // Errors: "exitrules.json" {message}, "exitrules.invalid" {what, entry}, "exitrules.pattern" {message, entry}.
    static Result<FailureCauses> parse(const QByteArray &json);
    static const FailureCauses &bundled();

    const QList<FailureCause> &causes() const { return m_causes; }
    const FailureCause *find(const QString &name) const; // the first entry of this name that is not a report
    // The cause of an exception of this Python type, which is given without its module; null when there is none.
    const FailureCause *ofType(const QString &type) const;
    // Whether an exception of this type, or with this message, only reports another error.
    bool isReport(const QString &type, const QString &message) const;
    bool isReportType(const QString &type) const; // whatever its message is
    const QList<QByteArray> &reportLines() const { return m_reportLines; }
    QStringList names() const; // each once

private:
    QList<FailureCause> m_causes;
    QHash<QString, QString> m_types;
    QSet<QString> m_reportTypes;
    QStringList m_reportMessages;
    QList<QRegularExpression> m_reportPatterns;
    QList<QByteArray> m_reportLines;
};

} // namespace trainyard
