// SPDX-License-Identifier: GPL-3.0-or-later
// Applies a call of docker to a job.
#include "model/base/shellquote.h"
#include "model/import/batchusage.h"
#include "model/import/dockercall.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

// "16g", "1.5 GiB": MiB, rounded up. A number alone is one of bytes.
std::optional<qint64> dockerMemory(const QString &value)
{
    static const QRegularExpression form(
        u"^(\\d{1,15}(?:\\.\\d{1,15})?) ?([bkmgt]?)i?b?$"_s, QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(value.trimmed());
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    constexpr double mib = 1 << 20;
    const double number = match.captured(1).toDouble();
    const QString unit = match.captured(2).toLower();
    const double sized = unit == "t"_L1 ? number * mib
        : unit == "g"_L1                ? number * 1024
        : unit == "m"_L1                ? number
        : unit == "k"_L1                ? number / 1024
                                        : number / mib;
    return sized < 1e15 ? std::optional(qint64(std::ceil(sized))) : std::nullopt;
}

// Whether a line is for the shell alone, so that it does no harm where it runs instead.
bool isPreparation(const QByteArray &line)
{
    static const QRegularExpression quiet(u"^\\s*(?:$|#|set\\b|echo\\b|:|(?:export(?:\\s+\\w+%1?)+|\\w+%1)\\s*$)"_s.arg(
        u"(?:=(?:[^\\s;&|]|\"[^\"]*\"|'[^']*')*)"_s));
    return quiet.match(QString::fromUtf8(line)).hasMatch();
}

bool isCompound(const QByteArray &line)
{
    static const QRegularExpression compound(
        u"^\\s*(?:(?:if|for|while|until|case|select|function)\\b|\\{|\\w+\\s*\\(\\s*\\))"_s);
    return compound.match(QString::fromUtf8(line)).hasMatch();
}

bool startsContainer(const QByteArray &commands)
{
    static const QRegularExpression call(u"(?:^|[\\s;&|(])(?:nvidia-)?(docker|podman)\\s+(?:container\\s+)?run\\b"_s);
    return call.match(QString::fromUtf8(commands)).hasMatch();
}

bool namesDocker(const Line &line)
{
    return !line.isText && !line.text.trimmed().startsWith('#') && startsContainer(line.text);
}

// "./x; docker stop y": the second is one of the host.
bool hasWordDocker(const QByteArray &commands)
{
    static const QRegularExpression word(u"(?:^|[\\s;&|(`])(?:nvidia-)?(?:docker|podman)(?=[\\s;&|)`]|$)"_s);
    return word.match(QString::fromUtf8(commands)).hasMatch();
}

// The fields of "device=0,2,capabilities=compute"; what has no name first is the count.
QHash<QString, QStringList> fieldsOfGpus(const QString &gpus)
{
    QHash<QString, QStringList> fields;
    QString name = u"count"_s;
    for (const QString &part : gpus.split(u',')) {
        const qsizetype equals = part.indexOf(u'=');
        name = equals < 0 ? name : part.first(equals).trimmed();
        fields[name].append(part.mid(equals + 1).trimmed());
    }
    return fields;
}

// How scripts name the folder in which they begin, which is the work folder of the job.
const QString &workFolder()
{
    static const QString form = u"(?:\\$PWD|\\$\\{PWD\\}|\\$\\(pwd\\)|`pwd`)"_s;
    return form;
}

// "$PWD:$PWD": the container sees the work folder where tasks see it.
bool isWorkAtItsPath(const QString &mount)
{
    static const QRegularExpression form(u"^%1/?:%1/?(?::[\\w,]+)?$"_s.arg(workFolder()));
    return form.match(mount).hasMatch();
}

// "$PWD/src", from there: "src".
QString belowWork(const QString &folder)
{
    static const QRegularExpression form(u"^%1(?:/(.*))?$"_s.arg(workFolder()));
    const QRegularExpressionMatch match = form.match(folder);
    return match.hasMatch() ? match.captured(1) : folder;
}

// The work folder of the job is where the script begins: "$PWD:/workspace" puts it elsewhere.
QString insideOfWork(const QString &mount)
{
    static const QRegularExpression form(u"^(?:%1|\\.):(/[^:]*)(?::[\\w,]+)?$"_s.arg(workFolder()));
    const QRegularExpressionMatch match = form.match(mount);
    return match.hasMatch() ? match.captured(1) : QString();
}

// "LR=$LR": the name of what has the value that it has outside; else empty.
QString handedOn(const QByteArray &assignment)
{
    static const QRegularExpression form(uR"re(^"?([A-Za-z_]\w*)="?(?:\$\1|\$\{\1\})"*$)re"_s);
    return form.match(QString::fromUtf8(assignment)).captured(1);
}

// The value that a line gives to a variable, if it does nothing else and the shell changes nothing in it.
std::optional<QString> literalOf(const QString &line, const QString &name)
{
    const QRegularExpression form(
        uR"re(^\s*(?:(?:export|readonly)\s+)?%1=(?:"([^"$`\\]*)"|'([^']*)'|([^\s"'$`\\;&|()<>*?~#]+))\s*;?\s*(?:#.*)?$)re"_s
            .arg(name));
    const QRegularExpressionMatch match = form.match(line);
    return match.hasMatch() ? std::optional(match.captured(1) + match.captured(2) + match.captured(3)) : std::nullopt;
}

// "source settings.sh" may change any variable.
bool runsOthersLines(const QByteArray &line)
{
    static const QRegularExpression form(u"(?:^|[;&|({])\\s*(?:source|\\.|eval)\\s"_s);
    return !line.trimmed().startsWith('#') && form.match(QString::fromUtf8(line)).hasMatch();
}

// The value of a variable that only one plain assignment in `lines` names, without lines of others after it.
std::optional<QString> onlyLiteral(const QList<Line> &lines, const QString &name)
{
    const QRegularExpression naming(u"(?<![\\w$])(?<!\\$\\{)%1(?!\\w)"_s.arg(name));
    std::optional<QString> value;
    int named = 0;
    const QByteArray bytes = name.toUtf8();
    for (const Line &line : lines) {
        if (value && !line.isText && runsOthersLines(line.text)) {
            return std::nullopt;
        }
        if (!line.text.contains(bytes) || line.text.trimmed().startsWith('#')) {
            continue;
        }
        const QString text = QString::fromUtf8(line.text);
        for (auto it = naming.globalMatch(text); it.hasNext(); it.next()) {
            ++named;
        }
        if (const std::optional<QString> literal = line.isText ? std::nullopt : literalOf(text, name)) {
            value = literal;
        }
    }
    return named == 1 ? value : std::nullopt;
}

// "$REPOSITORY:${TAG}" with the values that `lines` give; what has none stays.
QString withLiterals(const QString &text, const QList<Line> &lines)
{
    static const QRegularExpression variable(u"\\$(?:\\{([A-Za-z_]\\w*)\\}|([A-Za-z_]\\w*))"_s);
    constexpr qsizetype longestImage = 500; // names of images are shorter
    if (text.size() > longestImage) {
        return text;
    }
    QString known;
    qsizetype end = 0;
    for (auto it = variable.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch each = it.next();
        const std::optional<QString> value = onlyLiteral(lines, each.captured(1) + each.captured(2));
        known += text.sliced(end, each.capturedStart() - end) + value.value_or(each.captured());
        end = each.capturedEnd();
    }
    return known + text.sliced(end);
}

// Whether `lines` give a variable a value and to the programs that they start.
bool isExported(const QList<Line> &lines, const QString &name)
{
    const QRegularExpression setting(
        u"(?:^|[\\s;&|])(?:(?:export|declare\\s+-\\w*x\\w*)\\s(?:[^;&|#]*\\s)?)?%1="_s.arg(name));
    const QRegularExpression exporting(
        u"(?:^|[\\s;&|])(?:export|declare\\s+-\\w*x\\w*)\\s(?:[^;&|#]*\\s)?%1(?:[\\s;&|#=]|$)"_s.arg(name));
    static const QRegularExpression exportingAll(u"^\\s*set\\s+(?:-\\w*a\\w*|-o\\s+allexport)\\b"_s);
    bool isSet = false, isGiven = false;
    for (const Line &line : lines) {
        const QString text = QString::fromUtf8(line.text);
        if (line.isText || text.trimmed().startsWith(u'#')) {
            continue;
        }
        isSet = isSet || setting.match(text).hasMatch();
        isGiven = isGiven || exporting.match(text).hasMatch() || exportingAll.match(text).hasMatch();
    }
    return isSet && isGiven;
}

class Taking
{
public:
    // `outside`: the variables that only the shell that starts the script may have.
    Taking(const DockerCall &call, const ByteRange &at, const QStringList &outside, Findings &findings)
        : m_call(call), m_at(at), m_outside(outside), m_findings(findings)
    {
    }
    DockerJob job();
    QByteArray commands();

private:
    void say(const char *code, Severity severity, const QJsonObject &args = {})
    {
        m_findings.say(code, severity, m_at, args);
    }
    void takeGpus(DockerJob &job);
    std::optional<qint64> memory(const std::optional<QString> &value, const char *option);

    const DockerCall &m_call;
    const ByteRange m_at;
    const QStringList m_outside;
    Findings &m_findings;
};

std::optional<qint64> Taking::memory(const std::optional<QString> &value, const char *option)
{
    const std::optional<qint64> mib = value ? dockerMemory(*value) : std::nullopt;
    if (value && !mib) {
        say("batch.bad-value", Severity::Warning, {{u"option"_s, QString::fromLatin1(option)}, {u"value"_s, *value}});
    }
    return mib;
}

void Taking::takeGpus(DockerJob &job)
{
    if (!m_call.gpus) {
        return;
    }
    const QHash<QString, QStringList> fields = fieldsOfGpus(*m_call.gpus);
    static const QRegularExpression count(u"^\\d{1,4}$"_s);
    if (const QString number = fields.value(u"count"_s).join(u','); count.match(number).hasMatch()) {
        job.gpus = number.toLongLong();
    } else if (const QStringList devices = fields.value(u"device"_s); !devices.isEmpty()) {
        job.gpus = devices.size();
        say("batch.docker-gpus", Severity::Note, {{u"option"_s, m_call.gpuOption}, {u"gpus"_s, job.gpus}});
    } else {
        job.gpus = 1;
        say("batch.docker-all-gpus", Severity::Warning, {{u"option"_s, m_call.gpuOption}});
    }
}

DockerJob Taking::job()
{
    DockerJob job;
    job.at = m_at;
    job.program = m_call.program;
    job.image = m_call.image;
    takeGpus(job);
    if (m_call.cpus) {
        bool isNumber = false;
        const double cpus = m_call.cpus->toDouble(&isNumber);
        if (isNumber && cpus > 0 && cpus < 100'000) {
            job.cpus = qint64(std::ceil(cpus));
        } else {
            say("batch.bad-value", Severity::Warning, {{u"option"_s, u"--cpus"_s}, {u"value"_s, *m_call.cpus}});
        }
    }
    job.memoryMiB = memory(m_call.memory, "--memory");
    job.sharedMiB = memory(m_call.sharedMemory, "--shm-size");
    if (!m_call.ipc.isEmpty() && !job.sharedMiB) {
        say("batch.docker-ipc", Severity::Warning, {{u"option"_s, m_call.ipc}});
    }
    if (!job.memoryMiB && job.sharedMiB && *job.sharedMiB > usualBatchMemoryMiB / 2) { // it is a part of the memory
        job.memoryMiB = *job.sharedMiB + usualBatchMemoryMiB;
        say("batch.docker-memory", Severity::Note,
            {{u"program"_s, m_call.program}, {u"memory"_s, u"%1 MiB"_s.arg(*job.memoryMiB)}});
    }
    return job;
}

// The command that runs in the image, and the omitted parts.
QByteArray Taking::commands()
{
    QByteArrayList lines;
    QStringList passedOn = m_call.passedOn;
    for (const QByteArray &assignment : m_call.exports) {
        const QString name = handedOn(assignment);
        if (m_outside.contains(name)) {
            passedOn.append(name);
        } else {
            lines.append("export " + assignment);
        }
    }
    if (!passedOn.isEmpty()) {
        say("batch.docker-variable", Severity::Warning, {{u"names"_s, passedOn.join(u", "_s)}});
    }
    QString folder = m_call.folder;
    for (const QString &mount : m_call.mounts) {
        if (isWorkAtItsPath(mount)) {
            folder = belowWork(folder);
            continue;
        }
        const QString inside = insideOfWork(mount);
        if (inside.isEmpty()) {
            say("batch.container-mounts", Severity::Warning, {{u"mounts"_s, mount}});
            continue;
        }
        if (folder == inside) {
            folder.clear();
        } else if (folder.startsWith(inside + u'/')) {
            folder = folder.mid(inside.size() + 1);
        }
        const bool isNamed = m_call.command.contains(inside.toUtf8());
        say("batch.docker-work", isNamed ? Severity::Warning : Severity::Note,
            {{u"mount"_s, mount}, {u"folder"_s, inside}});
    }
    if (!folder.isEmpty()) {
        const bool isExpanded = folder.contains(u'$') || folder.contains(u'`');
        lines.append("cd " + (isExpanded ? '"' + folder.toUtf8() + '"' : shellQuote(folder.toUtf8())));
    }
    for (const QString &option : m_call.leftOut) {
        say("batch.docker-option", Severity::Warning, {{u"program"_s, m_call.program}, {u"option"_s, option}});
    }
    lines.append(m_call.command);
    return lines.join('\n');
}

} // namespace

