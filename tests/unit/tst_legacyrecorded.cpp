// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"
#include "model/protocol/legacynames.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/oldjobs.h"

#include <QFileInfo>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;
using namespace oldjobs;

namespace
{

// Ours beside the one that a server once made of the same job. Everything is the same, or differs for a reason that
// has a name here.
class Comparison
{
public:
    QMap<QString, int> differences;
    QStringList unexplained;
    int same = 0;

    void job(const Value &theirs, const Value &ours, const QString &name)
    {
        m_name = name;
        expect(textAt(theirs, {u"protocolVersion"_s}), textAt(ours, {u"protocolVersion"_s}), u"version"_s);
        expect(textAt(theirs, {u"type"_s}), textAt(ours, {u"type"_s}), u"type"_s);
        const QString oldName = textAt(theirs, {u"name"_s});
        differ(oldName, textAt(ours, {u"name"_s}), legacy::jobName(oldName), u"job name made valid"_s, u"name"_s);
        const QString retries = textAt(theirs, {u"jobRetryCount"_s});
        differ(retries, textAt(ours, {u"jobRetryCount"_s}),
            retries == "-1"_L1       ? u"10000"_s
                : retries == "-2"_L1 ? u"0"_s
                                     : retries,
            u"negative retry count kept in extras"_s, u"jobRetryCount"_s);
        for (const auto &key : {u"virtualCluster"_s, u"deployment"_s}) {
            expect(textAt(theirs, {u"defaults"_s, key}), textAt(ours, {u"defaults"_s, key}), key);
        }
        prerequisites(theirs, ours);
        const Value::Map theirRoles = *theirs.find(u"taskRoles"_s)->asMap();
        const Value::Map ourRoles = *ours.find(u"taskRoles"_s)->asMap();
        require(theirRoles.size() == ourRoles.size(), u"roles"_s);
        QStringList oldNames;
        for (const auto &[old, value] : theirRoles) {
            oldNames.append(old);
        }
        const QStringList newNames = legacy::roleNames(oldNames);
        for (qsizetype i = 0; i < std::min(theirRoles.size(), ourRoles.size()); ++i) {
            differ(oldNames.at(i), ourRoles.at(i).first, newNames.at(i), u"role name made startable"_s, u"role"_s);
            role(theirRoles.at(i).second, ourRoles.at(i).second, ours, oldNames, newNames);
            commandsBefore(theirs, ours, oldNames.at(i), newNames.at(i));
        }
        if (partAt(theirs, {u"parameters"_s})) {
            require(!partAt(ours, {u"parameters"_s}), u"parameters"_s);
            ++differences[u"variables not also as parameters"_s];
        }
        if (const Value *extras = partAt(theirs, {u"extras"_s})) {
            for (const auto &[key, value] : *extras->asMap()) {
                const Value *own = partAt(ours, {u"extras"_s, key});
                require(own && *own == value, u"extras"_s);
            }
        }
    }

private:
    void require(bool good, const QString &what) { good ? void(++same) : unexplained.append(m_name + u": "_s + what); }
    void expect(const QString &theirs, const QString &ours, const QString &what)
    {
        require(theirs == ours, u"%1: %2, not %3"_s.arg(what, ours, theirs));
    }
    // `wanted` is what ours must be; where that is not theirs, the difference has a reason.
    void differ(
        const QString &theirs, const QString &ours, const QString &wanted, const QString &reason, const QString &what)
    {
        expect(wanted, ours, what);
        if (wanted != theirs) {
            --same;
            ++differences[reason];
        }
    }

    void prerequisites(const Value &theirs, const Value &ours)
    {
        const Value::List their = *theirs.find(u"prerequisites"_s)->asList();
        const Value::List our = *ours.find(u"prerequisites"_s)->asList();
        require(their.size() == our.size(), u"prerequisites"_s);
        const QMap<QString, QString> names{{u"dockerimage"_s, u"image"_s}, {u"data"_s, u"data"_s},
            {u"output"_s, u"output"_s}, {u"script"_s, u"code"_s}};
        for (qsizetype i = 0; i < std::min(their.size(), our.size()); ++i) {
            const QString type = textAt(their.at(i), {u"type"_s});
            expect(type, textAt(our.at(i), {u"type"_s}), u"type"_s);
            differ(textAt(their.at(i), {u"name"_s}), textAt(our.at(i), {u"name"_s}), names.value(type),
                u"prerequisites have names of their own"_s, u"name"_s);
            const Value *their_uri = partAt(their.at(i), {u"uri"_s});
            const Value *our_uri = partAt(our.at(i), {u"uri"_s});
            require(their_uri && our_uri && *their_uri == *our_uri, u"uri"_s);
            if (partAt(their.at(i), {u"auth"_s})) {
                require(partAt(our.at(i), {u"auth"_s, u"password"_s}), u"auth"_s);
                ++differences[u"login becomes secrets that are asked for"_s];
            }
        }
    }

