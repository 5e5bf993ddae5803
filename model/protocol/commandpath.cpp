// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/commandpath.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

bool isCommandPath(const YamlPath &path)
{
    if (path.size() < 2 || !std::holds_alternative<qsizetype>(path.last())) {
        return false;
    }
    const auto *list = std::get_if<QString>(&path.at(path.size() - 2));
    return list && (*list == u"commands"_s || *list == u"preCommands"_s || *list == u"postCommands"_s);
}

} // namespace trainyard
