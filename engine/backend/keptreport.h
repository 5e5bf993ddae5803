// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/tryfile.h"
#include "engine/contract/taskfolder.h"
#include "engine/launch/stepreport.h"

#include <array>

namespace trainyard
{

// Whether the commands of the try in this folder have failed and it is kept for inspection. It is read from what the
// try wrote, so that it survives a restart.
inline std::optional<launch::HoldReport> keptReportIn(const QString &tryFolder)
{
    constexpr qint64 readBytes = 64 << 10; // it is the last thing that a task says
    return launch::holdReport(tryFileEnd(tryFolder + u'/' + QLatin1StringView(contract::file::runtime), readBytes));
}

// The names below the folder of a try where its program looks for the end of that: in an image, its folder is another
// one.
inline constexpr std::array<QLatin1StringView, 2> releaseFiles{
    QLatin1StringView("/release"), QLatin1StringView("/inside/release")};

} // namespace trainyard
