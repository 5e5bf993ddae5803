// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweepdraft.h"

#include "engine/api/sweeproom.h"
#include "model/protocol/findings.h"
#include "model/protocol/jobname.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

SweepDraft sweepDraft(const ParseOutcome &job)
{
    SweepDraft draft;
    draft.yaml = job.document.bytes();
    if (!job.spec) {
        return draft;
    }
    draft.demand = demandOf(*job.spec);
    draft.group = job.spec->name;
    const QStringList names = sweepableParameters(*job.spec);
    for (const QString &name : names) {
        draft.rows.append({name, *job.spec->parameters.find(name), {}, false});
    }
    return draft;
}

SweepDraft resumedDraft(SweepDraft offered, const SweepDraft &before, const SweepDraft &written)
{
    for (SweepDraft::Row &row : offered.rows) {
        const auto same = std::find_if(written.rows.cbegin(), written.rows.cend(),
            [&row](const SweepDraft::Row &each) { return each.name == row.name; });
        if (same != written.rows.cend()) {
            row.text = same->text;
            row.isSwept = same->isSwept;
        }
    }
    offered.kind = written.kind;
    offered.count = written.count;
    offered.seed = written.seed;
    offered.stopWorse = written.stopWorse;
    if (written.limit != before.limit) {
        offered.limit = written.limit;
    }
    if (written.group != before.group) {
        offered.group = written.group;
    }
    return offered;
}

SweepPreview previewOf(const SweepDraft &draft)
{
    SweepPreview preview;
    SweepPlan plan{draft.kind, draft.count, draft.seed, {}};
    bool isWrong = false;
    for (const SweepDraft::Row &row : draft.rows) {
        std::optional<Error> error;
        qsizetype count = 0;
        std::optional<SweepAxis::Bounds> drawn;
        bool isRounded = false;
        if (row.isSwept) {
            const Result<SweepAxis> axis = sweepAxis(row.name, row.known, row.text,
                draft.kind == SweepKind::Zip ? SweepRepeats::Allowed : SweepRepeats::Refused);
            if (axis) {
                plan.axes.append(*axis);
                preview.parameters.append(row.name);
                drawn = draft.kind == SweepKind::Random ? axis->bounds : std::nullopt;
                count = drawn ? 0 : axis->values.size();
                isRounded = !drawn && axis->isRounded;
            } else {
                error = axis.error();
                isWrong = true;
            }
        }
        preview.ofRows.append(error);
        preview.counts.append(count);
        preview.drawn.append(drawn);
        preview.rounded.append(isRounded);
    }
    if (!draft.stopWorse.isEmpty()) {
        if (const Result<WorseRule> rule = worseRule(draft.stopWorse); !rule) {
            preview.ofRule = rule.error();
        }
    }
    if (!isJobName(draft.group)) {
        preview.ofGroup = Error{u"submit.bad-group"_s, {{u"group"_s, draft.group}}};
    }
    if (!isWrong && !plan.axes.isEmpty()) {
        Result<QList<SweepPoint>> points = sweepPoints(plan);
        if (points) {
            preview.points = std::move(*points);
        } else {
            preview.ofPlan = points.error();
        }
    }
    return preview;
}

RuleEffect effectOfRule(const SweepDraft &draft, qsizetype jobs)
{
    RuleEffect effect;
    if (const Result<WorseRule> rule = worseRule(draft.stopWorse)) {
        effect.rule = *rule;
        const FormerMetrics &former = draft.former;
        effect.isUnknown = former.all > 0 && !former.runs.contains(rule->metric);
        effect.meant = effect.isUnknown ? nearest(rule->metric, former.runs.keys()) : QString();
        effect.rareRuns = former.isRare(rule->metric) ? former.runs.value(rule->metric) : 0;
        effect.allRuns = former.all;
        effect.isIdle = jobs > 0 && jobs <= fewestOthers;
    }
    return effect;
}

qint64 jobsAtOnce(const SweepDraft &draft, qsizetype jobs) { return jobsAtOnce(jobs, draft.limit, draft.placed); }

} // namespace trainyard
