// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace trainyard::agent
{

// Folders that get their name when they are whole: until then it ends with ".part" and the number of the process that
// makes them. One that is killed leaves its part.

// Keeps such a part locked for as long as it exists, so that no other process takes it for one that was left.
class HeldPart
{
public:
    explicit HeldPart(const std::string &part);
    ~HeldPart();
    HeldPart(const HeldPart &) = delete;
    HeldPart &operator=(const HeldPart &) = delete;

private:
    int m_folder = -1;
};

// Removes the parts of code and data below the state folder whose processes are gone. Waits for the disk.
void removeLeftParts(const std::string &stateFolder);

// Files of a folder of contents or trees that came by pieces and have not got their names: those with which nothing has
// been done for a day, because a copy that was cut may continue the others, and those that `isOver` names. Whatever
// else lies under such a name goes as well, and nothing that a link leads to.
void removeOldParts(
    const std::string &folder, std::int64_t nowMs, const std::function<bool(const std::string &name)> &isOver = {});

} // namespace trainyard::agent
