// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/diskuse.h"

#include "model/base/threads.h"

#include <QDirIterator>
#include <QFile>
#include <QPointer>

#include <sys/stat.h>

#include <atomic>
#include <memory>
#include <numeric>

namespace trainyard
{
namespace
{

using Wanted = std::shared_ptr<std::atomic_bool>;

qint64 bytesBelow(const QString &folder, const Wanted &wanted)
{
    constexpr qint64 blockBytes = 512; // of st_blocks, whatever those of the disk are
    qint64 bytes = 0;
    QDirIterator it(
        folder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (*wanted && it.hasNext()) {
        struct stat info {
        };
        if (::lstat(QFile::encodeName(it.next()).constData(), &info) == 0) {
            bytes += qint64(info.st_blocks) * blockBytes;
        }
    }
    return bytes;
}

// Lives on the thread of the context and outlives the work, which may be slower than the context.
struct Receiver : QObject {
    QPointer<QObject> context;
    std::function<void(const QList<qint64> &)> then;
};

} // namespace

void measureEach(
    const QStringList &folders, QObject *context, const std::function<void(const QList<qint64> &bytes)> &then)
{
    auto *receiver = new Receiver;
    receiver->context = context;
    receiver->then = then;
    const Wanted wanted = std::make_shared<std::atomic_bool>(true);
    QObject::connect(context, &QObject::destroyed, receiver, [wanted] { *wanted = false; });
    threads::runOnPool([folders, receiver, wanted] {
        QList<qint64> bytes;
        bytes.reserve(folders.size());
        for (const QString &folder : folders) {
            bytes.append(bytesBelow(folder, wanted));
        }
        threads::callLater(receiver, [receiver, bytes] {
            if (receiver->context) {
                receiver->then(bytes);
            }
            receiver->deleteLater();
        });
    });
}

void measureFolders(const QStringList &folders, QObject *context, const std::function<void(qint64 bytes)> &then)
{
    measureEach(folders, context,
        [then](const QList<qint64> &bytes) { then(std::accumulate(bytes.cbegin(), bytes.cend(), qint64(0))); });
}

} // namespace trainyard
