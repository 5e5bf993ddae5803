// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchroles.h"

#include "model/import/batchimage.h"
#include "model/import/batchsequence.h"
#include "model/import/batchusage.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <numeric>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

QList<Step> stepsAt(const Steps &steps, qsizetype line)
{
    const auto first = std::lower_bound(steps.steps.cbegin(), steps.steps.cend(), line,
        [](const Step &step, qsizetype number) { return step.line < number; });
    const auto last = std::find_if(first, steps.steps.cend(), [line](const Step &step) { return step.line != line; });
    return {first, last};
}

// Whether each call starts one task: "srun -n1", as in loops that share out what the job has.
bool haveOneTask(const QList<Call> &calls)
{
    return std::all_of(calls.cbegin(), calls.cend(), [](const Call &call) {
        const auto said = std::find_if(call.options.crbegin(), call.options.crend(),
            [](const Option &option) { return option.meaning == Meaning::Tasks; });
        return said != call.options.crend() && countOf(said->value) == 1;
    });
}

bool isCommand(const Line &line)
{
    const QByteArray text = line.text.trimmed();
    return !line.isText && !text.isEmpty() && !text.startsWith('#');
}

void takeNodes(Role &role, const Shape &shape)
{
    role.arrange = shape.arrangement();
    role.nodes = shape.leastNodes();
    role.nodesAt = shape.nodes > 0 ? shape.nodesAt : shape.tasksAt;
}

class RoleMaker
{
public:
    RoleMaker(const Script &script, const QList<Shape> &shapes, Findings &findings)
        : m_script(script), m_shapes(shapes), m_findings(findings)
    {
    }
    void makeRoles();
    BatchRoles made() const { return {m_roles, m_needsSrun, m_tasksPerNode}; }

private:
    void makeRolesOfSteps(const Steps &steps);
    void makeWholeRole(const Steps &steps);
    void makeOneTask(Role &role, const Shape &shape);
    bool checkSteps(const Steps &steps);
    void checkCalls(const Steps &steps, Role &role);
    void addStepRole(const Step &step, const QList<Line> &before);
    QString uniqueName(const QString &stem);
    QString roleName(const Step &step);
    Shape shapeOf(const Step &step);
    void sayOfStepOptions(const QList<Option> &options);

    const Script &m_script;
    const QList<Shape> &m_shapes; // of the components
    Findings &m_findings;
    QList<Role> m_roles;
    QSet<QString> m_names; // of them
    QHash<QString, int> m_numbers; // the last behind each stem of a name
    bool m_needsSrun = false;
    qint64 m_tasksPerNode = 0;
};

// For a role that has it from now on.
QString RoleMaker::uniqueName(const QString &stem)
{
    QString name = stem;
    for (int &number = m_numbers[stem]; m_names.contains(name);) {
        number = std::max(number, 1) + 1;
        name = stem + QString::number(number);
    }
    m_names.insert(name);
    return name;
}

// After the step's own name, else what it runs: "python train.py" is train.
QString RoleMaker::roleName(const Step &step)
{
    static const QRegularExpression script(u"([A-Za-z0-9_.-]+)\\.(?:py|sh|bash|R|jl)\\b"_s);
    static const QRegularExpression program(u"^(?:[A-Za-z0-9_.-]*/)*([A-Za-z0-9_.-]+)"_s);
    static const QRegularExpression odd(u"[^a-z0-9]+"_s);
    constexpr qsizetype longestName = 40; // a step may have a sentence for its name
    const QString text = QString::fromUtf8(step.program);
    QString name = step.option(Meaning::Name);
    name = !name.isEmpty() ? name : script.match(text).captured(1);
    name = (!name.isEmpty() ? name : program.match(text).captured(1)).toLower().remove(odd);
    while (!name.isEmpty() && name.at(0).isDigit()) {
        name = name.sliced(1);
    }
    name.truncate(longestName);
    static const QStringList shells{u"bash"_s, u"sh"_s, u"dash"_s, u"zsh"_s, u"ksh"_s, u"env"_s};
    if (name.isEmpty() || shells.contains(name)) { // says nothing of what it runs
        return m_shapes.size() > 1 ? uniqueName(u"part"_s + QString::number(step.component)) : uniqueName(u"step"_s);
    }
    return uniqueName(name);
}

