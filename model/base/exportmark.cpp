// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/exportmark.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qsizetype longestMarkedHead = 64 << 10; // options of a batch script stand above it
constexpr auto markWords = QLatin1StringView(" of a job of the OpenPAI job protocol, exported by Trainyard.");

} // namespace

QString exportMark(const QString &job, qint64 tasks)
{
    return job + u": "_s + (tasks == 1 ? u"one task"_s : QString(QString::number(tasks) + u" tasks"_s)) + markWords;
}

std::optional<MarkedExport> markedExport(const QByteArray &text)
{
    // A comment, whose lines may end at any of its spaces.
    static const QRegularExpression mark = [] {
        const QString space = u"(?: |\\r?\\n# )"_s;
        const QStringList parts = QString(markWords).split(u' ');
        QStringList escaped;
        for (const QString &part : parts) {
            escaped.append(QRegularExpression::escape(part));
        }
        return QRegularExpression(
            u"^# (\\S+):"_s + space + u"(?:one"_s + space + u"task|\\d+"_s + space + u"tasks)"_s + escaped.join(space),
            QRegularExpression::MultilineOption);
    }();
    const QString head = QString::fromUtf8(text.first(std::min(text.size(), longestMarkedHead)));
    const QRegularExpressionMatch match = mark.match(head);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const qsizetype begin = QStringView(head).first(match.capturedStart()).toUtf8().size();
    return MarkedExport{match.captured(1), {begin, begin + match.captured(0).toUtf8().size()}};
}

} // namespace trainyard
