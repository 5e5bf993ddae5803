// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

// The words for completion codes, as data: exittexts.cpp makes texts of them.
namespace trainyard
{

// Whether a task or a job that ended with the code is tried again.
enum class ExitRetry { None, Always, Counted, Never };

// The texts are to be translated in the context ExitTexts; `advice` may be empty.
struct ExitRow {
    int code;
    ExitRetry retry;
    const char *phrase;
    const char *reason;
    const char *advice;
    const char *brief = nullptr; // for a narrow column, where the phrase is long
};

std::span<const ExitRow> exitRows();

} // namespace trainyard