    void role(const Value &theirs, const Value &ours, const Value &job, const QStringList &oldNames,
        const QStringList &newNames)
    {
        const auto both = [&](const QStringList &path) { return std::pair{textAt(theirs, path), textAt(ours, path)}; };
        const auto [oldInstances, instances] = both({u"instances"_s});
        expect(oldInstances, instances, u"instances"_s);
        const auto [oldFailed, failed] = both({u"completion"_s, u"minFailedInstances"_s});
        const Value *nullFailed = partAt(theirs, {u"completion"_s, u"minFailedInstances"_s});
        differ(oldFailed, failed, nullFailed && nullFailed->isNull() ? u"-1"_s : oldFailed,
            u"null means never, as it did"_s, u"minFailedInstances"_s);
        const auto [oldSucceeded, succeeded] = both({u"completion"_s, u"minSucceededInstances"_s});
        const Value *nullSucceeded = partAt(theirs, {u"completion"_s, u"minSucceededInstances"_s});
        QString wanted = nullSucceeded && nullSucceeded->isNull() ? u"-1"_s : oldSucceeded;
        QString reason = u"null means wait for all, as it did"_s;
        const QString killAll
            = textAt(job, {u"extras"_s, u"trainyard"_s, u"legacy"_s, u"killAllOnCompletedTaskNumber"_s});
        if (wanted == "-1"_L1 && killAll != "(none)"_L1 && oldNames.size() == 1) {
            wanted = QString::number(std::min(killAll.toLongLong(), instances.toLongLong()));
            reason = u"end after N completed tasks becomes N succeeded ones"_s;
        }
        differ(oldSucceeded, succeeded, wanted, reason, u"minSucceededInstances"_s);
        for (const auto &key : {u"cpu"_s, u"memoryMB"_s, u"gpu"_s}) {
            const auto [old, now] = both({u"resourcePerInstance"_s, key});
            differ(old, now, old == "(none)"_L1 ? (key == "gpu"_L1 ? u"0"_s : u"1"_s) : old,
                u"missing numbers become the old defaults"_s, key);
        }
        const Value *oldPorts = partAt(theirs, {u"resourcePerInstance"_s, u"ports"_s});
        const Value *newPorts = partAt(ours, {u"resourcePerInstance"_s, u"ports"_s});
        if (oldPorts && oldPorts->asMap() && oldPorts->asMap()->isEmpty()) {
            require(!newPorts, u"ports"_s);
            ++differences[u"no empty map of ports"_s];
        } else if (oldPorts || newPorts) {
            require(oldPorts && newPorts && *oldPorts == *newPorts, u"ports"_s);
        }
        const auto [oldShm, shm] = both({u"extraContainerOptions"_s, u"shmMB"_s});
        expect(oldShm, shm, u"shmMB"_s);
        QString command = textAt(theirs, {u"commands"_s, u"0"_s});
        const QString oldCommand = command;
        for (qsizetype i = 0; i < oldNames.size(); ++i) {
            command = legacy::renameRoleVariables(command, oldNames.at(i), newNames.at(i));
        }
        differ(oldCommand, textAt(ours, {u"commands"_s, u"0"_s}), command, u"variables follow the names of roles"_s,
            u"command"_s);
        const QMap<QString, QString> names{{u"dockerImage"_s, u"image"_s}, {u"data"_s, u"data"_s},
            {u"output"_s, u"output"_s}, {u"script"_s, u"code"_s}};
        for (auto it = names.begin(); it != names.end(); ++it) {
            const auto [old, now] = both({it.key()});
            differ(
                old, now, old == "default"_L1 ? it.value() : old, u"prerequisites have names of their own"_s, it.key());
        }
    }

