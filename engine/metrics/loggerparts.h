// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

// What loggers write beside the text of a program: levels, times, places in the source.
namespace trainyard::metrics
{

inline constexpr std::array<std::string_view, 19> calendar{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug",
    "Sep", "Oct", "Nov", "Dec", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

// How long the level at the beginning of a text is; 0: there is none. So are the next two.
std::size_t levelAt(std::string_view text);
// A time or a date: only digits and what stands between them, with "hh:mm" or "yyyy-mm-dd" in it.
std::size_t stampAt(std::string_view text);
// "04/18 01:46:54", "2024.05.01 10:00:00": a date that is one only beside a time.
std::size_t shortDateAt(std::string_view text);

// "12/24 1:36:46 < 1:40:00, 0.1 it/s, Epoch 1/2", "24/24 1:36:46, Epoch 2/2": the bar of a notebook, and no date.
bool looksLikeBar(std::string_view text);

bool namesSource(std::string_view text);
bool namesLine(std::string_view text); // "line: 833" of a source
// "LOG (train[5.5]:Print():train.cc:120)": how long a level with a place in the source is; 0: there is none.
std::size_t levelWithPlaceAt(std::string_view text);
// "package.module", of which a logger is named: it says nothing of what is measured.
bool isNameOfLogger(std::string_view text);
// "trainer.py run [line:60] loss 0.5": how long the place in the source is, with its function; 0: there is none.
std::size_t functionWithLineAt(std::string_view text);
// "trainer - [10] loss 0.5": how long the name of a logger in front of a step is; 0: there is none.
std::size_t loggerBeforeStepAt(std::string_view text);
// "MainThread: step 10 loss 0.5": how long the name of a thread is, with its colon; 0: there is none.
std::size_t threadAt(std::string_view text);

} // namespace trainyard::metrics
