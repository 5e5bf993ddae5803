// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobset.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <yaml-cpp/yaml.h>

#include <map>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Manifests of JobSet for whoever follows the tasks himself, and that both kinds have only what their servers know.
class TstJobSet : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fieldsAreKnown_data();
    void fieldsAreKnown();
    void startsNothingTwice();
    void tasksKnowTheirPlaces();
    void otherRulesHideFailures_data();
    void otherRulesHideFailures();
    void secretsAreOneObject();
    void imagesAreNeeded();
};

namespace
{

const char setRole[] = R"(
    dockerImage: img
    resourcePerInstance: {cpu: 2, memoryMB: 1000, gpu: 1}
)";

JobSpec setJob(const QByteArray &completion = "{}", const QByteArray &more = {})
{
    const ParseOutcome outcome = parseJob("protocolVersion: 2\nname: a_job\ntype: job\n" + more
        + "prerequisites:\n  - {name: img, type: dockerimage, uri: 'debian:12'}\n"
          "jobRetryCount: 3\ntaskRoles:\n  parameter_server_of_the_job:"
        + setRole + "    commands: [echo x]\n  worker:" + setRole
        + "    instances: 3\n    taskRetryCount: 2\n    completion: " + completion
        + "\n    commands: [\"echo <% $secrets.token %>\"]\nsecrets: {token: hunter2222}\n"
          "extras: {trainyard: {limits: {timeSeconds: 7200}}}\n");
    return outcome.spec.value_or(JobSpec());
}

JobSetRequest setRequest()
{
    JobSetRequest request;
    request.name = u"ty-0123456789abcdef"_s;
    request.labels = {{u"trainyard-engine"_s, u"e1"_s}, {u"trainyard-job"_s, u"j1"_s}};
    request.queue = u"research"_s;
    request.jobId = u"j1"_s;
    request.attempt = 2;
    request.tasks = {{0, 0}, {1, 0}, {1, 1}, {1, 2}};
    return request;
}

// What the servers know of, as far as a manifest of ours may use it: the type of each field. The types of objects have
// names with capital letters; "[X]" is a list of X, "{}" a map of texts.
using Fields = std::map<std::string, std::string>;
const std::map<std::string, Fields> &serverTypes()
{
    static const std::map<std::string, Fields> types{
        {"ConfigMap", {{"apiVersion", "text"}, {"kind", "text"}, {"metadata", "Metadata"}, {"data", "{}"}}},
        {"Secret",
            {{"apiVersion", "text"}, {"kind", "text"}, {"metadata", "Metadata"}, {"type", "text"},
                {"stringData", "{}"}}},
        {"JobSet", {{"apiVersion", "text"}, {"kind", "text"}, {"metadata", "Metadata"}, {"spec", "JobSetSpec"}}},
        {"Metadata", {{"name", "text"}, {"labels", "{}"}, {"annotations", "{}"}}},
        {"JobSetSpec",
            {{"network", "Network"}, {"successPolicy", "SuccessPolicy"}, {"failurePolicy", "FailurePolicy"},
                {"replicatedJobs", "[ReplicatedJob]"}, {"suspend", "bool"}, {"ttlSecondsAfterFinished", "number"}}},
        {"Network", {{"enableDNSHostnames", "bool"}, {"subdomain", "text"}}},
        {"SuccessPolicy", {{"operator", "text"}, {"targetReplicatedJobs", "[text]"}}},
        {"FailurePolicy", {{"maxRestarts", "number"}}},
        {"ReplicatedJob", {{"name", "text"}, {"replicas", "number"}, {"template", "JobTemplate"}}},
        {"JobTemplate", {{"metadata", "Metadata"}, {"spec", "JobSpec"}}},
        {"JobSpec",
            {{"parallelism", "number"}, {"completions", "number"}, {"backoffLimit", "number"},
                {"activeDeadlineSeconds", "number"}, {"template", "PodTemplate"}}},
        {"PodTemplate", {{"metadata", "Metadata"}, {"spec", "PodSpec"}}},
        {"PodSpec",
            {{"restartPolicy", "text"}, {"terminationGracePeriodSeconds", "number"},
                {"activeDeadlineSeconds", "number"}, {"containers", "[Container]"}, {"volumes", "[Volume]"}}},
        {"Container",
            {{"name", "text"}, {"image", "text"}, {"command", "[text]"}, {"env", "[Variable]"},
                {"resources", "Resources"}, {"volumeMounts", "[Mount]"}}},
        {"Variable", {{"name", "text"}, {"value", "text"}, {"valueFrom", "Source"}}},
        {"Source", {{"fieldRef", "FieldRef"}, {"secretKeyRef", "KeyRef"}}},
        {"FieldRef", {{"fieldPath", "text"}}},
        {"KeyRef", {{"name", "text"}, {"key", "text"}}},
        {"Resources", {{"limits", "{}"}, {"requests", "{}"}}},
        {"Mount", {{"name", "text"}, {"mountPath", "text"}}},
        {"Volume", {{"name", "text"}, {"configMap", "NameRef"}, {"emptyDir", "EmptyDir"}}},
        {"NameRef", {{"name", "text"}}},
        {"EmptyDir", {{"medium", "text"}, {"sizeLimit", "text"}}},
    };
    return types;
}