Shape RoleMaker::shapeOf(const Step &step)
{
    Shape shape = m_shapes.value(step.component < m_shapes.size() ? step.component : 0);
    const bool hasNodes = !step.option(Meaning::Nodes).isEmpty(), hasTasks = !step.option(Meaning::Tasks).isEmpty();
    if (hasNodes && !hasTasks) {
        shape.tasks = 0; // as many as fit on these nodes
    }
    QList<Option> options = step.options;
    for (Option &option : options) {
        option.at = m_script.lines.at(step.line).at;
    }
    takeStepOptions(shape, options, m_findings);
    sayOfStepOptions(options);
    for (const Option &option : std::as_const(options)) {
        if (option.meaning == Meaning::Mpi && option.value != "none"_L1) {
            m_findings.say("batch.mpi", Severity::Warning, option.at, {{u"value"_s, option.value}});
        }
    }
    return shape;
}

// Effects of a step in Slurm that its commands do not have here.
void RoleMaker::sayOfStepOptions(const QList<Option> &options)
{
    QStringList ignored;
    for (const Option &option : options) {
        sayOfContainer(option, m_findings);
        if (option.meaning == Meaning::Output) {
            m_findings.say("batch.output", Severity::Note, option.at, {{u"option"_s, option.name}});
        } else if ((option.meaning == Meaning::Time || option.meaning == Meaning::Input
                       || option.meaning == Meaning::Signal)
            && !ignored.contains(option.name)) {
            ignored.append(option.name);
        }
    }
    if (!ignored.isEmpty()) {
        m_findings.say(
            "batch.ignored", Severity::Note, options.constFirst().at, {{u"options"_s, ignored.join(u", "_s)}});
    }
}

void RoleMaker::addStepRole(const Step &step, const QList<Line> &before)
{
    const Shape shape = shapeOf(step);
    Role role;
    role.name = roleName(step);
    role.instances = shape.instances();
    role.cpusPerTask = shape.cpus;
    takeNodes(role, shape);
    role.component = step.component;
    role.image = step.option(Meaning::Image);
    role.demand = demandOf(shape, 1);
    role.lines = before;
    role.lines.append({step.command, m_script.lines.at(step.line).at});
    m_roles.append(role);
}

// Steps in the background run beside each other, and so do the components of a step: each is a role. The others, one
// after another, are one.
void RoleMaker::makeRolesOfSteps(const Steps &steps)
{
    const auto isBeside = [](const Step &step) { return step.isInBackground; };
    const qsizetype beside = std::count_if(steps.steps.cbegin(), steps.steps.cend(), isBeside);
    const bool hasSequence = beside < steps.steps.size();
    const bool areOne = beside == 1 && !hasSequence; // it is only waited for
    QList<Line> before;
    Sequence sequence;
    bool hasUnwaited = false, hasWaited = false, waits = false, startsOthers = false, hasMore = false;
    qsizetype rolesOfText = 0; // the last ones, whose step has the text of a heredoc that follows
    for (qsizetype i = 0; i < m_script.lines.size(); ++i) {
        const Line &line = m_script.lines.at(i);
        if (line.isText) {
            for (qsizetype role = m_roles.size() - rolesOfText; role < m_roles.size(); ++role) {
                m_roles[role].lines.append(line);
            }
            if (rolesOfText == 0) {
                before.append(line);
                sequence.add(line);
            }
            continue;
        }
        rolesOfText = 0;
        const QList<Step> here = stepsAt(steps, i);
        if (here.isEmpty()) {
            const bool waitsForAll = isWait(line);
            waits = waits || (!m_roles.isEmpty() && (waitsForAll || waitsForSome(line)));
            hasWaited = hasWaited || (waitsForAll && hasUnwaited);
            hasUnwaited = hasUnwaited && !waitsForAll;
            startsOthers = startsOthers || startsBackground(line);
            if (!waitsForAll || startsOthers) { // else only for what are task roles here
                before.append(line);
                sequence.add(line);
                hasMore = hasMore || (!waitsForAll && i > steps.steps.constLast().line && isCommand(line));
            }
            continue;
        }
        if (waits) {
            m_findings.say("batch.no-wait", Severity::Warning, line.at);
        }
        if ((here.constFirst().isInBackground && !areOne) || here.size() > 1) {
            for (const Step &step : here) {
                addStepRole(step, before);
            }
            rolesOfText = here.size();
            hasUnwaited = hasUnwaited || here.constFirst().isInBackground;
        } else {
            sayOfOtherImage(sequence.image, here.constFirst().option(Meaning::Image), line.at, m_findings);
            sequence.addStep(here.constFirst(), shapeOf(here.constFirst()), line.at);
        }
    }
    if (!sequence.widest) {
        if (hasMore) {
            m_findings.say("batch.after-steps", Severity::Warning, m_script.lines.constLast().at);
        }
        return;
    }
    Role role;
    role.name = uniqueName(u"main"_s);
    role.instances = sequence.widest->instances();
    role.cpusPerTask = sequence.widest->cpus;
    takeNodes(role, *sequence.widest);
    role.component = sequence.component;
    role.image = sequence.image;
    role.demand = sequence.demand;
    role.lines = sequence.lines(m_findings);
    role.decides = hasUnwaited && !hasWaited; // what is waited for must not be stopped
    m_roles.append(role);
}

