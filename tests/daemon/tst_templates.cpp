// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/jobtemplates.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QMessageAuthenticationCode>
#include <QScopeGuard>

#include <unistd.h>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

void writeProgram(const QString &path, const QByteArray &text)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        file.write(text);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
}

// An engine whose host has four GPUs, whatever this machine has. With `fakes`, tasks find programs that write their
// arguments to calls/NAME, and Python modules that can be imported. With a program to hide, they find all but this one.
class TemplateEngine
{
public:
    explicit TemplateEngine(bool fakes, const QString &hidden = {})
        : m_fixture(QJsonObject{{u"environment.mode"_s, fakes || !hidden.isEmpty() ? u"login"_s : u"clean"_s}})
    {
        const QByteArray unique = QByteArray::number(qint64(::getpid())) + '-' + QByteArray::number(s_number++);
        QByteArray rows;
        for (int i = 0; i < 4; ++i) {
            const QByteArray index = QByteArray::number(i);
            rows += "echo '" + index + ", GPU-templates-" + unique + '-' + index + ", Fake, 8192, 1, 0, 30, 10.0'\n";
        }
        writeProgram(m_fixture.path(u"smi/nvidia-smi"_s),
            "#!/bin/sh\ncase \"$*\" in\n*compute-apps*) exit 0;;\n-L) echo 'GPU 0: Fake'; exit 0;;\n"
            "*query-gpu*) while true; do\n"
                + rows + "case \"$*\" in *-lms*) sleep 1;; *) exit 0;; esac; done;;\nesac\n");
        if (fakes) {
            makeFakes();
        } else if (!hidden.isEmpty()) {
            hide(hidden);
        }
        const QByteArray path = qgetenv("PATH");
        const QByteArray home = qgetenv("HOME");
        const QByteArray shell = qgetenv("SHELL");
        qputenv("PATH", m_fixture.path(u"smi:"_s).toUtf8() + path);
        qputenv("HOME", m_fixture.path(u"home"_s).toUtf8());
        qputenv("SHELL", "/bin/bash");
        m_opened = m_fixture.open();
        qputenv("PATH", path);
        qputenv("HOME", home);
        qputenv("SHELL", shell);
    }

    bool isOpen() const { return m_opened; }
    EngineFixture &fixture() { return m_fixture; }

    QString submit(
        const QString &id, const QMap<QString, QString> &parameters = {}, const QMap<QString, QString> &secrets = {})
    {
        SubmitRequest request;
        request.parameters = parameters;
        request.secrets = secrets;
        return m_fixture.submit(textOf(id), request);
    }

    static QByteArray textOf(const QString &id)
    {
        const QList<JobTemplate> templates = bundledTemplates();
        const JobTemplate *job = findTemplate(templates, id);
        return job ? job->yaml().value_or(QByteArray()) : QByteArray();
    }

