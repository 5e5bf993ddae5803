// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

namespace trainyard
{

// One engine per state folder, for as long as it lives.
class FolderLock
{
public:
    FolderLock() = default;
    FolderLock(const FolderLock &) = delete;
    FolderLock &operator=(const FolderLock &) = delete;
    ~FolderLock();
    // Errors: engine.already-running {folder}, engine.folder {folder, message}.
    Result<void> take(const QString &folder);

private:
    int m_fd = -1;
};

} // namespace trainyard
