// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard
{

// While it exists, a display that cannot be opened ends the program with a sentence and the status 1. Qt would end it
// with abort(), after messages for developers. It is needed while the QApplication is made.
class DisplayGuard
{
public:
    DisplayGuard();
    ~DisplayGuard();
    DisplayGuard(const DisplayGuard &) = delete;
    DisplayGuard &operator=(const DisplayGuard &) = delete;
};

} // namespace trainyard
