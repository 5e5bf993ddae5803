// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/slurmfixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QStandardPaths>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Tasks in images on a real Slurm, whose nodes have an apptainer and a pyxis that note what they are told, and then run
// what they are given without an image.
class TstSlurmImages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void cleanup() { m_lab.reset(); }
    void apptainerRunsTheTask();
    void apptainerIsMissing();
    void pyxisStartsTheStep();
    void aJobKeepsItsHelper();
    void whatIsNotSetIsRefused();
    void checksLook_data();
    void checksLook();

private:
    bool open(const QString &images);
    bool addPyxis();
    static QByteArray job(const QByteArrayList &commands, const QByteArray &more = {}, const QByteArray &resources = {})
    {
        return EngineFixture::document("in-image",
            EngineFixture::role(
                "worker", 1, commands, {}, resources.isEmpty() ? "{cpu: 1, memoryMB: 64, gpu: 0}" : resources),
            more);
    }

    std::unique_ptr<SlurmCluster> m_slurm;
    std::unique_ptr<SlurmFixture> m_lab;
};

// The image is a text here. Nothing of the environment comes in but what the boot script reads from its input.
static const QByteArray fakeApptainer = R"SH(printf '%s\n' "$@" >>"$bin/arguments"
env >>"$bin/environment"
case $1 in
--version) echo 'apptainer version 1.3.0' ;;
pull) echo image >"$4"; echo pulled >>"$bin/pulls" ;;
exec)
    while [ "$1" != -- ]; do
        [ "$1" != --pwd ] || cd "$2" || exit 255
        shift
    done
    [ -f "$2" ] || exit 255
    shift 2
    exec env -i PATH=/usr/bin:/bin IN_IMAGE=yes "$@"
    ;;
esac
)SH";

void TstSlurmImages::initTestCase()
{
    m_slurm = std::make_unique<SlurmCluster>();
    SKIP_UNLESS_THERE(*m_slurm);
    qputenv("SLURM_CONF", QFile::encodeName(m_slurm->folder() + u"/slurm.conf"_s));
}

void TstSlurmImages::cleanupTestCase()
{
    qunsetenv("SLURM_CONF");
    m_slurm.reset();
}

// Tasks have the PATH of the batch script, and not one of a login shell, which would not have what stands in here.
bool TstSlurmImages::open(const QString &images)
{
    m_lab = std::make_unique<SlurmFixture>(*m_slurm, QMap<QString, QString>(),
        QJsonObject{{u"slurmImages.lab"_s, images}, {u"environment.mode"_s, u"clean"_s}});
    return m_lab->open();
}

void TstSlurmImages::apptainerRunsTheTask()
{
    QVERIFY(open(u"apptainer"_s));
    QVERIFY(m_lab->addOnNodes({{u"apptainer"_s, fakeApptainer}}));
    const QByteArray secret = "correct-horse-battery-staple";
    const QByteArray yaml
        = job({"echo in the image: $IN_IMAGE, sees $CUDA_VISIBLE_DEVICES, is $PAI_CURRENT_TASK_ROLE_NAME",
                  "echo step of $SLURM_JOB_ID with <% $secrets.key %> here; pwd"},
            "secrets: {key: " + secret + "}\n", "{cpu: 1, memoryMB: 64, gpu: 1}");
    for (int run = 1; run <= 2; ++run) {
        const QString uuid = m_lab->submit(yaml);
        QVERIFY(!uuid.isEmpty());
        QVERIFY(m_lab->ends(uuid, State::Succeeded));
        const QByteArray said = m_lab->engine.output(uuid, u"worker"_s, 0);
        QVERIFY2(said.contains("in the image: yes, sees "), said.constData());
        QVERIFY2(!said.contains("sees , is"), said.constData()); // which GPU, Slurm has said to the step
        QVERIFY2(!said.contains("step of  with") && said.contains("****** here"), said.constData());
        QVERIFY2(said.contains("/work\n"), said.constData()); // of the try, as without an image
        QCOMPARE(m_lab->engine.engine().job(uuid)->runIn, u"apptainer"_s);
    }
    QCOMPARE(m_lab->file(u"pulls"_s), QByteArray("pulled\n")); // once for all
    const QByteArray told = m_lab->file(u"arguments"_s);
    QVERIFY2(told.contains("docker://example/image:1\n"), told.constData());
    QVERIFY2(told.contains("exec\n--cleanenv\n--no-home\n--nv\n"), told.constData());
    QVERIFY2(told.contains("/images/example%2Fimage%3A1.sif\n"), told.constData());
    QVERIFY(!told.contains(secret) && !m_lab->file(u"environment"_s).contains(secret));
    QVERIFY(!m_lab->file(u"environment"_s).contains("PAI_JOB_NAME")); // it goes the way of the program
}