    // The arguments of the calls of a fake, one line each.
    QByteArrayList calls(const QString &name) const
    {
        QByteArray text = EngineFixture::contents(m_fixture.path(u"calls/"_s + name)).trimmed();
        return text.isEmpty() ? QByteArrayList() : text.split('\n');
    }

private:
    void hide(const QString &program)
    {
        const QDir links(m_fixture.path(u"links"_s));
        QDir().mkpath(links.path());
        for (const QString &place :
            {u"/usr/local/sbin"_s, u"/usr/local/bin"_s, u"/usr/sbin"_s, u"/usr/bin"_s, u"/sbin"_s, u"/bin"_s}) {
            const QStringList names = QDir(place).entryList(QDir::Files);
            for (const QString &name : names) {
                if (name != program) {
                    QFile::link(place + u'/' + name, links.filePath(name)); // the first of a name counts
                }
            }
        }
        writeProgram(m_fixture.path(u"home/.bash_profile"_s),
            "export PATH='" + m_fixture.path(u"smi"_s).toUtf8() + "':'" + links.path().toUtf8() + "'\n");
    }
    void makeFakes()
    {
        QDir().mkpath(m_fixture.path(u"calls"_s));
        const auto fake = [this](const QString &name, const QByteArray &more) {
            writeProgram(m_fixture.path(u"bin/"_s + name),
                "#!/bin/sh\necho \"$*\" >>'" + m_fixture.path(u"calls/"_s + name).toUtf8() + "'\n" + more);
        };
        fake(u"torchrun"_s,
            // Both tasks call it at the same time.
            "for last; do :; done\ncp \"$last\" '" + m_fixture.path(u"calls/train.py"_s).toUtf8() + "'.$$ && mv '"
                + m_fixture.path(u"calls/train.py"_s).toUtf8() + "'.$$ '" + m_fixture.path(u"calls/train.py"_s).toUtf8()
                + "'\n");
        fake(u"mpirun"_s, "");
        fake(u"ssh"_s, "");
        fake(u"tensorboard"_s, "exec sleep 60\n");
        fake(u"jupyter"_s, "");
        const auto module = [this](const QString &path, const QByteArray &text) {
            writeProgram(m_fixture.path(u"python/"_s + path), text);
        };
        module(u"torch/__init__.py"_s, "");
        module(u"torch/distributed.py"_s, "");
        module(u"torch/utils/__init__.py"_s, "");
        module(u"torch/utils/tensorboard.py"_s,
            "class SummaryWriter:\n"
            "    def __init__(self, folder):\n"
            "        import os\n"
            "        os.makedirs(folder, exist_ok=True)\n"
            "        self.file = open(os.path.join(folder, 'scalars.txt'), 'w')\n"
            "    def add_scalar(self, name, value, step):\n"
            "        self.file.write(f'{name} {step} {value:.6f}\\n')\n"
            "    def close(self):\n"
            "        self.file.close()\n");
        module(u"horovod/__init__.py"_s, "");
        module(u"horovod/torch.py"_s, "");
        writeProgram(m_fixture.path(u"home/.bash_profile"_s),
            "export PATH='" + m_fixture.path(u"bin"_s).toUtf8() + "':'" + m_fixture.path(u"smi"_s).toUtf8()
                + "':/usr/local/bin:/usr/bin:/bin\nexport PYTHONPATH='" + m_fixture.path(u"python"_s).toUtf8() + "'\n");
    }

    static inline int s_number = 0;
    EngineFixture m_fixture;
    bool m_opened = false;
};

QByteArray option(const QByteArray &call, const QByteArray &name)
{
    const QByteArrayList words = call.split(' ');
    return words.value(words.indexOf(name) + 1);
}

} // namespace

// The templates that come with the program: what they promise, they do.
class TstTemplates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areValid_data();
    void areValid();
    void arePlanned();
    void areFoundByUsualWords();
    void userTemplates();
    void userTemplatesNeed();
    void catalogueErrors();
};

void TstTemplates::areValid_data()
{
    QTest::addColumn<QString>("id");
    for (const JobTemplate &job : bundledTemplates()) {
        QTest::newRow(qPrintable(job.id)) << job.id;
    }
}

void TstTemplates::areValid()
{
    QFETCH(QString, id);
    const QList<JobTemplate> templates = bundledTemplates();
    QVERIFY(templates.size() >= 10);
    const JobTemplate *job = findTemplate(templates, id);
    QVERIFY(job);
    QVERIFY(!job->summary.isEmpty() && !job->needs.isEmpty() && !job->category.isEmpty());
    QVERIFY(job->picture().startsWith("<svg"));
    const QByteArray yaml = job->yaml().value_or(QByteArray());
    QVERIFY(yaml.startsWith('#')); // says what it is
    const ParseOutcome friendly = parseJob(yaml);
    QVERIFY(friendly.canRun());
    for (const Diagnostic &diagnostic : friendly.diagnostics) {
        QVERIFY2(diagnostic.severity == Severity::Note, qPrintable(diagnostic.code));
    }
    QVERIFY(parseJob(yaml, CheckMode::Strict).canRun());
}

