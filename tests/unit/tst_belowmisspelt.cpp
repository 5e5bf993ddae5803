// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/belowmisspelt.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What is wrong below a misspelt field is what is wrong below it with the right name, and where it stands.
class TstBelowMisspelt : public QObject
{
    Q_OBJECT

    static QByteArray job(const QByteArray &roles)
    {
        return "protocolVersion: 2\nname: a\ntype: job\nprerequisites:\n  - {protocolVersion: 2, name: image, type: "
               "dockerimage, uri: x}\n"
            + roles;
    }

    // Code and text, of those below a path.
    static QStringList below(const ParseOutcome &outcome, const QString &path)
    {
        QStringList found;
        for (const Diagnostic &each : outcome.diagnostics) {
            if (each.path.toPointer().startsWith(path + u'/')) {
                found.append(each.code + u' '
                    + QString::fromUtf8(outcome.document.bytes().mid(each.at.begin, each.at.length())));
            }
        }
        found.sort();
        return found;
    }

    static qsizetype errors(const ParseOutcome &outcome)
    {
        return std::count_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
            [](const Diagnostic &each) { return each.severity == Severity::Error; });
    }

private Q_SLOTS:
    void sameAsWithTheRightName_data()
    {
        QTest::addColumn<QByteArray>("wrong");
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<QString>("wrongPath");
        QTest::addColumn<QString>("rightPath");
        const QByteArray role = "  worker:\n    instances: two\n    dockerImage: image\n    commands: [true, echo]\n"
                                "    resourcePerInstance: {cpu: many, memoryMB: 1, gpu: 0}\n";
        QTest::newRow("roles") << job("taskRole:\n" + role) << job("taskRoles:\n" + role) << u"/taskRole"_s
                               << u"/taskRoles"_s;
        const auto resources = [](const QByteArray &name) {
            return job("taskRoles:\n  worker:\n    instances: 1\n    dockerImage: image\n    commands: [echo]\n    "
                + name + ": {cpu: many, memoryMB: 1, gpu: -3}\n");
        };
        QTest::newRow("resources") << resources("resourcePerInstanc") << resources("resourcePerInstance")
                                   << u"/taskRoles/worker/resourcePerInstanc"_s
                                   << u"/taskRoles/worker/resourcePerInstance"_s;
    }

    void sameAsWithTheRightName()
    {
        QFETCH(const QByteArray, wrong);
        QFETCH(const QByteArray, right);
        QFETCH(const QString, wrongPath);
        QFETCH(const QString, rightPath);
        const ParseOutcome wanted = parseJob(right);
        ParseOutcome found = parseJob(wrong);
        QVERIFY(errors(found) == 1 && errors(wanted) > 1);
        QVERIFY(below(found, wrongPath).isEmpty());
        cli::addFindingsBelow(found, CheckMode::Friendly, {});
        QVERIFY(!below(wanted, rightPath).isEmpty());
        QCOMPARE(below(found, wrongPath), below(wanted, rightPath));
        QCOMPARE(errors(found), errors(wanted) + 1);
        QVERIFY(std::is_sorted(found.diagnostics.cbegin(), found.diagnostics.cend(),
            [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; }));
    }

    // One mistake after the other.
    void misspeltBelowMisspelt()
    {
        ParseOutcome found
            = parseJob(job("taskRole:\n  worker:\n    instances: 1\n    dockerImage: image\n    commands: "
                           "[echo]\n    resourcePerInstanc: {cpu: many, memoryMB: 1, gpu: 0}\n"));
        QCOMPARE(errors(found), 1);
        cli::addFindingsBelow(found, CheckMode::Friendly, {});
        QCOMPARE(errors(found), 3);
        const auto many
            = std::find_if(found.diagnostics.cbegin(), found.diagnostics.cend(), [](const Diagnostic &each) {
                  return each.path.toPointer() == "/taskRole/worker/resourcePerInstanc/cpu"_L1;
              });
        QVERIFY(many != found.diagnostics.cend());
        QCOMPARE(found.document.bytes().mid(many->at.begin, many->at.length()), QByteArray("many"));
    }

    // What is no required field may be meant as it is.
    void nothingIsAddedElsewhere()
    {
        for (const QByteArray &more :
            {QByteArray(), QByteArray("default: {virtualCluster: x}\n"), QByteArray("extra: {a: 1}\n")}) {
            ParseOutcome found
                = parseJob(job("taskRoles:\n  worker:\n    instances: 1\n    dockerImage: image\n    commands: "
                               "[echo]\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n")
                    + more);
            const qsizetype before = found.diagnostics.size();
            cli::addFindingsBelow(found, CheckMode::Friendly, {});
            QCOMPARE(found.diagnostics.size(), before);
        }
    }
};

TRAINYARD_TEST(TstBelowMisspelt)
#include "tst_belowmisspelt.moc"
