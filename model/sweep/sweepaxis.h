// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/value.h"

#include <optional>

namespace trainyard
{

// The most jobs that one sweep may have.
inline constexpr qint64 mostSweepJobs = 10'000;

// One parameter of a sweep and the values that it gets.
struct SweepAxis {
    // Numbers of which any may be drawn, both ends included.
    struct Bounds {
        double from = 0, to = 0;
        bool isLog = false; // evenly by magnitude; both ends are positive
        bool isWhole = false; // only whole numbers
        bool isText = false; // the values are texts, as in the job
        friend bool operator==(const Bounds &, const Bounds &) = default;
    };
    QString name;
    QList<Value> values; // each once; empty: a range without a count, of which values can only be drawn
    std::optional<Bounds> bounds; // what random values are drawn from; nothing: from `values`
    bool isRounded = false; // values that a count has placed between whole numbers are moved to different ones
    friend bool operator==(const SweepAxis &, const SweepAxis &) = default;
};

// Whether a list may have a value several times: where it is paired with the values of other parameters.
enum class SweepRepeats { Refused, Allowed };

// Reads what a user writes for a parameter:
//     16,32,64              a list; "a, b" with double quotes for a value that has commas or blanks at its ends
//     0..1:0.25             from 0 in steps of 0.25, up to 1
//     0..1:lin:5            five values, evenly spaced
//     1e-4..1e-1:log:5      five values, evenly spaced by magnitude, with six digits between the ends
//     0..1, 1e-4..1e-1:log  any number in between, to be drawn at random; of whole numbers 1..4 has the step 1
// `known` is the value in the job's text, whose type the values keep: whole numbers, and texts that are such numbers,
// stay whole numbers while both ends of a range are written as such, and text stays text. Null: any type.
//
// Codes, with {name, at, length}, the latter two in UTF-16 units of `text` where they point to a part of it:
// sweep.no-values, sweep.empty-value, sweep.not-number {value}, sweep.not-commas {value}, sweep.not-boolean {value},
// sweep.twice {value}, sweep.bad-range, sweep.range-order, sweep.bad-step, sweep.bad-count {most}, sweep.log-sign,
// sweep.whole-too-few {count, found}, sweep.too-close {count}, sweep.too-many-values {count, most}, sweep.open-quote,
// sweep.not-scalar.
Result<SweepAxis> sweepAxis(
    const QString &name, const Value &known, const QString &text, SweepRepeats repeats = SweepRepeats::Refused);

// Whether a single value that is given for a parameter has another type than the one in the job's text: nothing, or
// "sweep.not-number", "sweep.not-boolean" or, as no list or map can be given, "sweep.not-one-value", with {name,
// value}. Any spelling of YAML will do.
std::optional<Error> otherType(const QString &name, const Value &known, const QString &text);

// The nearest number with so many significant digits: the same value, as short as people write it.
double roundedToDigits(double value, int digits);

} // namespace trainyard