// The node lacks it, whatever the target says: that is the task's own record.
void TstSlurmImages::apptainerIsMissing()
{
    if (!QStandardPaths::findExecutable(u"apptainer"_s).isEmpty()) {
        QSKIP("apptainer is installed: run it where apptainer is missing.");
    }
    QVERIFY(open(u"apptainer"_s));
    const QString uuid = m_lab->submit(job({"echo never"}));
    QVERIFY(m_lab->ends(uuid, State::Failed));
    QCOMPARE(m_lab->engine.task(uuid, u"worker"_s, 0).reason, u"launch.runtime-missing"_s);
}

// An srun that takes the options of pyxis, and notes them.
bool TstSlurmImages::addPyxis()
{
    const QByteArray srun = "printf '%s\\n' \"$@\" >>\"$bin/arguments\"\n"
                            "for word; do\n"
                            "    shift\n"
                            "    case $word in --container-*) ;; *) set -- \"$@\" \"$word\" ;; esac\n"
                            "done\n"
                            "IN_IMAGE=yes\nexport IN_IMAGE\nexec '"
        + QFile::encodeName(QStandardPaths::findExecutable(u"srun"_s)) + "' \"$@\"\n";
    return m_lab->addOnNodes({{u"srun"_s, srun}});
}

// The whole step is in the image, with the helper: the task has the environment that the image has, and its folders.
void TstSlurmImages::pyxisStartsTheStep()
{
    QVERIFY(open(u"pyxis"_s));
    QVERIFY(addPyxis());
    QVERIFY(m_lab->engine.engine().setSetting(u"environment.mode"_s, QJsonValue()));
    const QString uuid = m_lab->submit(job({"echo in the image: $IN_IMAGE, is $PAI_CURRENT_TASK_ROLE_NAME"}));
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    const QByteArray said = m_lab->engine.output(uuid, u"worker"_s, 0);
    QVERIFY2(said.contains("in the image: yes, is worker"), said.constData());
    const QByteArray told = m_lab->file(u"arguments"_s);
    QVERIFY2(told.contains("--container-image=example/image:1\n"), told.constData());
    QVERIFY2(told.contains("--container-mounts=/"), told.constData());
    QVERIFY2(told.contains("--container-workdir=/"), told.constData());
    QCOMPARE(m_lab->engine.engine().job(uuid)->runIn, u"pyxis"_s);
}

// In the image of a step only the helper that needs no libraries runs, also when the cluster has another setting by
// now.
void TstSlurmImages::aJobKeepsItsHelper()
{
    m_lab = std::make_unique<SlurmFixture>(*m_slurm, QMap<QString, QString>(),
        QJsonObject{{u"slurmImages.lab"_s, u"pyxis"_s}, {u"environment.mode"_s, u"clean"_s}});
    // The same program twice: the copies for the nodes have names of their contents.
    const QString built = qEnvironmentVariable("TRAINYARD_BIN") + u"/trainyard-agent"_s;
    const QString program = m_lab->engine.path(u"helper"_s), alone = program + u"-static"_s;
    QVERIFY(QFile::copy(built, program) && QFile::copy(built, alone));
    QFile file(alone);
    QVERIFY(file.setPermissions(file.permissions() | QFile::WriteOwner) && file.open(QIODevice::Append));
    QCOMPARE(file.write("\n"), 1);
    file.close();
    m_lab->engine.setAgentProgram(program);
    QVERIFY(m_lab->open());
    QVERIFY(addPyxis());
    const QString uuid = m_lab->submit(job({"echo done"}));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QVERIFY(m_lab->engine.engine().setSetting(u"slurmImages.lab"_s, u"apptainer"_s));
    RetryRequest again;
    again.uuid = uuid;
    QVERIFY(m_lab->engine.engine().retry(again));
    QVERIFY(m_lab->waitForSubmissions(2));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QDirIterator copies(
        m_lab->engine.path(u"."_s), {u"trainyard-agent-*"_s}, QDir::Files, QDirIterator::Subdirectories);
    QStringList found;
    while (copies.hasNext()) {
        copies.next();
        if (copies.fileInfo().dir().dirName() == "cluster"_L1) {
            found.append(copies.filePath());
        }
    }
    QCOMPARE(found.size(), 1);
    QCOMPARE(EngineFixture::contents(found.constFirst()).size(), QFileInfo(alone).size());
}

