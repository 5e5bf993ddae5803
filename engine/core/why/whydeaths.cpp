// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whydeaths.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestDeathLine = 1000;
constexpr qsizetype linesToShell = 3; // from what a program says last to what the shell says of it

QString deathText(const WhyLine &line) { return QString::fromUtf8(headOf(line.words, longestDeathLine)); }

QString withoutFolder(const QString &file) { return file.section(u'/', -1); }

// The command that bash names when a signal has ended it: "run.sh: line 3: 812 Aborted (core dumped) ./index". Empty
// where no shell does.
QString commandThatDied(const QList<WhyLine> &lines, const WhySign &death)
{
    static const QRegularExpression ofShell(
        u"\\A\\S+: line \\d+: +\\d+ (?:Aborted|Segmentation fault|Killed|Terminated|Bus error|Illegal instruction"
        "|Floating point exception|Trace/breakpoint trap)(?: +\\(core dumped\\))? +(?<command>\\S.*)"_s);
    const qsizetype end = std::min(lines.size(), death.last + 1 + linesToShell);
    for (qsizetype i = death.line; i < end; ++i) {
        const QRegularExpressionMatch match = ofShell.match(deathText(lines.at(i)));
        if (match.hasMatch()) {
            return match.captured(u"command"_s);
        }
    }
    return {};
}

DyingProgram endedByCommand(const PythonBlock &traceback, const QString &command)
{
    static const QRegularExpression python(
        u"(?:\\A|[\\s/])(?:i?python[\\d.]*|pypy[\\d.]*|torchrun|accelerate|deepspeed|jupyter|pytest|streamlit)(?:\\s|\\z)|\\.py\\b"_s);
    // What only starts another program does not say which, nor does a variable, which bash prints unexpanded.
    static const QRegularExpression starter(
        u"\\A(?:\\w+=\\S* "
        u")*(?:\"?\\$|eval\\s)|\\A(?:\\w+=\\S* "
        u")*(?:\\S*/)?(?:srun|mpirun|mpiexec\\S*|apptainer|singularity|docker|podman|timeout|env|nohup|nice|ionice"
        "|time|numactl|taskset|stdbuf|xvfb-run|nsys|ncu|conda|mamba|micromamba|uv|uvx|poetry|pixi|make|ray|exec|\\w*sh|"
        "\\S+\\.sh"
        ")(?:\\s|\\z)|\\A[({]|\\|"_s);
    // The programs that packages install are Python's: the outermost place is in them.
    const std::optional<WhyFrame> &outermost = traceback.errors.constFirst().outermost;
    const bool isInstalled = outermost && withoutFolder(outermost->file) == withoutFolder(command.section(u' ', 0, 0));
    return isInstalled || python.match(command).hasMatch()       ? DyingProgram::Same
        : command.isEmpty() || starter.match(command).hasMatch() ? DyingProgram::Unknown
                                                                 : DyingProgram::Other;
}

// By what it says itself: libraries of Python programs throw exceptions of their own, and pass on those of Python.
DyingProgram endedByWords(const PythonBlock &traceback, const QList<WhyLine> &lines, const WhySign &death)
{
    static const QRegularExpression library(
        u"(?:c10|at|torch|caffe2|gloo|pybind11|nccl|tensorflow|tsl|xla|rocm|ucx|dmlc|mxnet|onnxruntime|faiss)::"
        "|\\Aterminate called without an active exception|CUDA error|NCCL error"_s);
    // glibc names the program: "index: src/k.cpp:2: int main(): Assertion `batch > 0' failed."
    static const QRegularExpression ofAssert(u"\\A(?<program>[^\\s:]+): \\S+:\\d+: .*Assertion"_s);
    static const QRegularExpression rustMain(u"\\Athread 'main' "_s);
    const QString said = death.args.value("said"_L1).toString();
    const bool isPassedOn = !said.isEmpty()
        && std::any_of(traceback.errors.cbegin(), traceback.errors.cend(), [&](const WhyError &error) {
               return !error.message.isEmpty() && (error.message.contains(said) || said.contains(error.message));
           });
    if (isPassedOn) {
        return DyingProgram::Same;
    }
    constexpr qsizetype linesOfHead = 8; // "terminate called after ..." stands above what it says
    for (qsizetype i = death.line; i > traceback.last && i > death.line - linesOfHead; --i) {
        const QString text = deathText(lines.at(i));
        if (library.match(text).hasMatch()) {
            return DyingProgram::Same;
        }
        if (const QRegularExpressionMatch match = ofAssert.match(text); match.hasMatch()) {
            return withoutFolder(match.captured(u"program"_s)).startsWith("python"_L1) ? DyingProgram::Same
                                                                                       : DyingProgram::Other;
        }
        if (rustMain.match(text).hasMatch()) {
            return DyingProgram::Other;
        }
    }
    return DyingProgram::Unknown;
}

} // namespace

DyingProgram endedAfter(const PythonBlock &traceback, const QList<WhyLine> &lines, const WhySign &death)
{
    const DyingProgram byCommand = endedByCommand(traceback, commandThatDied(lines, death));
    return byCommand == DyingProgram::Unknown ? endedByWords(traceback, lines, death) : byCommand;
}

bool canBeEndOf(const PythonBlock &traceback, const QList<WhyLine> &lines, const WhySign &death)
{
    using Role = FailureCause::Role;
    const bool isDeath = death.block < 0
        && (death.fatal || death.isThrown || death.role == Role::Crash || death.role == Role::Abort
            || death.role == Role::Cancel);
    const DyingProgram ended = isDeath ? endedAfter(traceback, lines, death) : DyingProgram::Same;
    return ended == DyingProgram::Same || (ended == DyingProgram::Unknown && !death.isThrown);
}

} // namespace trainyard::core
