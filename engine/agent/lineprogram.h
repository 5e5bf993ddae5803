// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/loop.h"
#include "engine/agent/program.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// A program whose output and errors are read line by line as they come.
class LineProgram
{
public:
    LineProgram(Loop &loop, std::function<void(std::string_view line)> line, std::function<void()> ended)
        : m_loop(loop), m_line(std::move(line)), m_ended(std::move(ended))
    {
    }
    ~LineProgram() { stop(); }
    LineProgram(const LineProgram &) = delete;
    LineProgram &operator=(const LineProgram &) = delete;
    bool start(const std::vector<std::string> &arguments); // false: it is not there
    void stop();
    bool isRunning() const { return m_program.pid > 0; }

private:
    Loop &m_loop;
    std::function<void(std::string_view)> m_line;
    std::function<void()> m_ended;
    Program m_program;
    std::string m_text;

    void readSome();
};

} // namespace trainyard::agent
