// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logsaver.h"

#include "engine/client/wholefile.h"
#include "model/base/threads.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSaveFile>

#include <algorithm>
#include <functional>
#include <utility>

namespace trainyard
{
namespace
{
constexpr qint64 blockSize = 1 << 20; // a cancel waits for one at most

// The error in the system's words; none when the file is complete or `goOn` returned false.
QString copy(LogSource &source, const QString &path, const std::function<bool(int percent)> &goOn)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return file.errorString();
    }
    const qint64 size = source.size();
    for (qint64 at = 0; at < size;) {
        if (!goOn(int(at * 100 / size))) {
            file.cancelWriting();
            return {};
        }
        const QByteArray block = source.read(at, std::min(blockSize, size - at));
        if (block.isEmpty()) {
            break; // it shrank meanwhile: what is left of it is there
        }
        if (!writeAll(file, block)) {
            return file.errorString();
        }
        at += block.size();
    }
    bool isFirst = true;
    for (const LogSource::Live &line : source.liveLines()) { // what is not finished yet
        if (!writeAll(file, isFirst ? line.bytes : QByteArray('\n' + line.bytes))) {
            return file.errorString();
        }
        isFirst = false;
    }
    if (!goOn(100)) {
        file.cancelWriting();
        return {};
    }
    return commitWhole(file).value_or(QString());
}
} // namespace

LogSaver::LogSaver(LogSourceFactory source, const QString &path, QObject *parent)
    : QObject(parent), m_source(std::move(source)), m_path(path), m_cancelled(std::make_shared<std::atomic_bool>(false))
{
}

LogSaver::~LogSaver() { cancel(); }

void LogSaver::cancel() { *m_cancelled = true; }

void LogSaver::start()
{
    // The guard is read on the saver's thread only.
    const QPointer<LogSaver> guard(this);
    threads::runOnPool([guard, source = m_source, path = m_path, cancelled = m_cancelled] {
        const auto say = [&](const std::function<void(LogSaver *)> &what) {
            threads::callLater(QCoreApplication::instance(), [guard, cancelled, what] {
                if (guard && !*cancelled) {
                    what(guard);
                }
            });
        };
        int said = 0;
        const std::unique_ptr<LogSource> log = source();
        const QString error = copy(*log, path, [&](int percent) {
            if (percent != said) {
                said = percent;
                say([percent](LogSaver *saver) { Q_EMIT saver->progressed(percent); });
            }
            return !*cancelled;
        });
        say([error](LogSaver *saver) { Q_EMIT saver->finished(error); });
    });
}

} // namespace trainyard
