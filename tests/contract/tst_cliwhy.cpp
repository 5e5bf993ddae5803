// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

// The real program explains programs that fail for real.
class TstCliWhy : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void failures_data();
    void failures();
    void forPeople();
    void standardInput();
    void json();
    void usage_data();
    void usage();

private:
    struct Run {
        int status = -1;
        QByteArray out, err;
    };
    Run run(const QStringList &arguments, const QByteArray &input = {}) const;
    QString file(const QString &name, const QByteArray &bytes) const;

    QTemporaryDir m_folder;
    QString m_program;
};

namespace
{

// What a command writes and how it ends, as a log would have it.
std::pair<QByteArray, int> outputOf(const QString &folder, const QString &command)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setStandardInputFile(QProcess::nullDevice());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString &name : {u"LC_ALL"_s, u"LANG"_s}) {
        environment.insert(name, u"C.UTF-8"_s);
    }
    environment.insert(u"GIT_TERMINAL_PROMPT"_s, u"0"_s);
    process.setProcessEnvironment(environment);
    process.start(u"bash"_s, {u"-c"_s, command});
    if (!process.waitForFinished(60000)) {
        return {};
    }
    return {process.readAll(), process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1};
}

} // namespace

void TstCliWhy::initTestCase()
{
    m_program = qEnvironmentVariable("TRAINYARD_BIN") + u"/trainyardctl"_s;
    spareLeakChecks();
    if (!QFileInfo(m_program).isExecutable()) {
        QFAIL("trainyardctl has not been built.");
    }
    QVERIFY(m_folder.isValid());
}