void TstTemplates::arePlanned()
{
    TemplateEngine engine(false);
    QVERIFY(engine.isOpen());
    for (const JobTemplate &job : bundledTemplates()) {
        SubmitRequest request;
        request.yaml = job.yaml().value_or(QByteArray());
        const ParseOutcome outcome = parseJob(request.yaml);
        for (const QString &secret : outcome.spec->askedSecrets) {
            request.secrets.insert(secret, u"very-secret-value"_s);
        }
        const Result<PlanReply> plan = engine.fixture().engine().plan(request);
        QVERIFY2(plan, qPrintable(job.id + u' ' + (plan ? QString() : plan.error().code)));
        qint64 wanted = 0;
        for (const TaskRole &role : outcome.spec->taskRoles) {
            wanted += role.instances;
        }
        QCOMPARE(plan->tasks.size(), wanted);
        QVERIFY2(plan->waitReason.isEmpty(), qPrintable(job.id + u' ' + plan->waitReason));
        for (const PlannedTask &task : plan->tasks) {
            QVERIFY(!task.host.isEmpty() || !outcome.spec->gangAllocation); // else those there is room for
            QVERIFY(!task.script.isEmpty());
            QVERIFY(!task.script.contains(u"<% $parameters"_s)); // filled in
            QVERIFY(!task.script.contains(u"very-secret-value"_s));
        }
    }
}

// By words that people look for, whatever its title and its sentence say.
void TstTemplates::areFoundByUsualWords()
{
    const QList<JobTemplate> all = bundledTemplates();
    const QList<std::pair<QString, QString>> wanted{{u"sweep"_s, u"hyper-parameters"_s},
        {u"grid search"_s, u"hyper-parameters"_s}, {u"hyperparameter"_s, u"hyper-parameters"_s},
        {u"ddp"_s, u"torchrun"_s}, {u"notebook"_s, u"jupyter"_s}, {u"array"_s, u"cpu-batch"_s},
        {u"docker"_s, u"private-registry"_s}};
    for (const auto &[words, id] : wanted) {
        QStringList found;
        for (const JobTemplate &each : all) {
            if (each.matches(words)) {
                found.append(each.id);
            }
        }
        QCOMPARE(found, QStringList{id});
    }
}

void TstTemplates::userTemplates()
{
    QTemporaryDir folder(u"/tmp/tyuXXXXXX"_s);
    const QByteArray before = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    const auto restore = qScopeGuard([&] { qputenv("XDG_CONFIG_HOME", before); });
    const QByteArray yaml = "name: mine\ndescription: does my thing\nsecrets:\n  key: hush-hush\n";
    const Result<QString> saved = saveUserTemplate(u"my / own.yaml"_s, yaml);
    QVERIFY(saved);
    QCOMPARE(QFileInfo(*saved).fileName(), u"my - own.pai.yaml"_s);
    QVERIFY(!EngineFixture::contents(*saved).contains("hush")); // a template is an export
    QCOMPARE(saveUserTemplate(u"my / own"_s, yaml).error().code, u"template.exists"_s);
    QCOMPARE(saveUserTemplate(u"  ..  "_s, yaml).error().code, u"template.no-name"_s);
    TemplateFolder found = readTemplates(userTemplateFolder(), JobTemplate::Origin::User);
    QVERIFY(found.errors.isEmpty());
    QCOMPARE(found.templates.size(), 1);
    QCOMPARE(found.templates.first().title, u"my - own"_s);
    QCOMPARE(found.templates.first().summary, u"does my thing"_s);
    QVERIFY(found.templates.first().matches(u"own THING"_s));
    QVERIFY(!found.templates.first().matches(u"own nothing"_s));
    const Result<QString> renamed = renameUserTemplate(*saved, u"better"_s);
    QVERIFY(renamed && !QFile::exists(*saved));
    const Result<QByteArray> removed = removeUserTemplate(*renamed);
    QVERIFY(removed && !QFile::exists(*renamed));
    QVERIFY(restoreUserTemplate(*renamed, *removed));
    // One that was saved under the name meanwhile stays.
    const Result<void> twice = restoreUserTemplate(*renamed, "name: other\n");
    QCOMPARE(twice ? QString() : twice.error().code, u"template.exists"_s);
    QVERIFY(EngineFixture::contents(*renamed).contains("does my thing"));
    found = readTemplates(userTemplateFolder(), JobTemplate::Origin::User);
    QCOMPARE(found.templates.size(), 1);
    QCOMPARE(found.templates.first().title, u"better"_s);
}

