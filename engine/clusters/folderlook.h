// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>

class QThreadPool;

namespace trainyard
{

// Looks whether files in shared folders can be read, on another thread: a file server that does not answer holds a
// reader up for as long as it likes. There is one look at a time.
class FolderLook : public QObject
{
    Q_OBJECT
public:
    struct Wanted {
        QString root; // of many files; it is looked at once
        QString file;
    };
    // An errno by file: ENOENT if its root is not there, and 0 for what can be read or is not in its root.
    using Errors = QHash<QString, int>;

    FolderLook();
    ~FolderLook() override; // does not wait for a look that is held up
    bool isBusy() const { return m_isBusy; }
    // `then` is called later on the thread of this object, and not at all when this object is gone.
    void begin(const QList<Wanted> &wanted, const std::function<void(const Errors &)> &then);

private:
    struct Link; // to this object, which may be gone before a look has ended
    std::shared_ptr<Link> m_link;
    std::unique_ptr<QThreadPool> m_thread; // one
    bool m_isBusy = false;
};

} // namespace trainyard
