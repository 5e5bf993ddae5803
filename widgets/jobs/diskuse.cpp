// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/diskuse.h"

#include "model/base/threads.h"

#include <QDirIterator>
#include <QFile>
#include <QPointer>

#include <sys/stat.h>

namespace trainyard
{
namespace
{

qint64 bytesBelow(const QString &folder)
{
    constexpr qint64 blockBytes = 512; // of st_blocks, whatever those of the disk are
    qint64 bytes = 0;
    QDirIterator it(
        folder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (it.hasNext()) {
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
    std::function<void(qint64)> then;
};

} // namespace

void measureFolders(const QStringList &folders, QObject *context, const std::function<void(qint64 bytes)> &then)
{
    auto *receiver = new Receiver;
    receiver->context = context;
    receiver->then = then;
    threads::runOnPool([folders, receiver] {
        qint64 bytes = 0;
        for (const QString &folder : folders) {
            bytes += bytesBelow(folder);
        }
        threads::callLater(receiver, [receiver, bytes] {
            if (receiver->context) {
                receiver->then(bytes);
            }
            receiver->deleteLater();
        });
    });
}

} // namespace trainyard