// In words that the command line has, too, which knows no plural forms.
void TstTemplates::userTemplatesNeed()
{
    const QTemporaryDir folder(u"/tmp/tynXXXXXX"_s);
    const auto needs = [&folder](const QByteArray &name, int tasks, int gpus) {
        QFile file(folder.filePath(QString::fromLatin1(name) + u".yaml"_s));
        const QByteArray yaml = "protocolVersion: 2\nname: a\ntype: job\ntaskRoles:\n  main:\n    instances: "
            + QByteArray::number(tasks) + "\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: "
            + QByteArray::number(gpus) + "}\n    commands: [echo]\n";
        if (!file.open(QIODevice::WriteOnly) || file.write(yaml) != yaml.size()) {
            return QString();
        }
        file.close();
        const TemplateFolder found = readTemplates(folder.path(), JobTemplate::Origin::User);
        const JobTemplate *job = findTemplate(found.templates, QString::fromLatin1(name));
        return job ? job->needs : QString();
    };
    QCOMPARE(needs("one", 1, 0), u"1 task"_s);
    QCOMPARE(needs("gpu", 1, 1), u"1 task, 1 GPU"_s);
    QCOMPARE(needs("gpus", 2, 2), u"2 tasks, 4 GPUs"_s);
}

void TstTemplates::catalogueErrors()
{
    QTemporaryDir folder(u"/tmp/tycXXXXXX"_s);
    const auto write = [&folder](const QString &name, const QByteArray &text) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    QVERIFY(write(u"good.yaml"_s, helloJob()));
    QVERIFY(write(u"bad.yml"_s, "name: x\n  wrong: [\n"));
    QVERIFY(write(u"large.yaml"_s, QByteArray(2 << 20, ' ')));
    QVERIFY(write(u"notes.txt"_s, "nothing"));
    const TemplateFolder found = readTemplates(folder.path(), JobTemplate::Origin::Catalogue);
    QCOMPARE(found.templates.size(), 1);
    QVERIFY(found.templates.first().picture().contains("greeter"));
    QCOMPARE(found.errors.size(), 2);
    QCOMPARE(found.errors.at(0).code, u"template.unreadable"_s);
    QCOMPARE(found.errors.at(1).code, u"file.too-large"_s);
    QCOMPARE(readTemplates(folder.path() + u"/gone"_s, JobTemplate::Origin::Catalogue).errors.first().code,
        u"template.no-folder"_s);
}

TRAINYARD_TEST(TstTemplates)

// Six of them run for real, on any machine.
class TstTemplateRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void run_data();
    void run();
    void secretsStayOffTheDisk();
    void lastTrialRanksAll();
};

void TstTemplateRuns::run_data()
{
    using Parameters = QMap<QString, QString>;
    QTest::addColumn<QString>("id");
    QTest::addColumn<Parameters>("parameters");
    QTest::addColumn<QString>("task"); // role/index
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("single GPU, on the CPU")
        << u"single-gpu"_s << Parameters{{u"epochs"_s, u"2"_s}} << u"train/0"_s << QByteArray("best acc ");
    QTest::newRow("parameter server") << u"quickstart"_s
                                      << Parameters{{u"epochs"_s, u"2"_s}, {u"batches"_s, u"4"_s}, {u"pause"_s, u"0"_s}}
                                      << u"worker/2"_s << QByteArray("worker 2 has finished");
    QTest::newRow("data, then training") << u"data-then-train"_s
                                         << Parameters{{u"rows"_s, u"400"_s}, {u"epochs"_s, u"3"_s}} << u"train/1"_s
                                         << QByteArray("weights ");
    QTest::newRow("batch on CPUs") << u"cpu-batch"_s << Parameters{{u"points"_s, u"2000"_s}} << u"part/15"_s
                                   << QByteArray("pi is about 3.");
    QTest::newRow("prerequisites") << u"prerequisites"_s << Parameters{} << u"sum/0"_s
                                   << QByteArray("the sum of 12 numbers is 78");
}

