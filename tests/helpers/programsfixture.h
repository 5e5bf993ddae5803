// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

// The real programs in folders of their own: configuration, state, runtime and home lie in one temporary folder with a
// short path. At the end everything that was started with it (daemons, agents, keepers, tasks) is killed by its id.
class ProgramsFixture
{
public:
    struct Output {
        int status = -1;
        QByteArray out, err;
        QJsonDocument json() const { return QJsonDocument::fromJson(out); }
    };

    // Also changes the environment of this process, so that clients in it mean the same engine.
    ProgramsFixture();
    ~ProgramsFixture();

    QString path(const QString &name) const { return m_folder.path() + u'/' + name; }
    QString program(const QString &name) const;
    QProcessEnvironment environment() const;
    QString socketPath() const;
    QString stateFolder() const;
    QString write(const QString &name, const QByteArray &bytes) const; // gives the path
    void setSettings(const QJsonObject &settings) const; // the engine's, in place of those before

    // trainyardctl with these arguments, to its end.
    Output ctl(const QStringList &arguments, const QByteArray &input = {}, int ms = 20000) const;
    std::unique_ptr<QProcess> startCtl(const QStringList &arguments) const;

    QList<qint64> pidsOf(const QString &name) const; // processes of this fixture whose program is called so
    QList<qint64> agentPids() const; // without the keepers, which are the same program
    qint64 daemonPid() const { return pidsOf(QStringLiteral("trainyardd")).value(0); }
    bool waitForNoDaemon(int ms = 10000) const;

private:
    QList<qint64> allPids() const;
    QTemporaryDir m_folder{QStringLiteral("/tmp/tyXXXXXX")};
    QMap<QByteArray, QByteArray> m_before;
};
