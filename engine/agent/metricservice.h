// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace trainyard::agent
{

// Additional messages of MetricProcess: the folder of a try that comes with a later message, a null byte, and a value
// that is hidden in its metrics.
namespace metricmessage
{
constexpr char secret = 'S';
constexpr std::size_t longestSecret = 16384; // no name of a metric is as long
} // namespace metricmessage

// Reads the metrics in the files of tasks until the other end of the socket is closed. Messages are a letter and the
// folder of a try; it gets 'B' when the try has begun and 'E' when it has ended, after the 'B' of all that began before
// that end, and answers an end with 'D' once all is in the folder. 'E' without 'B' is of a try that an earlier agent
// began. 'P' is answered by 'P'; 'S' is in metricmessage. It may use a hundredth of a processor while nothing grows.
void serveMetrics(int socket);

} // namespace trainyard::agent
