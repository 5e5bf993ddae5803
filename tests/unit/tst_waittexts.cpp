// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QDateTime>
#include <QJsonArray>
#include <QLocale>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QJsonObject endsOf(const QJsonArray &jobs, bool any = false) { return {{u"ends"_s, jobs}, {u"any"_s, any}}; }

} // namespace

// Why a job waits, and what would have to happen.
class TstWaitTexts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void queue();
    void clusters();
    void gpus();
    void heldHosts();
    void peers();
    void rulesForHosts();
    void memory();
    void ports();
    void notesOfHosts();
    void runtimes();
};

void TstWaitTexts::initTestCase() { QLocale::setDefault(QLocale::c()); }

void TstWaitTexts::queue()
{
    QVERIFY(waitDetails(u"wait.queue-far"_s, {{u"ahead"_s, 200}}).isEmpty());
    QCOMPARE(
        waitDetails(u"wait.queue"_s,
            {{u"ahead"_s, 2}, {u"job"_s, 15}, {u"ways"_s, QJsonArray{endsOf({15})}}, {u"before"_s, QJsonArray{15}}}),
        (QStringList{u"There is room for it, but it could hold up #15."_s,
            u"It can start when tasks of #15 end, or it is moved before #15 ('trainyardctl move')."_s,
            u"First in the queue, and so the first to take what becomes free: #15."_s}));
    QVERIFY(waitDetails({}, {}).isEmpty());
    const QJsonObject elsewhere = withHostLabels({{u"elsewhere"_s, QJsonArray{u"b"_s, u"c"_s}}}, {{u"b"_s, u"Bee"_s}});
    const QStringList other = waitDetails(u"wait.memory"_s, elsewhere);
    QCOMPARE(other.size(), 1);
    QVERIFY2(
        other.first().startsWith(u"There is room for it on Bee and c, "_s) && other.first().contains(u"'--on any'"_s),
        qPrintable(other.first()));
}

