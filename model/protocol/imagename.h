// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace trainyard
{

// The parts of an image's name as a cluster's runtime finds them before a task starts.
struct ImageName {
    QString registry; // https://HOST/v2/; Docker Hub's when the name has none
    QString repository; // of a single word on Docker Hub with library/ before it
    QString tag; // latest when none is written
    friend bool operator==(const ImageName &, const ImageName &) = default;
};

// Returns nothing for a name that the runtime refuses because of capital letters, a digest or other characters.
std::optional<ImageName> clusterImageName(const QString &uri);

} // namespace trainyard
