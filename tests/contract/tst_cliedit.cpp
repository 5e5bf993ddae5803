// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/contract/clifixture.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonObject>
#include <QObject>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

// The real program. Edits of the text of a job.
class TstCliEdit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void editPrints();
    void editInOrder();
    void editRenames();
    void editMovesAndCopies();
    void editInPlace();
    void editKeepsProtectedFiles();
    void editFollowsLinks();
    void editRefuses();
    void editSaysWhatIsWrong();
    void editKnowsTheRoles();
    void editCannotWrite();
    void corpusSurvivesEdits();

private:
    CliFixture m_cli;
};

void TstCliEdit::initTestCase() { QVERIFY2(m_cli.isReady(), "trainyardctl has not been built."); }

void TstCliEdit::editPrints()
{
    const QString path = m_cli.file(u"good.yaml"_s, goodJob);
    const CliFixture::Run result = m_cli.run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/instances=4"_s, path});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.out, QByteArray(goodJob).replace("instances: 2", "instances: 4"));
    QCOMPARE(CliFixture::contents(path), QByteArray(goodJob));
    QCOMPARE(m_cli.run({u"edit"_s, u"--set=/name=x"_s, u"-"_s}, goodJob).out,
        QByteArray(goodJob).replace("name: demo", "name: x"));
}

void TstCliEdit::editInOrder()
{
    const CliFixture::Run result
        = m_cli.run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/commands/-=first"_s, u"--set-text"_s,
                        u"/taskRoles/worker/commands/-=key: value = 1"_s, u"--remove"_s,
                        u"/taskRoles/worker/commands/0"_s, u"--set"_s, u"/taskRoles/worker/commands/0=[a]"_s,
                        u"--set-text"_s, u"/taskRoles/worker/commands/0=yes"_s, u"-"_s},
            goodJob);
    QVERIFY2(result.status == 0, result.err.constData());
    QVERIFY2(result.out.endsWith("    commands:\n      - 'yes'\n      - first\n      - 'key: value = 1'\n")
            || result.out.contains("- first\n      - 'key: value = 1'\n"),
        result.out.constData());
    QVERIFY(!result.out.contains("# rate"));
}

void TstCliEdit::editRenames()
{
    QByteArray job = goodJob;
    job.append("      - ssh worker-0 echo $PAI_HOST_IP_worker_0\n");
    QByteArray expected = job;
    expected.replace("  worker:", QByteArray("  trainer:")).replace("IP_worker_0", QByteArray("IP_trainer_0"));
    expected.replace("  lr: 0.1", QByteArray("  rate: 0.2")).replace("$parameters.lr", QByteArray("$parameters.rate"));
    expected.replace("name: img ", QByteArray("name: base "))
        .replace("dockerImage: img", QByteArray("dockerImage: base"));
    expected.replace("name: prep", QByteArray("name: first")).replace("[prep]", QByteArray("[first]"));
    const CliFixture::Run result
        = m_cli.run({u"edit"_s, u"--rename"_s, u"/taskRoles/worker=trainer"_s, u"--set=/parameters/lr=0.2"_s,
                        u"--rename"_s, u"/parameters/lr=rate"_s, u"--rename=/prerequisites/0=base"_s,
                        u"--rename=/prerequisites/1/name=first"_s, u"-"_s},
            job);
    QVERIFY2(result.status == 0, result.err.constData());
    QCOMPARE(result.out, expected);
    QVERIFY2(result.err.contains("Renamed 'worker' to 'trainer' and 1 reference.\n"), result.err.constData());
    QVERIFY2(result.err.contains("Check /taskRoles/trainer/commands/2")
            || result.err.contains("Check /taskRoles/worker/commands/2"),
        result.err.constData());
    const QString path = m_cli.file(u"taken.yaml"_s, goodJob);
    for (const QString &wanted :
        {u"/prerequisites/0=prep"_s, u"/taskRoles/worker=a b"_s, u"/nothing=x"_s, u"/parameters/lr=a.b"_s}) {
        const CliFixture::Run refused
            = m_cli.run({u"edit"_s, u"-i"_s, u"--set=/name=x"_s, u"--rename"_s, wanted, path});
        QVERIFY2(refused.status == 4, qPrintable(wanted));
        QCOMPARE(CliFixture::contents(path), QByteArray(goodJob));
    }
}

