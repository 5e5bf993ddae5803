// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/mask.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace trainyard
{
namespace kube
{

struct LogLine {
    qint64 timeNs = 0; // UTC
    QByteArray text; // with its line feed, unless it is the last and not complete
    friend bool operator==(const LogLine &, const LogLine &) = default;
};
// The lines of "kubectl logs --timestamps" that are younger than `afterNs`. A last line without an end is complete only
// when nothing comes any more.
QList<LogLine> logLines(const QByteArray &said, qint64 afterNs, bool isAll);
QString sinceTime(qint64 timeNs); // as kubectl takes it

} // namespace kube

// The copy of a pod's output in the folder of its try, in the form that every log has there (docs/task-folder.md).
class KubeLog
{
public:
    // What is there already is gone on with. Values of `secrets` are hidden, also as programs spell them.
    KubeLog(const QString &folder, const QStringList &secrets);
    bool append(const QList<kube::LogLine> &lines); // false: it could not be written, and is to be asked for again
    void skipSecond(); // the rest of the second of the newest line is left out
    qint64 lastNs() const { return m_lastNs; } // of the newest line; 0: none
    qint64 bytes() const { return m_bytes; }

private:
    QByteArray hidden(const QByteArray &line) const;

    QString m_folder;
    contract::Secrets m_secrets;
    qint64 m_lastNs = 0, m_bytes = 0, m_records = 0; // of the index
    bool m_isLineBegun = false;
};

} // namespace trainyard
