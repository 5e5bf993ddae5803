// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/folderlook.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/smallfiles.h"
#include "model/base/threads.h"

#include <QFileInfo>
#include <QThreadPool>

#include <cerrno>
#include <mutex>

namespace trainyard
{
namespace
{

constexpr int endPatienceMs = 200;

FolderLook::Errors errorsOf(const QList<FolderLook::Wanted> &wanted)
{
    FolderLook::Errors errors;
    QHash<QString, bool> roots;
    for (const FolderLook::Wanted &each : wanted) {
        auto root = roots.find(each.root);
        if (root == roots.end()) {
            root = roots.insert(each.root, QFileInfo(each.root).isDir());
        }
        errors.insert(each.file, *root ? contract::unreadError(pathBytes(each.file)) : ENOENT);
    }
    return errors;
}

} // namespace

struct FolderLook::Link {
    std::mutex mutex;
    FolderLook *look = nullptr;
};

FolderLook::FolderLook() : m_link(std::make_shared<Link>()), m_thread(std::make_unique<QThreadPool>())
{
    m_link->look = this;
    m_thread->setMaxThreadCount(1);
}

FolderLook::~FolderLook()
{
    {
        const std::lock_guard lock(m_link->mutex);
        m_link->look = nullptr;
    }
    if (!m_thread->waitForDone(endPatienceMs)) {
        static_cast<void>(m_thread.release()); // its end would wait for the file server
    }
}

void FolderLook::begin(const QList<Wanted> &wanted, const std::function<void(const Errors &)> &then)
{
    m_isBusy = true;
    threads::runOnPool(
        [link = m_link, wanted, then] {
            const Errors errors = errorsOf(wanted);
            const std::lock_guard lock(link->mutex);
            if (FolderLook *look = link->look) {
                threads::callLater(look, [look, then, errors] {
                    look->m_isBusy = false;
                    then(errors);
                });
            }
        },
        m_thread.get());
}

} // namespace trainyard