void TstTemplateRuns::run()
{
    QFETCH(QString, id);
    using Parameters = QMap<QString, QString>;
    QFETCH(Parameters, parameters);
    QFETCH(QString, task);
    QFETCH(QByteArray, says);
    TemplateEngine engine(false);
    QVERIFY(engine.isOpen());
    const QString uuid = engine.submit(id, parameters);
    QVERIFY2(!uuid.isEmpty(), qPrintable(engine.fixture().error().code));
    QVERIFY(engine.fixture().waitForEnd(uuid, 40'000));
    const QStringList place = task.split(u'/');
    const QByteArray output = engine.fixture().output(uuid, place.at(0), place.at(1).toInt());
    QVERIFY2(engine.fixture().job(uuid).state == State::Succeeded, output.constData());
    QVERIFY2(output.contains(says), output.constData());
}

void TstTemplateRuns::secretsStayOffTheDisk()
{
    TemplateEngine engine(false);
    QVERIFY(engine.isOpen());
    const QString token = u"token-1234-5678"_s;
    const QString uuid
        = engine.submit(u"private-registry"_s, {}, {{u"api_token"_s, token}, {u"registry_password"_s, u"pass-word"_s}});
    QVERIFY2(!uuid.isEmpty(), qPrintable(engine.fixture().error().code));
    QVERIFY(engine.fixture().waitForEnd(uuid, 30'000));
    const QByteArray output = engine.fixture().output(uuid, u"client"_s, 0);
    QVERIFY2(engine.fixture().job(uuid).state == State::Succeeded, output.constData());
    const QByteArray signature
        = QMessageAuthenticationCode::hash("GET /models/latest", token.toUtf8(), QCryptographicHash::Sha256)
              .toHex()
              .left(16);
    QVERIFY2(output.contains(QByteArray("signed as " + signature)), output.constData());
    const QString folder = engine.fixture().task(uuid, u"client"_s, 0).logFolder;
    const QStringList files = QDir(folder).entryList(QDir::Files);
    QVERIFY(files.contains(u"task.sh"_s));
    for (const QString &name : files) {
        QVERIFY2(!EngineFixture::contents(folder + u'/' + name).contains(token.toUtf8()), qPrintable(name));
    }
    // A short token ends it with a code of its own, and says why.
    const QString refused
        = engine.submit(u"private-registry"_s, {}, {{u"api_token"_s, u"short"_s}, {u"registry_password"_s, u"x"_s}});
    QVERIFY(engine.fixture().waitForEnd(refused, 30'000));
    QCOMPARE(engine.fixture().job(refused).state, State::Failed);
    QCOMPARE(engine.fixture().task(refused, u"client"_s, 0).rawExit, std::optional<int>(4));
}

void TstTemplateRuns::lastTrialRanksAll()
{
    TemplateEngine engine(false);
    QVERIFY(engine.isOpen());
    const QString uuid = engine.submit(u"hyper-parameters"_s, {{u"epochs"_s, u"2"_s}});
    QVERIFY2(!uuid.isEmpty(), qPrintable(engine.fixture().error().code));
    QVERIFY(engine.fixture().waitForEnd(uuid, 40'000));
    QCOMPARE(engine.fixture().job(uuid).state, State::Succeeded);
    QByteArray ranking;
    for (int i = 0; i < 6; ++i) {
        const QByteArray output = engine.fixture().output(uuid, u"trial"_s, i);
        QVERIFY(output.contains("epoch 2 step 2/2"));
        if (const qsizetype at = output.indexOf("rank  trial"); at >= 0) {
            ranking = output.mid(at);
        }
    }
    QCOMPARE(ranking.trimmed().count('\n'), 6);
    const QStringList results
        = QDir(engine.fixture().path(u"work/results/hyper_parameters"_s)).entryList({u"trial-*.json"_s});
    QCOMPARE(results.size(), 6);
}

TRAINYARD_TEST(TstTemplateRuns)

// Templates for programs that this machine lacks: started for real, against fakes that write down how they were called.
class TstTemplateFakes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void torchrun();
    void torchrunWithoutGpus();
    void horovod();
    void tensorboard();
    void jupyter();
    void saysWhatIsMissing_data();
    void saysWhatIsMissing();
};

void TstTemplateFakes::torchrun()
{
    TemplateEngine engine(true);
    QVERIFY(engine.isOpen());
    const QString uuid = engine.submit(u"torchrun"_s);
    QVERIFY2(!uuid.isEmpty(), qPrintable(engine.fixture().error().code));
    QVERIFY(engine.fixture().waitForEnd(uuid, 30'000));
    QVERIFY2(engine.fixture().job(uuid).state == State::Succeeded,
        engine.fixture().output(uuid, u"worker"_s, 0).constData());
    QByteArrayList calls = engine.calls(u"torchrun"_s);
    QCOMPARE(calls.size(), 2);
    QByteArrayList ranks;
    for (const QByteArray &call : std::as_const(calls)) {
        QCOMPARE(option(call, "--nnodes"), QByteArray("2"));
        QCOMPARE(option(call, "--nproc_per_node"), QByteArray("2"));
        QVERIFY(option(call, "--master_port").toInt() > 1024);
        QCOMPARE(option(call, "--master_port"), option(calls.first(), "--master_port"));
        QVERIFY(!option(call, "--master_addr").isEmpty());
        QVERIFY(call.endsWith("/train.py"));
        ranks.append(option(call, "--node_rank"));
    }
    std::sort(ranks.begin(), ranks.end());
    QCOMPARE(ranks, (QByteArrayList{"0", "1"}));
    // The four GPUs were given out, two to each.
    QList<int> gpus
        = engine.fixture().task(uuid, u"worker"_s, 0).gpus + engine.fixture().task(uuid, u"worker"_s, 1).gpus;
    std::sort(gpus.begin(), gpus.end());
    QCOMPARE(gpus, (QList<int>{0, 1, 2, 3}));
    const QByteArray script = EngineFixture::contents(engine.fixture().path(u"calls/train.py"_s));
    QVERIFY2(script.contains("lr=float(\"0.05\")") && script.startsWith("import os"), script.constData());
}

// The card of the template offers 0 GPUs where there are none.
void TstTemplateFakes::torchrunWithoutGpus()
{
    TemplateEngine engine(true);
    QVERIFY(engine.isOpen());
    QByteArray text = TemplateEngine::textOf(u"torchrun"_s);
    text.replace("gpu: 2", "gpu: 0");
    const QString uuid = engine.fixture().submit(text, {});
    QVERIFY2(!uuid.isEmpty(), qPrintable(engine.fixture().error().code));
    QVERIFY(engine.fixture().waitForEnd(uuid, 30'000));
    const QByteArrayList calls = engine.calls(u"torchrun"_s);
    QCOMPARE(calls.size(), 2);
    for (const QByteArray &call : calls) {
        QCOMPARE(option(call, "--nproc_per_node"), QByteArray("1"));
    }
}

void TstTemplateFakes::horovod()
{
    TemplateEngine engine(true);
    QVERIFY(engine.isOpen());
    const QString uuid = engine.submit(u"mpi-horovod"_s);
    QVERIFY2(!uuid.isEmpty(), qPrintable(engine.fixture().error().code));
    QVERIFY(engine.fixture().waitForEnd(uuid, 40'000));
    QVERIFY2(engine.fixture().job(uuid).state == State::Succeeded,
        engine.fixture().output(uuid, u"master"_s, 0).constData());
    const QByteArrayList reached = engine.calls(u"ssh"_s);
    QCOMPARE(reached.size(), 3);
    QVERIFY(reached.at(0).endsWith(" master-0 true") && reached.at(2).endsWith(" worker-1 true"));
    const QByteArrayList calls = engine.calls(u"mpirun"_s);
    QCOMPARE(calls.size(), 1);
    QCOMPARE(option(calls.first(), "-np"), QByteArray("3"));
    QCOMPARE(option(calls.first(), "-H"), QByteArray("master-0:1,worker-0:1,worker-1:1"));
    QVERIFY(calls.first().contains(" python3 "));
}

void TstTemplateFakes::tensorboard()
{
    TemplateEngine engine(true);
    QVERIFY(engine.isOpen());
    const QString uuid = engine.submit(u"tensorboard"_s);
    QVERIFY2(!uuid.isEmpty(), qPrintable(engine.fixture().error().code));
    QVERIFY(engine.fixture().waitForEnd(uuid, 40'000));
    QVERIFY2(
        engine.fixture().job(uuid).state == State::Succeeded, engine.fixture().output(uuid, u"train"_s, 0).constData());
    const QByteArrayList calls = engine.calls(u"tensorboard"_s);
    QCOMPARE(calls.size(), 1);
    QCOMPARE(option(calls.first(), "--logdir"), QByteArray("runs/training_with_tensorboard"));
    const auto ports = engine.fixture().task(uuid, u"tensorboard"_s, 0).ports;
    const auto board = std::find_if(ports.cbegin(), ports.cend(), [](const auto &p) { return p.first == u"board"_s; });
    QVERIFY(board != ports.cend());
    QCOMPARE(option(calls.first(), "--port").toInt(), board->second.first());
    const QByteArray scalars
        = EngineFixture::contents(engine.fixture().path(u"work/runs/training_with_tensorboard/scalars.txt"_s));
    QCOMPARE(scalars.count('\n'), 200);
    QVERIFY(scalars.startsWith("loss 1 "));
}

void TstTemplateFakes::jupyter()
{
    TemplateEngine engine(true);
    QVERIFY(engine.isOpen());
    const QString uuid = engine.submit(u"jupyter"_s);
    QVERIFY2(!uuid.isEmpty(), qPrintable(engine.fixture().error().code));
    QVERIFY(engine.fixture().waitForEnd(uuid, 30'000));
    QVERIFY2(engine.fixture().job(uuid).state == State::Succeeded,
        engine.fixture().output(uuid, u"notebook"_s, 0).constData());
    const QByteArrayList calls = engine.calls(u"jupyter"_s);
    QCOMPARE(calls.size(), 2);
    QCOMPARE(calls.at(0), QByteArray("lab --version"));
    QCOMPARE(option(calls.at(1), "--ip"), QByteArray("127.0.0.1"));
    const auto ports = engine.fixture().task(uuid, u"notebook"_s, 0).ports;
    const auto lab = std::find_if(ports.cbegin(), ports.cend(), [](const auto &p) { return p.first == u"lab"_s; });
    QVERIFY(lab != ports.cend());
    QCOMPARE(option(calls.at(1), "--port").toInt(), lab->second.first());
    QVERIFY(calls.at(1).contains("--no-browser"));
}

void TstTemplateFakes::saysWhatIsMissing_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("role");
    QTest::addColumn<QString>("program"); // hidden, as it may be installed
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("torchrun") << u"torchrun"_s << u"worker"_s << u"torchrun"_s << QByteArray("pip install torch");
    QTest::newRow("mpirun") << u"mpi-horovod"_s << u"master"_s << u"mpirun"_s << QByteArray("install openmpi-bin");
    QTest::newRow("jupyter") << u"jupyter"_s << u"notebook"_s << u"jupyter"_s << QByteArray("pip install jupyterlab");
    QTest::newRow("script") << u"one-script"_s << u"train"_s << QString() << QByteArray("There is no train.py in ");
}

void TstTemplateFakes::saysWhatIsMissing()
{
    QFETCH(QString, id);
    QFETCH(QString, role);
    QFETCH(QString, program);
    QFETCH(QByteArray, says);
    TemplateEngine engine(false, program);
    QVERIFY(engine.isOpen());
    const QString uuid = engine.submit(id);
    QVERIFY2(!uuid.isEmpty(), qPrintable(engine.fixture().error().code));
    QVERIFY(engine.fixture().waitForEnd(uuid, 30'000));
    QCOMPARE(engine.fixture().job(uuid).state, State::Failed);
    const QByteArray output = engine.fixture().output(uuid, role, 0);
    QVERIFY2(output.contains(says), output.constData());
    QCOMPARE(engine.fixture().task(uuid, role, 0).rawExit, std::optional<int>(3));
}

TRAINYARD_TEST(TstTemplateFakes)
#include "tst_templates.moc"
