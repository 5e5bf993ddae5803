// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/shellquote.h"
#include "tests/contract/clifixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QTest>

using namespace Qt::StringLiterals;

// The real program. What the tasks of a job run.
class TstCliRender : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void renderForPeople();
    void renderKnowsTheRoles();
    void renderEnvironment();
    void renderWhatTheJobAdds();
    void renderJson();
    void renderParameters();
    void renderRefuses();
    void renderAsServer();

private:
    CliFixture m_cli;
};

void TstCliRender::initTestCase() { QVERIFY2(m_cli.isReady(), "trainyardctl has not been built."); }

void TstCliRender::renderForPeople()
{
    const CliFixture::Run result = m_cli.run({u"render"_s, m_cli.file(u"good.yaml"_s, goodJob)});
    QCOMPARE(result.status, 0);
    QVERIFY2(result.out.contains("echo 0.1\n"), result.out.constData());
    QVERIFY(result.out.contains("echo prep\n"));
    QVERIFY(result.out.contains("<% $secrets.token %>"));
    QCOMPARE(m_cli.run({u"render"_s, u"--role"_s, u"nobody"_s, m_cli.file(u"good.yaml"_s, goodJob)}).status, 2);
}

void TstCliRender::renderKnowsTheRoles()
{
    const CliFixture::Run wrong = m_cli.run({u"render"_s, u"--role"_s, u"worked"_s, u"-"_s}, goodJob);
    QCOMPARE(wrong.status, 2);
    QVERIFY2(
        wrong.err.contains("has no task role 'worked'. It has: worker. Did you mean 'worker'?"), wrong.err.constData());
}

// Names in order and values as a shell reads them, no secret among them.
void TstCliRender::renderEnvironment()
{
    const QString path = m_cli.file(u"good.yaml"_s, goodJob);
    const CliFixture::Run result = m_cli.run({u"render"_s, path});
    QCOMPARE(result.status, 0);
    const QJsonObject worker = QJsonDocument::fromJson(m_cli.run({u"render"_s, u"--json"_s, path}).out)
                                   .object()
                                   .value(u"roles"_s)
                                   .toObject()
                                   .value(u"worker"_s)
                                   .toObject();
    const QJsonObject environment = worker.value(u"environment"_s).toObject();
    QVERIFY(environment.size() > 20);
    qsizetype before = -1;
    for (auto it = environment.begin(); it != environment.end(); ++it) {
        const QByteArray line
            = '\n' + it.key().toUtf8() + '=' + trainyard::shellQuote(it.value().toString().toUtf8()) + '\n';
        const qsizetype at = result.out.indexOf(line);
        QVERIFY2(at > before, line.constData());
        before = at;
    }
    QVERIFY(!result.out.contains("tok-en"));
}

// Variables and data of the job, and what only the start of a task decides.
void TstCliRender::renderWhatTheJobAdds()
{
    const QByteArray job = QByteArray(goodJob).replace("gpu: 0", "gpu: 1")
        + "extras:\n  trainyard:\n    variables: {FOO: bar, CUDA_DEVICE_ORDER: x}\n    data:\n"
          "      set: {from: here}\n      fixed: {paths: {local: /data/a, lab: /data/a}}\n"
          "      mixed: {paths: {local: /data/a, lab: /data/b}}\n";
    const auto worker = [this](const QByteArray &yaml) {
        const CliFixture::Run result = m_cli.run({u"render"_s, u"--json"_s, u"-"_s}, yaml);
        return QJsonDocument::fromJson(result.out).object()[u"roles"_s][u"worker"_s].toObject();
    };
    const QJsonObject rendered = worker(job);
    const QJsonObject environment = rendered.value(u"environment"_s).toObject();
    QCOMPARE(environment.value(u"FOO"_s).toString(), u"bar"_s);
    QCOMPARE(environment.value(u"CUDA_DEVICE_ORDER"_s).toString(), u"PCI_BUS_ID"_s); // as the task gets it
    QCOMPARE(environment.value(u"TRAINYARD_DATA_FIXED"_s).toString(), u"/data/a"_s);
    QCOMPARE(environment.value(u"OMP_NUM_THREADS"_s).toString(), u"1"_s);
    const QJsonArray later = rendered.value(u"setAtStart"_s).toArray();
    QCOMPARE(later,
        (QJsonArray{u"CUDA_VISIBLE_DEVICES"_s, u"NVIDIA_VISIBLE_DEVICES"_s, u"TRAINYARD_CHECKPOINT_DIR"_s,
            u"TRAINYARD_DATA_MIXED"_s, u"TRAINYARD_DATA_SET"_s, u"TRAINYARD_JOB_ID"_s, u"TRAINYARD_TASK_FOLDER"_s,
            u"TRAINYARD_TRY"_s}));
    for (const QJsonValue &name : later) {
        const QString value = environment.value(name.toString()).toString();
        QVERIFY2(value.startsWith(u"<set by Trainyard when the task starts: "), qPrintable(name.toString() + value));
    }
    // A task without GPUs is known to see none.
    const QJsonObject without = worker(QByteArray(goodJob)).value(u"environment"_s).toObject();
    QCOMPARE(without.value(u"CUDA_VISIBLE_DEVICES"_s), QJsonValue(QString(u""_s)));
    QCOMPARE(without.value(u"NVIDIA_VISIBLE_DEVICES"_s).toString(), u"none"_s);
    QVERIFY(m_cli.run({u"render"_s, u"-"_s}, job).out.contains("\nFOO=bar\n"));
}

