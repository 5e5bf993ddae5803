// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What `check` says of a text beside the hosts of an engine that runs.
class TstCliCheck : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void saysWhatNoHostHas()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/large.yaml"_s,
            EngineFixture::document(
                "large", EngineFixture::role("worker", 1, {"true"}, {}, "{cpu: 4000, memoryMB: 16, gpu: 99}"))
                + "extras: {storages: [{name: nowhere}]}\n");
        // No engine is asked, and none is started for that.
        auto check = f.ctl({u"check"_s, file});
        QVERIFY2(check.status == 0 && !check.out.contains("more-than-any-host"), check.out.constData());
        QCOMPARE(f.daemonPid(), 0);

        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
        const auto warns = [&] {
            check = f.ctl({u"check"_s, file});
            return check.out.contains("[role.gpu.more-than-any-host]");
        };
        QTRY_VERIFY2_WITH_TIMEOUT(warns(), check.out.constData(), 30'000); // when the host has said what it has
        QCOMPARE(check.status, 0); // it is a warning
        QVERIFY2(check.out.contains("warning: A task of 'worker' asks for 99 GPUs"), check.out.constData());
        QVERIFY2(check.out.contains("[role.cpu.more-than-any-host]"), check.out.constData());
        QVERIFY2(check.out.contains("[extras.storage-unmapped]"), check.out.constData());
        QVERIFY(!f.ctl({u"check"_s, file, u"--quiet"_s}).out.contains("more-than-any-host"));
        const QJsonObject json = f.ctl({u"check"_s, file, u"--json"_s}).json().object();
        QVERIFY(json.value("valid"_L1).toBool());
        QStringList codes;
        for (const QJsonValue &each : json.value("diagnostics"_L1).toArray()) {
            codes.append(each.toObject().value("code"_L1).toString());
        }
        QVERIFY2(codes.contains(u"role.gpu.more-than-any-host"_s), qPrintable(codes.join(u' ')));
        // A server's verdict has nothing to do with the hosts here.
        QVERIFY(!f.ctl({u"check"_s, file, u"--strict"_s}).out.contains("more-than-any-host"));
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
    }

    // A job that runs in the host's shell has this note of each of its roles.
    void rolesWithoutAnImageAreToldOnce()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/imageless.yaml"_s,
            QByteArray(EngineFixture::document("imageless",
                           EngineFixture::role("first", 1, {"true"}) + EngineFixture::role("second", 1, {"true"})))
                .replace("    dockerImage: image\n", ""));
        const QByteArray said = f.ctl({u"check"_s, file}).out;
        QVERIFY2(said.count("[role.image.none]") == 1 && said.contains("  also: second\n"), said.constData());
        QCOMPARE(f.ctl({u"check"_s, file, u"--json"_s}).out.count("\"role.image.none\""), 2);
    }
};
TRAINYARD_TEST(TstCliCheck)

#include "tst_clicheck.moc"
