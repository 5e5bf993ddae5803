// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/runtime/jobchanges.h"

#include "model/yaml/yamledit.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <optional>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

constexpr qint64 leastMemory = 1024; // MiB
constexpr qint64 leastShared = 4096; // MiB; the default of containers is 64
constexpr qint64 mostMemory = 1LL << 31;
constexpr qint64 mostPort = 65535;

// A number in the job that a change replaces: a parameter, or an option in a command.
struct FoundNumber {
    YamlPath path;
    QString name;
    qint64 value = 0;
    std::optional<std::pair<qsizetype, qsizetype>> part; // of a command
};

const QRegularExpression &batchName()
{
    // "batch_size", "per_device_train_batch_size", "train-batch-size", "bs", "micro_batch_size_per_gpu"
    static const QRegularExpression name(
        u"\\A(?:per[_-]?device[_-])?(?:train(?:ing)?[_-]|micro[_-]|mini[_-])*(?:batch(?:[_-]?size)?|bsz?)"
        "(?:[_-]per[_-](?:gpu|device))?\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    return name;
}

const QRegularExpression &workersName()
{
    static const QRegularExpression name(u"\\A(?:num[_-]|n[_-])?(?:data[_-]?loader[_-])?(?:num[_-])?workers\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    return name;
}

const QRegularExpression &rateName()
{
    // "lr", "learning_rate", "base-lr", "initial_learning_rate"
    static const QRegularExpression name(u"\\A(?:(?:base|init(?:ial)?|max|peak)[_-]?)?(?:lr|learning[_-]?rate)\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    return name;
}

// A tenth in decimal digits: a number with an exponent is a text to some readers of YAML.
QByteArray tenthText(double value)
{
    constexpr int digits = 16;
    QByteArray text = QByteArray::number(value / 10, 'f', digits);
    while (text.endsWith('0')) {
        text.chop(1);
    }
    return text.endsWith('.') ? text + '0' : text;
}

class ChangeFinder
{
public:
    ChangeFinder(const FailedPart &failed, const JobSpec &spec, const YamlDocument &document, const ScriptPlace &place)
        : m_failed(failed), m_document(document), m_spec(spec), m_place(place), m_role(roleOf(failed, spec))
    {
    }
    QList<JobChange> all();

private:
    static const TaskRole *roleOf(const FailedPart &failed, const JobSpec &spec)
    {
        return !failed.role.isEmpty()    ? spec.role(failed.role)
            : spec.taskRoles.size() == 1 ? &spec.taskRoles.constFirst()
                                         : nullptr;
    }
    YamlPath rolePath() const { return YamlPath{u"taskRoles"_s, m_role->name}; }
    YamlPath trainyardPath() const { return YamlPath{u"extras"_s, u"trainyard"_s}; }
    void setNumber(const QString &code, const YamlPath &path, std::optional<qint64> from, qint64 to);
    void raiseMemory();
    void raiseShared();
    void raiseTime();
    void raiseGpuMemory();
    void changeGpus(qint64 by, const QString &code);
    void halve(const QString &code, const QRegularExpression &name);
    void takeOtherPort();
    void lowerRate();
    void nameScript();
    void replace(const QString &code, const FoundNumber &found, qint64 to);
    std::optional<FoundNumber> numberNamed(const QRegularExpression &name) const;
    void add(const JobChange &change);

    const FailedPart &m_failed;
    const YamlDocument &m_document;
    const JobSpec &m_spec;
    const ScriptPlace &m_place;
    const TaskRole *m_role;
    QList<JobChange> m_all;
};

void ChangeFinder::add(const JobChange &change)
{
    if (planEdit(m_document, change.op)) {
        m_all.append(change);
    }
}

void ChangeFinder::setNumber(const QString &code, const YamlPath &path, std::optional<qint64> from, qint64 to)
{
    add({code, path, from ? QJsonValue(*from) : QJsonValue(), to, {}, edit::SetValue{path, QByteArray::number(to)}});
}

void ChangeFinder::raiseMemory()
{
    const qint64 now = m_role->resources.memoryMiB;
    if (now > 0 && now < mostMemory) {
        setNumber(u"memory.raise"_s, rolePath().child(u"resourcePerInstance"_s).child(u"memoryMB"_s), now,
            std::max(2 * now, leastMemory));
    }
}

void ChangeFinder::raiseShared()
{
    const std::optional<qint64> now = m_role->shmMiB;
    if (now.value_or(0) < mostMemory) {
        setNumber(u"shm.raise"_s, rolePath().child(u"extraContainerOptions"_s).child(u"shmMB"_s), now,
            std::max(2 * now.value_or(0), leastShared));
    }
}

void ChangeFinder::raiseTime()
{
    const std::optional<qint64> now = m_spec.trainyard.timeLimitSeconds;
    if (now && *now < mostMemory) {
        setNumber(u"time.raise"_s, trainyardPath().child(u"limits"_s).child(u"timeSeconds"_s), now, 2 * *now);
    }
}

// GPUs with more memory than the one that was too small.
void ChangeFinder::raiseGpuMemory()
{
    static const QRegularExpression size(u"\\A([\\d.]+) ?([KMGT])i?B"_s);
    const QRegularExpressionMatch match = size.match(m_failed.args.value("total"_L1).toString());
    const YamlPath path = trainyardPath().child(u"gpuMemoryMB"_s);
    const YamlNode *there = m_document.find(path);
    const bool isMap = there && m_document.find(path.child(m_role->name));
    if (!match.hasMatch() || m_role->resources.gpu < 1 || match.captured(2) != "G"_L1 || isMap) {
        return;
    }
    // The memory that a GPU offers to programs is up to a GiB less than the driver reports.
    const qint64 wanted = (qint64(std::ceil(match.captured(1).toDouble())) + 1) * 1024;
    setNumber(u"gpu-memory.raise"_s, path, std::nullopt, wanted);
}

void ChangeFinder::changeGpus(qint64 by, const QString &code)
{
    const qint64 now = m_role->resources.gpu;
    if (now + by >= 1) {
        setNumber(code, rolePath().child(u"resourcePerInstance"_s).child(u"gpu"_s), now, now + by);
    }
}

std::optional<FoundNumber> ChangeFinder::numberNamed(const QRegularExpression &name) const
{
    if (const Value::Map *parameters = m_spec.parameters.asMap()) {
        for (const auto &[key, value] : *parameters) {
            if (value.asInt() && name.match(key).hasMatch()) {
                return FoundNumber{{u"parameters"_s, key}, key, *value.asInt(), {}};
            }
        }
    }
    // "--batch-size 64", "--batch_size=64", "trainer.batch_size=64"
    static const QRegularExpression option(
        u"(?:\\A|(?<=[\\s.'\"]))(?:--?)?([A-Za-z][\\w-]*)(?:=|\\s+)(\\d+)(?=\\s|\\z|['\"])"_s);
    for (qsizetype i = 0; i < m_role->commands.size(); ++i) {
        for (auto it = option.globalMatch(m_role->commands.at(i)); it.hasNext();) {
            const QRegularExpressionMatch match = it.next();
            if (name.match(match.captured(1)).hasMatch()) {
                return FoundNumber{rolePath().child(u"commands"_s).child(i), match.captured(1),
                    match.captured(2).toLongLong(), std::pair(match.capturedStart(2), match.capturedEnd(2))};
            }
        }
    }
    return std::nullopt;
}

void ChangeFinder::replace(const QString &code, const FoundNumber &found, qint64 to)
{
    const QString text = QString::number(to);
    JobChange change{code, found.path, found.value, to, found.name, {}};
    if (found.part) {
        change.op = edit::ReplaceText{found.path, {{found.part->first, found.part->second, text}}};
    } else {
        change.op = edit::SetValue{found.path, text.toUtf8()};
    }
    add(change);
}

void ChangeFinder::halve(const QString &code, const QRegularExpression &name)
{
    const std::optional<FoundNumber> found = numberNamed(name);
    if (found && found->value >= 2) {
        replace(code, *found, found->value / 2);
    }
}

// The step that was too large, which only its name shows.
void ChangeFinder::lowerRate()
{
    constexpr double least = 1e-8, most = 1e3;
    const Value::Map *parameters = m_spec.parameters.asMap();
    for (const auto &[key, value] : parameters ? *parameters : Value::Map()) {
        const double now = value.asDouble() ? *value.asDouble() : value.asInt() ? double(*value.asInt()) : 0;
        if (now >= least && now <= most && rateName().match(key).hasMatch()) {
            const YamlPath path{u"parameters"_s, key};
            const QByteArray text = tenthText(now);
            add({u"rate.tenth"_s, path, now, text.toDouble(), key, edit::SetValue{path, text}});
            return;
        }
    }
}

// A script that is called otherwise, or that is in another folder.
void ChangeFinder::nameScript()
{
    const QList<Diagnostic> found
        = m_place.folder.isEmpty() ? QList<Diagnostic>() : checkScriptFiles(m_document, m_spec, m_place);
    for (const Diagnostic &missing : found) {
        const YamlPath commands = rolePath().child(u"commands"_s);
        const auto *index = missing.path.isEmpty() ? nullptr : std::get_if<qsizetype>(&missing.path.last());
        if (missing.fixes.isEmpty() || !index || missing.path != commands.child(*index)) {
            continue;
        }
        const QString from = missing.args.value("file"_L1).toString();
        const QString to = missing.fixes.constFirst().args.value("name"_L1).toString();
        const qsizetype at = scriptWord(m_role->commands.value(*index)).at;
        add({u"script.other"_s, missing.path, from, to, {},
            edit::ReplaceText{missing.path, {{at, at + from.size(), to}}}});
        return;
    }
}

// A port that the document itself names; those that are drawn for the tasks are free.
void ChangeFinder::takeOtherPort()
{
    const QString port = m_failed.args.value("port"_L1).toString();
    const qint64 number = port.toLongLong();
    if (number < 1024 || number >= mostPort) {
        return;
    }
    if (const Value::Map *parameters = m_spec.parameters.asMap()) {
        for (const auto &[key, value] : *parameters) {
            if (value.asInt() && *value.asInt() == number) {
                replace(u"port.other"_s, {{u"parameters"_s, key}, key, number, {}}, number + 1);
                return;
            }
        }
    }
    const QRegularExpression written(u"(?<![\\w.])%1(?![\\w.])"_s.arg(number));
    for (qsizetype i = 0; i < m_role->commands.size(); ++i) {
        const QRegularExpressionMatch match = written.match(m_role->commands.at(i));
        if (match.hasMatch()) {
            replace(u"port.other"_s,
                {rolePath().child(u"commands"_s).child(i), {}, number,
                    std::pair(match.capturedStart(), match.capturedEnd())},
                number + 1);
            return;
        }
    }
}

QList<JobChange> ChangeFinder::all()
{
    const QString &cause = m_failed.cause;
    if (cause == "time-limit.own"_L1) {
        raiseTime();
    } else if (cause == "diverged"_L1) {
        lowerRate();
    }
    if (!m_role) {
        return m_all;
    }
    static const QSet<QString> ofOneGpu{
        u"gpu-lost"_s, u"gpu-link"_s, u"gpu-memory-error"_s, u"gpu-xid"_s, u"gpu-busy"_s, u"gpu-fault"_s};
    if (cause == "host-oom"_L1 || cause == "memory-refused"_L1) {
        if (cause == "host-oom"_L1) { // the limit of the role did not refuse the rest
            raiseMemory();
        }
        halve(u"workers.halve"_s, workersName());
        halve(u"batch.halve"_s, batchName());
    } else if (cause == "gpu-oom"_L1) {
        halve(u"batch.halve"_s, batchName());
        raiseGpuMemory();
    } else if (cause == "shared-memory"_L1 || cause == "bus-error"_L1) {
        raiseShared();
        halve(u"workers.halve"_s, workersName());
    } else if (cause == "file-missing"_L1) {
        nameScript();
    } else if (cause == "port-in-use"_L1) {
        takeOtherPort();
    } else if (cause == "no-gpu"_L1 && m_role->resources.gpu == 0) {
        changeGpus(1, u"gpu.ask"_s);
    } else if (cause == "wait.gpu"_L1 || ofOneGpu.contains(cause)) {
        changeGpus(-1, u"gpu.fewer"_s);
    } else if (cause == "too-many-open-files"_L1 || cause == "process-limit"_L1) {
        halve(u"workers.halve"_s, workersName());
    }
    return m_all;
}

} // namespace

QList<JobChange> changesAfter(
    const FailedPart &failed, const JobSpec &spec, const YamlDocument &document, const ScriptPlace &place)
{
    return ChangeFinder(failed, spec, document, place).all();
}

QByteArray changedText(const YamlDocument &document, const JobChange &change)
{
    const Result<PlannedChange> planned = planChange(document, {change.op});
    return planned ? planned->document.bytes() : QByteArray();
}

} // namespace trainyard
