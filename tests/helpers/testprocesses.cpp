// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testprocesses.h"

#include <QDir>
#include <QFile>

#include <unistd.h>

#include <algorithm>

using namespace Qt::StringLiterals;

static QByteArray processText(qint64 pid, const char *name)
{
    QFile file(u"/proc/%1/%2"_s.arg(pid).arg(QLatin1StringView(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// "VmRSS:     1234 kB" of its file; -1: it is not there.
static qint64 numberAfter(const QByteArray &text, const char *key)
{
    const qsizetype at = text.indexOf(key);
    return at < 0 ? -1 : text.mid(at + qsizetype(qstrlen(key))).simplified().split(' ').first().toLongLong();
}

static bool isLiving(qint64 pid)
{
    const QByteArray stat = processText(pid, "stat");
    const qsizetype bracket = stat.lastIndexOf(')');
    return bracket > 0 && !QByteArray("ZX").contains(stat.mid(bracket + 2, 1));
}

QList<qint64> processesWith(const QByteArray &word)
{
    QList<qint64> found;
    const QStringList entries = QDir(u"/proc"_s).entryList(QDir::Dirs);
    for (const QString &entry : entries) {
        const qint64 pid = entry.toLongLong();
        if (pid <= 0 || pid == ::getpid()) {
            continue;
        }
        const QByteArray text = processText(pid, "cmdline") + '\0' + processText(pid, "environ");
        if (text.contains(word) && isLiving(pid)) {
            found.append(pid);
        }
    }
    return found;
}

qint64 processorMs(qint64 pid)
{
    const QByteArray stat = processText(pid, "stat");
    const QList<QByteArray> words = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    return stat.isEmpty()
        ? -1
        : (words.value(11).toLongLong() + words.value(12).toLongLong()) * 1000 / ::sysconf(_SC_CLK_TCK);
}

KeeperLooks::KeeperLooks(qint64 keeper, QByteArray word) : m_keeper(keeper), m_word(std::move(word)) { }

bool KeeperLooks::hasSeen(int processes, qint64 kib)
{
    const qint64 reads = numberAfter(processText(m_keeper, "io"), "syscr:");
    if (m_readsBefore < 0) {
        const QList<qint64> all = processesWith(m_word);
        const auto holders = std::count_if(all.begin(), all.end(),
            [kib](qint64 pid) { return numberAfter(processText(pid, "status"), "VmRSS:") >= kib; });
        if (holders < processes) {
            return false;
        }
        // Of each process its children, twice, its memory and its peak; and one look may have been half done by then.
        m_readsBefore = reads;
        m_readsWanted = 2 * 4 * (all.size() + 4);
    }
    return reads >= m_readsBefore + m_readsWanted;
}
