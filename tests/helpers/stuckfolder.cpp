// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/stuckfolder.h"

#include <QDir>
#include <QFile>
#include <QSocketNotifier>

#include <fcntl.h>
#include <linux/fuse.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

using namespace Qt::StringLiterals;

namespace
{

template <typename T> QByteArray bytesOf(const T &value)
{
    return {reinterpret_cast<const char *>(&value), qsizetype(sizeof value)};
}

} // namespace

StuckFolder::StuckFolder(const QString &path) : m_path(path)
{
    QDir().mkpath(path);
    m_device = ::open("/dev/fuse", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    const QByteArray options
        = "fd=" + QByteArray::number(m_device) + ",rootmode=40755,user_id=0,group_id=0,allow_other";
    const QByteArray name = QFile::encodeName(path);
    if (m_device < 0
        || ::mount("trainyard-test", name.constData(), "fuse.trainyard", MS_NOSUID | MS_NODEV, options.constData())
            != 0) {
        m_problem = u"No file system can be made by /dev/fuse: run it as root, where mounts are allowed (%1)."_s.arg(
            QString::fromLocal8Bit(std::strerror(errno)));
        return;
    }
    m_notifier = std::make_unique<QSocketNotifier>(m_device, QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_notifier.get(), [this] { read(); });
}

StuckFolder::~StuckFolder() { release(); }

void StuckFolder::release()
{
    m_notifier.reset();
    if (m_device >= 0) {
        if (m_problem.isEmpty()) {
            ::umount2(QFile::encodeName(m_path).constData(), MNT_DETACH);
        }
        ::close(m_device); // whoever waits is told that it is over
        m_device = -1;
    }
}

void StuckFolder::read()
{
    alignas(fuse_in_header) char buffer[128 * 1024];
    ssize_t n = 0;
    while ((n = ::read(m_device, buffer, sizeof buffer)) >= ssize_t(sizeof(fuse_in_header))) {
        fuse_in_header request{};
        std::memcpy(&request, buffer, sizeof request);
        switch (request.opcode) {
        case FUSE_INIT: {
            fuse_init_out reply{};
            reply.major = FUSE_KERNEL_VERSION;
            reply.minor = FUSE_KERNEL_MINOR_VERSION;
            reply.max_write = 4096;
            answer(request.unique, 0, bytesOf(reply));
            break;
        }
        case FUSE_GETATTR: {
            fuse_attr_out reply{};
            reply.attr.ino = request.nodeid;
            reply.attr.mode = S_IFDIR | 0755;
            reply.attr.nlink = 2;
            answer(request.unique, 0, bytesOf(reply));
            break;
        }
        case FUSE_LOOKUP:
            ++m_waiting;
            break;
        case FUSE_FORGET:
        case FUSE_BATCH_FORGET:
        case FUSE_INTERRUPT:
            break; // nobody waits for an answer
        default:
            answer(request.unique, -ENOSYS);
        }
    }
}

void StuckFolder::answer(quint64 request, int error, const QByteArray &bytes) const
{
    fuse_out_header header{};
    header.len = quint32(sizeof header) + quint32(bytes.size());
    header.error = error;
    header.unique = request;
    const QByteArray whole = bytesOf(header) + bytes;
    static_cast<void>(!::write(m_device, whole.constData(), size_t(whole.size())));
}