void TstCliEdit::editMovesAndCopies()
{
    const QByteArray text("# c\na: 1\n# two\nb: 2 # b\nl: [x, y, z]\n");
    const CliFixture::Run result = m_cli.run(
        {u"edit"_s, u"--move=/l/2=0"_s, u"--move"_s, u"/b=0"_s, u"--duplicate=/b=d"_s, u"--duplicate=/l/0="_s, u"-"_s},
        text);
    QVERIFY2(result.status == 0, result.err.constData());
    QCOMPARE(result.out, QByteArray("# c\n# two\nb: 2 # b\nd: 2 # b\na: 1\nl: [z, z, x, y]\n"));
    // The copy of an item that has a name gets the new one; no other item has a place for it.
    const QByteArray images("prerequisites:\n- {name: i, uri: a} # one\n- {name: k, uri: b}\nl: [x]\n");
    const CliFixture::Run named = m_cli.run({u"edit"_s, u"--duplicate=/prerequisites/0=j"_s, u"-"_s}, images);
    QVERIFY2(named.status == 0, named.err.constData());
    QCOMPARE(named.out, QByteArray(images).replace("- {name: k", "- {name: j, uri: a} # one\n- {name: k"));
    const CliFixture::Run unnamed = m_cli.run({u"edit"_s, u"--duplicate=/l/0=y"_s, u"-"_s}, images);
    QCOMPARE(unnamed.status, 4);
    QVERIFY2(unnamed.err.contains("has no name, so that its copy cannot get one. Write /l/0= to copy it."),
        unnamed.err.constData());
    QCOMPARE(m_cli.run({u"edit"_s, u"--move=/l/2=x"_s, u"-"_s}, text).status, 2);
    QCOMPARE(m_cli.run({u"edit"_s, u"--move=/l/2=9"_s, u"-"_s}, text).status, 4);
}

void TstCliEdit::editInPlace()
{
    const QString path = m_cli.file(u"mode.yaml"_s, goodJob);
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup));
    const QFile::Permissions before = QFileInfo(path).permissions();
    const CliFixture::Run result = m_cli.run({u"edit"_s, u"-i"_s, u"--set"_s, u"/name=other"_s, path});
    QCOMPARE(result.status, 0);
    QVERIFY(result.out.isEmpty());
    QCOMPARE(CliFixture::contents(path), QByteArray(goodJob).replace("name: demo", "name: other"));
    QCOMPARE(QFileInfo(path).permissions(), before);
    QVERIFY(QDir(m_cli.folder()).entryList({u"mode.yaml.*"_s}).isEmpty());
}

void TstCliEdit::editKeepsProtectedFiles()
{
    const QString path = m_cli.file(u"protected.yaml"_s, goodJob);
    constexpr uid_t other = 12345;
    const bool isRoot = geteuid() == 0;
    QVERIFY(!isRoot || ::chown(QFile::encodeName(path).constData(), other, other) == 0);
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::ReadGroup | QFile::ReadOther));
    const QFile::Permissions before = QFileInfo(path).permissions();
    const QStringList edit{u"edit"_s, u"-i"_s, u"--set"_s, u"/name=other"_s, path};
    const CliFixture::Run refused = m_cli.run(edit);
    QCOMPARE(refused.status, 4);
    QVERIFY2(refused.err.endsWith("protected.yaml is protected against writing and was left as it is. --force writes "
                                  "it all the same.\n"),
        refused.err.constData());
    QCOMPARE(CliFixture::contents(path), QByteArray(goodJob));
    QCOMPARE(m_cli.run(edit + QStringList{u"--force"_s}).status, 0);
    QVERIFY(CliFixture::contents(path).contains("name: other"));
    QCOMPARE(QFileInfo(path).permissions(), before);
    QVERIFY(!isRoot || (QFileInfo(path).ownerId() == other && QFileInfo(path).groupId() == other));
}

