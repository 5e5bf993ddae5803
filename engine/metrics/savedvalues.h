// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <string_view>

namespace trainyard::metrics
{

// Takes out of a record what a line about a file that was saved tells again of a value that was printed where it arose:
// "Saved checkpoint 3.pt (epoch 1 @ 330 updates, score 9.482)", "New best model saved (val_acc=85.2%)", "Resumed from
// a.pt (epoch 12, loss 0.45)".
void leaveOutSaved(std::string_view text, Record &record);

} // namespace trainyard::metrics
