// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/names.h"
#include "engine/metrics/numbers.h"
#include "engine/metrics/stepnames.h"

#include <string>
#include <vector>

// What one line, or one block of lines, of an output says, before it is decided what of it is a metric.
namespace trainyard::metrics
{

// "Epoch 3/10", "iter: 100"
struct StepMark {
    StepName name;
    double value = 0;
    std::optional<double> total;
    // "Epoch 1:", or a number that opens the line: nothing else on the line says what it is.
    bool isBare = false;
    bool isHalf = false; // written with a point; only an epoch can be
};

struct Pair {
    std::string name;
    std::string context; // "Test set" of "Test set: Avg. loss: 0.3"
    double value = 0;
    NameKind kind = NameKind::Unknown;
    bool isWhole = false; // written as a whole number
    bool isPercent = false;
    bool isUnclear = false; // as Number has it
    int decimals = 0; // of the text
    bool isJoined = true; // by ':' or '=', not only by its place
};

enum class Shape {
    Text, // a line in words
    Dict, // one dictionary
    Bar, // a line that is drawn again and again
    Table // a row below its header, or a box
};

struct Record {
    Shape shape = Shape::Text;
    std::vector<StepMark> steps;
    std::vector<Pair> pairs;
    std::optional<double> secondsLeft;
    std::optional<double> fraction; // "Progress: 12.4%"
    bool isShareOfCount = false; // "400 / 2000 [ 20%]": the two agree, so that it needs no value beside it
    // The bar's count, and whether it is of the bar's last state.
    std::optional<double> barAt, barTotal;
    std::optional<double> barFraction; // as the bar itself says it
    bool isBarOfKeras = false;
    bool isBarDone = false;
    bool isBarOfEpochs = false; // it counts the epochs that are done
    bool isBarOfEvaluation = false;
    bool mayBeRank = false; // the line begins "0: ", and that may be a step or the rank of srun
    bool isOfEvaluation = false; // "Epoch(val) [1][50/5000]": the step itself says so; without one, it is the last one
    bool isOfFrame = false; // a row of a table of results, which may tell again what was printed
    bool beginsFrame = false;
    bool isDrawnAgain = false; // one of several states of a line in words
    bool isIndented = false; // more than the line of its step may be
    bool isOfBlock = false; // one of several figures of a step, each on a line of its own
    bool isOfDetails = false; // dictionaries within a dictionary, with no value beside them
    bool isOfOneClass = false; // "* class [14] IoU 0.5": one of many is not a series
    bool isRemains = false; // an overwritten text followed; what was read so far is right
    int looseNumbers = 0; // that belong to no name
    int columnNumbers = 0; // of those, the ones behind two blanks, as in a row of a table
    int wordValues = 0; // "mode=train", "amp=True"

    bool isEmpty() const
    {
        return steps.empty() && pairs.empty() && !secondsLeft && !barAt && !(fraction && isShareOfCount);
    }
};

} // namespace trainyard::metrics