void TstCliEdit::editFollowsLinks()
{
    const QString target = m_cli.file(u"target.yaml"_s, goodJob);
    const QString link = m_cli.path(u"link.yaml"_s);
    QVERIFY(QFile::link(target, link));
    QCOMPARE(m_cli.run({u"edit"_s, u"-i"_s, u"--set"_s, u"/name=other"_s, link}).status, 0);
    QVERIFY(QFileInfo(link).isSymLink());
    QVERIFY(CliFixture::contents(target).contains("name: other"));
}

void TstCliEdit::editRefuses()
{
    const QString path = m_cli.file(u"refuse.yaml"_s, goodJob);
    for (const QString &wanted : {u"/name/x/y=1"_s, u"/taskRoles/worker/commands/99=a"_s, u"/name=[a"_s, u"=x"_s}) {
        const CliFixture::Run result
            = m_cli.run({u"edit"_s, u"-i"_s, u"--set"_s, u"/version=1"_s, u"--set"_s, wanted, path});
        QVERIFY2(result.status == 4, qPrintable(wanted));
        QVERIFY(result.err.contains("Nothing was changed."));
        QCOMPARE(CliFixture::contents(path), QByteArray(goodJob));
    }
    QCOMPARE(m_cli.run({u"edit"_s, u"-i"_s, u"--remove"_s, u"/nothing/there"_s, path}).status, 4);
}

// A misspelt field or a value of the wrong type is written, but not in silence.
void TstCliEdit::editSaysWhatIsWrong()
{
    const QString path = m_cli.file(u"wrong.yaml"_s, goodJob);
    const CliFixture::Run misspelt = m_cli.run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/instanses=4"_s, path});
    QCOMPARE(misspelt.status, 0);
    QVERIFY2(misspelt.out.contains("instanses: 4"), misspelt.out.constData());
    QVERIFY2(misspelt.err.contains("Did you mean 'instances'?") && misspelt.err.contains("wrong.yaml:"),
        misspelt.err.constData()); // which is there
    const CliFixture::Run missing = m_cli.run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/taskRetryCont=4"_s, path});
    QVERIFY2(missing.err.contains("Did you mean 'taskRetryCount'?"), missing.err.constData());
    const CliFixture::Run own = m_cli.run({u"edit"_s, u"--set"_s, u"/extras/trainyard/priorty=4"_s, path});
    QVERIFY2(own.err.contains("Did you mean 'priority'?"), own.err.constData());
    const CliFixture::Run type = m_cli.run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/instances=many"_s, path});
    QCOMPARE(type.status, 0);
    QVERIFY2(type.err.contains("error"), type.err.constData());
    // Nothing about what was wrong before, and nothing about what is right.
    const CliFixture::Run right
        = m_cli.run({u"edit"_s, u"--set"_s, u"/taskRoles/worker/instances=4"_s, u"-"_s}, misspelt.out);
    QCOMPARE(right.status, 0);
    QCOMPARE(right.err, QByteArray());
    // A broken text: where.
    const CliFixture::Run broken = m_cli.run({u"edit"_s, u"--set"_s, u"/name=x"_s, u"-"_s}, "name: a\nlist: [1\n");
    QCOMPARE(broken.status, 4);
    QVERIFY2(
        broken.err.contains("standard input:") && broken.err.contains("Nothing was changed."), broken.err.constData());
    QVERIFY(QRegularExpression(u"standard input:\\d+:\\d+: "_s).match(QString::fromUtf8(broken.err)).hasMatch());
}

