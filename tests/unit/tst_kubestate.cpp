// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/kubeoptions.h"
#include "engine/clusters/kubeanswer.h"
#include "engine/clusters/kubebook.h"
#include "engine/clusters/kubelog.h"
#include "engine/clusters/kubestate.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <signal.h>
#include <sys/resource.h>

#include <limits>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What kubectl says of a cluster, and what it means for tries.
class TstKubeState : public QObject
{
    Q_OBJECT

    static QMap<QString, kube::Set> recorded()
    {
        QFile file(qEnvironmentVariable("TRAINYARD_SOURCE") + u"/tests/data/kubernetes/jobsets-and-pods.json"_s);
        if (!file.open(QIODevice::ReadOnly)) {
            return {};
        }
        return kube::setsOf(file.readAll()).value_or(QMap<QString, kube::Set>());
    }
    static kube::Pod pod(const QString &phase)
    {
        kube::Pod made;
        made.name = u"p"_s;
        made.phase = phase;
        made.node = u"gpu-1"_s;
        return made;
    }
    static kube::Pod ended(int status, const QString &why, const QString &message = {})
    {
        kube::Pod made = pod(status == 0 ? u"Succeeded"_s : u"Failed"_s);
        made.exitCode = status;
        made.ended = why;
        made.endedWhy = message;
        made.started = 1000;
        made.finished = 5000;
        return made;
    }

private Q_SLOTS:
    void beforeCall_data()
    {
        QTest::addColumn<QByteArray>("errors");
        QTest::addColumn<QByteArray>("out");
        QTest::addColumn<bool>("isBefore");
        const QByteArray refused
            = "The connection to the server lab:6443 was refused - did you specify the right host or port?\n";
        QTest::newRow("refused") << refused << QByteArray() << true;
        QTest::newRow("late") << QByteArray("Unable to connect to the server: dial tcp 10.1.2.3:6443: i/o timeout\n")
                              << QByteArray() << true;
        QTest::newRow("no such host") << QByteArray(
            "Unable to connect to the server: dial tcp: lookup lab: no such host\n")
                                      << QByteArray() << true;
        QTest::newRow("an answer is lost")
            << QByteArray("Unable to connect to the server: unexpected EOF\n") << QByteArray() << false;
        QTest::newRow("an answer is lost, and then it is refused")
            << QByteArray("error when creating \"STDIN\": Post \"https://lab\": EOF\n" + refused) << QByteArray()
            << false;
        QTest::newRow("a part is made") << refused << QByteArray("configmap/ty-1-script created\n") << false;
        QTest::newRow("nothing") << QByteArray() << QByteArray() << false;
    }
    void beforeCall()
    {
        QFETCH(QByteArray, errors);
        QFETCH(QByteArray, out);
        QFETCH(bool, isBefore);
        QCOMPARE(kube::isBeforeCall({kube::Answer::Kind::Done, 1, out, errors}), isBefore);
        QVERIFY(kube::isBeforeCall({kube::Answer::Kind::Missing, -1, {}, {}}));
        QVERIFY(!kube::isBeforeCall({kube::Answer::Kind::TimedOut, -1, out, errors}));
    }

