// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchshape.h"
#include "model/import/batchsteps.h"

#include <QList>
#include <QString>

#include <optional>

namespace trainyard::batch
{

// Steps that run one after another, and the lines around them. A step with fewer tasks than another runs in the first
// ones only.
struct Sequence {
    struct Part {
        Line line;
        qint64 tasks = 0; // of a step
        qsizetype programAt = 0; // in the line of a step
        bool isWhole = true;
        std::optional<Demand> own = {}; // what a step itself says that its tasks take
    };
    QList<Part> parts;
    std::optional<Shape> widest; // of the first of the steps with the most tasks
    Demand demand; // what is enough for each of these
    QString image; // of the first step that says one
    qint64 component = 0;

    void add(const Line &line) { parts.append({line}); }
    void addStep(const Step &step, const Shape &shape, const ByteRange &at);
    QList<Line> lines(Findings &findings) const;
};

} // namespace trainyard::batch
