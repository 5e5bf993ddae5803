// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchimport.h"

#include "model/base/exportmark.h"
#include "model/base/utf8.h"
#include "model/import/batchhead.h"
#include "model/import/batchimage.h"
#include "model/import/batchroles.h"
#include "model/import/batchshell.h"
#include "model/import/batchusage.h"
#include "model/import/batchvariables.h"
#include "model/import/dockercall.h"
#include "model/import/srunfunction.h"
#include "model/protocol/jobdocument.h"
#include "model/yaml/yamlwriter.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

using namespace batch;

constexpr char keepsGoing[] = "set +o errexit +o nounset +o pipefail";

class BatchImporter
{
public:
    batch::Findings findings;

    BatchImporter(const Script &script, const QString &name)
        : m_read(script), m_docker(takeDockerCall(m_read, findings)), m_given(name)
    {
    }
    QByteArray convert();

private:
    void applyArray();
    bool isArray() const { return m_head.array && m_isArray; }
    YamlWriter roleOf(const Role &role);
    YamlWriter extras() const;
    YamlWriter hosts() const;
    void sayArrangement(const Role &role);
    ByteRange head() const { return {0, 0}; }
    ByteRange lineWith(const QByteArray &text) const; // of the commands
    QString imageOf(const Role &role) const; // as the script says it
    void sayOfUnusedImages();
    ByteRange placeOf(const QString &image) const; // where it does
    void sayOfUnknownVariables(const VariablesOf &of);
    QByteArray prelude(const Role &role);
    QString jobName();

    Script m_read;
    const Script &m_script = m_read;
    const std::optional<DockerJob> m_docker; // whose command stands in the script instead
    const QString m_given;
    BatchHead m_head;
    Images m_used;
    QList<Role> m_roles;
    const Shell m_shell = shellOf(m_script.interpreter);
    QList<UsedVariable> m_variables = variablesOf(m_script);
    const bool m_asksForHosts = asksForHosts(m_script), m_startsTasks = startsTasks(m_script);
    bool m_isArray = false; // the elements of the array are the tasks
    bool m_needsSrun = false, m_saidVariables = false;
    SaidValues m_saidValues;
    qint64 m_tasksPerNode = 0; // of srun
};

ByteRange BatchImporter::lineWith(const QByteArray &text) const
{
    const auto found = std::find_if(
        m_script.lines.cbegin(), m_script.lines.cend(), [&text](const Line &line) { return line.text.contains(text); });
    return found == m_script.lines.cend() ? head() : found->at;
}

QString BatchImporter::jobName()
{
    static const QRegularExpression odd(u"[^A-Za-z0-9_-]+"_s);
    const QString wanted = m_head.name.isEmpty() ? m_given : m_head.name;
    QString name = wanted;
    name = name.replace(odd, u"_"_s).left(255);
    if (name.isEmpty()) {
        return u"batch"_s;
    }
    if (name != wanted && !m_head.name.isEmpty()) {
        findings.say("batch.name", Severity::Warning, m_head.nameAt, {{u"from"_s, wanted}, {u"name"_s, name}});
    }
    return name;
}

// Elements of an array are independent of each other: one task each, where each is one task.
void BatchImporter::applyArray()
{
    if (!m_head.array) {
        return;
    }
    if (m_roles.size() > 1 || m_roles.constFirst().instances > 1) {
        findings.say("batch.array-parallel", Severity::Warning, m_head.arrayAt);
        return;
    }
    m_isArray = true;
    m_roles.first().instances = m_head.array->ids.size();
    const qint64 tasks = m_head.array->ids.size();
    findings.say("batch.array", Severity::Note, m_head.arrayAt, {{u"tasks"_s, tasks}});
    if (tasks > 1) {
        findings.say("batch.array-succeeds", Severity::Warning, m_head.arrayAt);
    }
    if (m_head.timeSeconds > 0 && tasks > 1) { // long enough even when one runs after the other
        findings.say("batch.array-time", Severity::Warning, m_head.timeAt,
            {{u"seconds"_s, m_head.timeSeconds}, {u"all"_s, m_head.timeSeconds * tasks}});
        m_head.timeSeconds *= tasks;
    }
    if (m_head.array->most > 0) {
        findings.say("batch.array-limit", Severity::Warning, m_head.arrayAt, {{u"most"_s, m_head.array->most}});
    }
}