// The first field that is not as its server has it; empty: all are.
std::string strangeField(const YAML::Node &node, const std::string &type, const std::string &path)
{
    if (type.front() == '[') {
        if (!node.IsSequence()) {
            return path;
        }
        for (std::size_t i = 0; i < node.size(); ++i) {
            const std::string found
                = strangeField(node[i], type.substr(1, type.size() - 2), path + '/' + std::to_string(i));
            if (!found.empty()) {
                return found;
            }
        }
        return {};
    }
    if (type == "number" || type == "bool" || type == "text") {
        // A text that YAML reads as something else has quotes.
        const std::string &said = node.IsScalar() ? node.Scalar() : std::string();
        const bool isQuoted = node.Tag() == "!";
        const bool isNumber = !said.empty() && said.find_first_not_of("0123456789") == std::string::npos;
        const bool isBool = said == "true" || said == "false";
        const bool isGood = node.IsScalar()
            && (type == "number"     ? isNumber && !isQuoted
                    : type == "bool" ? isBool && !isQuoted
                                     : isQuoted || (!isNumber && !isBool));
        return isGood ? std::string() : path;
    }
    if (!node.IsMap()) {
        return path;
    }
    for (const auto &each : node) {
        const std::string key = each.first.as<std::string>();
        std::string fieldType = "any";
        if (type != "{}") {
            const Fields &known = serverTypes().at(type);
            const auto field = known.find(key);
            if (field == known.end()) {
                return path + '/' + key;
            }
            fieldType = field->second;
        }
        const std::string found = fieldType == "any" ? (each.second.IsScalar() ? std::string() : path + '/' + key)
                                                     : strangeField(each.second, fieldType, path + '/' + key);
        if (!found.empty()) {
            return found;
        }
    }
    return {};
}

std::vector<YAML::Node> objectsOf(const QByteArray &text) { return YAML::LoadAll(text.toStdString()); }

YAML::Node specOf(const JobSetManifest &manifest) { return objectsOf(manifest.text).back()["spec"]; }

YAML::Node podOf(const YAML::Node &spec, int part)
{
    return spec["replicatedJobs"][part]["template"]["spec"]["template"]["spec"];
}

} // namespace

void TstJobSet::fieldsAreKnown_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("export") << exportJob(setJob(), ExportTarget::JobSet).value_or(Exported()).text;
    const Result<JobSetManifest> whole = jobSetManifest(setJob(), setRequest());
    QTest::newRow("target") << (whole ? whole->text : QByteArray());
    const Result<JobSetManifest> hidden = jobSetManifest(setJob("{minFailedInstances: 2}"), setRequest());
    QTest::newRow("target with other rules") << (hidden ? hidden->text : QByteArray());
}

void TstJobSet::fieldsAreKnown()
{
    QFETCH(QByteArray, text);
    const std::vector<YAML::Node> objects = objectsOf(text);
    QVERIFY(objects.size() >= 2);
    for (const YAML::Node &object : objects) {
        const std::string kind = object["kind"].as<std::string>();
        QVERIFY(serverTypes().contains(kind));
        const std::string found = strangeField(object, kind, kind);
        QVERIFY2(found.empty(), found.c_str());
        QCOMPARE(
            object["apiVersion"].as<std::string>(), std::string(kind == "JobSet" ? "jobset.x-k8s.io/v1alpha2" : "v1"));
    }
}

// Whoever asks for it tries again by himself.
void TstJobSet::startsNothingTwice()
{
    const Result<JobSetManifest> manifest = jobSetManifest(setJob(), setRequest());
    QVERIFY(manifest);
    QVERIFY(manifest->text.contains("TASK_RETRIES=(0 0)"));
    const YAML::Node set = objectsOf(manifest->text).back(), spec = set["spec"];
    QCOMPARE(spec["failurePolicy"]["maxRestarts"].as<int>(), 0);
    for (int part = 0; part < 2; ++part) {
        const YAML::Node job = spec["replicatedJobs"][part]["template"];
        QCOMPARE(job["spec"]["backoffLimit"].as<int>(), 0);
        QVERIFY(!job["spec"]["activeDeadlineSeconds"].IsDefined()); // a queue would cost of it
        QCOMPARE(podOf(spec, part)["activeDeadlineSeconds"].as<int>(), 7200);
        QCOMPARE(podOf(spec, part)["restartPolicy"].as<std::string>(), std::string("Never"));
        QCOMPARE(
            job["spec"]["template"]["metadata"]["labels"]["trainyard-engine"].as<std::string>(), std::string("e1"));
    }
    QCOMPARE(set["metadata"]["labels"]["kueue.x-k8s.io/queue-name"].as<std::string>(), std::string("research"));
}

