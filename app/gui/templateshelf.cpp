// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/templateshelf.h"

#include <QDir>
#include <QFileSystemWatcher>
#include <QTimer>

namespace trainyard
{
namespace
{
constexpr int folderSettleMs = 100; // copying a folder of files is one change
}

TemplateShelf::TemplateShelf(QObject *parent)
    : QObject(parent), m_watcher(new QFileSystemWatcher(this)), m_settle(new QTimer(this))
{
    m_settle->setSingleShot(true);
    m_settle->setInterval(folderSettleMs);
    connect(m_settle, &QTimer::timeout, this, &TemplateShelf::reload);
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, m_settle, qOverload<>(&QTimer::start));
    reload();
}

void TemplateShelf::setCatalogue(const QString &folder)
{
    if (m_catalogue != folder) {
        m_catalogue = folder;
        reload();
    }
}

void TemplateShelf::reload()
{
    m_settle->stop();
    const TemplateFolder own = readTemplates(userTemplateFolder(), JobTemplate::Origin::User);
    const TemplateFolder shared = readTemplates(m_catalogue, JobTemplate::Origin::Catalogue);
    m_templates = own.templates + shared.templates + bundledTemplates();
    m_errors = own.errors + shared.errors;
    if (const QStringList watched = m_watcher->directories(); !watched.isEmpty()) {
        m_watcher->removePaths(watched);
    }
    for (const QString &folder : {userTemplateFolder(), m_catalogue}) {
        if (!folder.isEmpty() && QDir(folder).exists()) {
            m_watcher->addPath(folder);
        }
    }
    Q_EMIT changed();
}

QStringList TemplateShelf::categories() const
{
    QStringList categories;
    for (const JobTemplate &job : m_templates) {
        if (!categories.contains(job.category)) {
            categories.append(job.category);
        }
    }
    return categories;
}

const JobTemplate *TemplateShelf::find(const QString &id) const
{
    for (const JobTemplate &job : m_templates) {
        if (job.id == id) {
            return &job;
        }
    }
    return nullptr;
}

} // namespace trainyard