    void options_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("code");
        QTest::newRow("none") << u"default"_s << QStringList() << QString();
        QTest::newRow("two") << u"--context=lab --namespace ml"_s
                             << QStringList{u"--context=lab"_s, u"--namespace=ml"_s} << QString();
        QTest::newRow("short") << u"-n ml"_s << QStringList{u"--namespace=ml"_s} << QString();
        QTest::newRow("short, together") << u"-nml"_s << QStringList{u"--namespace=ml"_s} << QString();
        QTest::newRow("a blank") << u"--kubeconfig=\"/home/a b/config\""_s
                                 << QStringList{u"--kubeconfig=/home/a b/config"_s} << QString();
        QTest::newRow("a token") << u"--token=abc"_s << QStringList() << u"kubernetes.option"_s;
        QTest::newRow("a word") << u"get"_s << QStringList() << u"kubernetes.option"_s;
        QTest::newRow("no value") << u"--context"_s << QStringList() << u"kubernetes.option-value"_s;
        QTest::newRow("an option as value") << u"--context --as=me"_s << QStringList() << u"kubernetes.option-value"_s;
    }
    void options()
    {
        QFETCH(QString, line);
        QFETCH(QString, code);
        const Result<QStringList> read = kubeOptions(line);
        QCOMPARE(read ? QString() : read.error().code, code);
        QTEST(read.value_or(QStringList()), "options");
    }

    void answers_data()
    {
        QTest::addColumn<QByteArray>("errors");
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("final");
        const auto row = [](const char *name, const char *errors, const char *code, bool isFinal) {
            QTest::newRow(name) << QByteArray(errors) << QString::fromLatin1(code) << isFinal;
        };
        row("expired", "error: You must be logged in to the server (Unauthorized)\n", "kubernetes.unauthorized", false);
        row("may not",
            "Error from server (Forbidden): error when creating \"STDIN\": jobsets.jobset.x-k8s.io is forbidden: User "
            "\"ada\" cannot create resource \"jobsets\" in API group \"jobset.x-k8s.io\" in the namespace \"ml\"\n",
            "kubernetes.forbidden", true);
        row("quota",
            "Error from server (Forbidden): error when creating \"STDIN\": configmaps \"x\" is forbidden: exceeded "
            "quota: small, requested: count/configmaps=1, used: count/configmaps=5, limited: count/configmaps=5\n",
            "kubernetes.quota", false);
        row("no JobSet",
            "error: resource mapping not found for name: \"ty-1\" namespace: \"\" from \"STDIN\": no matches for kind "
            "\"JobSet\" in version \"jobset.x-k8s.io/v1alpha2\"\nensure CRDs are installed first\n",
            "kubernetes.no-jobset", true);
        row("no JobSet to get", "error: the server doesn't have a resource type \"jobsets\"\n", "kubernetes.no-jobset",
            true);
        row("no configuration",
            "E1128 03:00:00.000000 1 memcache.go:265] couldn't get current server API group list\n"
            "The connection to the server localhost:8080 was refused - did you specify the right host or port?\n",
            "kubernetes.unconfigured", false);
        row("refused", "The connection to the server lab:6443 was refused - did you specify the right host or port?\n",
            "kubernetes.silent", false);
        row("too late", "Unable to connect to the server: net/http: TLS handshake timeout\n", "kubernetes.silent",
            false);
        row("not now", "Error from server (InternalError): etcdserver: request timed out\n", "kubernetes.silent",
            false);
        row("broken off", "error: Post \"https://lab:6443/apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets\": EOF\n",
            "kubernetes.silent", false);
        row("of a proxy",
            "Error from server: error when creating \"STDIN\": an error on the server (\"<html>502 Bad "
            "Gateway</html>\") has prevented the request from succeeding (post jobsets.jobset.x-k8s.io)\n",
            "kubernetes.silent", false);
        row("a page of a proxy", "Error from server (Forbidden): <html><body>Maintenance</body></html>\n",
            "kubernetes.silent", false);
        row("a page instead of an answer", "error: invalid character '<' looking for beginning of value\n",
            "kubernetes.silent", false);
        row("no memory here", "runtime: failed: cannot allocate memory\n", "kubernetes.silent", false);
        row("going away", "Error from server: http2: server sent GOAWAY and closed the connection\n",
            "kubernetes.silent", false);
        row("not checked",
            "error: error validating \"STDIN\": error validating data: failed to download openapi: the server has "
            "asked for nothing\n",
            "kubernetes.silent", false);
        row("no namespace", "Error from server (NotFound): namespaces \"nope\" not found\n", "kubernetes.no-namespace",
            true);
        row("no context", "error: context \"nope\" does not exist\n", "kubernetes.no-context", true);
        row("bad field",
            "Error from server (BadRequest): error when creating \"STDIN\": JobSet in version \"v1alpha2\" cannot be "
            "handled\n",
            "kubernetes.refused", true);
    }
    void answers()
    {
        QFETCH(QByteArray, errors);
        QFETCH(QString, code);
        const kube::Meaning meaning = kube::meaningOf({kube::Answer::Kind::Done, 1, {}, errors});
        QCOMPARE(kube::codeOf(meaning), code);
        QTEST(kube::isFinal(meaning), "final");
        QVERIFY(!kube::detailOf(errors).isEmpty());
        QVERIFY(!kube::detailOf(errors).contains(u"memcache"_s));
    }
    void places_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QStringList>("place");
        const QStringList both{u"--context=lab"_s, u"--namespace=ml"_s};
        QTest::newRow("nothing is said") << QStringList() << QByteArray("lab\nml") << both;
        QTest::newRow("no namespace") << QStringList() << QByteArray("lab\n")
                                      << QStringList{u"--context=lab"_s, u"--namespace=default"_s};
        QTest::newRow("the context is said") << both.first(1) << QByteArray("lab\nml\n") << both;
        QTest::newRow("all is said") << both << QByteArray("lab\nother") << both;
        QTest::newRow("none is current") << QStringList() << QByteArray("\n") << QStringList();
    }
    void places()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, said);
        QTEST(kube::placeOf(options, said), "place");
    }
    void answersThatDoNotCome()
    {
        QCOMPARE(kube::meaningOf({kube::Answer::Kind::Missing, -1, {}, {}}), kube::Meaning::Missing);
        QCOMPARE(kube::meaningOf({kube::Answer::Kind::TimedOut, -1, {}, "Forbidden"}), kube::Meaning::Silent);
        QCOMPARE(kube::meaningOf({kube::Answer::Kind::Done, -1, {}, {}}), kube::Meaning::Silent);
        QCOMPARE(kube::meaningOf({kube::Answer::Kind::Done, 137, {}, "error: it is invalid"}), kube::Meaning::Silent);
        QCOMPARE(kube::meaningOf({kube::Answer::Kind::Done, 1, {}, {}}), kube::Meaning::Silent);
        QCOMPARE(kube::meaningOf({kube::Answer::Kind::Done, 1, {}, "error: it is invalid"}), kube::Meaning::Refused);
        const auto isOfAnyServer = [](const char *said) {
            return kube::isOfAnyServer({kube::Answer::Kind::Done, 1, {}, said});
        };
        QVERIFY(isOfAnyServer("Error from server (NotFound): the server could not find the requested resource\n"));
        QVERIFY(!isOfAnyServer("error: the server doesn't have a resource type \"jobsets\"\n"));
        QCOMPARE(kube::meaningOf({kube::Answer::Kind::Done, 0, {}, "Warning: old"}), kube::Meaning::Good);
    }

    void lists()
    {
        const QMap<QString, kube::Set> sets = recorded();
        QCOMPARE(sets.keys(), (QStringList{u"ty-1"_s, u"ty-2"_s, u"ty-3"_s}));
        const kube::Set &running = sets[u"ty-1"_s];
        QVERIFY(!running.isFailed && !running.isCompleted && !running.isSuspended && !running.isDeleting);
        const kube::Pod *worker = running.pod(u"worker-0"_s, 1);
        QVERIFY(worker);
        QCOMPARE(worker->node, u"gpu-2"_s);
        QCOMPARE(worker->address, u"10.1.0.8"_s);
        QCOMPARE(worker->started, Q_INT64_C(1764298805000));
        QVERIFY(!worker->exitCode.has_value());
        QVERIFY(!running.pod(u"worker-0"_s, 2));
        // Of two pods of one task the newer one counts.
        QCOMPARE(running.pod(u"worker-0"_s, 0)->name, u"ty-1-worker-0-0-0-bbbbb"_s);
        const kube::Set &failed = sets[u"ty-2"_s];
        QVERIFY(failed.isFailed);
        QCOMPARE(failed.message, u"jobset failed due to one or more job failures"_s);
        QCOMPARE(failed.pod(u"main-0"_s, 0)->ended, u"OOMKilled"_s);
        QCOMPARE(failed.pod(u"main-0"_s, 0)->exitCode.value_or(0), 137);
        QVERIFY(sets[u"ty-3"_s].isDeleting); // only its pod is left
        QVERIFY(!kube::setsOf("nonsense"));
        QVERIFY(!kube::setsOf("{\"kind\": \"Status\"}"));
        QVERIFY(kube::setsOf("{\"kind\": \"List\", \"items\": []}")->isEmpty());
    }

    void nodes()
    {
        const QByteArray json
            = R"({"items": [{"status": {"allocatable": {"nvidia.com/gpu": "8"}, "conditions": [{"type": "Ready", "status": "True"}]}},
                {"spec": {"unschedulable": true}, "status": {"allocatable": {"nvidia.com/gpu": "8"}, "conditions": [{"type": "Ready", "status": "True"}]}},
                {"status": {"allocatable": {"cpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]}},
                {"status": {"conditions": [{"type": "Ready", "status": "Unknown"}]}}]})";
        QCOMPARE(kube::nodesOf(json).value_or(kube::Nodes()), (kube::Nodes{4, 2, 8}));
        QVERIFY(!kube::nodesOf("[]"));
    }

    void ends_data()
    {
        QTest::addColumn<kube::Pod>("seen");
        QTest::addColumn<QString>("kind"); // of the record; empty: none
        QTest::addColumn<int>("value");
        QTest::addColumn<int>("code"); // of the cluster; 0: none
        QTest::addColumn<QString>("reason");
        const auto row = [](const char *name, const kube::Pod &seen, const char *kind, int value, int code,
                             const char *reason) {
            QTest::newRow(name) << seen << QString::fromLatin1(kind) << value << code << QString::fromLatin1(reason);
        };
        row("good", ended(0, u"Completed"_s), "exited", 0, 0, "");
        row("bad", ended(3, u"Error"_s), "exited", 3, 0, "");
        row("a failure that is hidden", ended(0, u"Completed"_s, u"7\n"_s), "exited", 7, 0, "");
        row("a success that is said", ended(0, u"Completed"_s, u"0\n"_s), "exited", 0, 0, "");
        row("words of its own", ended(0, u"Completed"_s, u"bye"_s), "exited", 0, 0, "");
        row("out of memory", ended(137, u"OOMKilled"_s), "oom", 0, 0, "");
        row("no bash", ended(128, u"StartError"_s, u"exec: \"bash\": executable file not found in $PATH"_s), "exited",
            128, -300, "kubernetes.not-started");
        kube::Pod evicted = pod(u"Failed"_s);
        evicted.reason = u"Evicted"_s;
        evicted.message = u"The node was low on resource: memory."_s;
        row("evicted", evicted, "lost", 0, -1000, "kubernetes.evicted");
        kube::Pod late = ended(143, u"Error"_s);
        late.reason = u"DeadlineExceeded"_s;
        row("too long", late, "exited", 143, -1004, "kubernetes.time-limit");
        kube::Pod preempted = ended(143, u"Error"_s);
        preempted.disruption = u"PreemptionByScheduler"_s;
        row("preempted", preempted, "exited", 143, -1003, "kubernetes.preempted");
        preempted.disruption = u"EvictionByEvictionAPI"_s;
        row("drained", preempted, "exited", 143, -1003, "kubernetes.drained");
        preempted.disruption = u"DeletionByTaintManager"_s;
        row("its node does not answer", preempted, "exited", 143, -1001, "kubernetes.node-lost");
        kube::Pod good = ended(0, u"Completed"_s);
        good.disruption = u"EvictionByEvictionAPI"_s;
        row("done before it was drained", good, "exited", 0, 0, "");
        row("nothing is known", pod(u"Failed"_s), "lost", 0, -300, "kubernetes.pod-failed");
        row("runs", pod(u"Running"_s), "", 0, 0, "");
        row("waits", pod(u"Pending"_s), "", 0, 0, "");
        row("its node says nothing", pod(u"Unknown"_s), "", 0, 0, "");
    }
    void ends()
    {
        QFETCH(kube::Pod, seen);
        QFETCH(QString, kind);
        const std::optional<kube::PodEnd> end = kube::endOf(seen, u"kubernetes:lab"_s);
        QCOMPARE(end ? QString::fromLatin1(contract::exitKindWord(end->record.kind)) : QString(), kind);
        if (end) {
            QTEST(end->record.value, "value");
            QTEST(end->byCluster ? end->byCluster->code : 0, "code");
            QTEST(end->byCluster ? end->byCluster->reason : QString(), "reason");
        }
    }

    void waits_data()
    {
        QTest::addColumn<QString>("unscheduled");
        QTest::addColumn<QString>("waiting");
        QTest::addColumn<QString>("code");
        QTest::newRow("no room") << u"Unschedulable"_s << QString() << u"wait.kubernetes-room"_s;
        QTest::newRow("gated") << u"SchedulingGated"_s << QString() << u"wait.kubernetes-queue"_s;
        QTest::newRow("image") << QString() << u"ImagePullBackOff"_s << u"wait.kubernetes-image"_s;
        QTest::newRow("no such image") << QString() << u"ErrImagePull"_s << u"wait.kubernetes-image"_s;
        QTest::newRow("secret") << QString() << u"CreateContainerConfigError"_s << u"wait.kubernetes-container"_s;
        QTest::newRow("starting") << QString() << u"ContainerCreating"_s << u"wait.kubernetes-starting"_s;
    }
    void waits()
    {
        QFETCH(QString, unscheduled);
        QFETCH(QString, waiting);
        kube::Pod seen = pod(u"Pending"_s);
        seen.unscheduled = unscheduled;
        seen.waiting = waiting;
        QTEST(kube::waitReason({}, &seen, u"kubernetes:lab"_s).code, "code");
        kube::Set suspended;
        suspended.isSuspended = true;
        QCOMPARE(kube::waitReason(suspended, nullptr, {}).code, u"wait.kubernetes-queue"_s);
        QCOMPARE(kube::waitReason({}, nullptr, {}).code, u"wait.kubernetes-new"_s);
        const kube::Pod running = pod(u"Running"_s);
        QVERIFY(kube::waitReason({}, &running, {}).code.isEmpty());
    }

    void podsThatAreGone()
    {
        kube::Set set;
        QCOMPARE(kube::resultOfGone(set, true, {}).code, -101);
        QCOMPARE(kube::resultOfGone(set, false, {}).code, -300);
        set.isSuspended = true;
        QCOMPARE(kube::resultOfGone(set, true, {}).code, -1003);
    }

    void logLines()
    {
        const QByteArray said
            = "2026-11-28T03:00:00.000000001Z one\n2026-11-28T03:00:00.5Z two words\n"
              "unable to retrieve container logs\n2026-11-28T05:00:01+02:00 \n2026-11-28T03:00:02Z end";
        const qint64 second = 1'000'000'000, begin = Q_INT64_C(1795834800) * second;
        const QList<kube::LogLine> all = kube::logLines(said, true);
        QCOMPARE(all,
            (QList<kube::LogLine>{{begin + 1, "one\n"}, {begin + second / 2, "two words\n"}, {begin + second, "\n"},
                {begin + 2 * second, "end"}}));
        QCOMPARE(kube::logLines(said, false).size(), 3);
        QCOMPARE(kube::newLines(all, begin + second / 2), all.mid(2));
        QCOMPARE(kube::newLines(all, begin + 2), all.mid(1)); // its own line is gone
        QCOMPARE(kube::newLines(all, 0), all);
        QVERIFY(kube::newLines(all, begin + 2 * second).isEmpty());
        QVERIFY(kube::logLines({}, true).isEmpty());
        // The clock of the node was set back behind the second line, and a time has been there twice.
        const QList<kube::LogLine> back{{30, "a\n"}, {40, "b\n"}, {10, "c\n"}, {20, "d\n"}, {40, "e\n"}, {41, "f\n"}};
        QCOMPARE(kube::newLines(back.first(4), 40), back.mid(2, 2));
        QCOMPARE(kube::newLines(back, 20), back.mid(4));
        QCOMPARE(kube::newLines(back, 40), back.mid(5));
        QVERIFY(kube::hasTime(back, 20) && !kube::hasTime(back, 25));
        // A clock that nobody has: it is no time, and no line is after it.
        QVERIFY(kube::logLines("9999-12-31T23:59:59Z x\n1960-01-01T00:00:00Z y\n", true).isEmpty());
        QCOMPARE(kube::sinceTime(begin + 1), u"2026-11-28T03:00:00Z"_s);
    }

    // What is only a part of the last lines is never taken for all of them.
    void tails_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<qint64>("wanted");
        QTest::addColumn<bool>("isLast");
        QTest::addColumn<QByteArray>("fresh");
        QTest::addColumn<bool>("isAll");
        QTest::addColumn<qint64>("again");
        const auto row = [](const char *name, const QByteArray &said, qint64 wanted, bool isLast,
                             const QByteArray &fresh, bool isAll, qint64 again) {
            QTest::newRow(name) << said << wanted << isLast << fresh << isAll << again;
        };
        const QByteArray taken = "2026-11-28T03:00:30Z a\n", back = "2026-11-28T03:00:10Z b\n",
                         open = "2026-11-28T03:00:11Z c", whole = open + "\n";
        row("one, the same", taken, 1, true, "", true, 0);
        row("one, the same, while it runs", taken, 1, false, "", false, 0);
        row("one, older", back, 1, true, "", false, 1000);
        row("one that cannot be read", "unable to retrieve container logs", 1, true, "", false, 0);
        row("none", "", 1, true, "", false, 0);
        row("to the end", taken + back + open, 1000, true, "b\nc", true, 0);
        row("to a whole end", taken + back + whole, 1000, true, "b\nc\n", true, 0);
        row("while it runs", taken + back + whole, 1000, false, "b\nc\n", false, 0);
        row("while a line is printed", taken + back + open, 1000, false, "b\n", false, 0);
        row("more is needed", back + whole, 2, true, "", false, 20);
        row("there is no more", back + whole, 1000, true, "b\nc\n", true, 0);
        const QByteArray tooLong = "2026-11-28T03:00:12Z " + QByteArray(200, 'x');
        row("cut in a line", taken + back + tooLong, 1000, true, "b\n", false, 0);
        row("cut behind a line", taken + back + tooLong + "\n", 1000, true, "b\n" + tooLong.mid(21) + "\n", false, 0);
        row("cut, and no line is whole", taken + tooLong, 1000, true, tooLong.mid(21), false, 0);
        row("cut where nothing is new", tooLong + "\n" + taken, 1000, true, "", false, 0);
        // Lines that are here, and the cut is in front of the one that was taken last.
        const QByteArray known = "2026-11-28T03:00:20Z p\n2026-11-28T03:00:21Z q\n2026-11-28T03:00:22Z r\n";
        row("cut in front of it", known + tooLong, 1000, true, "", false, 998);
        row("cut in a line in front of it", "2026-11-28T03:00:20Z " + QByteArray(200, 'x'), 10, true, "", false, 9);
        row("cut in the last but one", "2026-11-28T03:00:20Z " + QByteArray(200, 'x'), 2, true, "", false, 1);
        row("cut where all is new", back + tooLong, 1000, true, "b\n", false, 0);
    }
    void tails()
    {
        QFETCH(QByteArray, said);
        QFETCH(qint64, wanted);
        QFETCH(bool, isLast);
        const qint64 lastNs = kube::logLines("2026-11-28T03:00:30Z a\n", true).first().timeNs;
        const auto areTaken = [](const QList<kube::LogLine> &lines) {
            return lines.first().timeNs == kube::logLines("2026-11-28T03:00:20Z p\n", true).first().timeNs;
        };
        const kube::Tail tail = kube::tailOf(said, {wanted, 200, isLast, false}, lastNs, areTaken);
        QByteArray fresh;
        for (const kube::LogLine &line : tail.fresh) {
            fresh += line.text;
        }
        QTEST(fresh, "fresh");
        QTEST(tail.isAll, "isAll");
        QTEST(tail.again, "again");
    }

    // Whoever asks for fewer lines, as those before were here, does not ask for more of them again.
    void narrowedTails()
    {
        const QByteArray said = "2026-11-28T03:00:10Z b\n2026-11-28T03:00:11Z c\n";
        const auto areTaken = [](const QList<kube::LogLine> &) { return false; };
        QCOMPARE(kube::tailOf(said, {2, 200, true, false}, 5, areTaken).again, 20);
        const kube::Tail tail = kube::tailOf(said, {2, 200, true, true}, 5, areTaken);
        QCOMPARE(tail.again, 0);
        QCOMPARE(tail.fresh.size(), 2);
    }

    void linesThatAreTaken()
    {
        QTemporaryDir folder;
        KubeLog log(folder.path(), {u"first\nsecond"_s});
        QVERIFY(!log.hasTaken({{10, "a\n"}}));
        QList<kube::LogLine> lines;
        for (qint64 time = 10; time < 10'000; ++time) {
            lines.append({time, "line\n"});
        }
        QVERIFY(log.append(lines));
        QVERIFY(log.append({{20'000, "first\n"}, {20'001, "second\n"}}));
        QVERIFY(log.hasTaken(lines.first(100)));
        QVERIFY(log.hasTaken(lines.last(100)));
        QVERIFY(log.hasTaken({{20'000, "first\n"}, {20'001, "second\n"}})); // one record has both
        QList<kube::LogLine> others{{11, "by chance\n"}};
        for (qint64 time = 30'000; time < 30'100; ++time) {
            others.append({time, "line\n"});
        }
        QVERIFY(!log.hasTaken(others));
        QVERIFY(KubeLog(folder.path(), {}).hasTaken(lines.first(100))); // also in another run of the engine
    }

    // It goes on where it was, hides secrets, and has an index like every log.
    void logCopies()
    {
        QTemporaryDir folder;
        const QString at = folder.path() + u"/a/b"_s;
        {
            KubeLog log(at, {u"hunter2222"_s, u"abc"_s});
            QCOMPARE(log.lastNs(), 0);
            QVERIFY(log.append({{10, "the word is hunter2222, abc\n"}, {20, "next\n"}}));
        }
        KubeLog log(at, {});
        QCOMPARE(log.lastNs(), 20);
        QVERIFY(log.append({{30, "last"}}));
        QFile file(at + u"/output.log"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("the word is ******, abc\nnext\nlast"));
        QCOMPARE(log.bytes(), file.size());
        QCOMPARE(QFile(at + u"/output.idx"_s).size(), 3 * qint64(contract::indexRecordSize));
        log.skipSecond();
        QCOMPARE(log.lastNs(), 1'000'000'000);
    }

    // What there is no more room for is written again as a whole; a part of the index told the same lines twice.
    void logsWithoutRoom()
    {
        QTemporaryDir folder;
        KubeLog log(folder.path(), {});
        QVERIFY(log.append({{1, "first\n"}}));
        QList<kube::LogLine> lines;
        for (qint64 time = 2; time <= 2001; ++time) {
            lines.append({time, "\n"});
        }
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        const auto usual = ::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{10'000, before.rlim_max}; // the text has room, its index has not
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
        const bool isWritten = log.append(lines);
        ::setrlimit(RLIMIT_FSIZE, &before);
        ::signal(SIGXFSZ, usual);
        QVERIFY(!isWritten);
        QCOMPARE(log.lastNs(), 1);
        QVERIFY(log.append(lines));
        QFile index(folder.path() + u"/output.idx"_s);
        QVERIFY(index.open(QIODevice::ReadOnly));
        const QByteArray bytes = index.readAll();
        QCOMPARE(bytes.size(), 2001 * qsizetype(contract::indexRecordSize));
        std::uint64_t place = 0;
        for (qsizetype at = 0; at < bytes.size(); at += qsizetype(contract::indexRecordSize)) {
            const contract::IndexRecord record = contract::decodeIndexRecord(bytes.constData() + at);
            QCOMPARE(record.offset, place);
            place += record.length;
        }
        QCOMPARE(qint64(place), log.bytes());
    }

    // A value also in the ways in which programs write it, and line by line.
    void logSpellings()
    {
        QTemporaryDir folder;
        const QString secret = u"p\"ss<w>rd/22\nsecond line"_s;
        const QByteArray bytes = secret.toUtf8(), first = bytes.first(bytes.indexOf('\n'));
        const QByteArray said = QJsonDocument(QJsonArray{secret}).toJson(QJsonDocument::Compact);
        KubeLog log(folder.path(), {secret, u"with its end\n"_s});
        qint64 time = 0;
        const QByteArrayList lines{
            said, bytes.toBase64(), first.toHex(), first.toPercentEncoding(), first, "second line", "with its end"};
        for (const QByteArray &line : lines) {
            QVERIFY(log.append({{++time, "it is " + line + '\n'}}));
        }
        QFile file(folder.path() + u"/output.log"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList shown = file.readAll().split('\n');
        QCOMPARE(shown.size(), lines.size() + 1);
        QCOMPARE(shown[0], QByteArray("it is [\"******\"]"));
        QVERIFY2(shown[1].startsWith("it is ******") && shown[1].size() < 16, shown[1].constData()); // its last letters
        for (qsizetype i = 2; i < lines.size(); ++i) {
            QCOMPARE(shown[i], QByteArray("it is ******"));
        }
    }

    // Lines that are too short to be hidden one by one, and come in parts.
    void logSecretsOverLines()
    {
        QTemporaryDir folder;
        const QList<kube::LogLine> lines{{1, "begin\n"}, {2, "it is ab12\n"}, {3, "cd34\n"}, {4, "ef56 ok\n"},
            {5, "ab12\n"}, {6, "no\n"}, {7, "ab12\n"}};
        KubeLog log(folder.path(), {u"ab12\ncd34\nef56"_s});
        QVERIFY(log.append(lines.first(2), false));
        QCOMPARE(log.lastNs(), 1); // the second one is asked for again, with what follows
        QVERIFY(log.append(lines.mid(1, 2), false));
        QCOMPARE(log.lastNs(), 1);
        QVERIFY(log.append(lines.mid(1), false));
        QCOMPARE(log.lastNs(), 6);
        QVERIFY(log.append(lines.last(1), true)); // nothing follows
        QFile file(folder.path() + u"/output.log"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("begin\nit is ****** ok\nab12\nno\nab12\n"));
        QCOMPARE(log.bytes(), file.size());
    }

    // What always looks like the beginning of a value does not hold up the log for ever.
    void logThatNeverSettles()
    {
        QTemporaryDir folder;
        KubeLog log(folder.path(), {u"y\ny\ny\nz!"_s});
        QList<kube::LogLine> lines;
        for (qint64 time = 1; time <= 900; ++time) {
            lines.append({time, "y\n"});
        }
        QVERIFY(log.append(lines, false));
        QCOMPARE(log.lastNs(), 0);
        for (qint64 time = 901; time <= 2500; ++time) {
            lines.append({time, "y\n"});
        }
        QVERIFY(log.append(kube::newLines(lines, log.lastNs()), false));
        QCOMPARE(log.lastNs(), 2500);
    }

    // A log without end must not fill this disk. What has no room is asked for again.
    void logsLeaveRoomOnTheDisk()
    {
        QTemporaryDir folder;
        qint64 reserve = 0;
        KubeLog log(folder.path(), {}, [&reserve](qint64) { return reserve; });
        QVERIFY(log.append({{1, "first\n"}}));
        QVERIFY(!log.lacksRoom());
        reserve = std::numeric_limits<qint64>::max() / 4;
        QVERIFY(!log.append({{2, "second\n"}}));
        QVERIFY(log.lacksRoom());
        QCOMPARE(log.lastNs(), 1);
        reserve = 0;
        QVERIFY(log.append({{2, "second\n"}}));
        QVERIFY(!log.lacksRoom());
        QFile file(folder.path() + u"/output.log"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("first\nsecond\n"));
    }

    void books()
    {
        QTemporaryDir folder;
        const KubeBook book(folder.path() + u"/lab"_s);
        QVERIFY(book.read().entries.isEmpty() && book.read().areAllRead());
        const QUuid tryUuid = QUuid::createUuid();
        KubeEntry entry{kubeSetName(tryUuid), u"job"_s, false, {{tryUuid, u"worker-0"_s, 3}}};
        QVERIFY(book.write(entry));
        entry.isTaken = true;
        entry.place = {u"--context=lab"_s, u"--namespace=ml"_s};
        QVERIFY(book.write(entry));
        QCOMPARE(book.read().entries.size(), 1);
        QVERIFY(book.read().entries.value(entry.name) == entry);
        // One that cannot be read is not one that is not there: nobody can read the first byte of its own memory.
        const QString other = folder.path() + u"/lab/ty-0123456789abcdef.json"_s;
        QVERIFY(QFile::link(u"/proc/self/mem"_s, other));
        QCOMPARE(book.read().entries.size(), 1);
        QCOMPARE(book.read().unread.size(), 1);
        QVERIFY(!book.read().areAllRead());
        QVERIFY(QFile::remove(other));
        QVERIFY(book.read().areAllRead());
        book.remove(entry.name);
        QVERIFY(book.read().entries.isEmpty());
        QCOMPARE(kubeSetName(tryUuid), kubeSetName(tryUuid));
        QCOMPARE(entry.name.size(), 19);
    }
};

TRAINYARD_TEST(TstKubeState)
#include "tst_kubestate.moc"