// An option without a value for one role has none for the others.
void BatchImporter::sayOfUnknownVariables(const VariablesOf &of)
{
    m_variables.removeIf([this, &of](const UsedVariable &variable) {
        const bool isUnknown = !valueOfVariable(variable.name, of);
        if (isUnknown) {
            findings.say(isOnlyOnSlurm(variable.name) ? "batch.variable-slurm" : "batch.variable", Severity::Warning,
                variable.at, {{u"name"_s, variable.name}});
        }
        return isUnknown;
    });
}

// The lines above the script's own lines in a role.
QByteArray BatchImporter::prelude(const Role &role)
{
    QByteArrayList lines{keepsGoing};
    lines += m_head.exports;
    const VariablesOf of{role.name.toUtf8(), role.instances, role.cpusPerTask, role.tasksInOne, role.demand,
        isArray() ? m_head.array->ids : QList<qint64>()};
    sayOfUnknownVariables(of);
    QList<UsedVariable> variables = m_variables;
    // mpirun would ask Slurm for the hosts that the variables name.
    const bool gainsRanks = role.instances > 1 && !isArray() && !m_startsTasks;
    if (gainsRanks) { // programs learn of each other by them
        lines += srunExports(of);
        const QStringList set = srunVariables();
        variables.removeIf([&set](const UsedVariable &variable) { return set.contains(variable.name); });
        if (!std::exchange(m_saidVariables, true)) {
            findings.say("batch.srun-variables", Severity::Note, lineWith("srun"), {{u"names"_s, set.join(u", "_s)}});
        }
    }
    const QString nodes = u"SLURM_JOB_NODELIST"_s;
    const bool namesNodes = std::any_of(variables.cbegin(), variables.cend(),
        [&nodes](const UsedVariable &variable) { return variable.name == nodes; });
    if (m_asksForHosts && !namesNodes && !gainsRanks) {
        variables.append({nodes, {}});
    }
    for (const auto &[name, at] : std::as_const(variables)) {
        lines.append("export " + assignmentOf(name, of));
        m_saidValues.say({name, at}, role.name, of, findings);
    }
    if (m_asksForHosts) {
        lines.append("scontrol() { tr , '\\n' <<<\"$SLURM_JOB_NODELIST\"; } # show hostnames");
    }
    if (m_needsSrun) {
        lines.append(srunFunction(m_tasksPerNode));
    }
    if (m_head.signal && !m_head.signal->isForShell) { // Slurm gives it to what the script has started
        lines.append("trap : " + m_head.signal->name.toLatin1());
    }
    if (!m_shell.settings.isEmpty()) { // the options of the shell in the first line of the script
        lines.append(m_shell.settings);
    }
    return lines.join('\n');
}

YamlWriter BatchImporter::roleOf(const Role &role)
{
    YamlWriter map = YamlWriter::map();
    map.add(u"instances"_s, YamlWriter::number(role.instances));
    if (m_roles.size() > 1 || isArray()) {
        YamlWriter completion = YamlWriter::map();
        // Elements of an array stop no other one: by the last failure, all have ended.
        completion.add(u"minFailedInstances"_s, YamlWriter::number(isArray() ? role.instances : 1));
        completion.add(u"minSucceededInstances"_s, YamlWriter::number(role.decides ? role.instances : -1));
        map.add(u"completion"_s, completion);
    }
    if (const QString image = m_used.nameOf(imageOf(role)); !image.isEmpty()) {
        map.add(u"dockerImage"_s, YamlWriter::text(image));
    }
    if (m_docker && m_docker->sharedMiB) {
        YamlWriter options = YamlWriter::map();
        options.add(u"shmMB"_s, YamlWriter::number(*m_docker->sharedMiB));
        map.add(u"extraContainerOptions"_s, options);
    }
    YamlWriter resources = YamlWriter::map();
    resources.add(u"cpu"_s, YamlWriter::number(role.demand.cpus));
    resources.add(
        u"memoryMB"_s, YamlWriter::number(std::max<qint64>(1, role.demand.memory.value_or(usualBatchMemoryMiB))));
    resources.add(u"gpu"_s, YamlWriter::number(role.demand.gpus));
    map.add(u"resourcePerInstance"_s, resources);
    QByteArrayList texts;
    for (const Line &line : role.lines) {
        texts.append(line.text);
    }
    YamlWriter commands = YamlWriter::list();
    commands.append(YamlWriter::text(QString::fromUtf8(prelude(role))));
    commands.append(YamlWriter::text(QString::fromUtf8(texts.join('\n'))));
    map.add(u"commands"_s, commands);
    return map;
}

QString BatchImporter::imageOf(const Role &role) const
{
    return role.image.isEmpty() ? m_head.images.value(role.component) : role.image;
}

