// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/environmentfind.h"
#include "engine/agent/pump.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The environments and modules that an agent finds, in homes as people have them.
class TstEnvironmentFind : public QObject
{
    Q_OBJECT

    QString path(const QString &below) const { return m_home->filePath(below); }
    void write(const QString &below, const QByteArray &text = "x")
    {
        QDir().mkpath(QFileInfo(path(below)).path());
        QFile file(path(below));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    void makeConda(const QString &below, const QByteArray &python, bool isBase)
    {
        write(below + u"/conda-meta/python-"_s + QString::fromLatin1(python) + u"-h955ad1f_0.json"_s);
        write(below + u"/conda-meta/python-dateutil-2.8.2-py_0.json"_s);
        if (isBase) {
            write(below + u"/bin/activate"_s);
        }
    }
    void makeVenv(const QString &below, const QByteArray &config)
    {
        write(below + u"/pyvenv.cfg"_s, config);
        write(below + u"/bin/activate"_s);
    }
    contract::EnvironmentsFound find(const std::vector<std::string> &variables = {}, std::int64_t patienceMs = 60000)
    {
        return agent::findEnvironments({m_home->path().toStdString(), variables, path(u"root"_s).toStdString()},
            agent::monotonicMs() + patienceMs);
    }
    // "kind name version base", the last two as they are.
    QStringList lines(const contract::EnvironmentsFound &found) const
    {
        QStringList lines;
        for (const contract::FoundEnvironment &one : found.environments) {
            const QString base = QString::fromStdString(one.base);
            lines.append(QString::fromStdString(one.kind + ' ' + one.name + ' ' + one.version + ' ')
                + (base.isEmpty() ? base : QDir(m_home->path()).relativeFilePath(base)));
        }
        lines.sort();
        return lines;
    }

private Q_SLOTS:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }

    void nothingIsThere()
    {
        const contract::EnvironmentsFound found = find();
        QVERIFY(found.environments.empty() && found.modules.empty() && found.isWhole);
    }

    void condaIsFound()
    {
        makeConda(u"miniconda3"_s, "3.12.1", true);
        makeConda(u"miniconda3/envs/torch"_s, "3.11.4", false);
        write(u"miniconda3/envs/half/readme"_s); // no environment
        makeConda(u"root/opt/conda"_s, "3.9.0", true);
        makeConda(u"data/far env"_s, "3.8.2", false);
        write(u".conda/environments.txt"_s,
            path(u"data/far env"_s).toUtf8() + "\n" + path(u"miniconda3/envs/torch"_s).toUtf8()
                + "\n/nowhere\nrelative\n");
        QCOMPARE(lines(find()),
            QStringList({u"conda base 3.12.1 miniconda3"_s, u"conda base 3.9.0 root/opt/conda"_s,
                u"conda far env 3.8.2 miniconda3"_s, u"conda torch 3.11.4 miniconda3"_s}));
        // Where it is known from what the login shell says only.
        makeConda(u"elsewhere/forge"_s, "3.10.0", true);
        QVERIFY(lines(find({"CONDA_EXE=" + path(u"elsewhere/forge/bin/conda"_s).toStdString()}))
                    .contains(u"conda base 3.10.0 elsewhere/forge"_s));
        // Without an installation that is known, it has no base.
        m_home = std::make_unique<QTemporaryDir>();
        makeConda(u"micromamba/envs/jax"_s, "3.11.0", false);
        QCOMPARE(lines(find()), QStringList(u"conda jax 3.11.0 "_s));
    }

    void venvsAreFound()
    {
        makeVenv(u".venv"_s, "home = /usr/bin\nversion = 3.11.2\n");
        makeVenv(u"project/.venv"_s, "version_info = 3.12.0.final.0\n");
        makeVenv(u"project/env"_s, "nothing\n");
        makeVenv(u".virtualenvs/paper"_s, "version=3.8\n");
        makeVenv(u"deep/er/.venv"_s, "version = 3.11.2\n"); // too deep: a home may have a million folders
        write(u"broken/pyvenv.cfg"_s); // cannot be activated
        QVERIFY(::mkfifo(QFile::encodeName(path(u"pipe"_s)).constData(), 0600) == 0);
        QDir().mkpath(path(u"odd"_s));
        QVERIFY(::mkfifo(QFile::encodeName(path(u"odd/pyvenv.cfg"_s)).constData(), 0600) == 0);
        QCOMPARE(lines(find()),
            QStringList({u"venv .venv 3.11.2 "_s, u"venv paper 3.8 "_s, u"venv project/.venv 3.12.0 "_s,
                u"venv project/env  "_s}));
        // One that is reached on two ways is there once.
        QVERIFY(QFile::link(path(u"project"_s), path(u"same"_s)));
        QCOMPARE(find().environments.size(), std::size_t(4));
    }

    void pyenvIsFound()
    {
        write(u".pyenv/versions/3.10.4/bin/python"_s);
        makeVenv(u".pyenv/versions/work"_s, "version = 3.10.4\n");
        QCOMPARE(lines(find()), QStringList({u"pyenv 3.10.4 3.10.4 "_s, u"venv work 3.10.4 "_s}));
    }

    void modulesAreFound()
    {
        write(u"modules/cuda/12.4"_s, "#%Module1.0\n");
        write(u"modules/cuda/11.8.lua"_s);
        write(u"modules/gcc"_s, "#%Module\n");
        write(u"modules/readme.txt"_s, "not one\n");
        write(u"more/cuda/12.4"_s, "#%Module1.0\n"); // the same name
        const std::string folders
            = path(u"modules"_s).toStdString() + ":" + path(u"more"_s).toStdString() + ":relative::/nowhere";
        QCOMPARE(find({"MODULEPATHS=x", "MODULEPATH=" + folders}).modules,
            std::vector<std::string>({"cuda/11.8", "cuda/12.4", "gcc"}));
        QVERIFY(find().modules.empty());
    }

    // It ends with what it has: by the time, and by the number that fits into a message.
    void itIsBounded()
    {
        for (int i = 0; i < 250; ++i) {
            makeVenv(u".virtualenvs/v%1"_s.arg(i), "version = 3.11.2\n");
        }
        const contract::EnvironmentsFound many = find();
        QCOMPARE(many.environments.size(), std::size_t(200));
        QVERIFY(!many.isWhole);
        const contract::EnvironmentsFound late = find({}, -1);
        QVERIFY(late.environments.empty() && !late.isWhole);
    }

private:
    std::unique_ptr<QTemporaryDir> m_home;
};

TRAINYARD_TEST(TstEnvironmentFind)
#include "tst_environmentfind.moc"
