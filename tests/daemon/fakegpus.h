// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

// Two GPUs of this test's own: locks on GPUs are shared by all users of a host.
class FakeGpus
{
public:
    // Before the fixture's engine starts: it finds them on the PATH.
    template <typename Fixture> explicit FakeGpus(const Fixture &f) : m_folder(f.path(QStringLiteral("bin")))
    {
        static int number = 0;
        m_id = QByteArray::number(qint64(::getpid())) + '-' + QByteArray::number(++number);
        QDir().mkpath(m_folder);
        set("gpus", row(0, 1, 0) + row(1, 1, 0));
        set("apps", {});
        const QByteArray folder = m_folder.toUtf8();
        set("nvidia-smi", "#!/bin/sh\ncd " + folder + script());
        QFile::setPermissions(
            m_folder + QStringLiteral("/nvidia-smi"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        m_before = qgetenv("PATH");
        qputenv("PATH", folder + ':' + m_before);
    }
    Q_DISABLE_COPY_MOVE(FakeGpus)
    ~FakeGpus() { qputenv("PATH", m_before); }
    QByteArray uuid(int index) const { return "GPU-test-" + m_id + '-' + QByteArray::number(index); }
    QByteArray row(int index, int usedMiB, int percent) const
    {
        const QByteArray number = QByteArray::number(index);
        return number + ", " + uuid(index) + ", Fake, 8192, " + QByteArray::number(usedMiB) + ", "
            + QByteArray::number(percent) + ", 30, 10.0\n";
    }
    void set(const char *name, const QByteArray &text)
    {
        const QString path = m_folder + QLatin1Char('/') + QLatin1StringView(name);
        QFile file(path + QStringLiteral(".new"));
        [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
        file.write(text);
        file.close();
        ::rename(QFile::encodeName(path + QStringLiteral(".new")).constData(), QFile::encodeName(path).constData());
    }
    // A program that is none of ours: this test.
    void use(const QList<int> &indexes)
    {
        QByteArray text;
        for (const int index : indexes) {
            text += uuid(index) + ", " + QByteArray::number(qint64(::getpid())) + ", 4000\n";
        }
        set("apps", text);
    }
    // As an engine of somebody else does; given back with close().
    int lock(int index) const
    {
        struct stat info {
        };
        const bool shared = ::stat("/run/lock", &info) == 0 && (info.st_mode & S_IWOTH);
        const QByteArray folder = shared ? "/run/lock/trainyard-gpu" : "/tmp/trainyard-gpu";
        if (::mkdir(folder.constData(), 01777) == 0) {
            ::chmod(folder.constData(), 01777);
        }
        const QByteArray path = folder + '/' + uuid(index) + ".lock";
        const int fd = ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        return fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) == 0 ? fd : -1;
    }

private:
    // What nvidia-smi says when files of these names are beside it:
    // slow: nothing until it is gone; hold: the list of processes waits; head: lines before the rows; words: these
    // instead of rows; lost: indexes of GPUs that make it fail when they are among those asked for; cut: so many bytes
    // of the list, and then it dies; buffer, stall: the stream writes by 4096 bytes, or nothing after the first rows.
    static QByteArray script()
    {
        return R"SH(
case "$*" in
-L) cat list; exit;;
*mig.mode*) cat mode 2>/dev/null; exit;;
*compute-apps*)
    cat apps
    [ ! -e hold ] || : >held
    while [ -e hold ]; do sleep 0.05; done
    exit;;
esac
only= stream= before=
for word in "$@"; do
    [ "$before" != -i ] || only=",$word,"
    [ "$word" != -lms ] || stream=1
    before=$word
done
tell() {
    while [ -e slow ]; do sleep 0.05; done
    if [ -e words ]; then
        cat words
        return 18
    fi
    [ ! -e head ] || cat head
    for one in $(cat lost 2>/dev/null); do
        case "$only" in
        '' | *",$one,"*)
            echo "Unable to determine the device handle for GPU 0000:${one}B:00.0: GPU is lost.  Reboot the system to recover this GPU"
            return 15;;
        esac
    done
    if [ -e cut ] && [ -z "$only" ]; then
        head -c "$(cat cut)" gpus
        kill -9 $$
    fi
    rows=
    while IFS= read -r row; do
        case "$only" in
        '' | *",${row%%,*},"*) rows="$rows$row
";;
        esac
    done <gpus
    [ -n "$rows" ] || rows="No devices were found
"
    printf %s "$rows"
}
if [ -z "$stream" ]; then
    tell
    status=$?
    : >listed
    exit $status
fi
kept=
while true; do
    if [ -e buffer ]; then
        kept="$kept$(tell)
"
        if [ ${#kept} -ge 4096 ]; then
            printf %s "$kept"
            kept=
        fi
    else
        tell || exit
        if [ -e stall ]; then
            : >stalled
            exec sleep 1000
        fi
    fi
    sleep 0.3
done
)SH";
    }

    QString m_folder;
    QByteArray m_id, m_before;
};