void TstSlurmImages::whatIsNotSetIsRefused()
{
    QVERIFY(open(u"none"_s));
    SubmitRequest request;
    request.target = u"slurm:lab"_s;
    request.runIn = u"apptainer"_s;
    QVERIFY(m_lab->engine.submit(job({"true"}), request).isEmpty());
    QCOMPARE(m_lab->engine.error().code, u"slurm.no-containers"_s);
    QVERIFY(m_lab->engine.engine().setSetting(u"slurmImages.lab"_s, u"apptainer"_s));
    request.runIn = u"podman"_s;
    QVERIFY(m_lab->engine.submit(job({"true"}), request).isEmpty());
    QCOMPARE(m_lab->engine.error().code, u"slurm.no-containers"_s);
    request.runIn = u"apptainer"_s;
    const QByteArray none = "prerequisites:\n  - {protocolVersion: 2, name: image, type: dockerimage, uri: \"-x\"}\n";
    QVERIFY(m_lab->engine.submit(job({"true"}, none), request).isEmpty());
    QCOMPARE(m_lab->engine.error().code, u"job.container-image"_s);
    QVERIFY(m_lab->engine.engine().setSetting(u"slurmImages.lab"_s, u"shifter"_s));
    request.runIn.clear();
    QVERIFY(m_lab->engine.submit(job({"true"}), request).isEmpty());
    QCOMPARE(m_lab->engine.error().code, u"slurm.images-strange"_s);
    // A shell of the node is always possible.
    QVERIFY(m_lab->engine.engine().setSetting(u"slurmImages.lab"_s, u"apptainer"_s));
    request.runIn = u"host"_s;
    const QString uuid = m_lab->engine.submit(job({"echo on the node"}), request);
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QVERIFY(m_lab->engine.output(uuid, u"worker"_s, 0).contains("on the node"));
}

void TstSlurmImages::checksLook_data()
{
    QTest::addColumn<QString>("images");
    QTest::addColumn<QString>("code");
    QTest::newRow("apptainer") << u"apptainer"_s << u"slurm.no-apptainer"_s;
    QTest::newRow("pyxis") << u"pyxis"_s << u"slurm.no-pyxis"_s;
}

// The nodes of the tests have apptainer only where this computer does, and pyxis nowhere.
void TstSlurmImages::checksLook()
{
    QFETCH(QString, images);
    QFETCH(QString, code);
    if (images == "apptainer"_L1 && !QStandardPaths::findExecutable(images).isEmpty()) {
        QSKIP("apptainer is installed: run it where apptainer is missing.");
    }
    QVERIFY(open(images));
    std::optional<Result<ClusterInfo>> checked;
    m_lab->engine.engine().checkTarget(
        u"slurm:lab"_s, this, [&checked](const Result<ClusterInfo> &answer) { checked = answer; });
    QVERIFY(QTest::qWaitFor([&] { return checked.has_value(); }, 60'000));
    QVERIFY(checked->has_value());
    QCOMPARE((*checked)->images, images);
    const QList<ClusterStep> &steps = (*checked)->steps;
    QCOMPARE(steps.size(), 7);
    QCOMPARE(steps.at(5).id, u"images"_s);
    QCOMPARE(steps.at(5).code, code);
    QVERIFY(!steps.at(5).isGood);
    QVERIFY(steps.at(6).isGood); // of the others nothing is lost
}

TRAINYARD_TEST(TstSlurmImages)
#include "tst_slurmimages.moc"
