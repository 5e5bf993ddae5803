// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/whytables.h"

#include <vector>

namespace trainyard
{

std::span<const WhyWords> whyWords()
{
    static const std::vector<WhyWords> all = [] {
        std::vector<WhyWords> joined;
        for (const std::span<const WhyWords> part :
            {hostWhyWords(), networkWhyWords(), setupWhyWords(), programWhyWords()}) {
            joined.insert(joined.end(), part.begin(), part.end());
        }
        return joined;
    }();
    return all;
}

} // namespace trainyard
