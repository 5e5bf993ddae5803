// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/engineclient.h"
#include "tests/bench/figure.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <unistd.h>

#include <algorithm>
#include <cstdio>

// The real programs in folders of their own, and what the kernel says of them.
class BenchEngine
{
public:
    explicit BenchEngine(const QString &where) : m_folder(where + QStringLiteral("/tybXXXXXX"))
    {
        const std::pair<const char *, const char *> folders[] = {{"HOME", "home"}, {"XDG_CONFIG_HOME", "config"},
            {"XDG_STATE_HOME", "state"}, {"XDG_CACHE_HOME", "cache"}, {"XDG_RUNTIME_DIR", "run"}};
        for (const auto &[variable, name] : folders) {
            const QString sub = path(QString::fromLatin1(name));
            QDir().mkdir(sub, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            qputenv(variable, QFile::encodeName(sub));
        }
    }
    ~BenchEngine() { stop(); }

    QString path(const QString &name) const { return m_folder.filePath(name); }
    static QString program(const QString &name) { return QCoreApplication::applicationDirPath() + QChar(u'/') + name; }

    QString write(const QString &name, const QByteArray &bytes) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            qFatal("cannot write %s", qPrintable(file.fileName()));
        }
        return file.fileName();
    }

    // Milliseconds of a command of trainyardctl, from its start to its end.
    static double ctl(const QStringList &words, QByteArray *said = nullptr)
    {
        QElapsedTimer clock;
        clock.start();
        QProcess process;
        process.start(program(QStringLiteral("trainyardctl")), words);
        if (!process.waitForFinished(600000) || process.exitCode() > 1) {
            qFatal(
                "trainyardctl %s: %s", qPrintable(words.join(QChar(u' '))), process.readAllStandardError().constData());
        }
        const double took = double(clock.nsecsElapsed()) / 1e6;
        if (said) {
            *said = process.readAllStandardOutput();
        }
        return took;
    }

    static double medianCtl(const QStringList &words, int rounds = 7)
    {
        std::vector<double> all;
        for (int i = 0; i < rounds; ++i) {
            all.push_back(ctl(words));
        }
        return median(std::move(all));
    }

    static double median(std::vector<double> values)
    {
        std::sort(values.begin(), values.end());
        return values.empty() ? 0 : values[values.size() / 2];
    }

    static double at(std::vector<double> values, double part)
    {
        std::sort(values.begin(), values.end());
        return values.empty() ? 0 : values[std::min(values.size() - 1, std::size_t(part * double(values.size())))];
    }

    static bool connectClient(trainyard::EngineClient &client)
    {
        client.start(trainyard::EngineClient::Start::IfNeeded);
        return waitUntil([&client] { return client.status() == trainyard::EngineClient::Status::Ready; }, 30000);
    }

    template <typename Condition> static bool waitUntil(Condition condition, int ms)
    {
        QElapsedTimer clock;
        clock.start();
        while (!condition()) {
            if (clock.hasExpired(ms)) {
                return false;
            }
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
        }
        return true;
    }

    // The daemon and its agent.
    static QList<qint64> processes(const QByteArray &name)
    {
        const QByteArray mark = qgetenv("XDG_STATE_HOME");
        QList<qint64> pids;
        const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
        for (const QString &entry : entries) {
            if (entry.toLongLong() > 1
                && QFileInfo(QFile::symLinkTarget(QStringLiteral("/proc/") + entry + QStringLiteral("/exe")))
                        .fileName()
                        .toLatin1()
                    == name
                && contents(QStringLiteral("/proc/") + entry + QStringLiteral("/environ")).contains(mark)) {
                pids.append(entry.toLongLong());
            }
        }
        return pids;
    }

    static QByteArray contents(const QString &name)
    {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    // "VmHWM" or "VmRSS", in MiB.
    static double memory(qint64 pid, const QByteArray &key)
    {
        const QByteArray status = contents(QStringLiteral("/proc/%1/status").arg(pid));
        const qsizetype begin = status.indexOf(QByteArray(key + ':'));
        return begin < 0 ? 0 : status.mid(begin + key.size() + 1).trimmed().split(' ').constFirst().toDouble() / 1024;
    }

    // Time on a processor so far, with that of children that were waited for.
    static double processorMs(qint64 pid)
    {
        const QByteArray text = contents(QStringLiteral("/proc/%1/stat").arg(pid));
        const QByteArrayList fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
        double ticks = 0;
        for (int i = 11; i <= 14; ++i) {
            ticks += fields.value(i).toDouble();
        }
        return ticks * 1000 / double(::sysconf(_SC_CLK_TCK));
    }

    static void stop()
    {
        if (!processes("trainyardd").isEmpty()) {
            ctl({QStringLiteral("engine"), QStringLiteral("stop"), QStringLiteral("--jobs")});
            waitUntil([] { return processes("trainyardd").isEmpty(); }, 30000);
        }
    }

    static void load()
    {
        std::printf("load of the machine before: %s", contents(QStringLiteral("/proc/loadavg")).constData());
    }

private:
    QTemporaryDir m_folder;
};