// A slip of the pen must not become a task role.
void TstCliEdit::editKnowsTheRoles()
{
    const QString path = m_cli.file(u"roles.yaml"_s, goodJob);
    const QString wrong = u"/taskRoles/wroker/instances=4"_s;
    const CliFixture::Run refused = m_cli.run({u"edit"_s, u"-i"_s, u"--set"_s, wrong, path});
    QCOMPARE(refused.status, 4);
    QVERIFY2(refused.err.contains("no task role 'wroker'") && refused.err.contains("Did you mean 'worker'?")
            && refused.err.contains("--create"),
        refused.err.constData());
    QCOMPARE(CliFixture::contents(path), QByteArray(goodJob));
    const CliFixture::Run created = m_cli.run({u"edit"_s, u"--create"_s, u"--set"_s, wrong, path});
    QVERIFY2(created.status == 0 && created.out.contains("wroker:"), created.err.constData());
    // What is said to be there is there: a whole role, a renamed one, a copy, the first of all.
    for (const QStringList &words : {QStringList{u"--set"_s, u"/taskRoles/wroker={instances: 1}"_s},
             QStringList{u"--rename"_s, u"/taskRoles/worker=wroker"_s},
             QStringList{u"--duplicate"_s, u"/taskRoles/worker=wroker"_s}}) {
        const CliFixture::Run made = m_cli.run(QStringList{u"edit"_s} + words + QStringList{u"--set"_s, wrong, path});
        QVERIFY2(made.status == 0 && made.out.contains("instances: 4"), made.err.constData());
    }
    const CliFixture::Run first = m_cli.run({u"edit"_s, u"--set"_s, wrong, u"-"_s}, "name: x\n");
    QVERIFY2(first.status == 0 && first.out.contains("wroker:"), first.err.constData());
}

void TstCliEdit::editCannotWrite()
{
    // root may write everywhere, unless it gives that up.
    m_cli.inChild = [] { ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0); };
    const auto mayAgain = qScopeGuard([this] { m_cli.inChild = {}; });
    const QString folder = m_cli.path(u"closed"_s);
    QVERIFY(QDir().mkpath(folder));
    const QString path = m_cli.file(u"closed/job.yaml"_s, goodJob);
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner));
    QVERIFY(QFile::setPermissions(folder, QFile::ReadOwner | QFile::ExeOwner));
    const CliFixture::Run result = m_cli.run({u"edit"_s, u"-i"_s, u"--force"_s, u"--set"_s, u"/name=x"_s, path});
    QVERIFY(QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QCOMPARE(result.status, 2);
    QVERIFY2(result.err.contains("job.yaml: Permission denied"), result.err.constData());
    QCOMPARE(CliFixture::contents(path), QByteArray(goodJob));
}

// Valid files load, and an edit changes its own line only.
void TstCliEdit::corpusSurvivesEdits()
{
    const QStringList files = shareddata::files(u"corpus/v2/*.yaml"_s);
    if (files.isEmpty()) {
        QSKIP("There is no reference data: set TRAINYARD_SHARED to its folder.");
    }
    int edited = 0;
    int refused = 0;
    for (qsizetype at = 0; at < files.size();
         at += isFullForm() ? 8 : 40) { // each is a process; all of them are edited in tst_corpus
        const QString &path = files.at(at);
        const QString name = QFileInfo(path).fileName().chopped(5);
        const QJsonObject expected
            = shareddata::readJson(shareddata::folder() + u"/corpus/expected/"_s + name + u".v2.json"_s);
        if (!expected.value(u"valid"_s).toBool()) {
            continue;
        }
        const QByteArray bytes = CliFixture::contents(path);
        const QString role = expected.value(u"entrypoints"_s).toObject().keys().constFirst();
        const CliFixture::Run result
            = m_cli.run({u"edit"_s, u"--set"_s, u"/taskRoles/%1/resourcePerInstance/cpu=77"_s.arg(role), path});
        if (result.status == 4) {
            ++refused;
            continue;
        }
        QVERIFY2(result.status == 0, result.err.constData());
        const QList<QByteArray> before = bytes.split('\n');
        const QList<QByteArray> after = result.out.split('\n');
        QCOMPARE(after.size(), before.size());
        int changed = 0;
        for (qsizetype i = 0; i < before.size(); ++i) {
            changed += before.at(i) != after.at(i);
        }
        QVERIFY2(changed == 1, qPrintable(path));
        QVERIFY(result.out.contains("77"));
        ++edited;
    }
    qInfo("edits: %d files changed in one line only, %d refused", edited, refused);
    QVERIFY(edited > (isFullForm() ? 5 : 0));
}

TRAINYARD_TEST(TstCliEdit)
#include "tst_cliedit.moc"
