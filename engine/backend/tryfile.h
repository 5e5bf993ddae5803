// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QFile;

namespace trainyard
{

// Opens a file of the folder of a try to read it, by its name. The task can have put anything there: nothing but a
// plain file is opened, and nothing is waited for.
bool openTryFile(QFile &file);

} // namespace trainyard
