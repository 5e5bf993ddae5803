// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/capacity.h"
#include "model/protocol/findings.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What a job asks for beside what the hosts have.
class TstCapacity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findings_data();
    void findings();
    void storages();
    void fixWritesTheFigure();
};

namespace
{

const char jobText[] = R"(protocolVersion: 2
name: t
type: job
prerequisites: [{name: img, type: dockerimage, uri: a/b}]
taskRoles:
  w:
    instances: 2
    dockerImage: img
    resourcePerInstance: {cpu: 999, memoryMB: 4096, gpu: 4}
    commands: [a]
)";

} // namespace

void TstCapacity::findings_data()
{
    QTest::addColumn<qint64>("gpus"); // -1: no host is known
    QTest::addColumn<qint64>("memory");
    QTest::addColumn<QStringList>("codes");
    const QString gpu = u"role.gpu.more-than-any-host"_s;
    const QString memory = u"role.memory.more-than-any-host"_s;
    const auto row = [](const char *name, qint64 gpus, qint64 memoryMiB, const QStringList &codes) {
        QTest::newRow(name) << gpus << memoryMiB << codes;
    };
    row("no host", -1, -1, {});
    row("just enough", 4, 4096, {});
    row("no GPU", 0, 65536, {gpu});
    row("one GPU less", 3, 65536, {gpu});
    row("one MiB less", 8, 4095, {memory});
    row("both", 0, 1, {memory, gpu});
}

void TstCapacity::findings()
{
    QFETCH(qint64, gpus);
    QFETCH(qint64, memory);
    QFETCH(QStringList, codes);
    HostLimits limits;
    if (gpus >= 0) {
        limits = {gpus, memory, {}};
    }
    const ParseOutcome outcome = parseJob(jobText);
    QVERIFY(outcome.spec);
    QStringList found;
    for (const Diagnostic &diagnostic : checkCapacity(outcome.document, *outcome.spec, limits)) {
        found.append(diagnostic.code);
        QCOMPARE(diagnostic.severity, Severity::Warning); // a larger host may come
        QVERIFY(!diagnostic.strict);
        const bool isGpu = diagnostic.code.contains(u"gpu");
        QCOMPARE(QByteArrayView(jobText).sliced(diagnostic.at.begin, diagnostic.at.length()).toByteArray(),
            QByteArray(isGpu ? "4" : "4096"));
        QCOMPARE(diagnostic.args.value(u"most"_s).toInteger(), isGpu ? gpus : memory);
    }
    found.sort();
    codes.sort();
    QCOMPARE(found, codes);
}

void TstCapacity::fixWritesTheFigure()
{
    const ParseOutcome outcome = parseJob(jobText);
    const QList<Diagnostic> found = checkCapacity(outcome.document, *outcome.spec, {2, 65536, {}});
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().fixes.size(), 1);
    const auto edits = planFix(outcome.document, found.first().fixes.first());
    QVERIFY(edits);
    QCOMPARE(applyEdits(jobText, *edits), QByteArray(jobText).replace("gpu: 4", "gpu: 2"));
}

void TstCapacity::storages()
{
    const auto found = [](const QByteArray &extras, const std::optional<QStringList> &known) {
        const QByteArray text = QByteArray(jobText) + extras;
        const ParseOutcome outcome = parseJob(text);
        HostLimits limits;
        limits.storages = known;
        QStringList result;
        for (const Diagnostic &each : checkCapacity(outcome.document, *outcome.spec, limits)) {
            result.append(each.code + u' '
                + QString::fromUtf8(QByteArrayView(text).sliced(each.at.begin, each.at.length()).toByteArray()));
        }
        return result;
    };
    const QByteArray list = "extras: {storages: [{name: data}, {name: team, mountPath: /t}, {mountPath: /x}]}\n";
    QCOMPARE(found(list, std::nullopt), QStringList());
    QCOMPARE(found(list, QStringList{u"data"_s, u"team"_s}), QStringList());
    QCOMPARE(found(list, QStringList{u"data"_s}), QStringList{u"extras.storage-unmapped team"_s});
    QCOMPARE(found("extras:\n  com.microsoft.pai.runtimeplugin:\n"
                   "    - {plugin: teamwise_storage, parameters: {storageConfigNames: [a, b]}}\n",
                 QStringList{u"b"_s}),
        QStringList{u"extras.storage-unmapped a"_s});
}

TRAINYARD_TEST(TstCapacity)
#include "tst_capacity.moc"
