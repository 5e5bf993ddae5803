// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/tokens.h"

#include <QIcon>

class QPainter;

namespace trainyard
{

// Shows a state as a shape, a colour and a word. The shape alone distinguishes states.
enum class StateShape { Waiting, Running, Stopping, Succeeded, Failed, Stopped, Lost, Paused };

StateShape shapeOf(State state);
StateShape shapeOf(const JobSummary &job); // a job may be paused
StateShape shapeOf(const TaskInfo &task); // and its running tasks with it
Colour colourOf(StateShape shape);
QString stateLabel(StateShape shape); // "Running", translated

// Draws the shape centred in `rect`, on its 14 px grid scaled to the smaller side.
void paintState(QPainter *painter, StateShape shape, const QRectF &rect, const QColor &colour);
void paintState(QPainter *painter, StateShape shape, const QRectF &rect, const QPalette &palette);
QIcon stateIcon(StateShape shape);

} // namespace trainyard
