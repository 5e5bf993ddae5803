// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/infobar.h"
#include "widgets/tasks/runpage.h"

#include <QObject>

#include <algorithm>

namespace trainyard
{

// What tests of the page of a run share.
class RunPageTests : public QObject
{
protected:
    // A job that a page can show.
    static JobDetail detailOf(State state)
    {
        JobDetail detail;
        detail.summary.uuid = QStringLiteral("u");
        detail.summary.state = state;
        return detail;
    }

    // The bar below the head, or null.
    static InfoBar *shownBar(const RunPage &page)
    {
        const auto bars = page.findChildren<InfoBar *>();
        const auto shown
            = std::find_if(bars.cbegin(), bars.cend(), [](const InfoBar *bar) { return bar->isVisible(); });
        return shown == bars.cend() ? nullptr : *shown;
    }
};

} // namespace trainyard
