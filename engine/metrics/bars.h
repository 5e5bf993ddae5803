// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace trainyard::metrics
{

// A bar of progress on a line: "Epoch 1:  43%|####    | 12/28 [00:24<00:33, 2.1s/it, loss=0.4]", " 12/28 [===>....] -
// ETA: 5s - loss: 0.4", "640: 100% ━━━━ 409/409 1.5it/s 4:25".
struct Bar {
    std::string_view before; // what stands in front: a description, or the row of a table
    std::string_view behind; // what is shown behind it
    std::string_view rest; // what another text has written into the same line
    double at = 0;
    std::optional<double> total; // nothing where the length is unknown
    std::optional<double> fraction; // as the bar says it, in whole percents
    std::optional<double> secondsLeft;
    bool isOfKeras = false;
    bool saysTimeLeft = false; // Keras: the state before the last one does
    bool countsBytes = false; // a download
};
std::optional<Bar> findBar(std::string_view line);

// "Downloading", "Loading checkpoint shards": work that is not training.
bool isSideWork(std::string_view description);

} // namespace trainyard::metrics
