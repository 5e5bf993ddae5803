// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/runtime/exitrules.h"
#include "model/yaml/yamledit.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/environmenttexts.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/failuretexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/gputexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/metricrank.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/sentences.h"
#include "widgets/text/sentencetables.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"
#include "widgets/text/whybrief.h"
#include "widgets/text/whytexts.h"

#include <QDateTime>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSet>
#include <QTest>

#include <algorithm>
#include <functional>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstTexts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyCodeHasASentence();
    void everyCodeOfTheEngineHasASentence();
    void everyFindingIsInTheManual();
    void shortFormsAreShorter();
    void noCodeTwice();
    void spreadAsText_data();
    void spreadAsText();
    void ownersOfGpus_data();
    void ownersOfGpus();
    void whatElseDiffers_data();
    void whatElseDiffers();
    void settingsComeLast();
    void placeholders();
    void unknownCode();
    void parserReasons();
    void noPlaceholderIsLeft();
    void noPlaceholderIsLeftByOddInput();
    void durations_data();
    void durations();
    void roughDurations();
    void sizes();
    void exitCodes();
    void ownExitCodes();
    void failedJobs();
    void failuresWithoutAReason();
    void briefReasons();
    void workFolders();
    void states();
    void detailsOfWaiting();
};

namespace
{

QString sourceFolder() { return qEnvironmentVariable("TRAINYARD_SOURCE"); }

QString read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

void TstTexts::detailsOfWaiting()
{
    QVERIFY(waitDetails(u"wait.queue-far"_s, {{u"ahead"_s, 200}}).isEmpty());
    const auto ends = [](const QJsonArray &jobs, bool any = false) {
        return QJsonObject{{u"ends"_s, jobs}, {u"any"_s, any}};
    };
    QCOMPARE(waitDetails(u"wait.queue"_s,
                 {{u"ahead"_s, 2}, {u"job"_s, 15}, {u"ways"_s, QJsonArray{ends({15})}}, {u"before"_s, QJsonArray{15}}}),
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
    QVERIFY(waitDetails(u"wait.slurm-silent"_s, {{u"target"_s, u"slurm:lab"_s}}).isEmpty());
    QCOMPARE(waitDetails(u"wait.slurm-silent"_s,
                 {{u"target"_s, u"slurm:lab"_s}, {u"detail"_s, u"Could not establish a configuration source"_s}}),
        QStringList{u"Its command says: Could not establish a configuration source."_s});
    QCOMPARE(waitDetails(u"job.slurm-unaccounted"_s, {{u"detail"_s, u"Connection refused"_s}}),
        QStringList{u"Its command says: Connection refused."_s});
    QJsonArray many;
    for (int i = 1; i <= 8; ++i) {
        many.append(i);
    }
    const QJsonArray hosts{
        QJsonObject{{u"host"_s, u"ws"_s}, {u"free"_s, 1}, {u"total"_s, 8}, {u"foreign"_s, 2}, {u"held"_s, 1},
            {u"excluded"_s, 1}, {u"hours"_s, 1}, {u"until"_s, u"18:00"_s}, {u"jobs"_s, QJsonArray{3, 7}}},
        QJsonObject{{u"host"_s, u"lab"_s}, {u"free"_s, 0}, {u"total"_s, 0}, {u"jobs"_s, QJsonArray()}}};
    QCOMPARE(waitDetails(u"wait.gpu"_s, {{u"hosts"_s, hosts}}),
        (QStringList{u"ws: 1 of 8 GPUs free; in use by #3, #7; 2 used by other programs; 1 locked by another engine; "
                     "1 of them kept until 18:00; 1 never for jobs"_s,
            u"lab: 0 of 0 GPUs free"_s})); // nobody can tell what is enough
    QJsonObject both = ends({3, 5, 7});
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
    QCOMPARE(waitDetails(u"wait.gpu"_s, {{u"hosts"_s, lost}, {u"ways"_s, QJsonArray{ends({3, 7}, true), back}}}),
        (QStringList{u"ws: 1 of 3 GPUs free; in use by #3, #7, #9; lost: GPU 2"_s,
            u"It can start when one of #3, #7 ends, or GPU 2 of ws is listed by its driver again."_s}));
    QCOMPARE(waitDetails(u"wait.gpu"_s, {{u"hosts"_s, QJsonArray()}, {u"ways"_s, QJsonArray{ends({3})}}}),
        QStringList{u"It can start when tasks of #3 end."_s});
    QCOMPARE(reasonText(u"wait.gpu-memory"_s, {{u"wantedMiB"_s, 9385}, {u"wanted"_s, 4}, {u"have"_s, 3}}),
        u"Waits for GPU memory: 9.2 GiB on each of 4 GPUs of one host wanted, 3 GPUs have this much left."_s);
    QVERIFY(reasonText(u"refuse.gpu"_s,
        {{u"role"_s, u"main"_s}, {u"wanted"_s, 4}, {u"most"_s, 3}, {u"host"_s, u"ws"_s}, {u"excluded"_s, 1},
            {u"excludedHost"_s, u"ws"_s}})
                .contains("gpu.exclude and gpu.keepHours keep 1 GPU of ws from jobs"_L1));
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
    for (const QString &code : {u"wait.host"_s, u"job.helper-begins"_s}) { // this computer is always in reach
        const QString text = reasonText(code, {{u"host"_s, u"local"_s}, {u"code"_s, QString()}});
        QVERIFY2(text.contains(u"this computer"_s) && !text.contains(u"local"_s), qPrintable(text));
    }
    QJsonObject apart{{u"host"_s, u"ws"_s}, {u"other"_s, u"lab"_s}, {u"address"_s, u"10.1.0.2"_s},
        {u"how"_s, u"silent"_s}, {u"minutes"_s, 2}};
    QVERIFY(reasonText(u"wait.peers"_s, apart).endsWith(u"It is tried again each minute."_s));
    apart.insert(u"what"_s, u"alone"_s);
    QVERIFY(
        reasonText(u"wait.peers"_s, apart).contains(u"ws does not reach lab at 10.1.0.2, and no other hosts fit."_s));
    QVERIFY(reasonText(u"wait.peers"_s, apart).contains(u"It is tried again 2 minutes after the last time"_s));
    apart.insert(u"what"_s, u"others-busy"_s);
    QVERIFY(reasonText(u"wait.peers"_s, apart).contains(u"and the other hosts that fit have no room now."_s));
    QJsonObject rule{{u"role"_s, u"w"_s}, {u"what"_s, u"labels"_s}, {u"labels"_s, QJsonArray{u"a100"_s, u"new"_s}},
        {u"tasks"_s, 4}, {u"away"_s, QJsonArray{u"lab"_s}}, {u"ways"_s, QJsonArray{ends({3})}}};
    QCOMPARE(reasonText(u"wait.hosts"_s, rule),
        u"Waits for a host with the labels that w asks for: a100, new. Others would have room."_s);
    QCOMPARE(waitDetails(u"wait.hosts"_s, rule), QStringList{u"It can start when tasks of #3 end."_s});
    rule.insert(u"what"_s, u"same-host"_s);
    QVERIFY(reasonText(u"wait.hosts"_s, rule).contains(u"room for 4 tasks of w,"_s));
    rule.insert(u"what"_s, u"away"_s);
    QVERIFY(reasonText(u"wait.hosts"_s, rule).endsWith(u"there is no connection to lab at the moment."_s));
    rule.insert(u"connecting"_s, true);
    QVERIFY(reasonText(u"wait.hosts"_s, rule).endsWith(u"the connection to lab is being made."_s));
    QJsonObject stop{{u"host"_s, u"lab"_s}, {u"until"_s, qint64(1'700'000'000'000)}};
    QVERIFY(reasonText(u"stop.host-away"_s, stop).startsWith(u"lab cannot be reached,"_s));
    stop.insert(u"connecting"_s, true);
    QVERIFY(reasonText(u"stop.host-away"_s, stop).startsWith(u"The connection to lab is being made,"_s));
    rule.insert(u"what"_s, u"something else"_s);
    QVERIFY(reasonText(u"wait.hosts"_s, rule).contains(u"extras.trainyard.hosts"_s));
    QVERIFY(reasonText(
        u"refuse.hosts"_s, {{u"role"_s, u"w"_s}, {u"what"_s, u"labels"_s}, {u"missing"_s, QJsonArray{u"a100"_s}}})
                .startsWith(u"No host on which tasks of w may run has the label a100."_s));
    const QJsonArray shared{QJsonObject{{u"host"_s, u"ws"_s}, {u"free"_s, 0}, {u"total"_s, 2}, {u"shared"_s, 2},
        {u"roomMiB"_s, 3000}, {u"jobs"_s, QJsonArray{3}}}};
    QCOMPARE(waitDetails(u"wait.gpu-memory"_s, {{u"hosts"_s, shared}, {u"ways"_s, QJsonArray{ends({3})}}}),
        (QStringList{u"ws: 0 of 2 GPUs free; in use by #3; 2 shared, with 2.9 GiB left on one"_s,
            u"It can start when tasks of #3 end."_s}));
    const QJsonArray memory{
        QJsonObject{{u"host"_s, u"ws"_s}, {u"freeMiB"_s, 500}, {u"totalMiB"_s, 8000}, {u"jobs"_s, many}}};
    QCOMPARE(waitDetails(u"wait.memory"_s, {{u"hosts"_s, memory}, {u"ways"_s, QJsonArray{ends(many)}}}),
        (QStringList{u"ws: 500 MiB of 7.8 GiB free; in use by #1, #2, #3, #4, #5, #6 and 2 more"_s,
            u"It can start when tasks of #1, #2, #3, #4, #5, #6 and 2 more end."_s}));
    // Figures of the only host are not said twice.
    QJsonObject alone{{u"wantedMiB"_s, 20000}, {u"freeMiB"_s, 18985}, {u"totalMiB"_s, 22057},
        {u"hosts"_s,
            QJsonArray{QJsonObject{
                {u"host"_s, u"ws"_s}, {u"freeMiB"_s, 18985}, {u"totalMiB"_s, 22057}, {u"jobs"_s, QJsonArray{1}}}}},
        {u"ways"_s, QJsonArray{ends({1})}}};
    QCOMPARE(reasonText(u"wait.memory"_s, alone), u"Waits for 19.5 GiB of memory; 18.5 GiB of 21.5 GiB are free."_s);
    QCOMPARE(waitDetails(u"wait.memory"_s, alone), QStringList{u"It can start when tasks of #1 end."_s});
    // More is wanted than is free, however little more.
    alone.insert(u"wantedMiB"_s, 18990);
    QCOMPARE(reasonText(u"wait.memory"_s, alone), u"Waits for 18990 MiB of memory; 18985 MiB of 21.5 GiB are free."_s);
    const QJsonArray ports{QJsonObject{{u"host"_s, u"ws"_s}, {u"port"_s, 5000}, {u"job"_s, 3}},
        QJsonObject{{u"host"_s, u"ws"_s}, {u"port"_s, 5001}, {u"job"_s, 3}}};
    QCOMPARE(waitDetails(u"wait.port"_s, {{u"hosts"_s, ports}, {u"ways"_s, QJsonArray{ends({3})}}}),
        (QStringList{u"ws: port 5000 in use by #3"_s, u"ws: port 5001 in use by #3"_s,
            u"It can start when tasks of #3 end."_s}));
    QJsonArray manyPorts;
    for (int i = 0; i < 50; ++i) {
        manyPorts.append(QJsonObject{{u"host"_s, u"ws"_s}, {u"port"_s, 5000 + i}, {u"job"_s, 3}});
    }
    const QStringList ofMany
        = waitDetails(u"wait.port"_s, {{u"hosts"_s, manyPorts}, {u"more"_s, 250}, {u"ways"_s, QJsonArray{ends({3})}}});
    QCOMPARE(ofMany.at(ofMany.size() - 2), QString::number(300 - (ofMany.size() - 2)) + u" more ports"_s);
    QVERIFY2(ofMany.size() <= 10, qPrintable(ofMany.join(u'\n')));
    QCOMPARE(ofMany.last(), u"It can start when tasks of #3 end."_s);
    HostInfo host;
    host.gpus = {GpuInfo(), GpuInfo()};
    QVERIFY(hostNotes(host).isEmpty());
    host.state = HostState::Online;
    QCOMPARE(hostStateText(host), u"online"_s);
    host.drained = true;
    QCOMPARE(hostStateText(host), u"online, drained"_s);
    QCOMPARE(hostNotes(host), QStringList{u"It is drained: nothing new starts there."_s});
    host.tasks = 2;
    QCOMPARE(hostStateText(host), u"online, draining"_s);
    QCOMPARE(hostNotes(host), QStringList{u"It is draining: nothing new starts there, and 2 tasks go on."_s});
    host.drained = false;
    host.hold = u"wait.closed"_s;
    host.holdArgs = {{u"until"_s, u"17:00"_s}, {u"hours"_s, u"09:00-17:00"_s}};
    QCOMPARE(hostStateText(host), u"online, closed until 17:00"_s);
    host.quarantines = {{u"GPU-x"_s, 1, u"gpu-lost"_s, 5, {{3, u"w/0"_s, 1}, {4, u"w/1"_s, 2}}}};
    QCOMPARE(hostNotes(host).size(), 2);
    QVERIFY2(
        hostNotes(host).last().contains(u"2 tasks in a row failed there. The GPU was lost while they ran: #3 w/0"_s),
        qPrintable(hostNotes(host).last()));
    host.hold.clear();
    host.quarantines.clear();
    host.gpus[1].index = 1;
    host.gpus[1].kept = u"mig"_s;
    QCOMPARE(hostNotes(host).size(), 1);
    QVERIFY(hostNotes(host).first().startsWith(u"MIG is on for GPU 1,"));
    host.gpus[1].kept = u"lost"_s;
    QVERIFY(hostNotes(host).value(0).startsWith(u"GPU 1 was lost"));
    QJsonArray runtimes{QJsonObject{{u"host"_s, u"ws"_s}, {u"has"_s, false}, {u"away"_s, false}},
        QJsonObject{{u"host"_s, u"lab"_s}, {u"has"_s, true}, {u"away"_s, true}}};
    QCOMPARE(waitDetails(u"wait.runtime"_s, {{u"runIn"_s, u"podman"_s}, {u"hosts"_s, runtimes}}),
        (QStringList{u"ws: podman is not installed"_s, u"lab: cannot be reached now"_s,
            u"It can start when lab can be reached."_s}));
    host.gpus[1].kept = u"missing"_s;
    QVERIFY(hostNotes(host).value(0).startsWith(u"GPU 1 is lost"));
    runtimes.removeLast();
    QCOMPARE(waitDetails(u"wait.runtime"_s, {{u"runIn"_s, u"podman"_s}, {u"hosts"_s, runtimes}}).last(),
        u"It can start when podman is installed and the host was looked at again ('trainyardctl hosts check')."_s);
}

void TstTexts::initTestCase() { QLocale::setDefault(QLocale::c()); }

// What the model can say must be sayable. Codes are dotted words in its sources.
void TstTexts::everyCodeHasASentence()
{
    QVERIFY2(!sourceFolder().isEmpty(), "TRAINYARD_SOURCE has to name the folder of the sources, as ctest does it.");
    static const QRegularExpression code(
        // Fields of a job and the name of a file are none.
        u"u?\"(?!extras\\.trainyard\\.|extras\\.storages\"|job\\.sh\")"
        u"((?:job|name|field|prerequisite|role|deployment|extras|plugin|secrets|"
        u"scalar|parameter|template|fix|yaml|edit|rename|"
        u"require|secret|mask|path|exitrules|fieldreference|legacy|export)\\.[a-z0-9.-]+)\""_s);
    QSet<QString> codes;
    QDirIterator files(sourceFolder() + u"/model"_s, {u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        auto matches = code.globalMatch(read(files.next()));
        while (matches.hasNext()) {
            codes.insert(matches.next().captured(1));
        }
    }
    QVERIFY(!codes.isEmpty());
    QStringList missing;
    for (const QString &each : std::as_const(codes)) {
        if (!hasSentence(each)) {
            missing.append(each);
        }
    }
    missing.sort();
    qInfo("%d codes in the model", int(codes.size()));
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
}

// What is said of a place at that place is shorter than elsewhere, and knows nothing that the whole sentence does not.
void TstTexts::shortFormsAreShorter()
{
    static const QRegularExpression placeholder(u"\\{([a-z][A-Za-z]*)(?:\\|[^}]*)?\\}"_s);
    QHash<QString, QString> whole;
    for (const auto &table : sentences::tables()) {
        for (const SentenceRow &row : table) {
            whole.insert(QString::fromLatin1(row.code), QString::fromUtf8(row.text));
        }
    }
    const auto argumentsOf = [](const QString &text) {
        QSet<QString> names;
        auto matches = placeholder.globalMatch(text);
        while (matches.hasNext()) {
            names.insert(matches.next().captured(1));
        }
        return names;
    };
    QVERIFY(!sentences::shortForms().empty());
    for (const SentenceRow &row : sentences::shortForms()) {
        const QString code = QString::fromLatin1(row.code);
        const QString text = QString::fromUtf8(row.text);
        QVERIFY2(code.endsWith(u".short"_s), qPrintable(code));
        const QString base = code.chopped(6);
        QVERIFY2(whole.contains(base), qPrintable(code));
        QVERIFY2(text.size() < whole.value(base).size(), qPrintable(code));
        QVERIFY2(text.endsWith(u'.') || text.endsWith(u'?'), qPrintable(code));
        QVERIFY2(argumentsOf(whole.value(base)).contains(argumentsOf(text)), qPrintable(code));
    }
    Diagnostic diagnostic;
    diagnostic.code = u"role.image.undefined"_s;
    diagnostic.args = {{u"name"_s, u"tf_exmple"_s}, {u"role"_s, u"worker"_s}};
    QCOMPARE(diagnosticBrief(diagnostic), u"No image 'tf_exmple' here."_s);
    QVERIFY(diagnosticText(diagnostic).contains(u"worker"_s));
    diagnostic.code = u"role.gpu.more-than-any-host"_s;
    diagnostic.args = {{u"role"_s, u"worker"_s}, {u"wanted"_s, 2}, {u"most"_s, 1}};
    QCOMPARE(diagnosticBrief(diagnostic), u"One host has 1 GPU at most; the job cannot start."_s);
    // Without a short form it is the whole one.
    diagnostic.code = u"job.no-roles"_s;
    diagnostic.args = {};
    QCOMPARE(diagnosticBrief(diagnostic), diagnosticText(diagnostic));
}

// docs/findings.md lists all that the checks say; a new code needs a line there.
void TstTexts::everyFindingIsInTheManual()
{
    QVERIFY2(!sourceFolder().isEmpty(), "TRAINYARD_SOURCE has to name the folder of the sources, as ctest does it.");
    const QString page = read(sourceFolder() + u"/docs/findings.md"_s);
    QVERIFY(!page.isEmpty());
    QStringList missing;
    for (const auto &table :
        {sentences::yaml(), sentences::job(), sentences::portability(), sentences::legacy(), sentences::batch()}) {
        for (const SentenceRow &row : table) {
            const QString code = QString::fromLatin1(row.code);
            if (!page.contains(u'`' + code + u'`')) {
                missing.append(code);
            }
        }
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
}

// The same for the engine, the agent included: what stands in their sources like a code and is neither a setting, nor
// a request, nor a file, is one. The first words of launch reasons are taken together in a table of their own.
void TstTexts::everyCodeOfTheEngineHasASentence()
{
    QVERIFY2(!sourceFolder().isEmpty(), "TRAINYARD_SOURCE has to name the folder of the sources, as ctest does it.");
    static const QRegularExpression code(u"\"([a-z]+(?:-[a-z]+)*\\.[a-z0-9]+(?:-[a-z0-9]+)*)\"(_L1)?"_s);
    static const QRegularExpression method(u"Call<\"([a-z.]+)\""_s);
    static const QRegularExpression file(
        u"\\.(?:log|idx|tail|json|lock|sh|py|db|error|sock|conf|csv|txt|series|files)\\z"_s);
    const QString settings = read(sourceFolder() + u"/resources/settings.json"_s);
    QMap<QString, QString> codes; // and a file that has it
    QSet<QString> others;
    QDirIterator files(
        sourceFolder() + u"/engine"_s, {u"*.cpp"_s, u"*.h"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString name = files.next();
        if (name.contains(u"/engine/metrics/"_s) || name.endsWith(u"/why/loggedjson.cpp"_s)) {
            continue; // they say nothing themselves: what has a dot there are words of programs
        }
        const QString text = read(name);
        auto requests = method.globalMatch(text);
        while (requests.hasNext()) {
            others.insert(requests.next().captured(1));
        }
        auto matches = code.globalMatch(text);
        while (matches.hasNext()) {
            const auto match = matches.next();
            const QString each = match.captured(1);
            const bool isPrefix = !match.captured(2).isEmpty() && each.startsWith(u"launch."_s)
                && name.endsWith(u"/exitclassifier.cpp"_s);
            const bool isSetting = settings.contains(QString(u'"' + each + u'"'));
            if (!isPrefix && !isSetting && !file.match(each).hasMatch()) {
                codes.insert(each, name);
            }
        }
    }
    QVERIFY(!codes.isEmpty());
    QStringList missing;
    for (auto it = codes.cbegin(); it != codes.cend(); ++it) {
        const bool isGap = environmentGapText(it.key()) != it.key();
        if (!others.contains(it.key()) && !isGap && !hasSentence(it.key())) {
            missing.append(it.key() + u" in "_s + it.value());
        }
    }
    qInfo("%d codes in the engine", int(codes.size() - others.size()));
    QVERIFY(codes.size() > 100);
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
}

void TstTexts::ownersOfGpus_data()
{
    QTest::addColumn<GpuInfo>("gpu");
    QTest::addColumn<GpuUse>("use");
    QTest::addColumn<QString>("owner");
    const auto row = [](const char *name, GpuUse use, const QString &owner, auto set) {
        GpuInfo gpu;
        set(gpu);
        QTest::newRow(name) << gpu << use << owner;
    };
    row("free", GpuUse::Free, u"free"_s, [](GpuInfo &) {});
    row("job", GpuUse::Ours, u"#7"_s, [](GpuInfo &g) { g.jobId = 7; });
    row("job on one that is kept", GpuUse::Ours, u"#7"_s, [](GpuInfo &g) {
        g.jobId = 7;
        g.kept = u"hours"_s;
        g.foreign = true;
    });
    row("shared", GpuUse::Ours, u"#7, #9"_s, [](GpuInfo &g) {
        g.jobId = 7;
        g.jobs = {7, 9};
    });
    row("foreign", GpuUse::Foreign, u"another program"_s, [](GpuInfo &g) { g.foreign = true; });
    row("held", GpuUse::Foreign, u"another engine"_s, [](GpuInfo &g) { g.kept = u"held"_s; });
    row("hours", GpuUse::Kept, u"kept for you"_s, [](GpuInfo &g) { g.kept = u"hours"_s; });
    row("excluded", GpuUse::Kept, u"kept for you"_s, [](GpuInfo &g) { g.kept = u"excluded"_s; });
    row("lost", GpuUse::Lost, u"lost"_s, [](GpuInfo &g) { g.kept = u"lost"_s; });
    row("missing, as a foreign program held it", GpuUse::Lost, u"lost"_s, [](GpuInfo &g) {
        g.kept = u"missing"_s;
        g.foreign = true;
    });
    row("quarantine", GpuUse::Lost, u"in quarantine"_s, [](GpuInfo &g) { g.kept = u"quarantine"_s; });
    row("mig", GpuUse::Lost, u"MIG without instances"_s, [](GpuInfo &g) { g.kept = u"mig"_s; });
}

void TstTexts::ownersOfGpus()
{
    QFETCH(const GpuInfo, gpu);
    QTEST(useOf(gpu), "use");
    QTEST(ownerText(gpu), "owner");
}

void TstTexts::noCodeTwice()
{
    QSet<QString> seen;
    for (const auto &table : sentences::tables()) {
        for (const SentenceRow &row : table) {
            const QString code = QString::fromLatin1(row.code);
            QVERIFY2(!seen.contains(code), qPrintable(code));
            seen.insert(code);
        }
    }
}

void TstTexts::placeholders()
{
    Diagnostic diagnostic;
    diagnostic.code = u"role.image.undefined"_s;
    diagnostic.args = {{u"name"_s, u"{role} %1"_s}, {u"role"_s, u"worker"_s}};
    QCOMPARE(diagnosticText(diagnostic),
        u"The image '{role} %1' of the task role 'worker' is not defined in the prerequisites."_s);
    QCOMPARE(sentence(u"extras.run-in"_s, {{u"value"_s, 5}, {u"known"_s, QJsonArray{u"a"_s, u"b"_s}}}),
        u"Unknown runtime '5'. The runtimes are: a, b."_s);
    QCOMPARE(
        sentence(u"refuse.gpu"_s, {{u"role"_s, u"w"_s}, {u"wanted"_s, 1}, {u"most"_s, 0}, {u"host"_s, u"local"_s}}),
        u"A task of w asks for 1 GPU; the most that one host has is 0 (local). Ask for fewer."_s);
    const QJsonObject worse{{u"metric"_s, u"loss"_s}, {u"step"_s, 100}, {u"median"_s, 1.0 / 3}, {u"others"_s, 7}};
    QCOMPARE(reasonText(u"stop.worse"_s, worse),
        u"Stopped by the rule of its group: loss was not a number up to step 100, while the median of 7 other jobs is "
        "0.33333."_s);
    QJsonObject finite = worse;
    finite.insert(u"best"_s, 0.9);
    QCOMPARE(reasonText(u"stop.worse"_s, finite),
        u"Stopped by the rule of its group: loss 0.9 up to step 100 is worse than the median 0.33333 of 7 other jobs."_s);
    QVERIFY(sentence(u"refuse.gpu"_s, {{u"wanted"_s, 2}}).contains(u" 2 GPUs; "_s));
    QCOMPARE(reasonText(u"code.asks"_s,
                 {{u"folder"_s, u"/work"_s}, {u"bytes"_s, 3 << 20}, {u"files"_s, 1}, {u"limitBytes"_s, 1 << 20},
                     {u"limitFiles"_s, 50}, {u"biggest"_s, u"big.bin\n3145728"_s}, {u"host"_s, u"lab1"_s}}),
        u"The work folder /work has 3 MiB in 1 file, and up to 1 MiB in 50 files are copied without a question. "
        u"The "
        "largest are big.bin (3 MiB). The job waits for you to say whether the folder is copied to lab1."_s);
    // Counts have the separators of the user's language, numbers of jobs have none.
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    const auto backToC = qScopeGuard([] { QLocale::setDefault(QLocale::c()); });
    QCOMPARE(filledText(u"{files|file|files} of #{job}"_s, {{u"files"_s, 1234567}, {u"job"_s, 12345}}),
        u"1,234,567 files of #12345"_s);
    QCOMPARE(filledText(u"{files|file|files}"_s, {{u"files"_s, 1}}), u"1 file"_s);
    QLocale::setDefault(QLocale::c());
    QCOMPARE(reasonText(u"wait.queue"_s, {{u"ahead"_s, 1}, {u"job"_s, 7}}), u"Waits for its turn behind #7."_s);
    QCOMPARE(reasonText(u"wait.queue"_s, {{u"ahead"_s, 2}, {u"job"_s, 7}}),
        u"Waits for its turn behind 2 jobs, first #7."_s);
    QJsonObject retry{{u"number"_s, 2}, {u"limit"_s, 10}, {u"code"_s, 137}, {u"role"_s, u"w"_s}, {u"index"_s, 0},
        {u"due"_s, QDateTime::currentMSecsSinceEpoch() - 5}};
    QCOMPARE(reasonText(u"wait.retry"_s, retry),
        u"Waits to try again (2 of 10), in 0:01, because w/0 ended with exit code 137 (Killed)."_s);
    retry.insert(u"limit"_s, 0);
    retry.insert(u"free"_s, true);
    QVERIFY2(reasonText(u"wait.retry"_s, retry).endsWith(u"even if it has no retries. Stop the job to give up."_s),
        qPrintable(reasonText(u"wait.retry"_s, retry)));
    retry.remove(u"free"_s);
    QJsonObject memory{{u"limitMiB"_s, 100}, {u"usedMiB"_s, 98}, {u"by"_s, u"limit"_s}};
    QVERIFY(reasonText(u"exit.oom"_s, memory).contains(u"its limit is 100 MiB, and it used up to 98 MiB."_s));
    memory.insert(u"by"_s, u"host"_s);
    QVERIFY(reasonText(u"exit.oom"_s, memory).startsWith(u"The host ran out of memory"_s));
    QVERIFY(reasonText(u"exit.oom"_s).startsWith(u"The task ran out of memory. Ask"_s));
    retry.remove(u"role"_s);
    retry.insert(u"code"_s, 255);
    retry.insert(u"why"_s, QJsonObject{{u"code"_s, u"exit.user"_s}, {u"args"_s, QJsonObject{{u"status"_s, 3}}}});
    QVERIFY2(reasonText(u"wait.retry"_s, retry)
                 .startsWith(u"Waits to try again (retry 2), in 0:01, because the attempt ended with exit code 3."_s),
        qPrintable(reasonText(u"wait.retry"_s, retry)));
    // What keeps it from starting comes before how often it was tried.
    const QJsonObject service{{u"code"_s, u"launch.container-service"_s},
        {u"args"_s, QJsonObject{{u"detail"_s, u"Is the docker daemon running?"_s}}}};
    retry.insert(u"why"_s, service);
    retry.insert(u"limit"_s, 5);
    QCOMPARE(reasonText(u"wait.retry"_s, retry),
        u"The container service of the host does not answer. Start it there. It says: Is the docker daemon running? It "
        u"is "
        "tried again (2 of 5) in 0:01."_s);
    QCOMPARE(fixTitle({u"fix.rename"_s, {{u"name"_s, u"x"_s}}, {}}), u"Rename to 'x'"_s);
    QCOMPARE(errorText({u"require.cycle"_s, {{u"cycle"_s, u"a → b → a"_s}}}),
        u"These prerequisites require each other: a → b → a."_s);
    QCOMPARE(sentence(u"yaml.syntax.flow-map-end"_s), u"The map that starts with '{' has no closing '}'."_s);
}

void TstTexts::unknownCode()
{
    QVERIFY(sentence(u"no.such-code"_s).contains(u"no.such-code"_s));
    QCOMPARE(reasonText(QString()), QString());
    QVERIFY(!reasonText(u"x.y"_s).isEmpty());
}

void TstTexts::parserReasons()
{
    const ParseOutcome outcome = parseJob("a: b: c\n");
    QVERIFY(!outcome.diagnostics.isEmpty());
    QVERIFY(!diagnosticText(outcome.diagnostics.first()).contains(u"not YAML"_s));
}

// Real findings fill every placeholder of their sentence.
void TstTexts::noPlaceholderIsLeft()
{
    static const QRegularExpression placeholder(u"\\{[a-z]+\\}"_s);
    const QByteArray job
        = "protocolVersion: 3\nname: a b\ntype: x\nwhatever: 1\njobRetryCount: -1\n"
          "prerequisites:\n  - {name: i, type: dockerimage, uri: A B, plugin: x, auth: {password: 1}}\n"
          "  - {name: d, type: data, uri: u}\n  - {name: s, type: script, uri: [u], require: [zz, s],\n"
          "     callbacks: [{event: containerExit, commands: [export A=1]}, {event: x}]}\n"
          "  - {name: d, type: storage}\n"
          "parameters: {a: 012, b: yes, c: 1.0, e: <% $parameters.a %>}\nsecrets: {p: '******'}\n"
          "taskRoles:\n  A-b:\n    instances: 0\n    instance: '2'\n    dockerImage: q\n    data: i\n"
          "    prerequisites: [q, q, marketplace://data/x]\n    taskRetryCount: 2\n"
          "    completion: {minFailedInstances: 9, minSucceededInstances: -3}\n"
          "    extraContainerOptions: {shmMB: 99999, infiniband: x, additionalProperties: 1}\n"
          "    resourcePerInstance: {cpu: 0.5, memoryMB: 1, ports: {ssh: 22, 'a-b': 0}}\n"
          "    commands: ['<% $parameters.zz %> <% $data.x %> <%! x %> <% $q.x %>', 'a \\', 5]\n"
          "deployments: [{name: x, taskRoles: {y: {}}}]\nextras: {gangAllocation: 1}\n";
    const ParseOutcome outcome = parseJob(job);
    QVERIFY(outcome.diagnostics.size() > 30);
    for (const Diagnostic &each : outcome.diagnostics) {
        const QString text = diagnosticText(each);
        QVERIFY2(!placeholder.match(text).hasMatch(), qPrintable(each.code + u": "_s + text));
        QVERIFY2(text.endsWith(u'.') || text.endsWith(u'?'), qPrintable(text));
        for (const Fix &fix : each.fixes) {
            QVERIFY2(!placeholder.match(fixTitle(fix)).hasMatch(), qPrintable(fixTitle(fix)));
        }
    }
}

// Each field of a job that has them all, with values of every kind in its place: whatever is said of it is whole.
void TstTexts::noPlaceholderIsLeftByOddInput()
{
    static const QRegularExpression placeholder(u"\\{[a-z][A-Za-z]*(\\|[^}]*)?\\}"_s);
    const QByteArray job
        = "protocolVersion: 2\nname: a\ntype: job\nversion: 1\ncontributor: x\ndescription: d\njobRetryCount: 1\n"
          "prerequisites:\n  - {protocolVersion: 2, name: i, type: dockerimage, version: '1', contributor: c, "
          "description: d, uri: a/b, auth: {username: u, password: <% $secrets.p %>, registryuri: r}}\n"
          "  - {name: d, type: data, uri: [u]}\n  - {name: o, type: output, uri: u}\n"
          "  - {name: s, type: script, uri: u, plugin: com.microsoft.pai.runtimeplugin.cmd, require: [d], "
          "failurePolicy: fail, callbacks: [{event: taskStarts, commands: [true]}]}\n"
          "parameters: {a: 1}\nsecrets: {p: x}\n"
          "taskRoles:\n  w:\n    protocolVersion: 2\n    instances: 1\n    dockerImage: i\n    data: d\n"
          "    output: o\n    script: s\n    prerequisites: [s]\n    taskRetryCount: 0\n"
          "    completion: {minFailedInstances: 1, minSucceededInstances: -1}\n"
          "    extraContainerOptions: {shmMB: 64, infiniband: false}\n"
          "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0, ports: {http: 1}}\n"
          "    commands: ['echo <% $parameters.a %>']\n"
          "deployments: [{name: x, taskRoles: {w: {preCommands: [a], postCommands: [b]}}}]\n"
          "defaults: {virtualCluster: v, deployment: x}\n"
          "extras: {gangAllocation: false, submitFrom: s, tensorBoard: {host: h, port: 1, logDirectories: {a: b}},\n"
          "  hivedScheduler: {jobPriorityClass: prod, taskRoles: {w: {skuNum: 1, skuType: t}}},\n"
          "  jobStatusChangeNotification: {running: true},\n"
          "  com.microsoft.pai.runtimeplugin: [{plugin: ssh, parameters: {jobssh: true, sshbarrierTimeout: 60, "
          "userssh: {type: custom, value: k}}, failurePolicy: fail, taskroles: [w]}, {plugin: teamwise_storage, "
          "parameters: {storageConfigNames: [c], mountPoints: [{name: n, mountPath: /m}]}}, {plugin: git, "
          "parameters: {repo: r, clone_dir: c, options: [o]}}, {plugin: cmd, callbacks: [{event: taskStarts, "
          "commands: [a]}]}, {plugin: tensorboard, parameters: {logdir: {a: b}, port: 6006}}],\n"
          "  trainyard: {runIn: host, work: /tmp, environment: clean, priority: 1, strict: false, "
          "stop: {signal: TERM, only: main}, maxRunMinutes: 5, gpuMemoryMB: 1}}\n";
    const QList<QByteArray> values{"[2]", "{a: [b]}", "{}", "~", "''", "x y", "-1", "1.5", "true", "[1, x, ~, {a: b}]",
        "{a: ~, b: {c: d}}", "99999999999999999999", "'<% $x.y %>'"};
    const auto look = [&](const QByteArray &text) {
        const CheckMode modes[] = {CheckMode::Friendly, CheckMode::Strict};
        for (const CheckMode mode : modes) {
            const ParseOutcome outcome = parseJob(text, mode);
            for (const Diagnostic &each : outcome.diagnostics) {
                QString said = diagnosticText(each);
                for (const Fix &fix : each.fixes) {
                    said += u'\n' + fixTitle(fix);
                }
                const QRegularExpressionMatch match = placeholder.match(said);
                // What stands in the job may look like one.
                QVERIFY2(!match.hasMatch() || text.contains(match.captured().toUtf8()),
                    qPrintable(each.code + u": "_s + said));
            }
        }
    };
    const YamlDocument document = YamlDocument::parse(job);
    QVERIFY(document.isWellFormed());
    QList<const YamlNode *> nodes;
    const std::function<void(const YamlNode *)> walk = [&](const YamlNode *node) {
        for (const YamlNode::Entry &entry : node->entries) {
            nodes.append(entry.value);
            walk(entry.value);
        }
    };
    walk(document.root());
    QVERIFY(nodes.size() > 100);
    // In turn, so that each value comes to many places also in the short form.
    const qsizetype step = isFullForm() ? 1 : 13;
    qsizetype first = 0;
    for (const YamlNode *node : std::as_const(nodes)) {
        for (qsizetype i = first++ % step; i < values.size(); i += step) {
            look(applyEdits(job, {{node->at, values.at(i)}}));
        }
        if (const Result<TextEdits> gone = planEdit(document, edit::Remove{document.pathOf(node)})) {
            look(applyEdits(job, *gone));
        }
    }
}

void TstTexts::durations_data()
{
    QTest::addColumn<qint64>("milliseconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("negative") << qint64(-5) << u"0.0 s"_s;
    QTest::newRow("tenths") << qint64(449) << u"0.4 s"_s;
    QTest::newRow("seconds") << qint64(12'900) << u"12 s"_s;
    QTest::newRow("minutes") << qint64(185'000) << u"3 min 05 s"_s;
    QTest::newRow("hours") << qint64(2 * 3'600'000 + 7 * 60'000) << u"2 h 07 min"_s;
    QTest::newRow("days") << qint64(4 * 86'400'000LL + 3 * 3'600'000) << u"4 d 3 h"_s;
}

void TstTexts::durations()
{
    QFETCH(qint64, milliseconds);
    QFETCH(QString, text);
    QCOMPARE(formatDuration(milliseconds), text);
    QCOMPARE(formatRoughDuration(milliseconds), milliseconds < 10'000 ? u"0 s"_s : text);
}

// Nobody knows the seconds of what is about half an hour.
void TstTexts::roughDurations()
{
    constexpr qint64 minute = 60'000, hour = 60 * minute, day = 24 * hour;
    QCOMPARE(formatRoughDuration(5'000), u"5 s"_s);
    QCOMPARE(formatRoughDuration(30 * minute), u"30 min"_s);
    QCOMPARE(formatRoughDuration(90'000), u"1 min 30 s"_s);
    QCOMPARE(formatRoughDuration(2 * hour), u"2 h"_s);
    QCOMPARE(formatRoughDuration(2 * hour + 5 * minute), u"2 h 05 min"_s);
    QCOMPARE(formatRoughDuration(3 * day), u"3 d"_s);
    QCOMPARE(progressWords(0.45, 20 * minute, 0), u"45 %, about 20 min left"_s);
}

void TstTexts::sizes()
{
    QCOMPARE(formatMiB(512), u"512 MiB"_s);
    QCOMPARE(formatMiB(1536), u"1.5 GiB"_s);
    QCOMPARE(formatMiB(65536), u"64 GiB"_s);
    QCOMPARE(formatBytes(17), u"17 B"_s);
    QCOMPARE(formatBytes(4096), u"4 KiB"_s);
    QCOMPARE(formatBytes(qint64(1288490189)), u"1.2 GiB"_s);
}

void TstTexts::exitCodes()
{
    QCOMPARE(shownExit(255, u"exit.command"_s, {{u"status"_s, 7}}), 7);
    QCOMPARE(shownExit(255, u"job.minFailed"_s, {{u"status"_s, 7}}), 255);
    QCOMPARE(shownExit(137, u"exit.command"_s, {{u"status"_s, 9}}), 137);
    for (const int code :
        {0, -100, -210, -1001, -1200, 137, 139, 143, 220, 226, 253, 254, 255, -2001, -2010, -2020, 77, -7777}) {
        const ExitText text = exitText(code);
        QVERIFY2(!text.phrase.isEmpty() && text.reason.endsWith(u'.'), qPrintable(QString::number(code)));
        QVERIFY(exitCodeText(code).contains(QString::number(code)));
    }
    QVERIFY(exitText(0).retry.isEmpty());
    QVERIFY(exitText(-1200).advice.contains(u"memoryMB"_s));
    QVERIFY(exitText(137).retry != exitText(-1200).retry);
}

// A user's own table of exit rules has its own words.
void TstTexts::ownExitCodes()
{
    const Result<ExitRules> rules = ExitRules::bundled().withOwn(R"({"entries": [
        {"code": 241, "phrase": "LicenceBusy", "behavior": "TRANSIENT_NORMAL", "reason": "No licence was free.",
         "repair": "Ask Ada."},
        {"code": 220, "reason": "The module was not loaded.", "behavior": "UNKNOWN"}]})");
    QVERIFY(rules);
    const QScopeGuard back([] { setExitRules(ExitRules::bundled()); });
    QCOMPARE(exitPhrase(241), QString());
    const QString retryOf137 = exitText(137).retry;
    const QString retryOf255 = exitText(255).retry;
    setExitRules(*rules);
    const ExitText own = exitText(241);
    QCOMPARE(own.phrase, u"LicenceBusy"_s);
    QCOMPARE(own.reason, u"No licence was free."_s);
    QCOMPARE(own.advice, u"Ask Ada."_s);
    QCOMPARE(own.retry, retryOf137);
    QCOMPARE(exitPhrase(241), u"LicenceBusy"_s);
    QCOMPARE(exitText(220).phrase, u"Command not found"_s); // where nothing else was said
    QCOMPARE(exitText(220).reason, u"The module was not loaded."_s);
    QCOMPARE(exitText(220).retry, retryOf255);
    QCOMPARE(exitText(-1200).phrase, u"Out of memory"_s);
}

// What ended a job is said in words, not as the counters that tipped.
void TstTexts::failedJobs()
{
    QJsonObject args{{u"role"_s, u"worker"_s}, {u"index"_s, 2}, {u"count"_s, 1}, {u"limit"_s, 1}, {u"code"_s, 220}};
    QCOMPARE(reasonText(u"job.minFailed"_s, args), u"worker/2 failed: Command not found (code 220)."_s);
    args.insert(u"code"_s, 255);
    QCOMPARE(reasonText(u"job.minFailed"_s, args), u"worker/2 failed: code 255."_s);
    args.insert(u"count"_s, 3);
    args.insert(u"limit"_s, 3);
    args.insert(u"code"_s, -1200);
    QCOMPARE(reasonText(u"job.minFailed"_s, args),
        u"3 tasks of worker failed, which ends the job. The last was worker/2: Out of memory (code -1200)."_s);
    QCOMPARE(reasonText(u"job.completedTasks"_s, args),
        u"3 tasks have ended, which ends the job. The last was worker/2: Out of memory (code -1200)."_s);
}

// What a list has room for: neither the role nor a whole sentence, unless there are no words.
void TstTexts::briefReasons()
{
    JobSummary job;
    const auto waiting = [&job](const QString &reason, const QJsonObject &args) {
        job.state = State::Waiting;
        job.reason = reason;
        job.reasonArgs = args;
        return whyBrief(job);
    };
    QCOMPARE(waiting(u"wait.gpu"_s, {{u"wanted"_s, 2}, {u"free"_s, 1}, {u"total"_s, 4}}), u"waits for 2 GPUs"_s);
    QCOMPARE(waiting(u"wait.gpu"_s, {{u"wanted"_s, 1}}), u"waits for 1 GPU"_s);
    QCOMPARE(waiting(u"wait.gpu-type"_s, {{u"wanted"_s, 2}, {u"type"_s, u"a100"_s}}), u"waits for 2 of a100"_s);
    QCOMPARE(waiting(u"wait.queue"_s, {{u"ahead"_s, 3}, {u"job"_s, 7}}), u"behind #7"_s);
    QCOMPARE(waiting(u"wait.after"_s, {{u"job"_s, 7}, {u"name"_s, u"data"_s}}), u"waits for #7"_s);
    QCOMPARE(waiting(u"wait.paused"_s, {{u"since"_s, 5}}), u"paused"_s);
    QCOMPARE(waiting(QString(), {}), QString());
    const QString sentence = waiting(u"wait.peer-interface"_s, {{u"host"_s, u"a"_s}, {u"interface"_s, u"ib0"_s}});
    QCOMPARE(sentence, jobReasonText(job)); // has no few words
    QVERIFY(sentence.contains(u"ib0"_s));

    FailureFacts facts;
    facts.cause = u"user-code-error"_s;
    facts.certainty = u"certain"_s;
    facts.text = u"ValueError: bad"_s;
    facts.args = {{u"type"_s, u"ValueError"_s}, {u"message"_s, u"bad"_s}};
    job.state = State::Failed;
    job.exitCode = 255;
    job.reason = u"exit.failed"_s;
    job.reasonArgs = {{u"role"_s, u"train"_s}, {u"index"_s, 0}, {u"status"_s, 1}, {failureKey, facts.toJson()}};
    QCOMPARE(whyBrief(job), u"ValueError"_s);
    QVERIFY(jobReasonText(job).startsWith(u"train/0: "_s));
    facts.cause = u"file-missing"_s;
    job.reasonArgs.insert(failureKey, facts.toJson());
    QCOMPARE(whyBrief(job), u"File missing"_s);
    job.state = State::Succeeded;
    QCOMPARE(whyBrief(job), QString());
}

// A status that alone decides, such as that of a signal, has no reason of its own: what the output shows is told.
void TstTexts::failuresWithoutAReason()
{
    FailureFacts facts;
    facts.cause = u"bad-arguments"_s;
    facts.certainty = u"certain"_s;
    facts.args = {{u"said"_s, u"train.py: error: unrecognized arguments: --epochs 10"_s}};
    const QString told = failureWords(facts).whole();
    QVERIFY2(told.contains(u"--epochs 10"_s), qPrintable(told));
    QJsonObject args{{u"role"_s, u"train"_s}, {u"index"_s, 0}, {u"count"_s, 1}, {u"limit"_s, 1}, {u"code"_s, 228},
        {failureKey, facts.toJson()}};
    QCOMPARE(reasonText(QString(), args), told); // of the task
    QCOMPARE(reasonText(u"job.minFailed"_s, args), told);
    // The page has its code beside it, and no general words that say less.
    JobSummary job;
    job.state = State::Failed;
    job.exitCode = 228;
    job.reason = u"job.minFailed"_s;
    job.reasonArgs = args;
    AttemptInfo attempt;
    attempt.triggerRole = u"train"_s;
    attempt.triggerIndex = 0;
    attempt.exitCode = 228;
    attempt.triggerRawExit = 2;
    const FailureText page = failureText(job, &attempt, &attempt, {});
    QVERIFY2(page.explanation.contains(told), qPrintable(page.explanation));
    QVERIFY2(!page.explanation.contains(exitText(228).reason), qPrintable(page.explanation));
    // What happened, where, and what to do are not lost in one paragraph.
    facts.file = u"train.py"_s;
    facts.fileLine = 7;
    job.reasonArgs.insert(failureKey, facts.toJson());
    const FailureText lines = failureText(job, &attempt, &attempt, {});
    QVERIFY2(lines.explanation.split(u'\n').contains(u"Where: train.py, line 7."_s), qPrintable(lines.explanation));
    QVERIFY2(lines.explanation.section(u'\n', 0, 0).contains(u"--epochs 10"_s), qPrintable(lines.explanation));
    QVERIFY(!lines.advice.isEmpty() && !lines.explanation.contains(lines.advice));
    // Lines of the output beside it are not repeated; where in the code is still told.
    facts.cause = u"gpu-oom"_s;
    facts.args = {{u"said"_s, u"RuntimeError: CUDA out of memory"_s}};
    job.reasonArgs.insert(failureKey, facts.toJson());
    const FailureText quoting = failureText(job, &attempt, &attempt, {});
    const FailureText beside = failureText(job, &attempt, &attempt, {}, OutputQuote::SeenBeside);
    QVERIFY2(quoting.explanation.contains(u"CUDA out of memory"_s), qPrintable(quoting.explanation));
    QVERIFY2(!beside.explanation.contains(u"CUDA out of memory"_s), qPrintable(beside.explanation));
    QVERIFY2(beside.explanation.contains(failureWords(facts).sentence), qPrintable(beside.explanation));
    QVERIFY2(beside.explanation.contains(u"Where: train.py, line 7."_s), qPrintable(beside.explanation));
    // Several failed: which and how many is told as well.
    args.insert(u"count"_s, 3);
    QCOMPARE(reasonText(u"job.minFailed"_s, args),
        u"3 tasks of train failed, which ends the job. The last was train/0: Wrong argument (code 228). "_s + told);
    // Nothing is known: the code says more.
    args.insert(u"count"_s, 1);
    facts.certainty = u"unknown"_s;
    args.insert(failureKey, facts.toJson());
    QCOMPARE(reasonText(u"job.minFailed"_s, args), u"train/0 failed: Wrong argument (code 228)."_s);
}

// Which host has no such folder; records of earlier versions do not tell.
void TstTexts::workFolders()
{
    QJsonObject args{{u"detail"_s, u"/data/x"_s}};
    QCOMPARE(reasonText(u"launch.cwd-missing"_s, args), u"The work folder /data/x does not exist on the host."_s);
    args.insert(u"host"_s, u"lab1"_s);
    QVERIFY(reasonText(u"launch.cwd-missing"_s, args).startsWith(u"The work folder /data/x does not exist on lab1."_s));
    QVERIFY(
        reasonText(u"launch.cwd-denied"_s, args).startsWith(u"The work folder /data/x on lab1 cannot be entered"_s));
    args.insert(u"host"_s, u"local"_s);
    QVERIFY(reasonText(u"launch.cwd-missing"_s, args).contains(u"does not exist on this computer."_s));
}

void TstTexts::states()
{
    QCOMPARE(stateText(State::Waiting), u"Waiting"_s);
    QCOMPARE(stateText(State::Stopping), u"Stopping"_s);
}

void TstTexts::spreadAsText_data()
{
    QTest::addColumn<double>("mean");
    QTest::addColumn<double>("deviation");
    const auto row = [](const char *text, double mean, double deviation) { QTest::newRow(text) << mean << deviation; };
    row("0.0823 ± 0.0045", 0.082333, 0.0045);
    row("0.85 ± 0.071", 0.85, 0.0707);
    row("24.49 ± 0", 24.49, 0);
    row("0 ± 0", 0, 0);
    row("0 ± 0.5", 0, 0.5);
    row("123500 ± 1200", 123456, 1234);
    row("12 ± 30", 12.3, 30);
    row("-1.53 ± 0.11", -1.5285, 0.11);
    row("1.2342e-07 ± 1.2e-10", 1.2342e-7, 1.2e-10);
}

void TstTexts::spreadAsText()
{
    QFETCH(double, mean);
    QFETCH(double, deviation);
    CompareSpread spread{3, false, mean, mean, mean, deviation};
    QCOMPARE(spreadText(spread, true), QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY(!spreadText(spread, false).contains(QStringLiteral("±")));
    spread.hasBroken = true;
    QCOMPARE(spreadText(spread, true), QStringLiteral("NaN"));
    QCOMPARE(factValue(QStringLiteral("")), QStringLiteral("''")); // an empty value is not the same as none
    QCOMPARE(factValue(QString()), QStringLiteral("–"));
    for (const auto &[path, heading] : {std::pair{u"taskRoles.worker.instances"_s, u"instances"_s},
             {u"prerequisites.pytorch.name"_s, u"pytorch.name"_s}, {u"taskRoles.a.commands.0"_s, u"commands.0"_s}}) {
        QCOMPARE(factHeading({CompareFact::Kind::Configuration, path, {}}), heading);
    }
    QCOMPARE(factHeading({CompareFact::Kind::Parameter, u"a.name"_s, {}}), u"a.name"_s);
}

void TstTexts::whatElseDiffers_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *text, const QByteArray &first, const QByteArray &second) {
        QTest::addRow("%s %s", text, second.constData()) << first << second << QString::fromLatin1(text);
    };
    row("", R"({"git": {"commit": "aa", "dirty": false}})", R"({"git": {"commit": "aa", "dirty": false}})");
    row("", R"({"git": {"commit": "aa"}})", "{}"); // not known
    row("commit (01234567, 89abcdef)", R"({"git": {"commit": "0123456789abcdef"}})",
        R"({"git": {"commit": "89abcdef01234567"}})");
    row("commit (aa, none)", R"({"host": "a", "git": {"commit": "aa"}})", R"({"host": "a"})");
    row("uncommitted changes", R"({"git": {"commit": "aa", "diff": "+1"}})",
        R"({"git": {"commit": "aa", "diff": "+2"}})");
    row("packages (torch)", R"({"python": {"packages": {"torch": "2.1", "six": "1"}}})",
        R"({"python": {"packages": {"torch": "2.2", "six": "1"}}})");
    row("packages (a, b, c and 1 more)", R"({"python": {"packages": {"a": "1", "b": "1", "c": "1", "d": "1"}}})",
        R"({"python": {"packages": {"a": "2", "b": "2", "c": "2", "d": "2"}}})");
    row("Python (3.10, 3.12)", R"({"python": {"version": "3.10", "executable": "/a"}})",
        R"({"python": {"version": "3.12", "executable": "/b"}})");
    row("host (lab1, lab2), GPU (A, B), work folder", R"({"host": "lab1", "gpus": "A", "workFolder": "/a"})",
        R"({"host": "lab2", "gpus": "B", "workFolder": "/b"})");
    row("environment variables (LANG)", R"({"variables": {"LANG": "C", "CUDA_VISIBLE_DEVICES": "0"}})",
        R"({"variables": {"LANG": "de", "CUDA_VISIBLE_DEVICES": "1"}})");
    QTest::newRow("a folder of its own") << QByteArray(R"({"workFolder": "/runs/uuid-1/work"})")
                                         << QByteArray(R"({"workFolder": "/runs/uuid-2/work"})") << QString();
}

void TstTexts::whatElseDiffers()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    QFETCH(QString, text);
    CompareRun one, other;
    one.job.uuid = u"uuid-1"_s;
    other.job.uuid = u"uuid-2"_s;
    one.environment = QJsonDocument::fromJson(first).object();
    other.environment = QJsonDocument::fromJson(second).object();
    const QList<CompareRun> runs{one, other};
    QCOMPARE(otherDifferences(compareRuns(runs).different, runs), text);
}

// What is set, such as a rate, tells less than what is measured.
void TstTexts::settingsComeLast()
{
    QStringList names{
        u"lr"_s, u"lr-Adam"_s, u"opt/learning_rate"_s, u"throughput"_s, u"clr"_s, u"val/acc"_s, u"loss"_s};
    std::stable_sort(
        names.begin(), names.end(), [](const QString &a, const QString &b) { return metricRank(a) < metricRank(b); });
    QCOMPARE(names,
        (QStringList{
            u"loss"_s, u"val/acc"_s, u"throughput"_s, u"clr"_s, u"lr"_s, u"lr-Adam"_s, u"opt/learning_rate"_s}));
}

TRAINYARD_TEST(TstTexts)
#include "tst_texts.moc"