ByteRange BatchImporter::placeOf(const QString &image) const
{
    for (const QList<Option> &options : m_script.components) {
        for (const Option &option : options) {
            if (option.meaning == Meaning::Image && option.value == image) {
                return option.at;
            }
        }
    }
    return m_docker && m_docker->image == image ? m_docker->at : lineWith(image.toUtf8());
}

// The head may name an image, and a step another one: when no task has the one of the head, it is left out.
void BatchImporter::sayOfUnusedImages()
{
    QStringList said;
    for (const Role &role : std::as_const(m_roles)) {
        const QString ofHead = m_head.images.value(role.component);
        const bool isUsed = std::any_of(
            m_roles.cbegin(), m_roles.cend(), [this, &ofHead](const Role &other) { return imageOf(other) == ofHead; });
        if (!ofHead.isEmpty() && !isUsed && !said.contains(ofHead)) {
            said.append(ofHead);
            sayOfOtherImage(role.image, ofHead, placeOf(ofHead), findings);
        }
    }
}

// How Slurm distributes the tasks over nodes. The elements of an array have nothing to do with each other.
YamlWriter BatchImporter::hosts() const
{
    YamlWriter hosts = YamlWriter::map();
    for (const Role &role : std::as_const(m_roles)) {
        if (role.arrange != Arrangement::Any && !isArray()) {
            YamlWriter rule = YamlWriter::map();
            rule.add(u"arrange"_s, YamlWriter::text(arrangementWord(role.arrange)));
            hosts.add(role.name, rule);
        }
    }
    return hosts;
}

void BatchImporter::sayArrangement(const Role &role)
{
    const bool isKept = role.arrange != Arrangement::Pack; // as the script has it
    const char *code = role.arrange == Arrangement::SameHost ? "batch.one-host"
        : isKept                                             ? "batch.different-hosts"
                                                             : "batch.few-hosts";
    findings.say(code, isKept ? Severity::Note : Severity::Warning, role.nodesAt,
        {{u"role"_s, role.name}, {u"instances"_s, role.instances}, {u"nodes"_s, role.nodes}});
}

YamlWriter BatchImporter::extras() const
{
    YamlWriter own = YamlWriter::map();
    if (!m_head.folder.isEmpty()) {
        own.add(u"work"_s, YamlWriter::text(m_head.folder));
    }
    if (m_docker && !m_used.nameOf(m_docker->image).isEmpty()) {
        own.add(u"runIn"_s, YamlWriter::text(m_docker->program));
    }
    if (const YamlWriter rules = hosts(); !rules.isEmpty()) {
        own.add(u"hosts"_s, rules);
    }
    if (m_head.signal) {
        YamlWriter stop = YamlWriter::map();
        stop.add(u"signal"_s, YamlWriter::text(m_head.signal->name));
        if (m_head.signal->isForShell) {
            stop.add(u"only"_s, YamlWriter::text(u"main"_s));
        }
        stop.add(u"graceSeconds"_s, YamlWriter::number(m_head.signal->seconds));
        own.add(u"stop"_s, stop);
    }
    if (m_head.timeSeconds > 0) {
        YamlWriter limits = YamlWriter::map();
        limits.add(u"timeSeconds"_s, YamlWriter::number(m_head.timeSeconds));
        own.add(u"limits"_s, limits);
    }
    YamlWriter extras = YamlWriter::map();
    YamlWriter types = YamlWriter::map();
    for (const Role &role : std::as_const(m_roles)) {
        if (role.demand.gpus > 0 && !role.demand.gpuType.isEmpty()) {
            YamlWriter type = YamlWriter::map();
            type.add(u"skuType"_s, YamlWriter::text(role.demand.gpuType));
            types.add(role.name, type);
        }
    }
    if (!types.isEmpty()) {
        YamlWriter hived = YamlWriter::map();
        hived.add(u"taskRoles"_s, types);
        extras.add(u"hivedScheduler"_s, hived);
    }
    if (isArray()) {
        extras.add(u"gangAllocation"_s, YamlWriter::plain("false"));
    }
    if (!own.isEmpty()) {
        extras.add(u"trainyard"_s, own);
    }
    return extras;
}

