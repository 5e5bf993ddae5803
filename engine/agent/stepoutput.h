// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/mask.h"
#include "engine/contract/taskfolder.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::agent
{

// The script of a task with steps reports its progress within its own outputs, so that the order is kept: a mark is the
// byte 0x1e, a word that only the keeper and the script know, a letter, a number, and on standard output a source and a
// text for runtime.log; a newline ends it. A mark is written to standard error first and then to standard output, with
// one number; a step itself writes only to standard output, with the number 0.
namespace marks
{
constexpr char begin = 'B'; // of a step: what follows is copied
constexpr char end = 'E'; // of a step
constexpr char handOver = 'X'; // nothing of the script follows the commands: the exit status of the task is theirs
// Any other letter: there is only a line to be written.
} // namespace marks

struct Mark {
    char kind = 'I';
    std::uint64_t number = 0;
    std::string source, text;
};
struct MarkedItem {
    std::string text; // output, or nothing:
    std::optional<Mark> mark;
};

// Finds the marks in one stream. What may become one is held back.
class MarkReader
{
public:
    explicit MarkReader(const std::string &word) : m_head('\x1e' + word) { }
    bool isPlain(std::string_view bytes) const; // nothing is held back, and no mark can begin in these bytes
    void push(std::string_view bytes, std::deque<MarkedItem> &items);
    void finish(std::deque<MarkedItem> &items); // what was held back is output

private:
    static constexpr std::size_t longest = 4096;
    const std::string m_head;
    std::string m_held;
};

// The words of a new keeper and its script.
std::string newMarkWord();

// Takes the marks out of the two outputs of a task with steps, and copies what steps print into runtime.log, line by
// line and with its secrets hidden. The order of the outputs stays as it is.
class StepOutput
{
public:
    using Show = std::function<void(contract::Stream, std::string_view)>;
    using Fetch = std::function<std::string(contract::Stream)>; // what can be read now, without waiting
    StepOutput(const std::string &word, const contract::Secrets &secrets, Show show, Fetch fetch);

    void take(contract::Stream stream, std::string_view bytes);
    void finish(contract::Stream stream);
    bool isHandedOver() const { return m_isHandedOver; }

private:
    static constexpr std::uint64_t mostCopied = 16u << 20; // the whole output is in output.log
    static constexpr std::size_t longestLine = 8192;

    struct Lane {
        Lane(const std::string &word, const contract::Secrets &secrets) : reader(word), masker(secrets) { }
        MarkReader reader;
        std::deque<MarkedItem> items;
        contract::Masker masker; // of the copy
        std::string line; // of the copy: not whole yet
        bool isStep = false;
    };
    const contract::Secrets &m_secrets;
    const Show m_show;
    const Fetch m_fetch;
    Lane m_lanes[2];
    std::uint64_t m_acted = 0, m_fetchedFor = 0;
    std::uint64_t m_passed = 0; // the newest mark on standard error
    std::uint64_t m_copied = 0;
    bool m_isHandedOver = false;

    void work();
    void passErrorsUpTo(std::uint64_t number);
    void show(contract::Stream stream, std::string_view bytes);
    void setStep(Lane &lane, const Mark &mark);
    void act(const Mark &mark);
    void copy(Lane &lane, std::string_view bytes, bool last);
};

} // namespace trainyard::agent
