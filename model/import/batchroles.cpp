// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchroles.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

class RoleMaker
{
public:
    RoleMaker(const Script &script, const QList<Shape> &shapes, Findings &findings)
        : m_script(script), m_shapes(shapes), m_findings(findings)
    {
    }
    void makeRoles();
    BatchRoles made() const { return {m_roles, m_needsSrun}; }

private:
    void makeRolesOfSteps(const Steps &steps);
    void addStepRole(const Step &step, const QList<Line> &before);
    QString uniqueName(const QString &stem) const;
    QString roleName(const Step &step) const;
    Shape shapeOf(const Step &step);

    const Script &m_script;
    const QList<Shape> &m_shapes; // of the components
    Findings &m_findings;
    QList<Role> m_roles;
    bool m_needsSrun = false;
};

QString RoleMaker::uniqueName(const QString &stem) const
{
    QString name = stem;
    const auto isTaken = [this](const QString &other) {
        return std::any_of(m_roles.cbegin(), m_roles.cend(), [&other](const Role &role) { return role.name == other; });
    };
    for (int number = 2; isTaken(name); ++number) {
        name = stem + QString::number(number);
    }
    return name;
}

// After the step's own name, else what it runs: "python train.py" is train.
QString RoleMaker::roleName(const Step &step) const
{
    static const QRegularExpression script(u"([A-Za-z0-9_.-]+)\\.(?:py|sh|bash|R|jl)\\b"_s);
    static const QRegularExpression program(u"^(?:[A-Za-z0-9_.-]*/)*([A-Za-z0-9_.-]+)"_s);
    static const QRegularExpression odd(u"[^a-z0-9]+"_s);
    const QString text = QString::fromUtf8(step.command);
    QString name = step.option(Meaning::Name);
    name = !name.isEmpty() ? name : script.match(text).captured(1);
    name = (!name.isEmpty() ? name : program.match(text).captured(1)).toLower().remove(odd);
    while (!name.isEmpty() && name.at(0).isDigit()) {
        name = name.sliced(1);
    }
    name = name.isEmpty() ? u"step"_s : name;
    return uniqueName(name);
}

Shape RoleMaker::shapeOf(const Step &step)
{
    const qint64 component = step.component();
    Shape shape = m_shapes.value(component < m_shapes.size() ? component : 0);
    const bool hasNodes = !step.option(Meaning::Nodes).isEmpty(), hasTasks = !step.option(Meaning::Tasks).isEmpty();
    if (hasNodes && !hasTasks) {
        shape.tasks = 0; // as many as fit on these nodes
    }
    for (Option option : step.options) {
        option.at = m_script.lines.at(step.line).at;
        takeOption(shape, option, m_findings);
        if (option.meaning == Meaning::Mpi && option.value != "none"_L1) {
            m_findings.say("batch.mpi", Severity::Warning, option.at, {{u"value"_s, option.value}});
        }
    }
    return shape;
}

void RoleMaker::addStepRole(const Step &step, const QList<Line> &before)
{
    const Shape shape = shapeOf(step);
    Role role;
    role.name = roleName(step);
    role.instances = shape.instances();
    role.demand = demandOf(shape, 1);
    role.lines = before;
    role.lines.append({step.command, m_script.lines.at(step.line).at});
    m_roles.append(role);
}

// Steps in the background run beside each other: each is a role. The others, one after another, are one.
void RoleMaker::makeRolesOfSteps(const Steps &steps)
{
    const auto isBeside = [](const Step &step) { return step.isInBackground; };
    const qsizetype beside = std::count_if(steps.steps.cbegin(), steps.steps.cend(), isBeside);
    const bool hasSequence = beside < steps.steps.size();
    const bool areOne = beside == 1 && !hasSequence; // it is only waited for
    QList<Line> before, sequence;
    qint64 sequenceTasks = 0;
    std::optional<Shape> sequenceShape;
    bool waitsForAll = false, hasMore = false;
    bool isOfRole = false; // the text of a heredoc that follows
    for (qsizetype i = 0; i < m_script.lines.size(); ++i) {
        const Line &line = m_script.lines.at(i);
        if (line.isText) {
            if (isOfRole) {
                m_roles.last().lines.append(line);
            } else {
                before.append(line);
                sequence.append(line);
            }
            continue;
        }
        isOfRole = false;
        const auto step
            = std::find_if(steps.steps.cbegin(), steps.steps.cend(), [i](const Step &each) { return each.line == i; });
        if (step == steps.steps.cend()) {
            const bool waits = isWait(line);
            waitsForAll = waitsForAll || waits;
            if (!waits) {
                before.append(line);
                sequence.append(line);
                const QByteArray text = line.text.trimmed();
                hasMore = hasMore || (i > steps.steps.constLast().line && !text.isEmpty() && !text.startsWith('#'));
            }
        } else if (step->isInBackground && !areOne) {
            addStepRole(*step, before);
            isOfRole = true;
            waitsForAll = false;
        } else {
            const Shape shape = shapeOf(*step);
            if (shape.instances() > sequenceTasks) {
                sequenceTasks = shape.instances();
                sequenceShape = shape;
            }
            sequence.append({step->command, line.at});
            waitsForAll = false;
        }
    }
    if (!sequenceShape) {
        if (hasMore) {
            m_findings.say("batch.after-steps", Severity::Warning, m_script.lines.constLast().at);
        }
        return;
    }
    Role role;
    role.name = uniqueName(u"main"_s);
    role.instances = sequenceTasks;
    role.demand = demandOf(*sequenceShape, 1);
    role.lines = sequence;
    role.decides = !m_roles.isEmpty() && !waitsForAll;
    m_roles.append(role);
}

void RoleMaker::makeRoles()
{
    const Steps steps = stepsOf(m_script);
    const Shape &first = m_shapes.constFirst();
    if (!steps.hasOthers && !steps.steps.isEmpty()) {
        makeRolesOfSteps(steps);
        const auto most = std::max_element(
            m_roles.cbegin(), m_roles.cend(), [](const Role &a, const Role &b) { return a.instances < b.instances; });
        if (most->instances > 1 && m_script.lines.size() > steps.steps.size()) {
            m_findings.say("batch.each-task", Severity::Note, m_script.lines.at(steps.steps.constFirst().line).at,
                {{u"instances"_s, most->instances}});
        }
        return;
    }
    Role role;
    role.name = u"main"_s;
    role.lines = m_script.lines;
    m_needsSrun = steps.hasOthers;
    if (steps.hasOthers) {
        role.instances = first.instances();
        role.demand = demandOf(first, 1);
        const ByteRange at
            = steps.steps.isEmpty() ? ByteRange{0, 0} : m_script.lines.at(steps.steps.constFirst().line).at;
        m_findings.say("batch.srun-kept", Severity::Warning, at, {{u"instances"_s, role.instances}});
    } else {
        role.demand = demandOf(first, first.onOneNode());
        if (first.nodes > 1) {
            m_findings.say("batch.one-node", Severity::Warning, first.nodesAt, {{u"nodes"_s, first.nodes}});
        }
    }
    m_roles.append(role);
}

} // namespace

BatchRoles batchRoles(const Script &script, const QList<Shape> &shapes, Findings &findings)
{
    RoleMaker maker(script, shapes, findings);
    maker.makeRoles();
    return maker.made();
}

} // namespace trainyard::batch
