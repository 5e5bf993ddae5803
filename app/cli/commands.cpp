// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

namespace trainyard::cli
{

const QList<Command> &commands()
{
    static const QList<Command> table{};
    return table;
}

} // namespace trainyard::cli