QByteArray BatchImporter::convert()
{
    const bool isForSbatch = m_script.components.size() > 1 || !m_script.components.constFirst().isEmpty();
    if (m_script.interpreter.isEmpty() && isForSbatch) {
        findings.say("batch.no-interpreter", Severity::Note, head());
    }
    if (m_shell.name == "zsh"_L1 || m_shell.name == "ksh"_L1) {
        findings.say("batch.other-shell", Severity::Warning, head(), {{u"program"_s, m_shell.name}});
    }
    const QList<ForeignMark> marks = foreignMarks(m_script);
    for (const ForeignMark &each : marks) {
        findings.say("batch.other-system", Severity::Warning, each.at, {{u"mark"_s, each.mark}});
    }
    m_head = batchHead(m_script, m_docker, findings);
    const BatchRoles made = batchRoles(m_script, m_head.shapes, findings);
    m_roles = made.roles;
    m_needsSrun = made.needsSrun;
    m_tasksPerNode = made.tasksPerNode;
    if (m_roles.isEmpty()) { // what is in the way was said
        return {};
    }
    applyArray();
    YamlWriter job = YamlWriter::map();
    job.add(u"protocolVersion"_s, YamlWriter::number(2));
    job.add(u"name"_s, YamlWriter::text(jobName()));
    job.add(u"type"_s, YamlWriter::text(u"job"_s));
    for (const Role &role : std::as_const(m_roles)) {
        const QString image = imageOf(role);
        m_used.take(image, placeOf(image), findings, m_docker ? m_docker->program : QString());
    }
    sayOfUnusedImages();
    if (const YamlWriter list = m_used.prerequisites(); !list.isEmpty()) {
        job.add(u"prerequisites"_s, list);
    }
    YamlWriter roles = YamlWriter::map();
    for (const Role &role : std::as_const(m_roles)) {
        roles.add(role.name, roleOf(role));
    }
    job.add(u"taskRoles"_s, roles);
    if (const YamlWriter more = extras(); !more.isEmpty()) {
        job.add(u"extras"_s, more);
    }
    sayUsage(m_script, m_head.exported, findings);
    if (std::any_of(m_roles.cbegin(), m_roles.cend(), [](const Role &role) { return !role.demand.memory; })) {
        findings.say("batch.no-memory", Severity::Note, head(), {{u"memory"_s, u"4 GiB"_s}});
    }
    for (const Role &role : std::as_const(m_roles)) {
        if (role.demand.takesNode) {
            findings.say("batch.all-memory", Severity::Warning, m_head.memoryAt,
                {{u"role"_s, role.name}, {u"memory"_s, u"%1 GiB"_s.arg(role.demand.memory.value_or(0) / 1024)}});
        }
        if (role.demand.takesCores) {
            findings.say("batch.exclusive", Severity::Warning, m_head.exclusiveAt,
                {{u"role"_s, role.name}, {u"cpus"_s, role.demand.cpus}});
        }
        if (role.arrange != Arrangement::Any && !isArray()) {
            sayArrangement(role);
        }
        if (role.instances > 1 && !isArray()) {
            sayOfMpirun(role.lines, role.instances, findings);
        }
        sayOfLaunchers(role.lines, role.demand.gpus, findings);
    }
    if (const ByteRange at = lineWith("<%"); at.end > 0) {
        findings.say("batch.template", Severity::Warning, at);
    }
    return job.write();
}

} // namespace

bool isBatchScript(const QByteArray &bytes, const QString &fileName) { return batch::isBatchScript(bytes, fileName); }
bool isShellScript(const QByteArray &bytes) { return batch::isShellScript(bytes); }

JobImport importBatchScript(const QByteArray &bytes, const QString &name)
{
    JobImport result;
    result.from = JobImport::From::BatchScript;
    const auto refuse = [&](const char *code, const QJsonObject &args = {}) {
        Diagnostic d;
        d.code = QString::fromLatin1(code);
        d.args = args;
        result.report.append(d);
        return result;
    };
    if (bytes.size() > maxCheckedBytes) {
        return refuse("batch.too-large");
    }
    if (textFromUtf8(bytes).toUtf8() != bytes || bytes.contains('\0')) {
        return refuse("batch.encoding");
    }
    if (const std::optional<MarkedExport> own = markedExport(bytes)) {
        refuse("batch.own-export", {{u"job"_s, own->job}});
        result.report.last().at = own->at;
        return result;
    }
    const Script script = readBatchScript(bytes);
    if (!script.interpreter.isEmpty() && shellOf(script.interpreter).name.isEmpty()) {
        return refuse("batch.not-shell", {{u"program"_s, script.interpreter}});
    }
    if (script.lines.isEmpty()) {
        return refuse("batch.empty");
    }
    BatchImporter importer(script, name);
    result.yaml = importer.convert();
    result.report = importer.findings.all;
    if (result.hasErrors()) {
        result.report.removeIf([](const Diagnostic &each) { return each.severity != Severity::Error; });
    }
    std::stable_sort(result.report.begin(), result.report.end(),
        [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
    return result;
}

} // namespace trainyard
