// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchsequence.h"

#include "model/import/batchvariables.h"

using namespace Qt::StringLiterals;

namespace trainyard::batch
{

void Sequence::addStep(const Step &step, const Shape &shape, const ByteRange &at)
{
    const qsizetype programAt = step.command.size() - step.program.size();
    const Demand taken = demandOf(shape, 1);
    parts.append({{step.command, at}, shape.instances(), programAt, step.isWhole,
        sayResources(step.options) ? std::optional(taken) : std::nullopt});
    image = image.isEmpty() ? step.option(Meaning::Image) : image;
    component = step.component;
    if (!widest || shape.instances() > widest->instances()) {
        widest = shape;
        demand = taken;
    } else if (shape.instances() == widest->instances()) {
        demand = largerOf(demand, taken);
    }
}

QList<Line> Sequence::lines(Findings &findings) const
{
    const qint64 instances = widest->instances();
    QList<Line> all;
    bool isAfterStep = false, isOpen = false; // of as many tasks
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const Part &part = parts.at(i);
        const ByteRange &at = part.line.at;
        const bool hasFewer = part.tasks > 0 && part.tasks < instances;
        if (hasFewer) {
            findings.say(part.isWhole ? "batch.fewer-tasks" : "batch.all-tasks", Severity::Warning, at,
                {{u"tasks"_s, part.tasks}, {u"instances"_s, instances}});
            if (part.own && isMoreThan(*part.own, demand)) {
                findings.say("batch.step-takes-more", Severity::Warning, at);
            }
        } else if (part.tasks > 1 && isAfterStep) {
            findings.say("batch.no-barrier", Severity::Note, at);
        }
        if (hasFewer && part.isWhole) {
            all.append({"if ((PAI_TASK_INDEX < " + QByteArray::number(part.tasks) + ")); then", at});
            isOpen = true;
        }
        all.append(part.line);
        if (hasFewer && part.isWhole) { // its programs would wait for all of them
            all.last().text.insert(part.programAt, "env " + variablesOfFewer(part.tasks) + ' ');
        }
        const bool hasText = i + 1 < parts.size() && parts.at(i + 1).line.isText;
        if (isOpen && !hasText) {
            all.append({"fi", at});
            isOpen = false;
        }
        isAfterStep = part.tasks > 0 ? !hasFewer : isAfterStep;
    }
    return all;
}

} // namespace trainyard::batch