TstCliWhy::Run TstCliWhy::run(const QStringList &arguments, const QByteArray &input) const
{
    QProcess process;
    process.start(m_program, arguments);
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished(60000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QString TstCliWhy::file(const QString &name, const QByteArray &bytes) const
{
    const QString path = m_folder.filePath(name);
    QFile out(path);
    return out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() ? path : QString();
}

void TstCliWhy::failures_data()
{
    QTest::addColumn<QString>("needs");
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("frame");
    const auto row
        = [](const char *name, const QString &needs, const QString &command, const QString &cause, const QString &says,
              const QString &frame = {}) { QTest::newRow(name) << needs << command << cause << says << frame; };
    const QString python = u"python3"_s;
    row("command", u"bash"_s, u"bash job.sh"_s, u"command-missing"_s, u"trianer"_s, u"job.sh:3"_s);
    row("syntax", u"bash"_s, u"bash broken.sh"_s, u"syntax-error"_s, u"syntax error"_s, u"broken.sh:3"_s);
    row("Windows", u"bash"_s, u"bash windows.sh"_s, u"crlf"_s, u"line endings of Windows"_s, u"windows.sh:2"_s);
    row("unset", u"bash"_s, u"bash -u -c 'echo $DATASET_FOLDER'"_s, u"unset-variable"_s, u"DATASET_FOLDER"_s);
    row("killed", u"bash"_s, u"bash -c 'kill -9 $$'; exit $?"_s, u"killed"_s, u"does not say by whom"_s);
    row("a script that is not there", python, u"python3 nosuch.py"_s, u"file-missing"_s, u"nosuch.py"_s);
    row("its own words", python, u"python3 train.py leave"_s, u"program-error"_s, u"has no images"_s);
    row("clean-up", python, u"python3 train.py clean"_s, u"user-code-error"_s, u"odd row 3"_s, u"helper.py:6"_s);
    row("division", u"bash"_s, u"bash -c 'echo $((1/0))'"_s, u"shell-error"_s, u"division by 0"_s);
    row("differences", u"diff"_s, u"diff job.sh broken.sh"_s, u"files-differ"_s, u"differ"_s);
    row("timeout", u"timeout"_s, u"timeout 0.1 sleep 5"_s, u"timeout-command"_s, u"timeout"_s);
    row("an error that is ignored", python, u"ssh -F none -o BatchMode=yes nosuch.invalid true; python3 train.py key"_s,
        u"user-code-error"_s, u"KeyError"_s, u"helper.py:2"_s);
    row("key", python, u"python3 train.py key"_s, u"user-code-error"_s, u"KeyError"_s, u"helper.py:2"_s);
    row("file", python, u"python3 train.py chain"_s, u"file-missing"_s, u"/nosuch/a.json"_s, u"train.py:8"_s);
    row("module", python, u"python3 train.py module"_s, u"module-missing"_s, u"nosuchmodule"_s, u"train.py:17"_s);
    row("argument", python, u"python3 train.py --lr"_s, u"bad-arguments"_s, u"--lr"_s);
    row("processes", python, u"python3 train.py pool"_s, u"user-code-error"_s, u"ValueError: odd row 3"_s,
        u"helper.py:6"_s);
    row("a script in a script", python, u"python3 train.py child"_s, u"user-code-error"_s, u"KeyError"_s,
        u"helper.py:2"_s);
    row("repository", u"git"_s, u"git clone ./nosuch.git"_s, u"git-repository"_s, u"nosuch.git"_s);
    row("name of a host", u"ssh"_s, u"ssh -F none -o BatchMode=yes nosuch.invalid true"_s, u"dns"_s,
        u"nosuch.invalid"_s);
}

void TstCliWhy::failures()
{
    QFETCH(QString, needs);
    QFETCH(QString, command);
    QFETCH(QString, says);
    if (QStandardPaths::findExecutable(needs).isEmpty()) {
        const QMap<QString, QString> packages{
            {u"diff"_s, u"diffutils"_s}, {u"ssh"_s, u"openssh-client"_s}, {u"timeout"_s, u"coreutils"_s}};
        QSKIP(qPrintable(needs + u" is not installed: install the package "_s + packages.value(needs, needs) + u'.'));
    }
    file(u"job.sh"_s, "set -e\necho begin\ntrianer --epochs 3\n");
    file(u"broken.sh"_s, "for i in 1 2; do\necho $i\n");
    file(u"windows.sh"_s, "cd .\r\nfor i in 1 2; do\r\n  echo $i\r\ndone\r\n");
    file(u"none"_s, {});
    file(u"helper.py"_s,
        "def get(d, k):\n    return d[k]\n\ndef clean(row):\n    if row % 2:\n        raise ValueError(f'odd row "
        "{row}')\n"
        "    return row\n");
    file(u"train.py"_s,
        "import argparse, multiprocessing, subprocess, sys\nimport helper\n\n"
        "def key():\n    return helper.get({}, 'lr')\n\ndef read():\n    return open('/nosuch/a.json')\n\n"
        "def chain():\n    try:\n        return read()\n    finally:\n        pass\n\n"
        "def module():\n    import nosuchmodule\n\n"
        "def pool():\n    with multiprocessing.Pool(1) as p:\n        p.map(helper.clean, [2, 3])\n\n"
        "def leave():\n    sys.exit('the folder has no images')\n\n"
        "def clean():\n    try:\n        helper.clean(3)\n    finally:\n        release()\n\ndef release():\n    "
        "{}['lock']\n\n"
        "def child():\n    subprocess.run([sys.executable, __file__, 'key'], check=True)\n\n"
        "if __name__ == '__main__':\n    a = argparse.ArgumentParser()\n    a.add_argument('what', nargs='?')\n"
        "    a.add_argument('--lr')\n    globals()[a.parse_args().what]()\n");
    const auto [output, status] = outputOf(m_folder.path(), command);
    QVERIFY2(status != 0, output.constData());
    const Run why
        = run({u"why"_s, u"--log"_s, file(u"output.log"_s, output), u"--exit"_s, QString::number(status), u"--json"_s});
    QCOMPARE(why.status, 0);
    const QJsonObject said = QJsonDocument::fromJson(why.out).object();
    QFETCH(QString, cause);
    QVERIFY2(said.value("cause"_L1).toString() == cause, QByteArray(output + why.out).constData());
    QVERIFY2(said.value("explanation"_L1).toString().contains(says), why.out.constData());
    QVERIFY(!said.value("remedies"_L1).toArray().isEmpty());
    const QJsonObject frame = said.value("frame"_L1).toObject();
    QTEST(frame.isEmpty() ? QString()
                          : frame.value("file"_L1).toString().section(u'/', -1) + u':'
                + QString::number(frame.value("line"_L1).toInt()),
        "frame");
}

void TstCliWhy::forPeople()
{
    const QString log = file(u"people.log"_s,
        "step 1\nTraceback (most recent call last):\n  File \"/w/train.py\", line 12, in step\n    f()\nKeyError: "
        "'lr'\n");
    const Run why = run({u"why"_s, u"--log"_s, log, u"--exit"_s, u"1"_s});
    QCOMPARE(why.status, 0);
    QVERIFY2(why.out.startsWith("The program ended with KeyError: 'lr'.\n  Line 5: KeyError: 'lr'\n  In step in "
                                "/w/train.py, line 12\nWhat to do:\n  - "),
        why.out.constData());
    QVERIFY(why.err.isEmpty());
}

void TstCliWhy::standardInput()
{
    const Run why = run({u"why"_s, u"--log"_s, u"-"_s}, "curl: (6) Could not resolve host: a.invalid\n");
    QCOMPARE(why.status, 0);
    QVERIFY2(why.out.contains("a.invalid could not be resolved"), why.out.constData());
}

void TstCliWhy::json()
{
    const Run why = run({u"why"_s, u"--log"_s, u"-"_s, u"--exit"_s, u"-9"_s, u"--json"_s}, "step 1\n");
    const QJsonObject said = QJsonDocument::fromJson(why.out).object();
    QCOMPARE(said.value("cause"_L1).toString(), u"killed"_s);
    QCOMPARE(said.value("certainty"_L1).toString(), u"likely"_s);
    QVERIFY(said.value("evidence"_L1).isNull()); // it is only the last line
    QCOMPARE(said.value("lastLine"_L1).toObject().value("line"_L1).toInt(), 1);
    QVERIFY(said.value("frame"_L1).isNull());
    QVERIFY(said.value("transient"_L1).isNull()); // it depends on who killed it
    const Run words = run({u"why"_s, u"--log"_s, u"-"_s, u"--exit"_s, u"139"_s}, "step 1\nsaved checkpoint 17\n");
    QVERIFY2(words.out.contains("\n  Last line, 2: saved checkpoint 17\n"), words.out.constData());
    const Run killed = run({u"why"_s, u"--log"_s, u"-"_s, u"--exit"_s, u"137"_s, u"--json"_s}, "step 1\nKilled\n");
    const QJsonObject shown = QJsonDocument::fromJson(killed.out).object();
    QCOMPARE(shown.value("evidence"_L1).toObject().value("line"_L1).toInt(), 2);
    QVERIFY(shown.value("lastLine"_L1).isNull());
    // Of no output there is no line.
    const Run nothing = run({u"why"_s, u"--log"_s, u"-"_s, u"--json"_s});
    for (const QLatin1StringView line : {"evidence"_L1, "lastLine"_L1}) {
        QVERIFY(QJsonDocument::fromJson(nothing.out).object().value(line).isNull());
    }
}

void TstCliWhy::usage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("nothing") << QStringList() << "Give a JOB, or --log with a file."_ba;
    QTest::newRow("both") << QStringList{u"41"_s, u"--log"_s, u"x"_s} << "Give a JOB, or --log with a file."_ba;
    QTest::newRow("status of a job") << QStringList{u"41"_s, u"--exit"_s, u"1"_s} << "--exit belongs to --log"_ba;
    QTest::newRow("an attempt of a file")
        << QStringList{u"--log"_s, u"x"_s, u"--attempt"_s, u"1"_s} << "--attempt and --try belong to a JOB."_ba;
    QTest::newRow("no number") << QStringList{u"--log"_s, u"-"_s, u"--exit"_s, u"x"_s}
                               << "--exit takes a whole number"_ba;
    QTest::newRow("no file") << QStringList{u"--log"_s, u"/nosuch/file"_s} << "/nosuch/file"_ba;
    QTest::newRow("a folder") << QStringList{u"--log"_s, u"/"_s} << "Cannot read /: it is a folder\n"_ba;
}

void TstCliWhy::usage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const Run why = run(QStringList{u"why"_s} + arguments);
    QCOMPARE(why.status, 2);
    QVERIFY2(why.err.contains(says), why.err.constData());
    QVERIFY(why.out.isEmpty());
}

TRAINYARD_TEST(TstCliWhy)
#include "tst_cliwhy.moc"