    void commandsBefore(const Value &theirs, const Value &ours, const QString &oldRole, const QString &role)
    {
        const Value *their = partAt(theirs, {u"deployments"_s, u"0"_s, u"taskRoles"_s, oldRole, u"preCommands"_s});
        const Value *our = partAt(ours, {u"deployments"_s, u"0"_s, u"taskRoles"_s, role, u"preCommands"_s});
        require(their && our, u"preCommands"_s);
        if (!their || !our) {
            return;
        }
        QStringList now;
        for (const Value &line : *our->asList()) {
            now.append(line.toText());
        }
        require(now.first() == "set +o errexit +o nounset +o pipefail"_L1, u"shell options"_s);
        --same;
        ++differences[u"commands run without errexit, as they did"_s];
        for (const Value &value : *their->asList()) {
            const QString line = value.toText();
            if (line.startsWith("echo \"[WARNING] Compatibility"_L1)) {
                ++differences[u"no warning: the result is a job of version 2"_s];
                continue;
            }
            if (now.contains(line)) {
                ++same;
                continue;
            }
            // export NAME=value, where ours has quotes around the value.
            const QString name = line.section(u'=', 0, 0);
            const QString text = line.section(u'=', 1);
            const bool quoted = now.contains(QString(name + u"=\""_s + text + u'"'))
                || now.contains(QString(name + u"='"_s + text + u'\''));
            require(quoted, line);
            --same;
            ++differences[u"exports quote their values"_s];
        }
    }

    QString m_name;
};

} // namespace

// Where the data is at hand: every recorded job of version 1 beside what a server made of it.
class TstLegacyRecorded : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedConversions_data();
    void recordedConversions();
};

void TstLegacyRecorded::recordedConversions_data()
{
    QTest::addColumn<QStringList>("old");
    QTest::addColumn<QStringList>("recorded");
    const QString root = shareddata::folder();
    QStringList old;
    QStringList recorded;
    for (const QString &file : shareddata::files(u"vectors/converter_*.v1.json"_s)) {
        old.append(file);
        recorded.append(QString(file).replace(u".v1.json"_s, u".yaml"_s));
    }
    QTest::newRow("the converter's own tests") << old << recorded;
    old.clear();
    recorded.clear();
    for (const QString &file : shareddata::files(u"corpus/v1/*.json"_s)) {
        old.append(file);
        recorded.append(root + u"/vectors/v1_to_v2/"_s + QFileInfo(file).completeBaseName() + u".yaml"_s);
    }
    QTest::newRow("real jobs") << old << recorded;
}

void TstLegacyRecorded::recordedConversions()
{
    QFETCH(QStringList, old);
    QFETCH(QStringList, recorded);
    if (shareddata::folder().isEmpty()) {
        QSKIP("There is no reference data: set TRAINYARD_SHARED to its folder.");
    }
    QVERIFY(!old.isEmpty());
    Comparison comparison;
    int valid = 0;
    int findings = 0;
    for (qsizetype i = 0; i < old.size(); ++i) {
        const QString name = QFileInfo(old.at(i)).fileName();
        const JobImport result = importLegacyJob(shareddata::read(old.at(i)));
        QVERIFY2(!result.hasErrors() && !result.yaml.isEmpty(), qPrintable(name + u": "_s + codes(result)));
        findings += int(result.report.size());
        const ParseOutcome outcome = parseJob(result.yaml);
        QVERIFY2(outcome.canRun(), qPrintable(name));
        QVERIFY2(parseJob(result.yaml, CheckMode::Strict).canRun(), qPrintable(name));
        ++valid;
        const QByteArray yaml = shareddata::read(recorded.at(i));
        QVERIFY2(!yaml.isEmpty(), qPrintable(recorded.at(i)));
        comparison.job(parsed(yaml), parsed(result.yaml), name);
    }
    for (auto it = comparison.differences.begin(); it != comparison.differences.end(); ++it) {
        qInfo("  %4d %s", it.value(), qPrintable(it.key()));
    }
    qInfo(
        "%d conversions, all of them accepted by a server of version 2; %d values the same, %d differ for the "
        "reasons above, %d unexplained; %d findings reported",
        valid, comparison.same,
        [&] {
            int sum = 0;
            for (const int count : std::as_const(comparison.differences)) {
                sum += count;
            }
            return sum;
        }(),
        int(comparison.unexplained.size()), findings);
    QVERIFY2(comparison.unexplained.isEmpty(), qPrintable(comparison.unexplained.mid(0, 20).join(u'\n')));
}

TRAINYARD_TEST(TstLegacyRecorded)
#include "tst_legacyrecorded.moc"