void TstWaitTexts::clusters()
{
    QVERIFY(waitDetails(u"wait.slurm-silent"_s, {{u"target"_s, u"slurm:lab"_s}}).isEmpty());
    QCOMPARE(waitDetails(u"wait.slurm-silent"_s,
                 {{u"target"_s, u"slurm:lab"_s}, {u"detail"_s, u"Could not establish a configuration source"_s}}),
        QStringList{u"Its command says: Could not establish a configuration source."_s});
    const QJsonObject ofOpenPai{{u"target"_s, u"openpai:pai"_s}, {u"detail"_s, u"HTTP 200"_s}};
    QCOMPARE(waitDetails(u"stop.target-unsure"_s, ofOpenPai), QStringList{u"What came back: HTTP 200."_s});
    QCOMPARE(waitDetails(u"job.slurm-unaccounted"_s, {{u"detail"_s, u"Connection refused"_s}}),
        QStringList{u"Its command says: Connection refused."_s});
    const QJsonObject line{{u"target"_s, u"slurm:lab"_s}, {u"reason"_s, u"Priority"_s}, {u"partition"_s, u"gpu"_s},
        {u"position"_s, 3}, {u"length"_s, 17}};
    const QString position = u"Its position in the queue of the partition gpu is 3 of 17."_s;
    QCOMPARE(waitDetails(u"wait.slurm-priority"_s, line), QStringList{position});
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QJsonObject expected = line;
    expected.insert(u"start"_s, now + 3'600'000);
    QCOMPARE(waitDetails(u"wait.slurm-priority"_s, expected),
        (QStringList{position,
            u"The cluster expects it to start at %1. Other jobs can change that."_s.arg(
                formatTime(now + 3'600'000, now))}));
    expected.insert(u"start"_s, now - 1000); // what it expected has not come true
    QCOMPARE(waitDetails(u"wait.slurm-priority"_s, expected), QStringList{position});
    QVERIFY(waitDetails(u"wait.slurm-resources"_s, {{u"target"_s, u"slurm:lab"_s}}).isEmpty());
    const qint64 soon = QDateTime::currentMSecsSinceEpoch() + 600'000;
    const QStringList tried
        = waitDetails(u"wait.slurm-submit-limit"_s, {{u"target"_s, u"slurm:lab"_s}, {u"next"_s, soon}});
    QCOMPARE(tried.size(), 1);
    QVERIFY2(tried.constFirst().startsWith(u"The next try is at "_s), qPrintable(tried.constFirst()));
    // Between the start that Slurm tells and that of the first task.
    QJsonObject preparing{{u"target"_s, u"slurm:lab"_s}, {u"began"_s, now - 60'000}};
    QVERIFY(reasonText(u"wait.slurm-preparing"_s, preparing).startsWith("slurm:lab has started it, and"_L1));
    QCOMPARE(waitDetails(u"wait.slurm-preparing"_s, preparing),
        QStringList{u"The cluster started it at %1."_s.arg(formatTime(now - 60'000, now))});
    QCOMPARE(waitDetails(u"wait.slurm-resources"_s, {{u"number"_s, u"12_3"_s}}),
        QStringList{u"Its number there is 12_3."_s});
    QVERIFY(waitDetails(u"wait.slurm-taken"_s, {{u"number"_s, u"12"_s}}).isEmpty()); // the sentence has it
    QVERIFY(reasonText(u"wait.slurm-taken"_s, {{u"target"_s, u"slurm:lab"_s}, {u"number"_s, u"12"_s}})
                .contains("its number is 12"_L1));
    QJsonObject onSeveral = preparing;
    onSeveral.insert(u"nodes"_s, u"n1, n2, n3"_s);
    QVERIFY(reasonText(u"wait.slurm-preparing"_s, onSeveral)
                .startsWith("slurm:lab has started it on n1, n2, n3, which prepare its tasks:"_L1));
    preparing.insert(u"node"_s, u"n1"_s);
    QVERIFY(reasonText(u"wait.slurm-preparing"_s, preparing).startsWith("slurm:lab has started it on n1,"_L1));
    QVERIFY(
        reasonText(u"wait.slurm-job-time-limit"_s, {{u"target"_s, u"slurm:lab"_s}, {u"minutes"_s, 17}, {u"spare"_s, 6}})
            .contains("asks for 17 minutes"_L1));
}

void TstWaitTexts::gpus()
{
    const QJsonArray hosts{
        QJsonObject{{u"host"_s, u"ws"_s}, {u"free"_s, 1}, {u"total"_s, 8}, {u"foreign"_s, 2}, {u"held"_s, 1},
            {u"excluded"_s, 1}, {u"hours"_s, 1}, {u"until"_s, u"18:00"_s}, {u"jobs"_s, QJsonArray{3, 7}}},
        QJsonObject{{u"host"_s, u"lab"_s}, {u"free"_s, 0}, {u"total"_s, 0}, {u"jobs"_s, QJsonArray()}}};
    QCOMPARE(waitDetails(u"wait.gpu"_s, {{u"hosts"_s, hosts}}),
        (QStringList{u"ws: 1 of 8 GPUs free; in use by #3, #7; 2 used by other programs; 1 locked by another engine; "
                     "1 of them kept until 18:00; 1 never for jobs"_s,
            u"lab: 0 of 0 GPUs free"_s})); // nobody can tell what is enough
    QJsonObject both = endsOf({3, 5, 7});
    both.insert(u"foreign"_s, true);
    const QJsonArray ways{
        both, QJsonObject{{u"held"_s, true}, {u"hours"_s, true}, {u"foreign"_s, true}}, QJsonObject{{u"held"_s, true}}};
    QCOMPARE(waitDetails(u"wait.gpu"_s, {{u"hosts"_s, hosts}, {u"ways"_s, ways}}).last(),
        u"It can start when tasks of #3, #5 and #7 end and other programs leave the GPUs (or the setting "
        "gpu.foreignIsBusy is off), or other programs leave the GPUs (or the setting gpu.foreignIsBusy is off), "
        "tasks of another engine end and it is 18:00 (setting gpu.keepHours), or tasks of another engine end."_s);
    const QJsonArray lost{QJsonObject{{u"host"_s, u"ws"_s}, {u"free"_s, 1}, {u"total"_s, 3}, {u"lost"_s, QJsonArray{2}},
        {u"jobs"_s, QJsonArray{3, 7, 9}}}};
    const QJsonObject back{{u"lost"_s, QJsonArray{QJsonObject{{u"host"_s, u"ws"_s}, {u"index"_s, 2}}}}};
    QCOMPARE(waitDetails(u"wait.gpu"_s, {{u"hosts"_s, lost}, {u"ways"_s, QJsonArray{endsOf({3, 7}, true), back}}}),
        (QStringList{u"ws: 1 of 3 GPUs free; in use by #3, #7, #9; lost: GPU 2"_s,
            u"It can start when one of #3, #7 ends, or GPU 2 of ws is listed by its driver again."_s}));
    QCOMPARE(waitDetails(u"wait.gpu"_s, {{u"hosts"_s, QJsonArray()}, {u"ways"_s, QJsonArray{endsOf({3})}}}),
        QStringList{u"It can start when tasks of #3 end."_s});
    QCOMPARE(reasonText(u"wait.gpu-memory"_s, {{u"wantedMiB"_s, 9385}, {u"wanted"_s, 4}, {u"have"_s, 3}}),
        u"Waits for GPU memory: 9.2 GiB on each of 4 GPUs of one host wanted, 3 GPUs have this much left."_s);
    QVERIFY(reasonText(u"refuse.gpu"_s,
        {{u"role"_s, u"main"_s}, {u"wanted"_s, 4}, {u"most"_s, 3}, {u"host"_s, u"ws"_s}, {u"excluded"_s, 1},
            {u"excludedHost"_s, u"ws"_s}})
                .contains("gpu.exclude and gpu.keepHours keep 1 GPU of ws from jobs"_L1));
}

void TstWaitTexts::heldHosts()
{
    // What keeps new tasks from a host stands with it.
    const auto held = [](const QString &code, const QJsonObject &args) {
        return QJsonObject{{u"code"_s, code}, {u"args"_s, args}};
    };
    const QJsonArray kept{QJsonObject{{u"host"_s, u"ws"_s}, {u"free"_s, 1}, {u"total"_s, 1}, {u"jobs"_s, QJsonArray()},
                              {u"hold"_s, held(u"wait.drained"_s, {{u"host"_s, u"ws"_s}})}},
        QJsonObject{{u"host"_s, u"lab"_s}, {u"free"_s, 0}, {u"total"_s, 1}, {u"jobs"_s, QJsonArray()},
            {u"quarantined"_s, QJsonArray{0}}, {u"hold"_s, held(u"wait.closed"_s, {{u"until"_s, u"Mon 07:00"_s}})}}};
    QCOMPARE(waitDetails(u"wait.gpu"_s, {{u"hosts"_s, kept}}),
        (QStringList{u"ws: 1 of 1 GPUs free; drained: nothing new starts there"_s,
            u"lab: 0 of 1 GPUs free; in quarantine: GPU 0; nothing new starts there before Mon 07:00"_s}));
    QCOMPARE(reasonText(u"wait.host"_s, {{u"host"_s, u"lab"_s}}),
        u"Waits for lab, to which there is no connection at the moment."_s);
    QCOMPARE(reasonText(u"wait.host"_s, {{u"host"_s, u"lab"_s}, {u"connecting"_s, true}}),
        u"Waits for lab; the connection to it is being made."_s);
    QCOMPARE(reasonText(u"wait.host"_s, {{u"host"_s, QString()}, {u"connecting"_s, true}}),
        u"Waits for a host; the connection to one is being made."_s);
    // What only hosts could run to which there is no connection.
    const QJsonObject several{{u"host"_s, QString()}, {u"hosts"_s, QJsonArray{u"lab"_s, u"far"_s}}};
    QCOMPARE(reasonText(u"wait.host"_s, several),
        u"Waits for lab, far, to which there is no connection at the moment: the hosts that can be reached are not "
        "enough for it."_s);
    QCOMPARE(waitDetails(u"wait.host"_s, several),
        QStringList{u"'trainyardctl hosts check lab far' says why, and tries again at once."_s});
    QCOMPARE(reasonText(u"wait.host"_s, withHostLabels(several, {{u"lab"_s, u"Lab 3"_s}})).left(21),
        u"Waits for Lab 3, far,"_s);
    QVERIFY(waitDetails(u"wait.host"_s, {{u"host"_s, u"lab"_s}, {u"connecting"_s, true}}).isEmpty());
    QVERIFY(waitDetails(u"wait.host"_s, {{u"host"_s, u"local"_s}}).isEmpty());
    QVERIFY(reasonText(u"wait.host"_s, {{u"host"_s, QString()}, {u"hosts"_s, QJsonArray{u"local"_s}}})
                .contains(u"this computer"_s));
    QJsonObject stop{{u"host"_s, u"lab"_s}, {u"until"_s, qint64(1'700'000'000'000)}};
    QVERIFY(reasonText(u"stop.host-away"_s, stop).startsWith(u"lab cannot be reached,"_s));
    stop.insert(u"connecting"_s, true);
    QVERIFY(reasonText(u"stop.host-away"_s, stop).startsWith(u"The connection to lab is being made,"_s));
    // What was never started there does not go on there.
    QJsonObject away{{u"host"_s, u"lab"_s}, {u"code"_s, u"host.cut"_s}, {u"since"_s, qint64(1'700'000'000'000)}};
    QVERIFY(reasonText(u"job.host-out-of-reach"_s, away).contains(u"may still be running"_s));
    QVERIFY(waitDetails(u"job.host-out-of-reach"_s, away).value(0).contains(u"the log continues"_s));
    away.insert(u"unstarted"_s, true);
    for (const QString &why : {u"host.cut"_s, u"host.needs-login"_s, u"host.key-changed"_s}) {
        away.insert(u"code"_s, why);
        for (const QString &code : {u"job.host-out-of-reach"_s, u"job.host-connecting"_s}) {
            const QString text = reasonText(code, away);
            QVERIFY2(text.contains(u"Nothing of the job runs there yet"_s), qPrintable(text));
            QVERIFY2(!text.contains(u"still be running"_s), qPrintable(text));
        }
    }
    QVERIFY(!waitDetails(u"job.host-out-of-reach"_s, away).value(0).contains(u"log"_s));
    for (const QString &code : {u"wait.host"_s, u"job.helper-begins"_s}) { // this computer is always in reach
        const QString text = reasonText(code, {{u"host"_s, u"local"_s}, {u"code"_s, QString()}});
        QVERIFY2(text.contains(u"this computer"_s) && !text.contains(u"local"_s), qPrintable(text));
    }
}

void TstWaitTexts::peers()
{
    QJsonObject apart{{u"host"_s, u"ws"_s}, {u"other"_s, u"lab"_s}, {u"address"_s, u"10.1.0.2"_s},
        {u"how"_s, u"silent"_s}, {u"minutes"_s, 2}};
    QVERIFY(reasonText(u"wait.peers"_s, apart).endsWith(u"It is tried again each minute."_s));
    apart.insert(u"what"_s, u"alone"_s);
    QVERIFY(
        reasonText(u"wait.peers"_s, apart).contains(u"ws does not reach lab at 10.1.0.2, and no other hosts fit."_s));
    QVERIFY(reasonText(u"wait.peers"_s, apart).contains(u"It is tried again 2 minutes after the last time"_s));
    apart.insert(u"what"_s, u"others-busy"_s);
    QVERIFY(reasonText(u"wait.peers"_s, apart).contains(u"and the other hosts that fit have no room now."_s));
}

void TstWaitTexts::rulesForHosts()
{
    QJsonObject rule{{u"role"_s, u"w"_s}, {u"what"_s, u"labels"_s}, {u"labels"_s, QJsonArray{u"a100"_s, u"new"_s}},
        {u"tasks"_s, 4}, {u"away"_s, QJsonArray{u"lab"_s}}, {u"ways"_s, QJsonArray{endsOf({3})}}};
    QCOMPARE(reasonText(u"wait.hosts"_s, rule),
        u"Waits for a host with the labels that w asks for: a100, new. Others would have room."_s);
    QCOMPARE(waitDetails(u"wait.hosts"_s, rule), QStringList{u"It can start when tasks of #3 end."_s});
    rule.insert(u"what"_s, u"same-host"_s);
    QVERIFY(reasonText(u"wait.hosts"_s, rule).contains(u"room for 4 tasks of w,"_s));
    rule.insert(u"what"_s, u"away"_s);
    QVERIFY(reasonText(u"wait.hosts"_s, rule).endsWith(u"there is no connection to lab at the moment."_s));
    QCOMPARE(waitDetails(u"wait.hosts"_s, rule).last(),
        u"'trainyardctl hosts check lab' says why, and tries again at once."_s);
    rule.insert(u"connecting"_s, true);
    QVERIFY(reasonText(u"wait.hosts"_s, rule).endsWith(u"the connection to lab is being made."_s));
    rule.insert(u"what"_s, u"something else"_s);
    QVERIFY(reasonText(u"wait.hosts"_s, rule).contains(u"extras.trainyard.hosts"_s));
    QVERIFY(reasonText(
        u"refuse.hosts"_s, {{u"role"_s, u"w"_s}, {u"what"_s, u"labels"_s}, {u"missing"_s, QJsonArray{u"a100"_s}}})
                .startsWith(u"No host on which tasks of w may run has the label a100."_s));
}

void TstWaitTexts::memory()
{
    QJsonArray many;
    for (int i = 1; i <= 8; ++i) {
        many.append(i);
    }
    const QJsonArray shared{QJsonObject{{u"host"_s, u"ws"_s}, {u"free"_s, 0}, {u"total"_s, 2}, {u"shared"_s, 2},
        {u"roomMiB"_s, 3000}, {u"jobs"_s, QJsonArray{3}}}};
    QCOMPARE(waitDetails(u"wait.gpu-memory"_s, {{u"hosts"_s, shared}, {u"ways"_s, QJsonArray{endsOf({3})}}}),
        (QStringList{u"ws: 0 of 2 GPUs free; in use by #3; 2 shared, with 2.9 GiB left on one"_s,
            u"It can start when tasks of #3 end."_s}));
    const QJsonArray memory{
        QJsonObject{{u"host"_s, u"ws"_s}, {u"freeMiB"_s, 500}, {u"totalMiB"_s, 8000}, {u"jobs"_s, many}}};
    QCOMPARE(waitDetails(u"wait.memory"_s, {{u"hosts"_s, memory}, {u"ways"_s, QJsonArray{endsOf(many)}}}),
        (QStringList{u"ws: 500 MiB of 7.8 GiB free; in use by #1, #2, #3, #4, #5, #6 and 2 more"_s,
            u"It can start when tasks of #1, #2, #3, #4, #5, #6 and 2 more end."_s}));
    // Figures of the only host are not said twice.
    QJsonObject alone{{u"wantedMiB"_s, 20000}, {u"freeMiB"_s, 18985}, {u"totalMiB"_s, 22057},
        {u"hosts"_s,
            QJsonArray{QJsonObject{
                {u"host"_s, u"ws"_s}, {u"freeMiB"_s, 18985}, {u"totalMiB"_s, 22057}, {u"jobs"_s, QJsonArray{1}}}}},
        {u"ways"_s, QJsonArray{endsOf({1})}}};
    QCOMPARE(reasonText(u"wait.memory"_s, alone), u"Waits for 19.5 GiB of memory; 18.5 GiB of 21.5 GiB are free."_s);
    QCOMPARE(waitDetails(u"wait.memory"_s, alone), QStringList{u"It can start when tasks of #1 end."_s});
    // More is wanted than is free, however little more.
    alone.insert(u"wantedMiB"_s, 18990);
    QCOMPARE(reasonText(u"wait.memory"_s, alone), u"Waits for 18990 MiB of memory; 18985 MiB of 21.5 GiB are free."_s);
}

void TstWaitTexts::ports()
{
    const QJsonArray ports{QJsonObject{{u"host"_s, u"ws"_s}, {u"port"_s, 5000}, {u"job"_s, 3}},
        QJsonObject{{u"host"_s, u"ws"_s}, {u"port"_s, 5001}, {u"job"_s, 3}}};
    QCOMPARE(waitDetails(u"wait.port"_s, {{u"hosts"_s, ports}, {u"ways"_s, QJsonArray{endsOf({3})}}}),
        (QStringList{u"ws: port 5000 in use by #3"_s, u"ws: port 5001 in use by #3"_s,
            u"It can start when tasks of #3 end."_s}));
    QJsonArray manyPorts;
    for (int i = 0; i < 50; ++i) {
        manyPorts.append(QJsonObject{{u"host"_s, u"ws"_s}, {u"port"_s, 5000 + i}, {u"job"_s, 3}});
    }
    const QStringList ofMany = waitDetails(
        u"wait.port"_s, {{u"hosts"_s, manyPorts}, {u"more"_s, 250}, {u"ways"_s, QJsonArray{endsOf({3})}}});
    QCOMPARE(ofMany.at(ofMany.size() - 2), QString::number(300 - (ofMany.size() - 2)) + u" more ports"_s);
    QVERIFY2(ofMany.size() <= 10, qPrintable(ofMany.join(u'\n')));
    QCOMPARE(ofMany.last(), u"It can start when tasks of #3 end."_s);
}

void TstWaitTexts::notesOfHosts()
{
    HostInfo host;
    host.gpus = {GpuInfo(), GpuInfo()};
    QVERIFY(hostNotes(host).isEmpty());
    host.state = HostState::Online;
    QCOMPARE(hostStateText(host), u"online"_s);
    host.drained = true;
    QCOMPARE(hostStateText(host), u"online, drained"_s);
    QCOMPARE(hostStateAndUse(host), u"online, drained"_s);
    QCOMPARE(hostNotes(host), QStringList{u"It is drained: nothing new starts there."_s});
    host.tasks = 2;
    QCOMPARE(hostStateText(host), u"online, draining"_s);
    QCOMPARE(hostNotes(host), QStringList{u"It is draining: nothing new starts there, and 2 tasks go on."_s});
    host.drained = false;
    host.hold = u"wait.disk"_s;
    host.holdArgs = {{u"host"_s, u"lab3"_s}, {u"wantedMiB"_s, 512}};
    QCOMPARE(hostNotes(host).size(), 1);
    QVERIFY2(hostNotes(host).first().startsWith(u"The disk of lab3 is nearly full: no task starts there while less "
                                                "than 512 MiB are free."),
        qPrintable(hostNotes(host).first()));
    host.hold = u"wait.closed"_s;
    host.holdArgs = {{u"until"_s, u"17:00"_s}, {u"hours"_s, u"09:00-17:00"_s}};
    QCOMPARE(hostStateText(host), u"online, closed until 17:00"_s);
    host.quarantines = {{u"GPU-x"_s, 1, u"gpu-lost"_s, 5, {{3, u"w/0"_s, 1}, {4, u"w/1"_s, 2}}}};
    QCOMPARE(hostNotes(host).size(), 2);
    QVERIFY2(
        hostNotes(host).last().contains(u"2 tries in a row failed there. The GPU was lost while they ran: #3 w/0"_s),
        qPrintable(hostNotes(host).last()));
    host.hold.clear();
    host.quarantines.clear();
    host.gpus[1].index = 1;
    host.gpus[1].kept = u"mig"_s;
    QCOMPARE(hostNotes(host).size(), 1);
    QVERIFY(hostNotes(host).first().startsWith(u"MIG is on for GPU 1,"));
    host.gpus[1].kept = u"lost"_s;
    QVERIFY(hostNotes(host).value(0).startsWith(u"GPU 1 was lost"));
    host.gpus[1].kept = u"missing"_s;
    QVERIFY(hostNotes(host).value(0).startsWith(u"GPU 1 is lost"));
    host.gpus.clear();
    host.id = u"lab1"_s;
    host.check = StepState::Passed;
    QVERIFY(hostNotes(host).isEmpty());
    host.check = StepState::Failed;
    host.checkError = u"host.name-unknown"_s;
    host.checkErrorArgs = {{u"host"_s, u"lab1"_s}};
    QCOMPARE(hostNotes(host).size(), 1);
    QVERIFY2(hostNotes(host).first().startsWith(u"The last check could make no new connection to lab1: ")
            && hostNotes(host).first().endsWith(u". The connection in use still answers."),
        qPrintable(hostNotes(host).first()));
    host.state = HostState::Offline; // which is worse
    QVERIFY(hostNotes(host).isEmpty());
}

void TstWaitTexts::runtimes()
{
    QJsonArray runtimes{QJsonObject{{u"host"_s, u"ws"_s}, {u"has"_s, false}, {u"away"_s, false}},
        QJsonObject{{u"host"_s, u"lab"_s}, {u"has"_s, true}, {u"away"_s, true}}};
    QCOMPARE(waitDetails(u"wait.runtime"_s, {{u"runIn"_s, u"podman"_s}, {u"hosts"_s, runtimes}}),
        (QStringList{u"ws: podman is not installed"_s, u"lab: cannot be reached now"_s,
            u"It can start when lab can be reached."_s}));
    runtimes.removeLast();
    QCOMPARE(waitDetails(u"wait.runtime"_s, {{u"runIn"_s, u"podman"_s}, {u"hosts"_s, runtimes}}).last(),
        u"It can start when podman is installed and the host has been checked again ('trainyardctl hosts check')."_s);
    runtimes.append(QJsonObject{{u"host"_s, u"new"_s}, {u"has"_s, false}, {u"away"_s, true}, {u"unknown"_s, true}});
    const QStringList lines = waitDetails(u"wait.runtime"_s, {{u"runIn"_s, u"podman"_s}, {u"hosts"_s, runtimes}});
    QVERIFY(lines.contains(u"new: cannot be reached now, and may have podman"_s));
    QCOMPARE(lines.last(), u"'trainyardctl hosts check new' says why, and tries again at once."_s);
    const QJsonObject silent{{u"runIn"_s, u"docker"_s},
        {u"hosts"_s,
            QJsonArray{
                QJsonObject{{u"host"_s, u"lab"_s}, {u"has"_s, false}, {u"away"_s, false}, {u"silent"_s, true}}}}};
    QCOMPARE(reasonText(u"wait.runtime"_s, silent), u"Waits for docker: the Docker daemon does not answer on lab."_s);
    QCOMPARE(waitDetails(u"wait.runtime"_s, silent),
        (QStringList{u"lab: the Docker daemon does not answer"_s,
            u"It can start when the daemon answers on lab; it is asked every few seconds."_s}));
}

TRAINYARD_TEST(TstWaitTexts)
#include "tst_waittexts.moc"
