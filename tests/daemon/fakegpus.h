// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QTest>

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
        set("nvidia-smi",
            "#!/bin/sh\ncase \"$*\" in\n-L) cat " + folder + "/list;;\n*mig.mode*) cat " + folder
                + "/mode 2>/dev/null;;\n*compute-apps*) cat " + folder + "/apps; [ ! -e " + folder + "/hold ] || : >"
                + folder + "/held; while [ -e " + folder
                + "/hold ]; do sleep 0.05; done;;\n*query-gpu*) while true; do cat " + folder
                + "/gpus; case \"$*\" in *-lms*) sleep 0.3;; *) : >" + folder
                + "/listed; exit 0;; esac; done;;\nesac\n");
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

private:
    QString m_folder;
    QByteArray m_id, m_before;
};