void TstJobSet::tasksKnowTheirPlaces()
{
    const Result<JobSetManifest> whole = jobSetManifest(setJob(), setRequest());
    QVERIFY(whole);
    QCOMPARE(whole->parts.size(), 4);
    QCOMPARE(whole->parts.at(0).job, u"parameter-server-0"_s); // cut: names of pods are not long
    QCOMPARE(whole->parts.at(3).job, u"worker-1"_s);
    QCOMPARE(whole->parts.at(3).number, 2);
    QVERIFY(whole->text.contains("ty-0123456789abcdef-worker-1-2-0.ty-0123456789abcdef"));
    // Tasks that stay as they are have no address, and the others their own numbers.
    JobSetRequest some = setRequest();
    some.tasks = {{1, 0}, {1, 2}};
    const Result<JobSetManifest> part = jobSetManifest(setJob(), some);
    QVERIFY(part);
    QCOMPARE(part->parts.at(1).job, u"worker-1"_s);
    QCOMPARE(part->parts.at(1).number, 0);
    QVERIFY(part->text.contains("ADDRESSES=('' ty-0123456789abcdef-worker-0-0-0.ty-0123456789abcdef '' "
                                "ty-0123456789abcdef-worker-1-0-0.ty-0123456789abcdef)"));
    QCOMPARE(podOf(specOf(*part), 1)["containers"][0]["command"][2].as<std::string>(), std::string("3"));
}

void TstJobSet::otherRulesHideFailures_data()
{
    QTest::addColumn<QByteArray>("completion");
    QTest::addColumn<bool>("hidden");
    QTest::addColumn<QByteArray>("way");
    QTest::newRow("first failure") << QByteArray("{}") << false << QByteArray("All");
    QTest::newRow("first success") << QByteArray("{minSucceededInstances: 1}") << false << QByteArray("Any");
    QTest::newRow("second failure") << QByteArray("{minFailedInstances: 2}") << true << QByteArray("All");
    QTest::newRow("no failure") << QByteArray("{minFailedInstances: -1, minSucceededInstances: 1}") << true
                                << QByteArray("All");
}

void TstJobSet::otherRulesHideFailures()
{
    QFETCH(QByteArray, completion);
    QFETCH(bool, hidden);
    QFETCH(QByteArray, way);
    const Result<JobSetManifest> manifest = jobSetManifest(setJob(completion), setRequest());
    QVERIFY(manifest);
    const YAML::Node spec = specOf(*manifest);
    QCOMPARE(QByteArray::fromStdString(spec["successPolicy"]["operator"].as<std::string>()), way);
    const YAML::Node command = podOf(spec, 1)["containers"][0]["command"];
    QCOMPARE(command[1].as<std::string>() == "-c", hidden);
    QCOMPARE(command[command.size() - 1].as<std::string>(), std::string("1"));
}

void TstJobSet::secretsAreOneObject()
{
    JobSetRequest request = setRequest();
    const Result<JobSetManifest> with = jobSetManifest(setJob(), request);
    QVERIFY(with);
    const std::vector<YAML::Node> objects = objectsOf(with->text);
    QCOMPARE(objects.size(), std::size_t(3));
    QCOMPARE(objects.at(1)["kind"].as<std::string>(), std::string("Secret"));
    QCOMPARE(objects.at(1)["stringData"]["SECRET_TOKEN"].as<std::string>(), std::string("hunter2222"));
    QCOMPARE(with->text.count("hunter2222"), 1);
    request.withSecrets = false;
    const Result<JobSetManifest> without = jobSetManifest(setJob(), request);
    QVERIFY(without);
    QVERIFY(!without->text.contains("hunter2222"));
    QVERIFY(without->text.contains("secretKeyRef"));
}

void TstJobSet::imagesAreNeeded()
{
    JobSpec job = setJob();
    job.taskRoles[1].dockerImage.clear();
    const Result<JobSetManifest> manifest = jobSetManifest(job, setRequest());
    QVERIFY(!manifest);
    QCOMPARE(manifest.error().code, u"export.no-image"_s);
}

TRAINYARD_TEST(TstJobSet)
#include "tst_jobset.moc"