void TstCliRender::renderJson()
{
    const CliFixture::Run result = m_cli.run({u"render"_s, u"--json"_s, m_cli.file(u"good.yaml"_s, goodJob)});
    QCOMPARE(result.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(result.out).object();
    QCOMPARE(json.value(u"secretsMasked"_s).toBool(), true);
    const QJsonObject worker = json.value(u"roles"_s).toObject().value(u"worker"_s).toObject();
    QCOMPARE(worker.value(u"script"_s).toString(), u"echo 0.1\necho <% $secrets.token %>"_s);
    QCOMPARE(worker.value(u"prerequisites"_s).toArray(), QJsonArray{u"prep"_s});
    QCOMPARE(worker.value(u"ports"_s).toObject(), (QJsonObject{{u"web"_s, 1}, {u"ssh"_s, 1}, {u"http"_s, 1}}));
    const QJsonObject environment = worker.value(u"environment"_s).toObject();
    QVERIFY(environment.value(u"PAI_JOB_NAME"_s).toString().endsWith(u"~demo"_s));
    QCOMPARE(environment.value(u"PAI_TASKS_NUM"_s).toString(), u"2"_s);
}

void TstCliRender::renderParameters()
{
    const CliFixture::Run result
        = m_cli.run({u"render"_s, u"--param"_s, u"lr=1e-7"_s, u"--role"_s, u"worker"_s, u"-"_s}, goodJob);
    QVERIFY2(result.out.contains("echo 1e-7"), result.out.constData());
    // With a typing error it would show something else than was meant.
    const CliFixture::Run typo = m_cli.run({u"render"_s, u"--param"_s, u"Ir=1e-7"_s, u"-"_s}, goodJob);
    QCOMPARE(typo.status, 2);
    QVERIFY2(typo.err.contains("no parameter 'Ir'. It has: lr"), typo.err.constData());
    QVERIFY(typo.out.isEmpty());
    // As 'run' would refuse it.
    const CliFixture::Run word = m_cli.run({u"render"_s, u"--param"_s, u"lr=banana"_s, u"-"_s}, goodJob);
    QCOMPARE(word.status, 2);
    QVERIFY2(word.err.contains("'banana' is not a number, but lr is one in the job."), word.err.constData());
    QVERIFY(word.out.isEmpty());
    const CliFixture::Run path = m_cli.run({u"edit"_s, u"--set"_s, u"name=x"_s, u"-"_s}, goodJob);
    QVERIFY2(path.err.contains("'name' is not a path"), path.err.constData());
}

void TstCliRender::renderRefuses()
{
    const CliFixture::Run result = m_cli.run({u"render"_s, u"-"_s}, badJob);
    QCOMPARE(result.status, 1);
    QVERIFY(result.out.isEmpty());
    QVERIFY(result.err.contains(":2:7: "));
}

void TstCliRender::renderAsServer()
{
    const CliFixture::Run result = m_cli.run({u"render"_s, u"--json"_s, u"--as-server"_s, u"-"_s}, goodJob);
    QCOMPARE(result.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(result.out).object();
    const QJsonObject worker = json.value(u"roles"_s).toObject().value(u"worker"_s).toObject();
    QCOMPARE(worker.value(u"script"_s).toString(), u"echo 0.1\necho <% $secrets.token %>"_s);
    const QJsonObject environment = worker.value(u"environment"_s).toObject();
    QCOMPARE(environment.value(u"PAI_MIN_SUCCEEDED_TASK_COUNT_worker"_s).toString(), u"2"_s);
    QCOMPARE(environment.value(u"NVIDIA_VISIBLE_DEVICES"_s).toString(), u"none"_s);
    QVERIFY(!environment.contains(u"TRAINYARD_JOB_NAME"_s));
    const QString stored = json.value(u"stored"_s).toString();
    QVERIFY(stored.contains(u"secrets: \"******\"\n"_s) && !stored.contains(u"hunter2secret"_s));
    // A server's verdict comes first.
    QCOMPARE(
        m_cli
            .run({u"render"_s, u"--as-server"_s, u"-"_s}, QByteArray(goodJob).replace("instances: 2", "instances: '2'"))
            .status,
        1);
}

TRAINYARD_TEST(TstCliRender)
#include "tst_clirender.moc"
