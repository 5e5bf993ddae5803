// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/slurmfixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonObject>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Tasks of a real Slurm load the modules of their target, with a command `module` that stands in for that of a site.
class TstSlurmModules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_slurm = std::make_unique<SlurmCluster>();
        SKIP_UNLESS_THERE(*m_slurm);
        qputenv("SLURM_CONF", QFile::encodeName(m_slurm->folder() + u"/slurm.conf"_s));
    }
    void cleanupTestCase()
    {
        qunsetenv("SLURM_CONF");
        m_slurm.reset();
    }
    void tasksLoadThem();

private:
    std::unique_ptr<SlurmCluster> m_slurm;
};

void TstSlurmModules::tasksLoadThem()
{
    SlurmFixture lab(*m_slurm, QMap<QString, QString>(), QJsonObject{{u"slurmModules.lab"_s, u"tool/2"_s}});
    QVERIFY(lab.open());
    const QString site = lab.engine.path(u"site"_s);
    QVERIFY(QDir().mkpath(site + u"/init"_s));
    QFile file(site + u"/init/bash"_s);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("module() {\n    [[ $2 == tool/* ]] || return 1\n    export TOOL_HOME=/opt/$2\n}\n");
    file.close();
    const QByteArray yaml = EngineFixture::document("with-modules",
        EngineFixture::role(
            "worker", 1, {"echo \"tool at ${TOOL_HOME-nowhere}\""}, {}, "{cpu: 1, memoryMB: 64, gpu: 0}"),
        "extras: {trainyard: {variables: {MODULESHOME: '" + QFile::encodeName(site) + "'}}}\n");
    const QString good = lab.submit(yaml);
    QVERIFY(!good.isEmpty());
    QVERIFY2(lab.ends(good, State::Succeeded), lab.engine.output(good, u"worker"_s, 0).constData());
    QVERIFY(lab.engine.output(good, u"worker"_s, 0).contains("tool at /opt/tool/2\n"));

    QVERIFY(lab.engine.engine().setSetting(u"slurmModules.lab"_s, u"tool/2,other/1"_s));
    const QString bad = lab.submit(yaml);
    QVERIFY(!bad.isEmpty());
    QVERIFY(lab.ends(bad, State::Failed));
    const TaskInfo task = lab.engine.task(bad, u"worker"_s, 0);
    QCOMPARE(task.reason, u"exit.module"_s);
    QCOMPARE(task.reasonArgs.value("about"_L1).toString(), u"other/1"_s);
    QCOMPARE(task.reasonArgs.value("path"_L1).toString(), u"slurmModules.lab"_s);
    QVERIFY(!lab.engine.output(bad, u"worker"_s, 0).contains("tool at"));

    QVERIFY(lab.engine.engine().setSetting(u"slurmModules.lab"_s, u"-f"_s));
    QVERIFY(lab.submit(yaml).isEmpty());
    QCOMPARE(lab.engine.error().code, u"slurm.module-strange"_s);
}

TRAINYARD_TEST(TstSlurmModules)
#include "tst_slurmmodules.moc"
