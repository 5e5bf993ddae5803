// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/contract/clifixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QTest>

#include <sys/stat.h>

using namespace Qt::StringLiterals;

// The real program. Fixes of what a check finds: as edits in its JSON, and made in the file.
class TstCliFixes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void fixesApply();
    void checkFixes();
    void checkFixesScopesAndNumbers();
    void checkFixesNoGuesses();

private:
    CliFixture m_cli;
};

void TstCliFixes::initTestCase() { QVERIFY2(m_cli.isReady(), "trainyardctl has not been built."); }

void TstCliFixes::fixesApply()
{
    QByteArray job = badJob;
    for (int i = 0; i < 5; ++i) {
        const CliFixture::Run result = m_cli.run({u"check"_s, u"--json"_s, u"-"_s}, job);
        const QJsonArray diagnostics = QJsonDocument::fromJson(result.out).object().value(u"diagnostics"_s).toArray();
        QJsonArray edits;
        for (const QJsonValue &each : diagnostics) {
            const QJsonArray fixes = each.toObject().value(u"fixes"_s).toArray();
            if (edits.isEmpty() && !fixes.isEmpty()) {
                edits = fixes.at(0).toObject().value(u"edits"_s).toArray();
            }
        }
        if (edits.isEmpty()) {
            break;
        }
        for (qsizetype j = edits.size() - 1; j >= 0; --j) {
            const QJsonObject edit = edits.at(j).toObject();
            const int begin = edit.value(u"begin"_s).toInt();
            job.replace(begin, edit.value(u"end"_s).toInt() - begin, edit.value(u"text"_s).toString().toUtf8());
        }
    }
    QCOMPARE(m_cli.run({u"check"_s, u"-"_s}, job).status, 0);
}

// What is meant is clear: it is written so, at once. What would remove or add something is left to its user.
void TstCliFixes::checkFixes()
{
    const QByteArray good
        = "protocolVersion: 2\nname: demo\ntype: job\nparameters:\n  lr: 0.1\n  other: 1\ntaskRoles:\n"
          "  worker:\n    instances: 1\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n"
          "    commands:\n      - echo <% $parameters.lr %>\n";
    QByteArray bad = good;
    bad.replace("  worker:", "\tworker:").replace("$parameters.lr ", "$parameters.lrr ");
    const QString path = m_cli.file(u"fixed.yaml"_s, bad);
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup);
    const auto mode = QFileInfo(path).permissions();
    const CliFixture::Run fixed = m_cli.run({u"check"_s, u"--fix"_s, path});
    QCOMPARE(fixed.status, 0);
    QCOMPARE(CliFixture::contents(path), good); // with the parameter that nothing refers to
    QCOMPARE(QFileInfo(path).permissions(), mode);
    QCOMPARE(fixed.out.count(": changed: "), 2);
    QVERIFY2(fixed.out.contains("fixed.yaml:8: changed: Replace tabs by spaces\n"), fixed.out.constData());
    QVERIFY2(
        fixed.out.contains("Remove 'other'") && fixed.out.contains("This job has no errors."), fixed.out.constData());
    // Nothing is to be done: the file is the same one as before.
    const QDateTime written = QFileInfo(path).fileTime(QFileDevice::FileMetadataChangeTime);
    const CliFixture::Run again = m_cli.run({u"check"_s, u"--fix"_s, u"--json"_s, path});
    QCOMPARE(again.status, 0);
    QCOMPARE(QJsonDocument::fromJson(again.out).object().value("changed"_L1).toArray().size(), 0);
    QCOMPARE(QFileInfo(path).fileTime(QFileDevice::FileMetadataChangeTime), written);
    QCOMPARE(CliFixture::contents(path), good);
    QCOMPARE(m_cli.run({u"check"_s, u"--fix"_s, u"-"_s}, bad).status, 2);
    const QString kept = m_cli.file(u"kept.yaml"_s, bad);
    QVERIFY(QFile::setPermissions(kept, QFile::ReadOwner));
    const CliFixture::Run refused = m_cli.run({u"check"_s, u"--fix"_s, kept});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.endsWith("kept.yaml is protected against writing and was left as it is.\n"),
        refused.err.constData());
    QCOMPARE(CliFixture::contents(kept), bad);
}

// The scope of a reference and a number in quotes are clear, too; the parameter that the reference means is not unused.
void TstCliFixes::checkFixesScopesAndNumbers()
{
    const QByteArray good = "protocolVersion: 2\nname: demo\ntype: job\nparameters:\n  epochs: 10\ntaskRoles:\n"
                            "  worker:\n    instances: 1\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n"
                            "    commands:\n      - echo <% $parameters.epochs %>\n";
    QByteArray bad = good;
    bad.replace("$parameters.", "$parameter.").replace("instances: 1", "instances: \"1\"");
    const QString path = m_cli.file(u"scopes.yaml"_s, bad);
    const CliFixture::Run asked = m_cli.run({u"check"_s, path});
    QVERIFY2(asked.out.contains("[template.unknown-scope]") && !asked.out.contains("[parameter.unused]"),
        asked.out.constData());
    const CliFixture::Run fixed = m_cli.run({u"check"_s, u"--fix"_s, path});
    QCOMPARE(fixed.status, 0);
    QCOMPARE(CliFixture::contents(path), good);
    QCOMPARE(fixed.out.count(": changed: "), 2);
}

// A name is not another one because there is no third, and a number is what is read of it.
void TstCliFixes::checkFixesNoGuesses()
{
    const QByteArray good
        = "protocolVersion: 2\nname: demo\ntype: job\nparameters: {epochs: 10, beta1: 1, beta2: 2}\ntaskRoles:\n"
          "  worker:\n    instances: 1\n    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n"
          "    commands:\n      - echo <% $parameters.epochs %> <% $parameters.beta1 %> <% $parameters.beta2 %>\n";
    for (const auto &[was, is] : QList<std::pair<QByteArray, QByteArray>>{{"$parameters.epochs", "$parameters.lr"},
             {"$parameters.beta2", "$parameters.beta3"}, {"epochs: 10", "epochs: 0755"},
             {"epochs: 10", "epochs: 1_000"}}) {
        const QByteArray odd = QByteArray(good).replace(was, is);
        const QString path = m_cli.file(u"odd.yaml"_s, odd);
        const CliFixture::Run asked = m_cli.run({u"check"_s, u"--fix"_s, path});
        QVERIFY2(CliFixture::contents(path) == odd, asked.out.constData());
        QVERIFY(!asked.out.contains(": changed: "));
    }
    // What is no file is not made one.
    const QString pipe = m_cli.file(u"pipe.yaml"_s, {});
    QVERIFY(QFile::remove(pipe));
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    const CliFixture::Run ofPipe = m_cli.run({u"check"_s, u"--fix"_s, pipe});
    QCOMPARE(ofPipe.status, 2);
    QVERIFY2(ofPipe.err.contains("regular file"), ofPipe.err.constData());
    QVERIFY(!QFileInfo(pipe).isFile());
}

TRAINYARD_TEST(TstCliFixes)
#include "tst_clifixes.moc"