// Whether a job can be made of the components of a heterogeneous job: of each step it is known where it runs, and
// those that run one after another run in the same.
bool RoleMaker::checkSteps(const Steps &steps)
{
    QSet<qint64> lines, components; // of the steps that are not background
    QSet<qint64> used;
    bool isGood = !steps.hasOthers && !steps.steps.isEmpty(), hasBackground = false, hasParts = false;
    for (const Step &step : steps.steps) {
        used.insert(step.component);
        isGood = isGood && (m_shapes.size() == 1 || step.component < m_shapes.size());
        hasParts = hasParts || stepsAt(steps, step.line).size() > 1;
        if (step.isInBackground) {
            hasBackground = true;
        } else {
            lines.insert(step.line);
            components.insert(step.component);
        }
    }
    isGood = isGood && (components.size() < 2 || (lines.size() == 1 && !hasBackground));
    if (!isGood) {
        const bool isKnown = !steps.calls.isEmpty();
        const ByteRange at = isKnown ? m_script.lines.at(steps.calls.constFirst().line).at : m_script.componentsAt;
        m_findings.say("batch.components", Severity::Error, at, {{u"components"_s, m_shapes.size()}});
        return false;
    }
    for (qint64 i = 0; i < m_shapes.size(); ++i) {
        if (!used.contains(i)) {
            m_findings.say("batch.component-unused", Severity::Warning, m_script.componentsAt, {{u"component"_s, i}});
        }
    }
    if (hasParts) {
        m_findings.say("batch.ranks", Severity::Warning, m_script.lines.at(steps.steps.constFirst().line).at);
    }
    return true;
}

// The effect of the function that replaces srun on its calls.
void RoleMaker::checkCalls(const Steps &steps, Role &role)
{
    static const QRegularExpression read(u"(\\$\\(\\s*|`\\s*)srun(?=\\s)"_s);
    qsizetype readLine = -1; // the last such line
    for (const Call &call : steps.calls) {
        const ByteRange at = m_script.lines.at(call.line).at;
        if (!call.behind.isEmpty()) {
            m_findings.say("batch.srun-behind", Severity::Warning, at, {{u"program"_s, call.behind}});
        }
        std::optional<qint64> tasks, nodes;
        QList<Option> options = call.options;
        for (Option &option : options) {
            option.at = at;
        }
        sayOfStepOptions(options);
        for (const Option &option : call.options) {
            if (option.meaning == Meaning::Image) {
                sayOfOtherImage(role.image, option.value, at, m_findings);
            }
            role.image = option.meaning == Meaning::Image && role.image.isEmpty() ? option.value : role.image;
            tasks = option.meaning == Meaning::Tasks ? countOf(option.value) : tasks;
            nodes = option.meaning == Meaning::Nodes ? countOf(option.value) : nodes;
        }
        if (!tasks && nodes && m_tasksPerNode > 0) {
            tasks = boundedProduct(*nodes, m_tasksPerNode);
        }
        if (tasks && *tasks < role.instances) {
            if (call.isRead && std::exchange(readLine, call.line) != call.line) { // what it says is needed in each task
                QByteArray &text = role.lines[call.line].text;
                text = QString::fromUtf8(text).replace(read, u"\\1srun_in_all=1 srun"_s).toUtf8();
            }
            m_findings.say(call.isRead ? "batch.all-tasks" : "batch.fewer-tasks", Severity::Warning, at,
                {{u"tasks"_s, *tasks}, {u"instances"_s, role.instances}});
        }
    }
}

