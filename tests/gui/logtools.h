// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/writtenlog.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logview.h"

#include <QAction>
#include <QCoreApplication>
#include <QFile>
#include <QFileDialog>

#include <algorithm>
#include <memory>

// Logs for the tests of what shows them.
namespace logtests
{

using namespace trainyard;
using Log = WrittenLog;

// A log that is in memory.
class BytesLogSource final : public LogSource
{
public:
    explicit BytesLogSource(const QByteArray &bytes) : m_bytes(bytes) { }
    static LogSourceFactory factory(const QByteArray &bytes)
    {
        return [bytes] { return std::make_unique<BytesLogSource>(bytes); };
    }
    qint64 size() override { return m_bytes.size(); }
    QByteArray read(qint64 offset, qint64 length) override { return m_bytes.mid(offset, length); }
    std::optional<Origin> originAt(qint64) override { return {}; }
    bool isComplete() override { return true; }

private:
    QByteArray m_bytes;
};

inline QByteArray numbered(int from, int to)
{
    QByteArray bytes;
    for (int i = from; i < to; ++i) {
        bytes += "line " + QByteArray::number(i) + '\n';
    }
    return bytes;
}

inline LogIndex indexed(const QByteArray &bytes, qsizetype step = 0)
{
    LogIndex index;
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype n = step > 0 ? std::min(step, bytes.size() - at) : bytes.size();
        index.append(QByteArrayView(bytes).sliced(at, n));
        at += n;
    }
    return index;
}

inline QList<RawLine> linesOf(const QByteArray &bytes)
{
    const LogIndex index = indexed(bytes);
    BytesLogSource source(bytes);
    QList<RawLine> lines;
    for (qint64 i = 0; i < index.intervalCount(); ++i) {
        lines += splitInterval(source, index.interval(i));
    }
    return lines;
}

inline QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// By the button, as a user does.
inline bool save(LogPane *pane, const QString &path)
{
    pane->findChild<QAction *>(QStringLiteral("logSave"))->trigger();
    auto *dialog = pane->findChild<QFileDialog *>();
    if (!dialog) {
        return false;
    }
    Q_EMIT dialog->fileSelected(path);
    dialog->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return true;
}

inline QStringList textsOf(const QByteArray &bytes)
{
    QStringList texts;
    const QList<RawLine> lines = linesOf(bytes);
    for (const RawLine &line : lines) {
        texts.append(decodeLine(line).text);
    }
    return texts;
}

} // namespace logtests