void DockerJob::applyTo(Shape &shape) const
{
    if (!shape.saysGpus()) {
        shape.gpus = gpus;
    }
    if (cpus && !shape.saysCpus) {
        shape.cpus = *cpus;
        shape.saysCpus = true;
    }
    if (memoryMiB && !shape.memory && !shape.memoryPerCpu && !shape.memoryPerGpu) {
        shape.memory = memoryMiB;
    }
}

std::optional<DockerJob> takeDockerCall(Script &script, Findings &findings)
{
    const auto first = std::find_if(script.lines.begin(), script.lines.end(), namesDocker);
    if (first == script.lines.end()) {
        return std::nullopt;
    }
    const bool isOnly = std::none_of(std::next(first), script.lines.end(), namesDocker);
    const bool isPlain = isOnly && !first->isInside && script.components.size() == 1
        && std::none_of(script.lines.cbegin(), script.lines.cend(),
            [](const Line &line) { return !line.isText && isCompound(line.text); });
    QString unknown;
    std::optional<DockerCall> call = dockerCallOf(first->text, &unknown);
    if (!call || !isPlain || startsContainer(call->command)) {
        static const QRegularExpression name(u"\\b(docker|podman)\\s"_s);
        const QString program = name.match(QString::fromUtf8(first->text)).captured(1);
        if (unknown.isEmpty()) {
            findings.say("batch.docker-kept", Severity::Warning, first->at, {{u"program"_s, program}});
        } else {
            findings.say("batch.docker-unknown", Severity::Warning, first->at,
                {{u"program"_s, program}, {u"option"_s, unknown}});
        }
        return std::nullopt;
    }
    const bool hasOthers = std::any_of(script.lines.begin(), script.lines.end(),
        [&first](const Line &line) { return &line != &*first && !line.isText && !isPreparation(line.text); });
    if (hasOthers || hasWordDocker(call->command)) {
        findings.say("batch.docker-around", Severity::Warning, first->at, {{u"program"_s, call->program}});
    }
    const QList<Line> before = script.lines.first(std::distance(script.lines.begin(), first));
    call->image = withLiterals(call->image, before);
    call->passedOn.removeIf([&before](const QString &name) { return isExported(before, name); });
    Taking taking(*call, first->at, readVariables(script, {}), findings);
    const DockerJob job = taking.job();
    first->text = taking.commands();
    return job;
}

} // namespace trainyard::batch