// Nothing is started by srun: one task with what all tasks of the script have, as far as it starts them itself, else
// with what the first node has.
void RoleMaker::makeOneTask(Role &role, const Shape &shape)
{
    const bool startsAll = startsTasks(m_script); // also on other nodes
    role.tasksInOne = shape.countsTasks() ? shape.instances() : 1;
    role.demand = demandOf(shape, startsAll && shape.countsTasks() ? shape.instances() : shape.onOneNode());
    if (role.tasksInOne > 1) {
        m_findings.say("batch.tasks-in-one", Severity::Note, shape.tasksAt,
            {{u"tasks"_s, role.tasksInOne}, {u"cpus"_s, role.demand.cpus}});
    }
    if (shape.nodes > 1 && !(startsAll && role.tasksInOne > 1)) {
        m_findings.say("batch.one-node", Severity::Warning, shape.nodesAt, {{u"nodes"_s, shape.nodes}});
    }
}

// The whole script runs in each task.
void RoleMaker::makeWholeRole(const Steps &steps)
{
    const Shape &first = m_shapes.constFirst();
    Role role;
    role.name = u"main"_s;
    role.lines = m_script.lines;
    role.cpusPerTask = first.cpus;
    m_needsSrun = steps.hasOthers;
    if (steps.hasOthers) {
        role.instances = first.instances();
        role.demand = demandOf(first, 1);
        const bool isSpread = first.nodes > 1; // what it has is not on one host
        if (role.instances > 1 && !isSpread && haveOneTask(steps.calls)) {
            role.tasksInOne = role.instances;
            role.instances = 1;
            role.demand = demandOf(first, role.tasksInOne);
            m_findings.say("batch.steps-in-one", Severity::Warning, m_script.lines.at(steps.calls.constFirst().line).at,
                {{u"tasks"_s, role.tasksInOne}, {u"cpus"_s, role.demand.cpus}});
            checkCalls(steps, role);
            m_roles.append(role);
            return;
        }
        takeNodes(role, first);
        m_tasksPerNode = first.tasks > 0 ? 0 : std::max<qint64>(1, first.perNode);
        m_findings.say("batch.srun-kept", Severity::Warning, m_script.lines.at(steps.calls.constFirst().line).at,
            {{u"instances"_s, role.instances}});
        checkCalls(steps, role);
    } else {
        makeOneTask(role, first);
    }
    m_roles.append(role);
}

void RoleMaker::makeRoles()
{
    Steps steps = stepsOf(m_script);
    const bool isOneBeside = m_shapes.size() == 1 && steps.steps.size() == 1 && steps.steps.constFirst().isInBackground;
    if (isOneBeside && std::any_of(m_script.lines.cbegin(), m_script.lines.cend(), trapsSignal)) {
        steps.hasOthers = true; // the shell is waiting for it, and runs its trap meanwhile
    }
    const auto programs = std::find_if(steps.calls.cbegin(), steps.calls.cend(), [](const Call &call) {
        return std::any_of(call.options.cbegin(), call.options.cend(),
            [](const Option &option) { return option.name == "--multi-prog"_L1; });
    });
    if (programs != steps.calls.cend()) {
        m_findings.say("batch.multi-prog", Severity::Error, m_script.lines.at(programs->line).at);
        return;
    }
    const bool hasParts = std::any_of(steps.steps.cbegin(), steps.steps.cend(),
        [&steps](const Step &step) { return stepsAt(steps, step.line).size() > 1; });
    if ((m_shapes.size() > 1 || hasParts) && !checkSteps(steps)) {
        return;
    }
    if (steps.hasOthers || steps.steps.isEmpty()) {
        makeWholeRole(steps);
        return;
    }
    makeRolesOfSteps(steps);
    const qint64 tasks = std::accumulate(
        m_roles.cbegin(), m_roles.cend(), qint64(0), [](qint64 sum, const Role &role) { return sum + role.instances; });
    const bool hasSequence = steps.steps.size() == 1
        || std::any_of(steps.steps.cbegin(), steps.steps.cend(), [](const Step &step) { return !step.isInBackground; });
    // Lines below steps that all run in the background are left out.
    const qsizetype end = hasSequence ? m_script.lines.size() : steps.steps.constLast().line;
    bool hasMore = false;
    for (qsizetype i = 0; i < end && !hasMore; ++i) {
        const Line &line = m_script.lines.at(i);
        hasMore = isCommand(line) && !isWait(line) && stepsAt(steps, i).isEmpty();
    }
    if (tasks > 1 && hasMore) {
        m_findings.say("batch.each-task", Severity::Note, m_script.lines.at(steps.steps.constFirst().line).at,
            {{u"instances"_s, tasks}});
    }
}

} // namespace

BatchRoles batchRoles(const Script &script, const QList<Shape> &shapes, Findings &findings)
{
    RoleMaker maker(script, shapes, findings);
    maker.makeRoles();
    return maker.made();
}

} // namespace trainyard::batch
